// The transport of databases: an action and its arguments become one statement or one change of a row. Preparing is pure; what is
// stored and shown is made of arguments without secrets. Keeps one database open for each application and location.
// Source: docs/databases.md, "Changes".
import { tmpdir } from "node:os";
import { messageOf, StartError } from "../../domain/error.js";
import type { Action } from "../../domain/schema-document.js";
import { STOPPED_CALL } from "../../domain/stopped-call.js";
import { isObject, type JsonObject, objectOf } from "../../lib/json.js";
import { createDescriptionReader } from "../description-reader.js";
import type { TransportContext } from "../kind.js";
import {
  type CallArguments,
  CallError,
  type Evidence,
  type ExecuteOptions,
  type Outcome,
  type PreparedCall,
  type Preview,
  type Target,
  type Transport,
} from "../transport.js";
import { callOf, type SqlCall } from "./call.js";
import {
  type CallLimits,
  type ChangeOptions,
  type ChangeOutcome,
  cancelledFailure,
  type Database,
  DatabaseFailure,
  type Restoration,
} from "./database.js";
import { SqlDescription } from "./description.js";
import { openDatabase } from "./drivers.js";
import { describeSqlCall } from "./request.js";
import { collectRows } from "./rows.js";
import { syntaxOf } from "./syntaxes.js";

/** Milliseconds a call waits for what another holds: a person waits for it. */
const LOCK_MS = 2_000;

type SqlOptions = Partial<Pick<TransportContext, "spoolFolder">>;

const descriptionOf = createDescriptionReader(SqlDescription);

/** What went wrong as an outcome; whatever is no failure of the database is thrown on. */
function failureOutcome(error: unknown): Outcome {
  if (error instanceof DatabaseFailure)
    return { status: "error", value: { error: error.code, message: error.message, ...error.details } };
  if (error instanceof StartError || error instanceof CallError)
    return { status: "error", value: { error: "connection_failed", message: messageOf(error) } };
  throw error;
}

/** The fingerprint of a change that would fail. */
const FAILS = "fails";
/** Failures that rows written by others explain, where the same change could be made when it was shown. */
const OF_OTHER_ROWS: readonly string[] = ["not_found", "constraint_violation"];

/** The outcome of an approved change that fails, and did not when it was shown: it would do nothing now. Undefined for everything else. */
function failsNowOutcome(error: unknown, expected: string | undefined): Outcome | undefined {
  const isOfRows = error instanceof DatabaseFailure && OF_OTHER_ROWS.includes(error.code);
  if (!isOfRows || expected === undefined || expected === FAILS) return undefined;
  const effect = { changes: [], complete: true, note: `it would fail now: ${error.message}` };
  return changeOutcome({ kind: "changed", preview: { effect, fingerprint: FAILS, undo: "impossible" } }, undefined);
}

/** The databases that are open, one for each application. */
interface Databases {
  /** Throws CallError when it is not known where the database is. */
  get(target: Target): Promise<Database>;
  close(): Promise<void>;
}

function createDatabases(): Databases {
  const opened = new Map<string, { location: string; isFree: boolean; database: Promise<Database> }>();
  return {
    async get({ application, location, locationFault, allowsSuperuser: isFree = false }) {
      if (location === undefined)
        throw new CallError(locationFault ?? "where this database is was not kept; run agentd sync sql LOCATION again");
      const known = opened.get(application);
      if (known && known.location === location && known.isFree === isFree) return known.database;
      const database = openDatabase({ location, allowsSuperuser: isFree });
      opened.set(application, { location, isFree, database });
      // Calls that run end as they can.
      if (known) void known.database.then((old) => old.close()).catch(() => {});
      return database;
    },
    async close() {
      const all = [...opened.values()];
      opened.clear();
      for (const { database } of all) await database.then((one) => one.close()).catch(() => {});
    },
  };
}

/** Running a change in advance holds its locks: it gets less time than the change itself. */
const PREVIEW_MS = 5_000;

const limitsOf = ({ timeoutMs }: Target): CallLimits => ({ timeoutMs, lockMs: Math.min(LOCK_MS, timeoutMs) });

function changeOutcome(outcome: ChangeOutcome, restoration: Restoration | undefined): Outcome {
  if (outcome.kind === "changed") {
    const message = "the rows are not those that were shown; nothing was done";
    return { status: "error", value: { error: "changed", message }, changed: outcome.preview };
  }
  return { status: "ok", value: restoration ? { restored: restoration.images.length } : outcome.row };
}

/** Makes a change that `stop` ends, with a failure `cancelled`, until it becomes final: from then on it is awaited. */
async function untilFinal<Options extends ChangeOptions, T>(
  options: Options,
  stop: AbortSignal | undefined,
  make: (options: Options) => Promise<T>,
): Promise<T> {
  const { keep } = options;
  if (!stop || !keep) return make(options);
  const ending = new AbortController();
  const onStop = (): void => ending.abort();
  if (stop.aborted) onStop();
  stop.addEventListener("abort", onStop, { once: true });
  const keepFirst = async (evidence: Evidence): Promise<void> => {
    stop.removeEventListener("abort", onStop);
    if (ending.signal.aborted) throw cancelledFailure();
    await keep(evidence);
  };
  try {
    return await make({ ...options, signal: ending.signal, keep: keepFirst });
  } catch (error) {
    if (error instanceof DatabaseFailure && error.code === "cancelled")
      throw new DatabaseFailure("cancelled", STOPPED_CHANGE, { cause: error });
    throw error;
  } finally {
    stop.removeEventListener("abort", onStop);
  }
}

const STOPPED_CHANGE = `${STOPPED_CALL} before its change was final; it was rolled back, and nothing was changed`;

/** Makes a call; failures of the database are thrown. */
async function run(
  call: SqlCall,
  database: Database,
  context: { target: Target; options: ExecuteOptions; folder: string },
): Promise<Outcome> {
  const { target, options, folder } = context;
  const { signal, stop, ...changing } = options;
  const limits = limitsOf(target);
  const reading: CallLimits = { ...limits, signal };
  switch (call.kind) {
    case "select":
      return collectRows(database.select(call.selection, reading), folder);
    case "query":
      return collectRows(database.query(call.sql, call.parameters, reading), folder);
    case "change": {
      const { change } = call;
      const outcome = await untilFinal({ ...limits, commit: true, ...changing }, stop, (final) =>
        database.change(change, final),
      );
      return changeOutcome(outcome, change.operation === "restore" ? change : undefined);
    }
    case "routine": {
      const { callRoutine } = database;
      if (!callRoutine) throw new CallError("this database has no functions that can be called");
      const { routine: name, arguments: args, isVolatile } = call;
      const { rows, preview, changed } = await untilFinal(
        { ...(isVolatile ? limits : reading), commit: true, isVolatile, ...changing },
        isVolatile ? stop : undefined,
        (final) => callRoutine.call(database, { name, arguments: args }, final),
      );
      return changed && preview
        ? changeOutcome({ kind: "changed", preview }, undefined)
        : { status: "ok", value: rows };
    }
    default:
      return call satisfies never;
  }
}

const TOO_SLOW = `running it in advance took longer than ${PREVIEW_MS / 1000} s, so that its rows cannot be shown`;

/** For what cannot be run in advance. */
const unknownPreview = (note: string): Preview => ({
  effect: { changes: [], complete: false, note },
  fingerprint: "",
  undo: "impossible",
});

/** What a call would do. */
async function previewOf(call: SqlCall, database: Database, limits: CallLimits): Promise<Preview> {
  const options: ChangeOptions = { ...limits, commit: false };
  if (call.kind === "change") return (await database.change(call.change, options)).preview;
  if (call.kind === "routine" && database.callRoutine) {
    const { routine: name, arguments: args, isVolatile } = call;
    const { preview } = await database.callRoutine({ name, arguments: args }, { ...options, isVolatile });
    if (preview) return preview;
  }
  return unknownPreview("what this does cannot be shown in advance");
}

/** Rows to be put back, as the evidence of a change has them. Throws CallError when they cannot be used. */
function restorationOf(images: JsonObject): Restoration {
  const { operation, images: rows, schemaHash } = images;
  const isWhole = operation === "restore" && Array.isArray(rows) && typeof schemaHash === "string";
  if (!isWhole || !rows.every((row) => isObject(row) && typeof objectOf(row["table"])["name"] === "string"))
    throw new CallError("what is kept of this change cannot be read, so that it cannot be undone");
  return images as unknown as Restoration;
}

/** A transport for actions of kind `sql`. Keeps databases open; `close` ends them. */
export function createSqlTransport({ spoolFolder: folder = tmpdir() }: SqlOptions = {}): Transport {
  const databases = createDatabases();
  return {
    kind: "sql",
    prepare(action: Action, { sent, shown }: CallArguments, target: Target): PreparedCall {
      const description = descriptionOf(action);
      const plan = callOf(description, sent);
      const visible = sent === shown ? plan : callOf(description, shown);
      return { ...describeSqlCall(visible, syntaxOf(description.dialect), target.baseUrl), plan };
    },
    async execute({ plan }, target, options = {}) {
      try {
        return await run(plan as SqlCall, await databases.get(target), { target, options, folder });
      } catch (error) {
        return failsNowOutcome(error, options.expected) ?? failureOutcome(error);
      }
    },
    async preview({ plan }, target, { signal } = {}) {
      const limits = limitsOf({ ...target, timeoutMs: Math.min(target.timeoutMs, PREVIEW_MS) });
      try {
        return await previewOf(plan as SqlCall, await databases.get(target), { ...limits, signal });
      } catch (error) {
        const isTooSlow = error instanceof DatabaseFailure && error.code === "timeout";
        // What has more time when it is made may do in it what it did not in advance.
        if (isTooSlow && limits.timeoutMs < target.timeoutMs) return unknownPreview(TOO_SLOW);
        return { outcome: failureOutcome(error) };
      }
    },
    prepareUndo(action, images, target): PreparedCall {
      const { dialect } = descriptionOf(action);
      const plan: SqlCall = { kind: "change", change: restorationOf(images) };
      return { ...describeSqlCall(plan, syntaxOf(dialect), target.baseUrl), plan };
    },
    async transactionStatus(transaction, target) {
      return (await databases.get(target)).transactionStatus?.(transaction);
    },
    close: () => databases.close(),
  };
}

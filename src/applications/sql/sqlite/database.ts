// SQLite files as databases: every statement runs in a process beside the daemon, and is ended with it when it takes too long.
import { basename } from "node:path";
import type { JsonObject } from "../../../lib/json.js";
import {
  type CallLimits,
  type ChangeOptions,
  type ChangeOutcome,
  cancelledFailure,
  type Database,
  DatabaseFailure,
  type DatabaseOptions,
  type RowStream,
} from "../database.js";
import { sqliteFile } from "../location.js";
import { selectStatement } from "../statement.js";
import type { Job, SqliteAnswer } from "./messages.js";
import { createProcessPool, type SqliteProcess } from "./process.js";
import { sqliteSyntax } from "./syntax.js";

/** For introspection, which no call waits for. */
const INTROSPECTION: CallLimits = { timeoutMs: 60_000, lockMs: 5_000 };
/** A COMMIT that has begun gets this long, beyond the time of the call: what became of it must be known. In milliseconds. */
const COMMIT_MS = 30_000;

/** An answer that is no failure. Throws DatabaseFailure for one that is. */
function checked(answer: SqliteAnswer): Exclude<SqliteAnswer, { kind: "failed" }> {
  if (answer.kind === "failed") throw new DatabaseFailure(answer.code, answer.message, { details: answer.details });
  return answer;
}

/** An answer, and the process that may wait for a word. */
interface Step {
  answer: Exclude<SqliteAnswer, { kind: "failed" }>;
  process: SqliteProcess;
}

const unexpected = ({ kind }: SqliteAnswer): Error =>
  new Error(`the process answered ${kind}, which was not asked for`);

/** Opens a file; it is not looked at before the first call. */
export function openSqliteDatabase({ location }: Pick<DatabaseOptions, "location">): Database {
  const file = sqliteFile(location);
  const shown = basename(file);
  const pool = createProcessPool();

  /** Runs a job. Its process stays for the next one when its last answer has been read, otherwise it ends, and what it did is undone. */
  async function* run(job: Job, { timeoutMs, lockMs, signal }: CallLimits): AsyncGenerator<Step> {
    let deadline = performance.now() + timeoutMs;
    const { process, release } = await pool.take(signal);
    const onAbort = (): void => process.end();
    signal?.addEventListener("abort", onAbort, { once: true });
    let isDone = false;
    try {
      process.send({ file, shown, lockMs: Math.min(lockMs, timeoutMs), job });
      while (!isDone) {
        const answer = await process.next(deadline).catch((error: unknown) => {
          throw signal?.aborted ? cancelledFailure() : error;
        });
        isDone = answer.kind !== "rows" && answer.kind !== "evidence";
        yield { answer: checked(answer), process };
        // The COMMIT has begun.
        if (answer.kind === "evidence") deadline = performance.now() + COMMIT_MS;
      }
    } finally {
      signal?.removeEventListener("abort", onAbort);
      release(isDone);
    }
  }

  async function* rows(job: Job, limits: CallLimits): AsyncGenerator<JsonObject[]> {
    for await (const { answer, process } of run(job, limits)) {
      if (answer.kind === "end") return;
      if (answer.kind !== "rows") throw unexpected(answer);
      if (answer.rows.length > 0) yield answer.rows;
      process.send({ isGoing: true });
    }
  }

  const stream = (job: Job, limits: CallLimits): RowStream => rows(job, limits);

  async function change(job: Job, { keep, ...limits }: ChangeOptions): Promise<ChangeOutcome> {
    for await (const { answer, process } of run(job, limits)) {
      if (answer.kind === "changed") return answer.outcome;
      if (answer.kind !== "evidence") throw unexpected(answer);
      await keep?.(answer.evidence);
      process.send({ isGoing: true });
    }
    throw new DatabaseFailure("database_error", "the database said nothing");
  }

  return {
    async introspect() {
      for await (const { answer } of run({ kind: "introspect" }, INTROSPECTION))
        if (answer.kind === "catalogue") return answer.catalogue;
      throw new DatabaseFailure("database_error", "the database said nothing");
    },
    select(selection, limits) {
      const { sql, parameters } = selectStatement(selection, sqliteSyntax);
      return stream({ kind: "rows", sql, parameters, columns: selection.columns }, limits);
    },
    query(sql, values, limits) {
      const parameters = values.map((value) => ({ value, column: { name: "", kind: "other" as const, type: "" } }));
      return stream({ kind: "rows", sql, parameters }, limits);
    },
    change(one, options) {
      const { commit, expected, keep } = options;
      return change({ kind: "change", change: one, commit, expected, isKept: keep !== undefined }, options);
    },
    async close() {
      pool.close();
    },
  };
}

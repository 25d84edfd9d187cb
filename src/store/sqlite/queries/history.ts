// The history table: the row of a call before it leaves, its completion, and the queries over it. Rows go in and come out
// in the wire's form; the hash chain is kept here, because every row becomes final in `finish`.

import type { Database } from "better-sqlite3";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import type {
  CallIntent,
  FinalStatus,
  HistoryEntry,
  HistoryQuery,
  HistorySearch,
  SearchedHistory,
} from "../../../domain/record.js";
import { toJson } from "../../../lib/json.js";
import { type FinalRow, nextLink } from "../../chain.js";
import type { CallCompletion } from "../../store.js";
import { chainEnd, chainHead } from "../chain-position.js";
import { chainHeadTable, type HistoryRow, historyTable, placeholders } from "../tables.js";
import type { EffectQueries, EffectRow } from "./effects.js";
import type { RowFiles } from "./kept-results.js";
import { createList } from "./list-history.js";
import { createSearch } from "./search-history.js";

/**
 * The row of a call before it leaves; JSON as text. What is not known yet has its columns all the same: a copy with other values
 * costs a tenth of one with other fields.
 */
export type IntentRow = Omit<HistoryRow, "seq" | "hash" | "undo" | "transaction_id" | "undone_by">;

/** The columns that complete a row; JSON as text. */
type CompletionRow = Pick<FinalRow, "result" | "duration_ms"> & { status: FinalStatus; undoes?: number | undefined };

/** The history, synchronously: each method is one statement or runs inside the caller's transaction. */
export interface HistoryQueries {
  /** Writes a row that is not final yet; returns its id. */
  begin(intent: IntentRow, status: "pending" | "held"): number;
  /** Writes a row that is final at once; two statements, for the caller's transaction. */
  record(intent: IntentRow, completion: CompletionRow): number;
  /** The same for a refused attempt of a pending row's call, without an event of its own; as `record`. */
  recordAttempt(id: number, completion: CompletionRow, now: string): number;
  /** Makes a row in status `from` final and chains it. False, and nothing written, when the row is in another status. */
  finish(id: number, completion: CompletionRow, from: "pending" | "held"): boolean;
  /** Makes a held row pending, with the arguments and request (JSON text) it will really be called with. */
  release(id: number, edits: { arguments: string | null; request: string | null }): void;
  /** Keeps what a pending row does. */
  keepEffect(id: number, row: EffectRow): void;
  /** Keeps the hash of a held row's confirmation with it; final once the row is. */
  setConfirmation(id: number, hash: string): void;
  /** That hash; null for a row without. */
  confirmationOf(id: number): string | null;
  /** When a row was written, "" for none. */
  timeOf(id: number): string;
  /** Newest first. */
  list(query: HistoryQuery): HistoryEntry[];
  /** Newest first, step by step, with the conditions that no index answers. */
  search(query: HistoryQuery, search: HistorySearch): Promise<SearchedHistory>;
  /** Saves the end of the chain, when it moved; once for each transaction that completes rows. */
  saveEnd(): void;
  /** Reads the end of the chain from the database again: after a rollback. */
  reload(): void;
}

/** The row of a call that is about to leave, or never will, as it is written now. */
export function toIntentRow(intent: CallIntent): IntentRow {
  return {
    ts: new Date().toISOString(),
    session_id: intent.session_id,
    turn_id: intent.turn_id,
    call_id: intent.call_id,
    tool: intent.tool,
    arguments: toJson(intent.arguments),
    safety: intent.safety,
    policy: toJson(intent.policy),
    request: intent.request === null ? null : toJson(intent.request),
    provider: intent.provider,
    model: intent.model,
    client: intent.client,
    application: intent.application,
    event: intent.event ?? null,
    asked_by: intent.asked_by,
    effect: intent.effect ? toJson(intent.effect) : null,
    id: 0,
    boot_id: "",
    status: "held",
    result: null,
    duration_ms: null,
    confirmation: null,
  };
}

/** A completion as it is written; a duration that is not known is null. */
export function toCompletionRow({ status, result, duration_ms, undoes }: CallCompletion): CompletionRow {
  return { status, result: toJson(result), duration_ms: Number.isFinite(duration_ms) ? duration_ms : null, undoes };
}

/** The statements that write, prepared. */
function prepareWrites(orm: BetterSQLite3Database) {
  const { id, from, status } = placeholders("id", "from", "status");
  const {
    arguments: args,
    request,
    ...intent
  } = placeholders(
    ...(["ts", "session_id", "turn_id", "call_id", "tool", "arguments", "safety", "policy", "request"] as const),
    ...(["provider", "model", "client", "boot_id", "application", "event", "asked_by", "effect"] as const),
  );
  const final = { status, ...placeholders("result", "duration_ms", "seq", "hash") };
  const isRow = eq(historyTable.id, id);
  const update = (columns: Partial<Record<keyof HistoryRow, SQL>>) => orm.update(historyTable).set(columns);
  return {
    insert: orm
      .insert(historyTable)
      .values({ ...intent, arguments: args, request, status })
      .prepare(),
    complete: update(final)
      .where(and(isRow, eq(historyTable.status, from)))
      .prepare(),
    release: update({ status: sql`'pending'`, arguments: args, request, effect: sql`NULL` }).where(isRow).prepare(),
    find: orm.select().from(historyTable).where(isRow).prepare(),
    setConfirmation: update(placeholders("confirmation")).where(isRow).prepare(),
    saveEnd: orm
      .update(chainHeadTable)
      .set({ seq: final.seq, hash: final.hash })
      .where(eq(chainHeadTable.id, 1))
      .prepare(),
  };
}

/** What the queries of the history need. */
interface HistoryParts {
  db: Database;
  orm: BetterSQLite3Database;
  effects: EffectQueries;
  files: RowFiles;
}

/** The history of a database that is open and migrated. */
export function createHistoryQueries({ db, orm, effects, files }: HistoryParts, bootId: string): HistoryQueries {
  const { insert, complete, find, release, setConfirmation, saveEnd } = prepareWrites(orm);
  /** Rows in flight, so that completing one need not read it, and its hash covers what was written, not what the file holds now. */
  const inFlight = new Map<number, Omit<FinalRow, "status" | "result" | "duration_ms">>();
  let end = chainEnd(db);
  let saved = chainHead(db)?.seq;

  const table: HistoryQueries = {
    begin(intent, status) {
      const row = { ...intent, boot_id: bootId, status, confirmation: null };
      const id = Number(insert.run(row).lastInsertRowid);
      if (status === "pending") inFlight.set(id, { ...row, id });
      return id;
    },
    record(intent, completion) {
      const id = table.begin(intent, "held");
      table.finish(id, completion, "held");
      return id;
    },
    recordAttempt(id, completion, now) {
      const row = find.get({ id });
      if (!row) throw new Error(`row ${id} is missing`);
      return table.record({ ...row, ts: now, event: null }, completion);
    },
    finish(id, completion, from) {
      // What is kept of a held row is that of an approval that was rolled back.
      const intent = (from === "pending" && inFlight.get(id)) || find.get({ id });
      if (!intent) return false;
      // What was about to be done and was not has no effect.
      const isVoid = from === "pending" && completion.status === "error" && intent.effect !== null;
      const effect = isVoid ? null : intent.effect;
      const { status, result, duration_ms } = completion;
      const link = nextLink(end, { ...intent, status, result, duration_ms, effect });
      const { changes } = complete.run({ id, from, ...completion, ...link });
      if (changes === 1) {
        end = link;
        if (isVoid) effects.drop(id);
        if (completion.status === "ok" && completion.undoes !== undefined) effects.markUndone(completion.undoes, id);
      }
      inFlight.delete(id);
      return changes === 1;
    },
    release(id, edits) {
      const row = find.get({ id });
      if (!row) throw new Error(`row ${id} is missing`);
      const changes = { arguments: edits.arguments ?? row.arguments, request: edits.request ?? row.request };
      release.run({ id, ...changes });
      inFlight.set(id, { ...row, ...changes, effect: null });
    },
    keepEffect(id, row) {
      effects.keep(id, row);
      const intent = inFlight.get(id);
      if (intent) inFlight.set(id, { ...intent, effect: row.effect });
    },
    setConfirmation: (id, hash) => void setConfirmation.run({ id, confirmation: hash }),
    confirmationOf: (id) => find.get({ id })?.confirmation ?? null,
    timeOf: (id) => find.get({ id })?.ts ?? "",
    list: createList(orm, files),
    search: createSearch(db, orm, files),
    saveEnd() {
      if (end.seq === saved) return;
      saveEnd.run({ ...end });
      saved = end.seq;
    },
    reload() {
      end = chainEnd(db);
      saved = chainHead(db)?.seq;
    },
  };
  return table;
}

// The tables of the record, as drizzle-kit and the queries see them. `npx drizzle-kit generate` turns a change here into
// a migration; migrate.ts makes every table STRICT as it applies one, which drizzle-kit cannot express.
// JSON is kept as text made by toJson(), so that integers beyond 2^53 keep their digits. Times are ISO 8601 in UTC and
// never decide an order: that is always by id, because clocks jump.

import { type SQL, sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { HistoryStatus } from "../../domain/history-status.js";
import type { LimitScope } from "../../domain/limits.js";
import type { Confirmation, TurnStatus } from "../../domain/record.js";
import type { Safety } from "../../domain/schema-document.js";
import type { UndoState } from "../../domain/undo-state.js";

/** One row per tool call. An index on a column also serves newest-first paging, since SQLite appends the id to it. */
export const historyTable = sqliteTable(
  "history",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    ts: text("ts").notNull(),
    session_id: text("session_id").notNull(),
    turn_id: text("turn_id").notNull(),
    call_id: text("call_id").notNull(),
    tool: text("tool").notNull(),
    arguments: text("arguments").notNull(),
    safety: text("safety").$type<Safety>().notNull(),
    policy: text("policy").notNull(),
    request: text("request"),
    provider: text("provider").notNull(),
    model: text("model").notNull(),
    client: text("client").notNull(),
    /** Which run of the daemon wrote the row. */
    boot_id: text("boot_id").notNull(),
    status: text("status").$type<HistoryStatus>().notNull(),
    result: text("result"),
    duration_ms: real("duration_ms"),
    /** Position in the order of completion, from 1 without gaps; null until the row is final. */
    seq: integer("seq"),
    /** See ../chain.ts; null until the row is final. */
    hash: text("hash"),
    /** Hash of the confirmation the call is held by; null for a call that was not held, or was held before version 3. */
    confirmation: text("confirmation"),
    /** Name of the application the tool belongs to, "" for the one without a name. */
    application: text("application").notNull().default(""),
    /** The number of its tool_call event in its turn; null without a turn, and before version 5. */
    event: integer("event"),
    /** Name of the token that asked for it; "" for none, and before there were names. */
    asked_by: text("asked_by").notNull().default(""),
    /** What it would do, or did, as JSON; null where that is not known, and before version 10. */
    effect: text("effect"),
    /** Whether it could be undone when it was made; null for a call that left no evidence. Not in the hash chain. */
    undo: text("undo").$type<Exclude<UndoState, "done">>(),
    /** What its database knows it by, to be asked after a crash; null for none. Not in the hash chain. */
    transaction_id: text("transaction_id"),
    /** Id of the row that undid it; null for none. Not in the hash chain. */
    undone_by: integer("undone_by"),
  },
  (t) => [
    index("history_session").on(t.session_id),
    index("history_tool").on(t.tool),
    index("history_status").on(t.status),
    index("history_application").on(t.application),
    index("history_asked_by").on(t.asked_by),
    uniqueIndex("history_seq").on(t.seq).where(sql`seq IS NOT NULL`),
    index("history_undoable").on(t.session_id).where(sql`undo IN ('possible', 'partial') AND undone_by IS NULL`),
  ],
);

/** One row per conversation. */
export const sessionsTable = sqliteTable(
  "sessions",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    session_id: text("session_id").notNull(),
    created_at: text("created_at").notNull(),
    title: text("title").notNull(),
    turns: integer("turns").notNull(),
    /** Id of the newest turn: sessions are listed by it, newest first. */
    last_turn: integer("last_turn").notNull(),
    /** What a prompt of it asked for last; null where none asked, and before version 8. */
    provider: text("provider"),
    model: text("model"),
    /** What the model calls of its turns took, as JSON; null where no vendor said, and for turns before version 8. */
    usage: text("usage"),
    /** What a person called it; null for one that goes by its first prompt, and before version 12. */
    given_title: text("given_title"),
    /** The turn of another session that it goes on from, with all before that one; null for none, and before version 12. */
    continues: text("continues"),
  },
  (t) => [uniqueIndex("sessions_session_id").on(t.session_id), index("sessions_last_turn").on(t.last_turn)],
);

/** One row per prompt. */
export const turnsTable = sqliteTable(
  "turns",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    session: integer("session")
      .notNull()
      .references(() => sessionsTable.id, { onDelete: "cascade" }),
    turn_id: text("turn_id").notNull(),
    prompt: text("prompt").notNull(),
    status: text("status").$type<TurnStatus>().notNull(),
    error: text("error").notNull(),
    started_at: text("started_at").notNull(),
    ended_at: text("ended_at"),
    provider: text("provider").notNull(),
    model: text("model").notNull(),
    client: text("client").notNull(),
    /** The newest history id when the turn began: its own rows are above it. */
    history_before: integer("history_before").notNull(),
    /** What it emitted, as JSON (see ../kept-events.ts); null for a turn that did not come to its end, and before version 5. */
    events: text("events"),
    /** Name of the token that asked for it; "" for none, and before there were names. */
    asked_by: text("asked_by").notNull().default(""),
    /** What its model calls took, as JSON; null where no vendor said, and before version 8. */
    usage: text("usage"),
  },
  (t) => [
    index("turns_session").on(t.session),
    index("turns_turn_id").on(t.turn_id),
    index("turns_running").on(t.id).where(sql`status = 'running'`),
  ],
);

/** One row per message of a transcript, in order of id. */
export const messagesTable = sqliteTable(
  "messages",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    session: integer("session")
      .notNull()
      .references(() => sessionsTable.id, { onDelete: "cascade" }),
    /** Id of the turn; not a foreign key, which would need an index of its own to delete a session quickly. */
    turn: integer("turn").notNull(),
    body: text("body").notNull(),
  },
  (t) => [index("messages_session").on(t.session)],
);

/** One row per key that a client gave a prompt, so that sending it again gives the same turn. Deleted after a day. */
export const idempotencyKeysTable = sqliteTable(
  "idempotency_keys",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    /** The session that the key counts in, "" for the daemon. */
    scope: text("scope").notNull(),
    key: text("key").notNull(),
    /** Hash of what was asked. */
    fingerprint: text("fingerprint").notNull(),
    session_id: text("session_id").notNull(),
    turn_id: text("turn_id").notNull(),
    /** Until the turn begins; null from then on. */
    prompt: text("prompt"),
    client: text("client").notNull(),
    asked_by: text("asked_by").notNull(),
    created_at: text("created_at").notNull(),
  },
  (t) => [
    uniqueIndex("idempotency_keys_key").on(t.scope, t.key),
    index("idempotency_keys_turn").on(t.turn_id),
    index("idempotency_keys_waiting").on(t.id).where(sql`prompt IS NOT NULL`),
  ],
);

/** What a session or a day (of UTC) took, from when on it had a limit. A day's row stays: it is small, and a clock may go back. */
export const useCountsTable = sqliteTable(
  "use_counts",
  {
    id: integer("id").primaryKey(),
    scope: text("scope").$type<LimitScope>().notNull(),
    /** Id of the session, or the day as 2026-01-31. */
    name: text("name").notNull(),
    calls: integer("calls").notNull(),
    model_calls: integer("model_calls").notNull(),
    tokens: integer("tokens").notNull(),
  },
  (t) => [uniqueIndex("use_counts_name").on(t.scope, t.name)],
);

/** One row per result whose list is kept whole, in a file beside the record: its history row has only the beginning of it. */
export const keptResultsTable = sqliteTable("kept_results", {
  /** Of the history row. */
  history_id: integer("history_id").primaryKey(),
  /** Where the list stands in the answer, as a JSON Pointer. */
  path: text("path").notNull(),
  items: integer("items").notNull(),
  bytes: integer("bytes").notNull(),
  /** 1 when the answer had more items than were kept. */
  truncated: integer("truncated").notNull(),
  created_at: text("created_at").notNull(),
});

/** One row per call that a person saved to make it again: a tool with its arguments. */
export const savedActionsTable = sqliteTable(
  "saved_actions",
  {
    id: integer("id").primaryKey({ autoIncrement: true }),
    action_id: text("action_id").notNull(),
    title: text("title").notNull(),
    tool: text("tool").notNull(),
    arguments: text("arguments").notNull(),
    /** 1 for one on the start page. */
    pinned: integer("pinned").notNull(),
    created_at: text("created_at").notNull(),
    /** Name of the token that saved it; "" for none. */
    created_by: text("created_by").notNull(),
  },
  (t) => [uniqueIndex("saved_actions_action_id").on(t.action_id)],
);

/** One row per call that waits, or waited, for a confirmation. */
export const confirmationsTable = sqliteTable(
  "confirmations",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }),
    id: text("id").notNull(),
    history_id: integer("history_id").notNull(),
    session_id: text("session_id").notNull(),
    turn_id: text("turn_id").notNull(),
    call_id: text("call_id").notNull(),
    tool: text("tool").notNull(),
    safety: text("safety").$type<Safety>().notNull(),
    arguments: text("arguments").notNull(),
    request: text("request").notNull(),
    policy: text("policy").notNull(),
    provider: text("provider").notNull(),
    model: text("model").notNull(),
    client: text("client").notNull(),
    status: text("status").$type<Confirmation["status"]>().notNull(),
    created_at: text("created_at").notNull(),
    expires_at: text("expires_at").notNull(),
    decided_at: text("decided_at"),
    reason: text("reason").notNull(),
    /** 1 once the outcome is in the transcript: written by the turn that waited for it, or as a notice. */
    told: integer("told").notNull().default(0),
    /** Name of the application the tool belongs to, "" for the one without a name. */
    application: text("application").notNull().default(""),
    /** Name of the token that asked for it; "" for none, and before there were names. */
    asked_by: text("asked_by").notNull().default(""),
    /** Name of the token that decided it; "" for none, and while it waits. */
    decided_by: text("decided_by").notNull().default(""),
    /** What it would do, as a person saw it: JSON; null where that is not known, and before version 10. */
    effect: text("effect"),
    /** Whether it could be undone; null with a null effect. */
    undo: text("undo").$type<Exclude<UndoState, "done">>(),
    /** Of what the effect is made of, whole; null with a null effect. */
    fingerprint: text("fingerprint"),
    /** What the application of a call that was sent asks a person for, as JSON; null for a call that waits, and before version 11. */
    input: text("input"),
  },
  (t) => [
    index("confirmations_untold").on(t.session_id).where(sql`told = 0`),
    uniqueIndex("confirmations_id").on(t.id),
    index("confirmations_status").on(t.status),
    index("confirmations_history").on(t.history_id),
  ],
);

/** Where the hash chain begins after old rows were deleted: one row, written by prune. Here for drizzle-kit; its queries are plain SQL. */
export const chainAnchorTable = sqliteTable("chain_anchor", {
  id: integer("id").primaryKey(),
  seq: integer("seq").notNull(),
  hash: text("hash").notNull(),
  /** The largest history id ever pruned. */
  pruned_id: integer("pruned_id").notNull(),
});

/** Where the hash chain ends, as the daemon left it: one row, written with every group that completes rows. A chain that was cut does not reach it. */
export const chainHeadTable = sqliteTable("chain_head", {
  id: integer("id").primaryKey(),
  seq: integer("seq").notNull(),
  hash: text("hash").notNull(),
  /** The newest history id whose confirmation may have no hash, because it is older. */
  confirmations_after: integer("confirmations_after").notNull(),
});

/** Which process has the record open for writing: one row; see ../../data-dir/process-identity.ts. None after a clean end. */
export const ownerTable = sqliteTable("owner", {
  id: integer("id").primaryKey(),
  pid: integer("pid").notNull(),
  started: text("started").notNull(),
  boot: text("boot").notNull(),
  namespace: text("namespace").notNull(),
  host: text("host").notNull(),
  /** Inode of the file: a copy has no owner. */
  file: text("file").notNull(),
});

/** A row of the history table. */
export type HistoryRow = typeof historyTable.$inferSelect;
/** A row of the confirmations table. */
export type ConfirmationRow = typeof confirmationsTable.$inferSelect;

/** Placeholders of a prepared statement, by name, wherever a value can stand. */
export function placeholders<Name extends string>(...names: Name[]): Record<Name, SQL> {
  return Object.fromEntries(names.map((name) => [name, sql`${sql.placeholder(name)}`])) as Record<Name, SQL>;
}

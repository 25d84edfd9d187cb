// The confirmations table: calls that wait for a person's decision, with everything needed to run them later. A decision is
// one conditional update, so that exactly one of many wins. Runs inside the caller's transaction.

import { and, asc, desc, eq, isNotNull, lt, ne, sql } from "drizzle-orm";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import type { Effect, Foreseen } from "../../../domain/effect.js";
import type { Confirmation, ConfirmationQuery } from "../../../domain/record.js";
import { type JsonObject, toJson } from "../../../lib/json.js";
import { confirmationHash } from "../../chain.js";
import type { Claim, NewHold } from "../../store.js";
import { type ConfirmationRow, confirmationsTable, placeholders } from "../tables.js";
import { toObject, toPolicy } from "./entry.js";
import type { HistoryQueries, IntentRow } from "./history.js";

/** A held call as it is written, beside its history row; JSON as text. */
type HeldRow = Pick<ConfirmationRow, "id" | "arguments" | "request" | "created_at" | "expires_at" | "input" | "told"> &
  ForeseenRow;

/** What a call would do, as it is written; all of it or nothing. */
type ForeseenRow = Pick<ConfirmationRow, "effect" | "undo" | "fingerprint">;

function toForeseenRow(foreseen: Foreseen | undefined): ForeseenRow {
  if (!foreseen) return { effect: null, undo: null, fingerprint: null };
  return { effect: toJson(foreseen.effect), undo: foreseen.undo, fingerprint: foreseen.fingerprint };
}

/** A decision as it is written; JSON as text, null where nothing changes. */
interface ClaimRow extends ForeseenRow {
  id: string;
  decision: Claim["decision"];
  reason: string;
  decided_by: string;
  now: string;
  arguments: string | null;
  request: string | null;
  history_arguments: string | null;
  history_request: string | null;
}

/** Confirmations, synchronously. */
export interface ConfirmationQueries {
  hold(intent: IntentRow, call: HeldRow): void;
  get(id: string): Confirmation | undefined;
  fingerprint(id: string): string;
  /** Undecided ones first, the oldest of them first; then, and behind `before`, the newest first. */
  list(query: ConfirmationQuery): Confirmation[];
  /** Gives a pending one that has not expired another expiry; whether there was one. */
  extend(id: string, expires_at: string): boolean;
  /** False when it was not pending any more; `result` is that of a refusal, or the answer to a question, as JSON text. */
  claim(claim: ClaimRow, result: string): boolean;
  /** The pending ones past their expiry. */
  expired(): Confirmation[];
  /** The pending ones that are questions of calls under way. */
  questions(): Confirmation[];
  /** The confirmation of a held history row. */
  ofRow(history_id: number): Confirmation | undefined;
}

/** A held call as it is written now. */
export function toHeldRow(call: NewHold): HeldRow {
  return {
    id: call.id,
    arguments: toJson(call.arguments),
    request: toJson(call.request),
    created_at: new Date().toISOString(),
    expires_at: call.expires_at,
    ...toForeseenRow(call.foreseen),
    input: call.input ? toJson(call.input as unknown as JsonObject) : null,
    // The result of the call that asks says what came of the answer.
    told: call.input ? 1 : 0,
  };
}

/** A decision as it is written now. */
export function toClaimRow(claim: Claim): ClaimRow {
  const text = (value: JsonObject | undefined): string | null => (value ? toJson(value) : null);
  return {
    id: claim.id,
    decision: claim.decision,
    reason: claim.reason,
    decided_by: claim.decided_by ?? "",
    now: new Date().toISOString(),
    arguments: text(claim.arguments),
    request: text(claim.request),
    history_arguments: text(claim.history_arguments),
    history_request: text(claim.history_request),
    ...toForeseenRow(claim.foreseen),
  };
}

function toConfirmation(row: ConfirmationRow): Confirmation {
  const { seq: _, told: __, fingerprint: ___, effect, undo, input, ...rest } = row;
  const confirmation: Confirmation = {
    ...rest,
    arguments: toObject(row.arguments),
    request: toObject(row.request),
    policy: toPolicy(row.policy),
  };
  if (input !== null) confirmation.input = { message: "", ...toObject(input) };
  if (effect === null) return confirmation;
  return { ...confirmation, effect: toObject(effect) as unknown as Effect, undo: undo ?? "impossible" };
}

/** The confirmations of a database that is only read. */
export function createConfirmationReads(
  orm: BetterSQLite3Database,
): Pick<ConfirmationQueries, "get" | "fingerprint" | "list" | "expired" | "questions" | "ofRow"> {
  const from = () => orm.select().from(confirmationsTable);
  const limit = sql.placeholder("limit");
  const one = from()
    .where(eq(confirmationsTable.id, sql.placeholder("id")))
    .prepare();
  const byRow = from()
    .where(eq(confirmationsTable.history_id, sql.placeholder("history_id")))
    .prepare();
  const waiting = from()
    .where(eq(confirmationsTable.status, "pending"))
    .orderBy(asc(confirmationsTable.seq))
    .limit(limit)
    .prepare();
  const decided = from()
    .where(ne(confirmationsTable.status, "pending"))
    .orderBy(desc(confirmationsTable.seq))
    .limit(limit)
    .prepare();
  const seqOf = orm
    .select({ seq: confirmationsTable.seq })
    .from(confirmationsTable)
    .where(eq(confirmationsTable.id, sql.placeholder("id")))
    .prepare();
  const newest = ({ status, before, limit: most }: ConfirmationQuery): ConfirmationRow[] => {
    // Nothing is older than what is not there.
    const end = before === undefined ? undefined : (seqOf.get({ id: before })?.seq ?? 0);
    const isOlder = end === undefined ? undefined : lt(confirmationsTable.seq, end);
    const own = confirmationsTable.status;
    const isWanted = status === "decided" ? ne(own, "pending") : status && eq(own, status);
    return from().where(and(isWanted, isOlder)).orderBy(desc(confirmationsTable.seq)).limit(most).all();
  };
  const overdue = from()
    .where(
      and(eq(confirmationsTable.status, "pending"), sql`${confirmationsTable.expires_at} <= ${sql.placeholder("now")}`),
    )
    .orderBy(asc(confirmationsTable.seq))
    .prepare();
  const asked = from()
    .where(and(eq(confirmationsTable.status, "pending"), isNotNull(confirmationsTable.input)))
    .orderBy(asc(confirmationsTable.seq))
    .prepare();
  const toOne = (row: ConfirmationRow | undefined) => row && toConfirmation(row);

  return {
    get: (id) => toOne(one.get({ id })),
    fingerprint: (id) => one.get({ id })?.fingerprint ?? "",
    ofRow: (history_id) => toOne(byRow.get({ history_id })),
    list(query) {
      const { status, before } = query;
      if (before === undefined && status === "pending") return waiting.all({ limit: query.limit }).map(toConfirmation);
      if (before !== undefined || status) return newest(query).map(toConfirmation);
      const first = waiting.all({ limit: query.limit });
      return [...first, ...decided.all({ limit: query.limit - first.length })].map(toConfirmation);
    },
    expired: () => overdue.all({ now: new Date().toISOString() }).map(toConfirmation),
    questions: () => asked.all().map(toConfirmation),
  };
}

function prepareWrites(orm: BetterSQLite3Database) {
  const { id, decision, decided_by, reason, now } = placeholders("id", "decision", "decided_by", "reason", "now");
  const held = placeholders(
    ...(["history_id", "session_id", "turn_id", "call_id", "tool", "safety", "arguments", "request"] as const),
    ...(["policy", "provider", "model", "client", "created_at", "expires_at", "application", "asked_by"] as const),
    ...(["effect", "undo", "fingerprint", "input", "told"] as const),
  );
  const { status, expires_at } = confirmationsTable;
  const isRow = eq(confirmationsTable.id, id);
  return {
    find: orm.select().from(confirmationsTable).where(isRow).prepare(),
    extend: orm
      .update(confirmationsTable)
      .set({ expires_at: sql`max(${expires_at}, ${held.expires_at})` })
      .where(sql`${isRow} AND ${status} = 'pending' AND ${expires_at} > ${now}`)
      .prepare(),
    insert: orm
      .insert(confirmationsTable)
      .values({ ...held, id, status: "pending", reason: "" })
      .prepare(),
    // An approval after expiry is none: expiry is checked in the statement that writes the decision.
    decide: orm
      .update(confirmationsTable)
      .set({
        status: decision,
        decided_at: now,
        decided_by,
        reason,
        arguments: sql`coalesce(${held.arguments}, arguments)`,
        request: sql`coalesce(${held.request}, request)`,
        effect: sql`coalesce(${held.effect}, effect)`,
        undo: sql`coalesce(${held.undo}, undo)`,
        fingerprint: sql`coalesce(${held.fingerprint}, fingerprint)`,
      })
      .where(sql`${isRow} AND ${status} = 'pending' AND (${decision} <> 'approved' OR ${expires_at} > ${now})`)
      .prepare(),
  };
}

/** The confirmations of a database that is open and migrated. */
export function createConfirmationQueries(orm: BetterSQLite3Database, history: HistoryQueries): ConfirmationQueries {
  const { insert, decide, find, extend } = prepareWrites(orm);
  const reads = createConfirmationReads(orm);
  /** What was decided, or is held, goes into the chain with its history row. */
  const keepHash = (id: string): ConfirmationRow => {
    const row = find.get({ id });
    if (!row) throw new Error(`confirmation ${id} could not be written`);
    history.setConfirmation(row.history_id, confirmationHash(row));
    return row;
  };
  /** An approval covers what the daemon wrote and a person saw, not what another program made of it. */
  const checkHash = (id: string): void => {
    const row = find.get({ id });
    const kept = row && history.confirmationOf(row.history_id);
    if (kept && kept !== confirmationHash(row))
      throw new Error(`the held call was changed by another program; deny it and ask for it again`);
  };
  return {
    ...reads,
    hold(intent, call) {
      const history_id = history.begin(intent, "held");
      insert.run({ ...intent, ...call, history_id });
      keepHash(call.id);
    },
    extend(id, expires_at) {
      // What another program made of it gets no hash that fits.
      checkHash(id);
      if (extend.run({ id, expires_at, now: new Date().toISOString() }).changes === 0) return false;
      keepHash(id);
      return true;
    },
    claim(claim, result) {
      if (claim.decision === "approved") checkHash(claim.id);
      if (decide.run({ ...claim }).changes === 0) return false;
      const { history_id: row, input } = keepHash(claim.id);
      const isApproved = claim.decision === "approved";
      if (isApproved && input === null)
        history.release(row, { arguments: claim.history_arguments, request: claim.history_request });
      else history.finish(row, { status: isApproved ? "ok" : "denied", result, duration_ms: 0 }, "held");
      return true;
    },
  };
}

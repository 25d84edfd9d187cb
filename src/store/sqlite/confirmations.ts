// The confirmations table: calls that wait for a person's decision, with everything needed to run them later. A decision is
// one conditional update, so that exactly one of many wins. Runs inside the caller's transaction.

import type { Database } from "better-sqlite3";
import { and, asc, desc, eq, ne, sql } from "drizzle-orm";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import type { HeldCall } from "../../domain/event.js";
import type { CallIntent, Confirmation } from "../../domain/record.js";
import { type JsonValue, toJson } from "../../lib/json.js";
import type { Claim } from "../store.js";
import { type HistoryQueries, toObject, toPolicy } from "./history.js";
import { type ConfirmationRow, confirmationsTable } from "./tables.js";

/** Confirmations, synchronously. */
export interface ConfirmationQueries {
  hold(intent: CallIntent, call: Omit<HeldCall, "created_at">): Confirmation;
  get(id: string): Confirmation | undefined;
  list(query: { status?: Confirmation["status"]; limit: number }): Confirmation[];
  claim(claim: Claim, result: JsonValue): Confirmation | undefined;
  /** The pending ones past their expiry. */
  expired(): Confirmation[];
  /** The confirmation of a held history row. */
  ofRow(history_id: number): Confirmation | undefined;
}

function toConfirmation(row: ConfirmationRow): Confirmation {
  const { seq: _, told: __, ...rest } = row;
  return {
    ...rest,
    arguments: toObject(row.arguments),
    request: toObject(row.request),
    policy: toPolicy(row.policy),
  };
}

function createReads(orm: BetterSQLite3Database): Pick<ConfirmationQueries, "get" | "list" | "expired" | "ofRow"> {
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
  const inStatus = from()
    .where(eq(confirmationsTable.status, sql.placeholder("status")))
    .orderBy(desc(confirmationsTable.seq))
    .limit(limit)
    .prepare();
  const overdue = from()
    .where(
      and(eq(confirmationsTable.status, "pending"), sql`${confirmationsTable.expires_at} <= ${sql.placeholder("now")}`),
    )
    .orderBy(asc(confirmationsTable.seq))
    .prepare();
  const toOne = (row: ConfirmationRow | undefined) => row && toConfirmation(row);

  return {
    get: (id) => toOne(one.get({ id })),
    ofRow: (history_id) => toOne(byRow.get({ history_id })),
    list(query) {
      if (query.status === "pending") return waiting.all({ limit: query.limit }).map(toConfirmation);
      if (query.status) return inStatus.all({ status: query.status, limit: query.limit }).map(toConfirmation);
      const first = waiting.all({ limit: query.limit });
      return [...first, ...decided.all({ limit: query.limit - first.length })].map(toConfirmation);
    },
    expired: () => overdue.all({ now: new Date().toISOString() }).map(toConfirmation),
  };
}

/** The confirmations of a database that is open and migrated. */
export function createConfirmationQueries(
  db: Database,
  orm: BetterSQLite3Database,
  history: HistoryQueries,
): ConfirmationQueries {
  const insert = db.prepare(
    `INSERT INTO confirmations (id, history_id, session_id, turn_id, call_id, tool, safety, arguments, request, policy,
       provider, model, client, status, created_at, expires_at, reason)
     VALUES (@id, @history_id, @session_id, @turn_id, @call_id, @tool, @safety, @arguments, @request, @policy,
       @provider, @model, @client, 'pending', @created_at, @expires_at, '')`,
  );
  // An approval after expiry is none: expiry is checked in the statement that writes the decision.
  const decide = db.prepare(
    `UPDATE confirmations SET status = @decision, decided_at = @now, reason = @reason,
       arguments = coalesce(@arguments, arguments), request = coalesce(@request, request)
     WHERE id = @id AND status = 'pending' AND (@decision <> 'approved' OR expires_at > @now)`,
  );
  const reads = createReads(orm);
  const mustGet = (id: string): Confirmation => {
    const found = reads.get(id);
    if (!found) throw new Error(`confirmation ${id} could not be written`);
    return found;
  };

  return {
    ...reads,
    hold(intent, call) {
      const history_id = history.begin(intent, "held");
      insert.run({
        id: call.id,
        history_id,
        session_id: call.session_id,
        turn_id: call.turn_id,
        call_id: call.call_id,
        tool: call.tool,
        safety: call.safety,
        arguments: toJson(call.arguments),
        request: toJson(call.request),
        policy: toJson(intent.policy),
        provider: intent.provider,
        model: intent.model,
        client: intent.client,
        created_at: new Date().toISOString(),
        expires_at: call.expires_at,
      });
      return mustGet(call.id);
    },
    claim(claim, result) {
      const { changes } = decide.run({
        id: claim.id,
        decision: claim.decision,
        reason: claim.reason,
        now: new Date().toISOString(),
        arguments: claim.arguments ? toJson(claim.arguments) : null,
        request: claim.request ? toJson(claim.request) : null,
      });
      if (changes === 0) return undefined;
      const confirmation = mustGet(claim.id);
      const row = confirmation.history_id;
      if (claim.decision === "approved")
        history.release(row, { arguments: claim.history_arguments, request: claim.history_request });
      else history.finish(row, { status: "denied", result, duration_ms: 0 }, "held");
      return confirmation;
    },
  };
}

// A turn from the record, as the events it emitted: every event with the number it had, a message in place of its deltas. For a
// turn that its daemon did not survive, what is on record of it; for one of an older version, numbers are made.
import { type NumberedEvent, RECOVERED_SEQ, type ResultStatus, type TurnEvent } from "../domain/event.js";
import type { Message } from "../domain/message.js";
import type { Confirmation, HistoryEntry } from "../domain/record.js";
import { type JsonObject, type JsonValue, jsonOrText, objectOf, toJson } from "../lib/json.js";
import { forRecord, toResult } from "../results/result.js";
import type { KeptEvent } from "../store/kept-events.js";
import type { RecordedTurn, Store, TurnCall } from "../store/store.js";
import { LATER_RESULT_CHARS } from "./answer-call.js";
import { redactCall } from "./calls/redact-arguments.js";
import type { AgentContext } from "./context.js";

type ReplayContext = Pick<AgentContext, "store" | "confirmations" | "redactor" | "applications">;
type ToolResult = Extract<TurnEvent, { kind: "tool_result" }>;

/** In place of a result whose row was deleted, by age, or could not be completed. */
const NOT_KEPT: JsonObject = { truncated: true, message: "this result is not in the history, or no longer" };

const statusOf = ({ status }: HistoryEntry): ResultStatus => (status === "ok" || status === "dry_run" ? "ok" : "error");

async function rowOf(store: Store, call: Pick<TurnCall, "id"> | undefined): Promise<HistoryEntry | undefined> {
  if (!call) return undefined;
  const [row] = await store.history({ before: call.id + 1, limit: 1 });
  return row?.id === call.id ? row : undefined;
}

/** A result as its event had it: the row may have more of it. */
async function keptResult(store: Store, call: Pick<TurnCall, "id"> | undefined, chars: number): Promise<JsonValue> {
  const row = await rowOf(store, call);
  if (!row || row.result === null) return NOT_KEPT;
  return toJson(row.result).length > chars ? forRecord(toResult(row.result), LATER_RESULT_CHARS) : row.result;
}

/** Makes the events of one turn from what the record keeps of them; its calls are looked up at the first result. */
export function createResolver(
  store: Store,
  turn_id: string,
): (kept: KeptEvent, messages: readonly Message[]) => Promise<TurnEvent> {
  let calls: Promise<TurnCall[]> | undefined;
  return async (kept, messages) => {
    if (kept.kind === "tool_result" && "chars" in kept) {
      const { kind, id, status, duration_ms, chars, row } = kept;
      const own = async () => (await (calls ??= store.turnCalls(turn_id))).find(({ call_id }) => call_id === id);
      const call = row === undefined ? await own() : { id: row };
      return { kind, id, result: await keptResult(store, call, chars), status, duration_ms };
    }
    if (!("at" in kept)) return kept;
    const message = messages[kept.at];
    if (kept.kind === "reasoning")
      return { kind: kept.kind, text: (message?.role === "assistant" && message.reasoning) || "" };
    if (kept.kind !== "tool_call") return { kind: kept.kind, text: message?.text ?? "" };
    const found = message?.role === "assistant" ? message.calls.find(({ id }) => id === kept.id) : undefined;
    return { kind: "tool_call", id: kept.id, name: kept.name, arguments: found?.arguments ?? {} };
  };
}

async function* replayKept(
  { store }: ReplayContext,
  { turn_id, events, messages }: RecordedTurn,
  after: number,
): AsyncGenerator<NumberedEvent, void, void> {
  const resolve = createResolver(store, turn_id);
  let last = 0;
  for (const [seq, kept] of events ?? []) {
    last = seq;
    if (seq > after) yield { seq, event: await resolve(kept, messages) };
  }
  if (last + 1 > after) yield { seq: last + 1, event: { kind: "done" } };
}

const callEvent = ({ call_id, tool, arguments: args }: HistoryEntry): TurnEvent => ({
  kind: "tool_call",
  id: call_id,
  name: tool,
  arguments: args,
});

const resultEvent = (row: HistoryEntry): ToolResult => ({
  kind: "tool_result",
  id: row.call_id,
  result: row.result,
  status: statusOf(row),
  duration_ms: row.duration_ms ?? 0,
});

/** Whether a call still waited for a decision when its turn's messages were written. */
const saysHeld = (answer: Message & { role: "tool" }): boolean =>
  objectOf(jsonOrText(answer.text))["error"] === "confirmation_required";

/** A call of a turn whose daemon died. */
interface DeadCall {
  row: HistoryEntry;
  /** Its confirmation, where it was held. */
  held: Confirmation | undefined;
  /** Whether it still waited when the turn died. */
  isWaiting: boolean;
}

async function deadCall(
  { store }: ReplayContext,
  call: TurnCall,
  answer: Message | undefined,
): Promise<DeadCall | undefined> {
  const row = await rowOf(store, call);
  if (!row) return undefined;
  const held = call.confirmation_id === null ? undefined : await store.confirmation(call.confirmation_id);
  // No time says when it was decided: a clock may have been set back since.
  const isWaiting = held !== undefined && (held.status === "pending" || (answer?.role === "tool" && saysHeld(answer)));
  return { row, held, isWaiting };
}

/** How many of these calls, from the first on, were asked about together: their `tool_call`s stand one behind the other. */
function togetherIn(calls: readonly TurnCall[]): number {
  const end = calls.findIndex(({ event }, at) => {
    const before = calls[at - 1];
    return before !== undefined && (event === null || event !== (before.event ?? 0) + 1);
  });
  return end < 0 ? calls.length : end;
}

/**
 * What followed the `tool_call`s of such calls; undefined in place of the question of one that still waits. Decisions come before all
 * results, so that no result has a lower number than it had.
 */
function eventsBehind(calls: readonly DeadCall[], { confirmations }: ReplayContext): (TurnEvent | undefined)[] {
  const over = calls.filter(({ isWaiting }) => !isWaiting);
  const questions = calls.flatMap(({ held, isWaiting }): (TurnEvent | undefined)[] => {
    if (!held) return [];
    return [isWaiting ? undefined : { kind: "confirmation_required", ...confirmations.publicView(held) }];
  });
  const decisions = over.flatMap(({ held }): TurnEvent[] => {
    if (!held || held.status === "pending") return [];
    const { id, status: decision, reason } = held;
    return [{ kind: "confirmation_resolved", id, decision, reason: reason === "" ? undefined : reason }];
  });
  return [...questions, ...decisions, ...over.map(({ row }) => resultEvent(row))];
}

/** A turn whose daemon died: the calls keep their numbers, and what ends it has numbers above any that was sent. */
async function* replayInterrupted(
  context: ReplayContext,
  turn: RecordedTurn,
): AsyncGenerator<NumberedEvent, void, void> {
  let last = 2;
  // Recovery wrote one for each call, in order.
  const answers = turn.messages.filter(({ role }) => role === "tool");
  const calls = await context.store.turnCalls(turn.turn_id);
  for (let at = 0; at < calls.length; ) {
    const together = calls.slice(at, at + togetherIn(calls.slice(at)));
    const dead: DeadCall[] = [];
    for (const [i, call] of together.entries()) {
      const one = await deadCall(context, call, answers[at + i]);
      if (!one) continue;
      dead.push(one);
      last = Math.max(call.event ?? last + 1, last + 1);
      yield { seq: last, event: callEvent(one.row) };
    }
    for (const event of eventsBehind(dead, context)) {
      last++;
      if (event) yield { seq: last, event };
    }
    at += together.length;
  }
  yield { seq: RECOVERED_SEQ, event: { kind: "error", message: turn.error } };
  yield { seq: RECOVERED_SEQ + 1, event: { kind: "done" } };
}

/** The events of a message of an older version. */
async function* messageEvents(
  context: ReplayContext,
  turn: RecordedTurn,
  message: Message,
): AsyncGenerator<TurnEvent, void, void> {
  const { store, redactor, applications } = context;
  if (message.role !== "assistant") return;
  if (message.text !== "" || message.calls.length === 0) yield { kind: "assistant_message", text: message.text };
  if (message.calls.length === 0) return;
  const rows = await store.turnCalls(turn.turn_id);
  for (const call of message.calls) {
    const row = await rowOf(
      store,
      rows.find(({ call_id }) => call_id === call.id),
    );
    const args = row?.arguments ?? redactCall(call, { redactor, catalogue: applications.current().catalogue });
    yield { kind: "tool_call", id: call.id, name: call.name, arguments: args };
    const answer = turn.messages.find((one) => one.role === "tool" && one.call_id === call.id);
    if (row && row.result !== null) yield { ...resultEvent(row), id: call.id };
    else if (answer?.role === "tool") {
      // Its row is gone: what the model received is all there is.
      const status = answer.is_error ? "error" : "ok";
      yield { kind: "tool_result", id: call.id, result: jsonOrText(answer.text), status, duration_ms: 0 };
    }
  }
}

/** A turn of an older version: the numbers are those of its transcript. */
async function* replayTranscript(
  context: ReplayContext,
  turn: RecordedTurn,
): AsyncGenerator<NumberedEvent, void, void> {
  let seq = 2;
  for (const message of turn.messages)
    for await (const event of messageEvents(context, turn, message)) yield { seq: ++seq, event };
  if (turn.error !== "") yield { seq: ++seq, event: { kind: "error", message: turn.error } };
  yield { seq: ++seq, event: { kind: "done" } };
}

/** The events of a turn that is over, behind the number `after`. */
export async function* replay(
  context: ReplayContext,
  turn: RecordedTurn,
  after: number,
): AsyncGenerator<NumberedEvent, void, void> {
  if (turn.events) return yield* replayKept(context, turn, after);
  const { session_id, turn_id, resumed, messages } = turn;
  if (after < 1) yield { seq: 1, event: { kind: "user_prompt", text: messages[0]?.text ?? "" } };
  if (after < 2) yield { seq: 2, event: { kind: "session", session_id, turn_id, resumed } };
  const isOver = turn.status !== "interrupted" && turn.status !== "running";
  for await (const numbered of isOver ? replayTranscript(context, turn) : replayInterrupted(context, turn))
    if (numbered.seq > after) yield numbered;
}

// The events of one call of the model within a turn, its answer in the conversation, and what the model may read again.
import type { TurnEvent } from "../domain/event.js";
import type { ToolCall } from "../domain/message.js";
import type { Confirmation } from "../domain/record.js";
import { visibleJson } from "../lib/invisible-characters.js";
import { type JsonValue, toJson } from "../lib/json.js";
import { forModel, forRecord, RECORD_LIMIT } from "../results/result.js";
import type { ToolSelection } from "../tools/selection.js";
import { redactCall } from "./calls/redact-arguments.js";
import type { CallResult } from "./calls/send-call.js";
import type { TurnContext } from "./context.js";

/** Characters of results that a turn's events carry as long as the record has them; a client may read them all in one answer. */
const FULL_RESULTS_CHARS = 16 * RECORD_LIMIT;
/** Characters of each result after that. */
export const LATER_RESULT_CHARS = 16 * 1024;

/** What the calls of one turn share and change. */
export interface CallState {
  selection: ToolSelection;
  /** Characters of results in the turn's events so far. */
  eventChars: number;
}

/** A result as its event carries it. */
function resultForEvent({ result, recorded }: CallResult, state: CallState): JsonValue {
  const value = state.eventChars < FULL_RESULTS_CHARS ? recorded : forRecord(result, LATER_RESULT_CHARS);
  state.eventChars += Math.min(result.json.length, RECORD_LIMIT);
  return value;
}

/** The event that a call begins with. */
export function callEvent(call: ToolCall, turn: TurnContext, { selection }: CallState): TurnEvent {
  selection.use(call.name);
  return { kind: "tool_call", id: call.id, name: call.name, arguments: redactCall(call, turn) };
}

/** The events that a call ends with; its answer is added to the conversation. */
export async function* resultEvents(
  { id, name }: ToolCall,
  callResult: CallResult,
  { turn, state }: { turn: TurnContext; state: CallState },
): AsyncGenerator<TurnEvent, void, void> {
  const { selection } = state;
  const { status, result, durationMs, warnings = [], unanswered = [] } = callResult;
  const view = forModel(result, turn.modelProvider.resultBudget, id);
  if (view.cut) {
    turn.results.keep(id, result);
    selection.offerReading();
  }
  if (status === "ok" && (await turn.store.newestUndoable(turn.session_id)) !== undefined) selection.offerUndo();
  // The application took the call, or refused it for what the warning is about.
  const doubts = [...(status === "error" ? warnings : []), ...unanswered];
  const text = [view.text, ...doubts].join("\n");
  turn.newMessages.push({ role: "tool", call_id: id, name, text, is_error: status === "error" });
  yield { kind: "tool_result", id, result: resultForEvent(callResult, state), status, duration_ms: durationMs };
  for (const warning of [...warnings, ...unanswered]) yield { kind: "notice", message: `${name}: ${warning}.` };
  if (callResult.unsaved)
    yield { kind: "notice", message: `The result of ${name} is not on record yet; it is tried again until it is.` };
}

/** What a turn ends with while calls are held. A message stays in the conversation, so it holds no more than `tool_call` does. */
export function heldCallsText(held: readonly Confirmation[], turn: TurnContext): string {
  const lines = held.map(({ id, tool, arguments: args, expires_at }) => {
    const shown = redactCall({ name: tool, arguments: args }, turn);
    return `- ${tool} ${visibleJson(toJson(shown))} (confirmation ${id}, until ${expires_at})`;
  });
  const first = held.length === 1 ? "This call needs" : "These calls need";
  return `${first} a person's yes before anything is sent:\n${lines.join("\n")}`;
}

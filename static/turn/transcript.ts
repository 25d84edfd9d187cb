// A stored transcript and the history rows of its calls, converted to the turns the page displays. Pure.
import type { HistoryEntry, TranscriptTurn } from "../../src/domain/record.js";
import { type JsonValue, parseJson } from "../../src/lib/json.js";
import type { CallItem, Item, Turn } from "./turn.js";

function parseValue(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** Adds what only the history row of a call holds: the whole result, the finer status, the duration. */
function withRow(call: CallItem, row: HistoryEntry): CallItem {
  const isUnfinished = row.status === "held" || row.status === "pending";
  return {
    ...call,
    // A redacted argument is displayed redacted after a reload; the model's own copy is not for the screen.
    arguments: row.arguments,
    status: row.status,
    duration_ms: row.duration_ms,
    safety: row.safety,
    result: isUnfinished ? call.result : row.result,
  };
}

/** Adds to the calls of a turn what the history holds of them. */
export function withRows(turn: Turn, rows: readonly HistoryEntry[]): Turn {
  const rowsByCall = new Map(rows.filter((row) => row.turn_id === turn.turn_id).map((row) => [row.call_id, row]));
  if (rowsByCall.size === 0) return turn;
  const items = turn.items.map((item) => {
    const row = item.kind === "call" ? rowsByCall.get(item.id) : undefined;
    return item.kind === "call" && row !== undefined ? withRow(item, row) : item;
  });
  return { ...turn, items };
}

function itemsOf(stored: TranscriptTurn): Item[] {
  const items: Item[] = [];
  const calls = new Map<string, CallItem>();
  for (const message of stored.messages) {
    if (message.role === "notice") items.push({ kind: "notice", text: message.text });
    if (message.role === "assistant") {
      if (message.text !== "") items.push({ kind: "text", text: message.text, streaming: false });
      for (const call of message.calls) {
        const item: CallItem = { kind: "call", id: call.id, name: call.name, arguments: call.arguments };
        calls.set(call.id, item);
        items.push(item);
      }
    }
    const call = message.role === "tool" ? calls.get(message.call_id) : undefined;
    if (message.role === "tool" && call !== undefined) {
      call.result = parseValue(message.text);
      call.status = message.is_error ? "error" : "ok";
    }
  }
  if (stored.error !== "") items.push({ kind: "error", text: stored.error });
  return items;
}

/** The turns of a session, oldest first. */
export function turnsOf(transcript: readonly TranscriptTurn[], rows: readonly HistoryEntry[]): Turn[] {
  return transcript.map((stored) => {
    const { turn_id, prompt, status } = stored;
    return withRows({ key: turn_id, turn_id, prompt, status, items: itemsOf(stored) }, rows);
  });
}

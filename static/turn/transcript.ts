// A stored transcript and the history rows of its calls, turned into the turns the page shows. Pure.
import type { HistoryEntry, TranscriptTurn } from "../../src/domain/record.js";
import { isObject, type JsonValue, parseJson } from "../../src/lib/json.js";
import type { CallItem, Item, Turn } from "./turn.js";

function readValue(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** What a history row knows of a call that the transcript does not: the whole result, the finer status, the duration. */
export function withRow(call: CallItem, row: HistoryEntry): CallItem {
  const waiting = row.status === "held" || row.status === "pending";
  return {
    ...call,
    // A redacted argument is shown redacted after a reload; the model's own copy is not for the screen.
    arguments: row.arguments,
    status: row.status,
    duration_ms: row.duration_ms,
    safety: row.safety,
    ...(!waiting && { result: row.result }),
  };
}

/** Adds what the history knows to the calls of a turn. */
export function withRows(turn: Turn, rows: readonly HistoryEntry[]): Turn {
  const mine = new Map(rows.filter((row) => row.turn_id === turn.turn_id).map((row) => [row.call_id, row]));
  if (mine.size === 0) return turn;
  const items = turn.items.map((item) => {
    const row = item.kind === "call" ? mine.get(item.id) : undefined;
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
    const answered = message.role === "tool" ? calls.get(message.call_id) : undefined;
    if (message.role === "tool" && answered !== undefined) {
      answered.result = readValue(message.text);
      answered.status = message.is_error ? "error" : "ok";
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

/** The turns in an answer of GET /-/sessions/{id}. */
export function transcriptIn(answer: unknown): TranscriptTurn[] {
  const turns = Array.isArray(answer) ? answer : isObject(answer) ? answer["turns"] : undefined;
  return Array.isArray(turns) ? (turns as unknown as TranscriptTurn[]) : [];
}

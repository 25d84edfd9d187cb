// A stored transcript and the history rows of its calls, converted to the turns the page displays. Pure.
import type { HistoryEntry, TranscriptTurn } from "../../src/domain/record.js";
import { type JsonValue, parseJson } from "../../src/lib/json.js";
import { ALL_EVENTS, type CallItem, type Item, isWaiting, startTurn, type Turn } from "./turn.js";

function parseValue(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** The result of a call whose row is known. */
function resultOf(call: CallItem, row: HistoryEntry): Pick<CallItem, "result" | "omitted"> {
  const isUnfinished = row.status === "held" || row.status === "pending";
  if (row.result_bytes === undefined) return isUnfinished ? {} : { result: row.result, omitted: undefined };
  // The whole of it came with its event, which says how long it took; a transcript has only what the model received.
  if (call.duration_ms !== undefined) return { result: call.result };
  return { result: undefined, omitted: { history_id: row.id, size: row.result_bytes } };
}

/** Adds what only the history row of a call holds: the whole result, the finer status, the duration. */
export function withRow(call: CallItem, row: HistoryEntry): CallItem {
  return {
    ...call,
    ...resultOf(call, row),
    // A redacted argument is displayed redacted after a reload; the model's own copy is not for the screen.
    arguments: row.arguments,
    status: row.status,
    duration_ms: row.duration_ms,
    safety: row.safety,
    application: row.application,
    history_id: row.id,
    kept: row.kept,
    effect: row.effect,
    undo: row.undo,
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
  let reply = 0;
  for (const message of stored.messages) {
    if (message.role === "assistant") reply++;
    if (message.role === "notice") items.push({ kind: "notice", text: message.text });
    if (message.role === "assistant") {
      if (message.reasoning) items.push({ kind: "thoughts", text: message.reasoning, streaming: false });
      if (message.text !== "") items.push({ kind: "text", text: message.text, streaming: false });
      for (const call of message.calls) {
        const item: CallItem = { kind: "call", id: call.id, name: call.name, arguments: call.arguments, reply };
        calls.set(call.id, item);
        items.push(item);
      }
    }
    const call = message.role === "tool" ? calls.get(message.call_id) : undefined;
    if (message.role === "tool" && call !== undefined) {
      if (message.omitted_chars === undefined) call.result = parseValue(message.text);
      else call.omitted = { size: message.omitted_chars };
      call.status = message.is_error ? "error" : "ok";
    }
  }
  if (stored.error !== "") items.push({ kind: "error", text: stored.error });
  return items;
}

/**
 * The turns of a session, oldest first. One that runs is made of its events, from the first; `localTime` is when a time of the daemon
 * was here.
 */
export function turnsOf(
  transcript: readonly TranscriptTurn[],
  rows: readonly HistoryEntry[],
  localTime: (ts: string) => number = Date.parse,
): Turn[] {
  return transcript.map((stored) => {
    const { turn_id, prompt, status, usage, started_at, ended_at } = stored;
    if (status === "running")
      return { ...startTurn(turn_id, prompt, turn_id), started_at, since: localTime(started_at) };
    const turn: Turn = { key: turn_id, turn_id, seq: ALL_EVENTS, prompt, status, items: itemsOf(stored), started_at };
    if (usage) turn.usage = usage;
    if (ended_at !== null) turn.ended_at = ended_at;
    return withRows(turn, rows);
  });
}

/**
 * The turns that are displayed once a transcript was loaded. What the page has by events goes on from there; `known` are the ids of
 * the turns it had when it asked: of those, the ones that are not stored are gone.
 */
export function mergeTurns(displayed: readonly Turn[], stored: readonly Turn[], known: ReadonlySet<string>): Turn[] {
  const byId = new Map(displayed.map((turn) => [turn.turn_id, turn]));
  const ids = new Set(stored.map((turn) => turn.turn_id));
  const merged = stored.map((turn) => {
    const here = byId.get(turn.turn_id);
    if (here === undefined) return turn;
    // Its events end it, or have ended it since the transcript was read.
    const goesOn = turn.status === "running" || (here.status === "running" && !isWaiting(here));
    return goesOn ? here : { ...here, ...turn, key: here.key };
  });
  const others = displayed.filter(
    (turn) => !ids.has(turn.turn_id) && (turn.turn_id === "" || isWaiting(turn) || !known.has(turn.turn_id)),
  );
  return [...merged, ...others];
}

/** What the model received of a call, in a whole transcript; undefined when it is not there. */
export function resultIn(
  transcript: readonly TranscriptTurn[],
  turn_id: string,
  call_id: string,
): JsonValue | undefined {
  const turn = transcript.find((one) => one.turn_id === turn_id);
  const message = turn?.messages.find((one) => one.role === "tool" && one.call_id === call_id);
  return message?.role === "tool" ? parseValue(message.text) : undefined;
}

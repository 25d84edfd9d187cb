// The calls of a reply that run side by side: the events of each are held back behind those before it, so what is known of them meanwhile
// is their rows. Pure.
import type { HistoryEntry } from "../../src/domain/record.js";
import { withRow } from "./transcript.js";
import type { CallItem, Item, Turn } from "./turn.js";

/** Whether a turn runs whose reply asked for several calls that are not all over. */
export function hasOpenCalls({ status, asked, items }: Turn): boolean {
  const isOver = (id: string) => items.some((item) => item.kind === "call" && item.id === id && item.isAnswered);
  return status === "running" && asked !== undefined && !asked.every(isOver);
}

/** Whether a turn is over and does not have all calls that a reply of it asked for: those that were never made are in the transcript. */
export function hasUnmadeCalls({ status, asked = [], items }: Turn): boolean {
  const isHere = (id: string) => items.some((item) => item.kind === "call" && item.id === id);
  return status !== "running" && !asked.every(isHere);
}

/** A call that is not over keeps the state that events tell. */
function withLiveRow(call: CallItem, row: HistoryEntry, since: number): CallItem {
  if (call.isAnswered) return call;
  if (row.status === "pending")
    return { ...call, safety: row.safety, application: row.application, since: Math.min(call.since ?? since, since) };
  return row.status === "held" ? call : withRow(call, row);
}

/** A running turn with what the rows of its calls tell ahead of their events; `localTime` is when a time of the daemon was here. */
export function withLiveRows(turn: Turn, rows: readonly HistoryEntry[], localTime: (ts: string) => number): Turn {
  if (!hasOpenCalls(turn)) return turn;
  const own = rows.filter((row) => row.turn_id === turn.turn_id && turn.asked?.includes(row.call_id));
  const items = [...turn.items];
  for (const row of own.toSorted((a, b) => a.id - b.id)) {
    const at = items.findIndex((item) => item.kind === "call" && item.id === row.call_id);
    const ahead: Item = {
      kind: "call",
      id: row.call_id,
      name: row.tool,
      arguments: row.arguments,
      reply: turn.replies,
      isAhead: true,
    };
    const call = items[at] ?? ahead;
    if (call.kind === "call") items.splice(at < 0 ? items.length : at, 1, withLiveRow(call, row, localTime(row.ts)));
  }
  return { ...turn, items };
}

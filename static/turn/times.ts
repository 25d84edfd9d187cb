// When the parts of a turn began and ended: a call by its record, the rest by the clock of the page that saw it. Pure.
import type { CallItem, Item, Turn } from "./turn.js";

/** When the call of a turn began as its record says, in milliseconds since 1970 by this clock; undefined without a record. */
type BeganAt = (turn_id: string, call_id: string) => number | undefined;

/** An item with the time at which it was first seen, and for thoughts how long they took. `began`: since when it may have been there. */
function timed(item: Exclude<Item, CallItem>, isLast: boolean, { now, began }: { now: number; began: number }): Item {
  if (item.kind !== "thoughts" || item.took !== undefined) return item;
  // What came whole took no time that could be seen.
  if (item.since === undefined) return item.streaming ? { ...item, since: isLast ? began : now } : item;
  return item.streaming && isLast ? item : { ...item, took: now - item.since };
}

/** A turn after events that came at a time, in milliseconds since 1970; what it has already stays. */
export function withTimes(turn: Turn, now: number, beganAt: BeganAt = () => undefined): Turn {
  const items = turn.items.map((item, i) => {
    // The first thoughts of a turn began with it.
    const began = i === 0 ? Math.min(turn.since ?? now, now) : now;
    if (item.kind !== "call") return timed(item, i === turn.items.length - 1, { now, began });
    if (item.status !== undefined || item.since !== undefined) return item;
    return { ...item, since: beganAt(turn.turn_id, item.id) ?? now };
  });
  const started = turn.started_at ?? new Date(now).toISOString();
  if (turn.status === "running") return { ...turn, items, started_at: started };
  // Of one whose beginning was not seen it is not known how long it took.
  const ended = turn.started_at === undefined ? undefined : (turn.ended_at ?? new Date(now).toISOString());
  return ended === undefined ? { ...turn, items } : { ...turn, items, started_at: started, ended_at: ended };
}

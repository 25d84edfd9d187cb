// The items of a turn as they are displayed: the calls of one reply of the model stand together. Pure.
import { type CallStatus, callStatus } from "./call-status.js";
import type { CallItem, Item, Turn } from "./turn.js";

/** Calls of one reply, with nothing between them. */
interface CallGroup {
  kind: "calls";
  calls: readonly CallItem[];
}

/** One thing on the screen, with the position of its first item, which stays the same as the turn grows. */
export interface Group {
  at: number;
  item: Exclude<Item, CallItem> | CallGroup;
}

/** The items of a turn in groups. */
export function groupsOf(items: readonly Item[]): Group[] {
  const groups: Group[] = [];
  for (const [at, item] of items.entries()) {
    // What is said of a call stands behind the calls of its reply.
    const before = groups.findLastIndex((group) => group.item.kind !== "notice");
    const last = groups[before];
    if (item.kind !== "call") groups.push({ at, item });
    else if (last?.item.kind === "calls" && last.item.calls.at(-1)?.reply === item.reply)
      groups[before] = { at: last.at, item: { ...last.item, calls: [...last.item.calls, item] } };
    else groups.push({ at, item: { kind: "calls", calls: [item] } });
  }
  return groups;
}

/** The states that are said of several calls in another word than of one: "3 failed". */
const WORDS: Partial<Record<CallStatus, string>> = { error: "failed", dry_run: "dry run" };

/** Several calls of a turn in a few words: how many, and how many of each state; `waiting` are those that wait for a decision. */
export function groupLine(
  calls: readonly CallItem[],
  turn: Pick<Turn, "status">,
  waiting: { has(id: string): boolean } = new Set(),
): string {
  const counts = new Map<string, number>();
  for (const call of calls) {
    const status = callStatus(call, turn);
    const word = waiting.has(call.id) ? "waiting" : (WORDS[status] ?? status);
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [`${calls.length} calls`, ...Array.from(counts, ([word, count]) => `${count} ${word}`)].join(" · ");
}

// The calls of one reply: one line for all of them, and one for each.
import { groupLine } from "../turn/groups.js";
import type { CallItem, Turn } from "../turn/turn.js";
import { CallCard } from "./call-card.js";

/** Calls that stand together in the log. */
export function CallGroup({ calls, turn }: { calls: readonly CallItem[]; turn: Turn }) {
  return (
    <div class="calls">
      {calls.length > 1 && <p class="calls-head">{groupLine(calls, turn)}</p>}
      {calls.map((call, i) => (
        <CallCard key={`${call.id}-${i}`} call={call} turn={turn} />
      ))}
    </div>
  );
}

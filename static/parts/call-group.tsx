// The calls of one reply: one line for all of them, and one for each. Those that wait for a decision are asked about together.
import { confirmationOf, type TrackedConfirmation } from "../state/confirmations.js";
import { groupLine } from "../turn/groups.js";
import type { CallItem, Turn } from "../turn/turn.js";
import { CallCard } from "./call-card.js";
import { WaitingCalls } from "./confirmation-group.js";

/** The confirmations of these calls that wait, by the ids of the calls. */
function waitingIn(calls: readonly CallItem[], { turn_id }: Turn): Map<string, TrackedConfirmation> {
  const waiting = new Map<string, TrackedConfirmation>();
  for (const { id } of calls) {
    const confirmation = confirmationOf(turn_id, id);
    if (confirmation?.status === "pending") waiting.set(id, confirmation);
  }
  return waiting;
}

/** Calls that stand together in the log. */
export function CallGroup({ calls, turn }: { calls: readonly CallItem[]; turn: Turn }) {
  const waiting = waitingIn(calls, turn);
  const together = waiting.size > 1 ? [...waiting.values()] : [];
  const own = together.length === 0 ? calls : calls.filter(({ id }) => !waiting.has(id));
  return (
    <div class="calls">
      {calls.length > 1 && <p class="calls-head">{groupLine(calls, turn, waiting)}</p>}
      {own.map((call) => (
        <CallCard key={`${call.id}-${calls.indexOf(call)}`} call={call} turn={turn} />
      ))}
      {together.length > 0 && <WaitingCalls confirmations={together} />}
    </div>
  );
}

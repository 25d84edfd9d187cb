// Stops one call of a turn, which goes on with what became of that.
// Source: docs/reference.md, "Stopping one call".
import { type Caller, readOnlyRefusal } from "../domain/caller.js";
import type { AgentContext } from "./context.js";
import { turnEvents, turnState } from "./turn-events.js";

/** Whether the turn has made this call, or is about to. */
async function hasCall(context: AgentContext, turn_id: string, call_id: string): Promise<boolean> {
  if ((await turnState(context, turn_id)) === undefined) return false;
  const { signal } = new AbortController();
  for await (const { event } of turnEvents(context, turn_id, { after: 0, follow: false, signal }))
    if (event.kind === "calls" ? event.ids.includes(call_id) : event.kind === "tool_call" && event.id === call_id)
      return true;
  return false;
}

/** Stops one call of a turn. Answers and throws as `Agent.cancelCall`. */
export async function cancelCall(
  context: AgentContext,
  { turn_id, call_id }: { turn_id: string; call_id: string },
  caller: Caller,
): Promise<boolean | undefined> {
  const { turnLog, runningCalls } = context;
  const turn = turnLog.get(turn_id);
  if (turn && !turn.end) {
    if (caller.readOnly && turn.asked_by !== caller.name)
      throw readOnlyRefusal(caller, "stop calls of another token's turns");
    if (runningCalls.stop(turn_id, call_id)) return true;
  }
  return (await hasCall(context, turn_id, call_id)) ? false : undefined;
}

// More time for a held call: its expiry is put off on disk, and so is the time limit of the turn that waits for it.
// Source: docs/reference.md, "Confirmations".
import { type Caller, readOnlyRefusal } from "../domain/caller.js";
import type { Confirmation } from "../domain/record.js";
import type { AgentContext } from "./context.js";

/** Gives a held call more time. Throws as `Agent.extend`. */
export async function extend(
  { confirmations, turnClocks, turnQueue }: AgentContext,
  id: string,
  { seconds, caller }: { seconds: number; caller: Caller },
): Promise<Confirmation> {
  if (caller.readOnly) throw readOnlyRefusal(caller, "give held calls more time");
  const { confirmation, addedMs } = await turnQueue.track(() => confirmations.extend(id, seconds));
  const { turn_id, call_id, expires_at } = confirmation;
  turnClocks.extend(turn_id || call_id, addedMs, Date.parse(expires_at));
  return confirmation;
}

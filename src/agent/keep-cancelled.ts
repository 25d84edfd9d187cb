// A prompt that was cancelled while it waited, and whose client holds a name for it: it goes on record as the turn it would have
// been. Source: docs/reference.md, "Sending a prompt once" and "Turns that outlive their client".
import type { PromptRequest } from "../domain/agent.js";
import { Stopped } from "../domain/error.js";
import type { KeptEvents } from "../store/kept-events.js";
import { promptMessage } from "./client-context.js";
import type { AgentContext } from "./context.js";

const CANCELLED = new Stopped("cancelled").message;

/** As its readers saw them; a replay adds `done`. */
const EVENTS: KeptEvents = [
  [1, { kind: "user_prompt", at: 0 }],
  [2, { kind: "error", message: CANCELLED }],
];

/** Records it behind the turns that were before it. Rejects when it cannot: the next start then says that it was interrupted. */
export async function keepCancelled(
  { turnQueue, store, sessions }: AgentContext,
  { session_id, turn_id, message, context, client, caller, continue_from }: PromptRequest,
): Promise<void> {
  const permit = await turnQueue.acquire(session_id, new AbortController().signal);
  try {
    const session = await sessions.open(session_id);
    const names = { session_id, turn_id, provider: "", model: "", client, asked_by: caller.name };
    await store.beginTurn({ ...names, prompt: message, context, continues: continue_from });
    sessions.add(session, [promptMessage(message, context)]);
    await store.endTurn({ turn_id, status: "cancelled", error: CANCELLED, messages: [], events: EVENTS });
  } finally {
    permit.release();
  }
}

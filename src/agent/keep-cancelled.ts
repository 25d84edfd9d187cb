// A prompt that was cancelled while it waited, and whose client holds a name for it: it goes on record as the turn it would have
// been. Source: docs/reference.md, "Sending a prompt once" and "Turns that outlive their client".
import type { PromptRequest } from "../domain/agent.js";
import { Stopped } from "../domain/error.js";
import type { KeptEvents } from "../store/kept-events.js";
import { promptMessage } from "./client-context.js";
import type { AgentContext } from "./context.js";
import { betweenTurns } from "./tell-session.js";

const CANCELLED = new Stopped("cancelled").message;

/** As its readers saw them; a replay adds `done`. */
const EVENTS: KeptEvents = [
  [1, { kind: "user_prompt", at: 0 }],
  [2, { kind: "error", message: CANCELLED }],
];

/** Records it behind the turns that were before it. Rejects when it cannot: the next start then says that it was interrupted. */
export function keepCancelled(
  context: AgentContext,
  { session_id, turn_id, message, context: sent, client, caller, continue_from }: PromptRequest,
): Promise<void> {
  const { store, sessions } = context;
  return betweenTurns(context, session_id, async (session) => {
    const names = { session_id, turn_id, provider: "", model: "", client, asked_by: caller.name };
    const copied = await store.beginTurn({ ...names, prompt: message, context: sent, continues: continue_from });
    sessions.add(session, [...copied, promptMessage(message, sent)]);
    await store.endTurn({ turn_id, status: "cancelled", error: CANCELLED, messages: [], events: EVENTS });
  });
}

// Lets a conversation know what became of one of its calls outside of its turns, or its model would go on as if nothing had happened.
import { messageOf } from "../domain/error.js";
import type { AgentContext } from "./context.js";
import { openSession } from "./prompt.js";

/**
 * Appends a notice to the transcript of a session; does nothing for one that is not there. Its running turn comes first, which is
 * not waited for. Never throws.
 */
export async function tellSession(context: AgentContext, session_id: string, text: string): Promise<void> {
  const { store, turnQueue, sessions, providers, log } = context;
  const append = async (): Promise<void> => {
    if (session_id === "" || !(await store.hasSession(session_id))) return;
    const permit = await turnQueue.acquire(session_id, new AbortController().signal);
    try {
      const session = await openSession(context, session_id, providers.inUse);
      sessions.add(session, [await store.appendNotice(session_id, text)]);
    } finally {
      permit.release();
    }
  };
  const isBusy = turnQueue.isBusy(session_id);
  const told = append().catch((error: unknown) => {
    log.warn({ session_id, cause: messageOf(error) }, "a session was not told what became of its call");
  });
  if (!isBusy) await told;
}

// Lets a conversation know what became of one of its calls outside of its turns, or its model would go on as if nothing had happened.
import { messageOf } from "../domain/error.js";
import type { AgentContext } from "./context.js";
import { openSession } from "./prompt.js";
import type { Session } from "./state/sessions.js";

/** Opens a session between its turns, which adds the notices that are due, and does work in it. */
export async function betweenTurns(
  context: AgentContext,
  session_id: string,
  work: (session: Session) => Promise<void> = async () => {},
): Promise<void> {
  const permit = await context.turnQueue.acquire(session_id, new AbortController().signal);
  try {
    await work(await openSession(context, session_id, context.providers.inUse));
  } finally {
    permit.release();
  }
}

/**
 * Appends a notice to the transcript of a session; does nothing for one that is not there. Its running turn comes first, which is
 * not waited for. Never throws.
 */
export async function tellSession(context: AgentContext, session_id: string, text: string): Promise<void> {
  const { store, turnQueue, sessions, log } = context;
  const append = async (): Promise<void> => {
    if (session_id === "" || !(await store.hasSession(session_id))) return;
    await betweenTurns(context, session_id, async (session) => {
      sessions.add(session, [await store.appendNotice(session_id, text)]);
    });
  };
  const isBusy = turnQueue.isBusy(session_id);
  const told = append().catch((error: unknown) => {
    log.warn({ session_id, cause: messageOf(error) }, "a session was not told what became of its call");
  });
  if (!isBusy) await told;
}

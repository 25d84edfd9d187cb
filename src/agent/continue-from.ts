// A prompt that goes on from a turn of another session, in place of that turn: what an edited or repeated prompt is.
// Source: docs/reference.md, "Going on from an earlier prompt".
import type { PromptRequest } from "../domain/agent.js";
import { AppError } from "../domain/error.js";
import type { AgentContext } from "./context.js";
import { refuseForeignSession } from "./foreign-session.js";

/**
 * The session that a prompt goes on from; undefined for one that goes on from none. Throws AppError invalid_body for a turn that is not
 * on record and for a session that is not new, and what `refuseForeignSession` throws of the session that is gone on from.
 */
export async function continuedSession(context: AgentContext, request: PromptRequest): Promise<string | undefined> {
  const { store } = context;
  const { continue_from, session_id } = request;
  if (continue_from === undefined) return undefined;
  const origin = await store.turnOrigin(continue_from);
  if (!origin)
    throw new AppError("invalid_body", `continue_from: there is no turn ${JSON.stringify(continue_from)} on record.`);
  if (origin.isTooLong)
    throw new AppError("invalid_body", "continue_from: the conversation before that turn is too long to be copied.");
  if (await store.hasSession(session_id))
    throw new AppError(
      "invalid_body",
      "continue_from begins a new session: leave session_id out, or give one that is not there yet.",
    );
  await refuseForeignSession(context, { ...request, session_id: origin.session_id });
  // Its last turn may not be saved yet.
  await context.unsavedTurns.settle(origin.session_id);
  return origin.session_id;
}

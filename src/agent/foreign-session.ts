// Whose sessions a token may go on in.
// Source: docs/reference.md, "Named tokens".
import type { PromptRequest } from "../domain/agent.js";
import { readOnlyRefusal } from "../domain/caller.js";
import { AppError } from "../domain/error.js";
import type { AgentContext } from "./context.js";

/** A read-only token's calls are on record, and count against the limits, in its own sessions only. */
export async function refuseOthersSession(
  { store }: Pick<AgentContext, "store">,
  { caller, session_id }: Pick<PromptRequest, "caller" | "session_id">,
): Promise<void> {
  if (!caller.readOnly || session_id === "") return;
  const others = (await store.askersOf(session_id)).some((name) => name !== caller.name);
  if (others) throw readOnlyRefusal(caller, "call tools in a session of another token");
}

/**
 * What a read-only token says must not steer the turns of a token that may change things: they share a conversation. A token that
 * is not configured any more may have been read-only.
 */
export async function refuseForeignSession(
  { store, fullTokens }: AgentContext,
  { caller, session_id }: PromptRequest,
): Promise<void> {
  const others = (await store.askersOf(session_id)).filter((name) => name !== caller.name);
  if (caller.readOnly && others.length > 0) throw readOnlyRefusal(caller, "go on in a session of another token");
  const foreign = others.find((name) => !fullTokens.has(name));
  if (foreign !== undefined)
    throw new AppError(
      "conflict",
      `The session "${session_id}" has turns of the token "${foreign}", which is read-only or not configured any more. Start another session, or delete this one.`,
    );
}

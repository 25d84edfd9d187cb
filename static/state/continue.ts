// A prompt written otherwise, or asked again: it begins a new session that holds what stood before it, and the old one stays as it is.
import { ownTimeZone } from "../../src/domain/time-zone.js";
import { requestJson } from "./api.js";
import { current, currentId } from "./conversations.js";
import { chosenModes, MODES } from "./modes.js";
import { choiceOf } from "./prompt-choice.js";
import { navigate } from "./route.js";

/**
 * Sends a prompt in place of that of a turn, under the modes that are on, and opens the session it begins. Throws ApiError when the
 * daemon refuses it.
 */
export async function editPrompt(turn_id: string, text: string): Promise<void> {
  const modes = MODES.filter(({ name }) => chosenModes.peek()[name]).map(({ name }) => [name, true]);
  const body = {
    ...choiceOf(currentId.peek() ?? ""),
    message: text,
    continue_from: turn_id,
    detach: true,
    time_zone: ownTimeZone(),
  };
  const answer = (await requestJson("/run", { method: "POST", body: { ...body, ...Object.fromEntries(modes) } })) as {
    session_id: string;
  };
  navigate({ kind: "chat", session: answer.session_id });
}

/** Sends the prompt of a turn of the open conversation again, as editPrompt does; does nothing for a turn that is not there. */
export async function retryTurn(turn_id: string): Promise<void> {
  const turn = current
    .peek()
    ?.turns.peek()
    .find((one) => one.turn_id === turn_id);
  if (turn) await editPrompt(turn_id, turn.prompt);
}

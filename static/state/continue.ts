// A prompt written otherwise, or asked again: it begins a new session that holds what stood before it, and the old one stays as it is.
import { ownTimeZone } from "../../src/domain/time-zone.js";
import type { JsonObject } from "../../src/lib/json.js";
import type { Turn } from "../turn/turn.js";
import { ApiError, requestJson } from "./api.js";
import { current, currentId } from "./conversations.js";
import { sessions } from "./daemon.js";
import { chosenModes, MODES } from "./modes.js";
import { choiceOf } from "./prompt-choice.js";
import { navigate } from "./route.js";
import { firstVersion } from "./versions.js";

/**
 * Sends a prompt in place of the turn that the given one is a version of, so that all versions stand beside each other; with the model
 * of the open session, as from its own turn. In place of its own turn, where the first version is gone.
 */
async function sendAsVersion<Answer>(turn_id: string, send: (from: JsonObject) => Promise<Answer>): Promise<Answer> {
  const turn = turnOf(turn_id);
  const first = turn === undefined ? turn_id : firstVersion(turn);
  if (first === turn_id) return send({ continue_from: turn_id });
  const { provider = "", model = "" } = sessions.peek().find((one) => one.session_id === currentId.peek()) ?? {};
  try {
    return await send({ continue_from: first, ...(provider !== "" && model !== "" ? { provider, model } : {}) });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 400) throw error;
    return send({ continue_from: turn_id });
  }
}

/** A turn of the open conversation. */
function turnOf(turn_id: string): Turn | undefined {
  const turns = current.peek()?.turns.peek() ?? [];
  return turns.find((one) => one.turn_id === turn_id);
}

/**
 * Sends a prompt in place of that of a turn, under the modes that are on, and opens the session it begins. Throws ApiError when the
 * daemon refuses it.
 */
export async function editPrompt(turn_id: string, text: string): Promise<void> {
  const modes = MODES.filter(({ name }) => chosenModes.peek()[name]).map(({ name }) => [name, true]);
  const body = {
    ...choiceOf(currentId.peek() ?? ""),
    message: text,
    detach: true,
    time_zone: ownTimeZone(),
  };
  const send = async (from: JsonObject) =>
    (await requestJson("/run", { method: "POST", body: { ...from, ...body, ...Object.fromEntries(modes) } })) as {
      session_id: string;
    };
  const answer = await sendAsVersion(turn_id, send);
  navigate({ kind: "chat", session: answer.session_id });
}

/** Sends the prompt of a turn of the open conversation again, as editPrompt does; does nothing for a turn that is not there. */
export async function retryTurn(turn_id: string): Promise<void> {
  const turn = turnOf(turn_id);
  if (turn) await editPrompt(turn_id, turn.prompt);
}

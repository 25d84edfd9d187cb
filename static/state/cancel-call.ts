// Stopping one call of a running turn, which goes on.
import { announce } from "./announcement.js";
import { errorText, requestJson } from "./api.js";

/** Stops a call; the turn's events tell what became of it. Resolves with whether the daemon was asked: a failure is announced. */
export async function cancelCall(turn_id: string, call_id: string): Promise<boolean> {
  const path = `/-/turns/${encodeURIComponent(turn_id)}/calls/${encodeURIComponent(call_id)}/cancel`;
  try {
    await requestJson(path, { method: "POST" });
    return true;
  } catch (error) {
    announce(errorText(error));
    return false;
  }
}

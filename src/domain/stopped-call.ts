// Calls that a person stopped, by themselves or with their turn: results and reasons say so in words of the daemon's own.
// Source: docs/reference.md, "Stopping one call".
import { isObject, type JsonValue } from "../lib/json.js";

/** How the message of such a result begins. */
export const STOPPED_CALL = "a person stopped this call";
/** What only the model is to read. */
const FOR_MODEL = "; do not make it again unless they ask for it";

/** The message of a read that was stopped. */
export const STOPPED_READ = `${STOPPED_CALL} before its answer${FOR_MODEL}`;

/** The result of a call that a stopped turn did not come to. */
export const NOT_CALLED = {
  error: "not_called",
  message: "the turn was stopped before this call was made; nothing was sent",
} as const;

/** The reason of a held call whose turn was stopped. */
export const TURN_CANCELLED = "the turn was cancelled";

/** Whether a result is that of a call that a stopped turn did not come to. */
export function wasNotCalled(result: JsonValue | undefined): boolean {
  return isObject(result) && result["error"] === NOT_CALLED.error && result["message"] === NOT_CALLED.message;
}

/** What became of a call that was stopped, as a sentence for the person who did it; undefined for any other. */
export function stoppedCallText(result: JsonValue | undefined): string | undefined {
  if (!isObject(result) || result["error"] !== "cancelled") return undefined;
  const { message } = result;
  if (typeof message !== "string" || !message.startsWith(STOPPED_CALL)) return undefined;
  return `You stopped this call${message.slice(STOPPED_CALL.length).replace(FOR_MODEL, "")}`;
}

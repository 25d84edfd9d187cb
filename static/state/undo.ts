// Taking back a call of the history. What it would do is confirmed like any other call, so it may be held.
import type { UndoState } from "../../src/domain/undo-state.js";
import { isObject } from "../../src/lib/json.js";
import { ApiError, requestJson } from "./api.js";
import { loadConfirmations } from "./confirmations.js";

/** Asks for it. Resolves with whether it is done, or waits for a person's yes. Throws ApiError with what is in the way. */
export async function undoCall(history_id: number): Promise<"done" | "held"> {
  const answer = await requestJson(`/-/history/${history_id}/undo`, { method: "POST", body: { confirm: true } });
  if (isObject(answer) && answer["status"] === "ok") return "done";
  await loadConfirmations();
  const result = isObject(answer) ? answer["result"] : undefined;
  if (isObject(result) && result["error"] === "confirmation_required") return "held";
  const message = isObject(result) && typeof result["message"] === "string" ? result["message"] : "It was not undone.";
  throw new ApiError(200, message);
}

/** Whether there is something to take back. */
export const canUndo = (undo: UndoState | undefined): boolean => undo === "possible" || undo === "partial";

// Why a call failed, as the terminal has it, too.
import { reasonOf } from "../../src/domain/failure-reason.js";
import type { HistoryStatus } from "../../src/domain/history-status.js";
import type { JsonValue } from "../../src/lib/json.js";

export { reasonOf };

/** Why a call failed, in the application's own words; "" for one that did not, or whose answer does not say. */
export function failureOf(call: { status?: HistoryStatus | undefined; result?: JsonValue | undefined }): string {
  const { status, result } = call;
  return status === "error" && result !== undefined ? (reasonOf(result) ?? "") : "";
}

// Why a call failed, as the terminal has it, too.
import { reasonOf } from "../../src/domain/failure-reason.js";
import type { HistoryStatus } from "../../src/domain/history-status.js";
import { wasNotCalled } from "../../src/domain/stopped-call.js";
import type { JsonValue } from "../../src/lib/json.js";

export { reasonOf };

/** Why a call failed, in the application's own words; "" for one that did not, was not made, or whose answer does not say. */
export function failureOf(call: { status?: HistoryStatus | undefined; result?: JsonValue | undefined }): string {
  const { status, result } = call;
  if (status !== "error" || result === undefined || wasNotCalled(result)) return "";
  return reasonOf(result) ?? "";
}

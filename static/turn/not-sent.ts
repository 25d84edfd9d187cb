// A call that was not made, in words that are no failure: refused by a person, by a mode or by a rule, or only tried. Pure.
import type { HistoryStatus } from "../../src/domain/history-status.js";
import { TURN_CANCELLED, wasNotCalled } from "../../src/domain/stopped-call.js";
import { isObject, type JsonValue } from "../../src/lib/json.js";
import { reasonOf } from "./reason.js";

function blockedBy(result: JsonValue | undefined): string {
  if (!isObject(result)) return "a safety mode";
  const message = String(result["message"] ?? "");
  if (result["error"] === "limit_reached") return "a limit is reached";
  if (message.startsWith("read_only ")) return "read-only mode";
  if (message.startsWith("strict ")) return "strict mode";
  if (message.startsWith("config.json denies ")) return "config.json denies it";
  return reasonOf(result) ?? "a safety mode";
}

const WITH_ITS_TURN = "Not sent: the turn was stopped";

/** Why a call was not sent, by its status in the record; undefined for one that was, or whose outcome is not known. */
export function whyNotSent(
  status: HistoryStatus | "running" | undefined,
  result: JsonValue | undefined,
): string | undefined {
  if (status === "dry_run") return "Dry run: nothing was sent";
  if (status === "blocked") return `Not sent: ${blockedBy(result)}`;
  if (status === "error" && wasNotCalled(result)) return WITH_ITS_TURN;
  if (status !== "denied") return undefined;
  const { error, message } = isObject(result) ? result : {};
  if (error === "confirmation_expired") return "Nobody approved this call in time";
  return message === TURN_CANCELLED ? WITH_ITS_TURN : "You refused this call";
}

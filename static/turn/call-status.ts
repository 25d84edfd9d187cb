// The state of a call as it is displayed: that of its record, one more while it runs, and one for what a person stopped. Pure.
import type { HistoryStatus } from "../../src/domain/history-status.js";
import { stoppedCallText } from "../../src/domain/stopped-call.js";
import type { CallItem, Turn } from "./turn.js";

export type CallStatus = HistoryStatus | "running" | "stopped";

/** The state of a call of a turn. The record of one that was stopped says `error`. */
export function callStatus({ status, result }: CallItem, { status: ofTurn }: Pick<Turn, "status">): CallStatus {
  if (status === undefined) return ofTurn === "running" ? "running" : "interrupted";
  return status === "error" && stoppedCallText(result) !== undefined ? "stopped" : status;
}

// The state of a call as it is displayed: that of its record, one more while it runs, and one for what a person stopped. Pure.
import type { HistoryStatus } from "../../src/domain/history-status.js";
import { stoppedCallText, wasNotCalled } from "../../src/domain/stopped-call.js";
import type { CallItem, Turn } from "./turn.js";

export type CallStatus = HistoryStatus | "running" | "stopped";

/** The state of a call of a turn. The record of one that was stopped, or not come to, says `error`. */
export function callStatus({ status, result }: CallItem, { status: ofTurn }: Pick<Turn, "status">): CallStatus {
  if (status === undefined) return ofTurn === "running" ? "running" : "interrupted";
  const isStopped = status === "error" && (stoppedCallText(result) !== undefined || wasNotCalled(result));
  return isStopped ? "stopped" : status;
}

// What is the same on every database, as pure functions: titles of sessions, the wording of decision notices, what becomes of
// calls and turns that a dead daemon left open, and how long history is kept.
import type { HistoryStatus } from "../domain/history-status.js";
import type { Message } from "../domain/message.js";
import { type Confirmation, type HistoryEntry, INTERRUPTED } from "../domain/record.js";
import { type JsonValue, toJson } from "../lib/json.js";
import { forModel, toResult } from "../results/result.js";

/** A title is for a list: one line of this many characters. */
const TITLE_LENGTH = 80;
const DAY_MS = 86_400_000;

/** A recovered tool message or notice carries at most this much of its result: the model's budget is not known then. */
export const RECOVERED_RESULT_CHARS = 8_000;

/** Why a question of an application is denied when the call that asked has ended, one way or another. */
export const QUESTION_ENDED = "the call that asked has ended";
/** The error of a turn, and the notice at its end, when the daemon died during it. */
export const TURN_INTERRUPTED = "The daemon stopped during this turn; it was interrupted before it was finished.";

/** The first line of a prompt, at most TITLE_LENGTH characters, never half a surrogate pair. */
export function toTitle(prompt: string): string {
  const line = [
    ...prompt
      .replace(/\s+/g, " ")
      .trim()
      .slice(0, 2 * (TITLE_LENGTH + 1)),
  ];
  return line.length <= TITLE_LENGTH ? line.join("") : `${line.slice(0, TITLE_LENGTH - 1).join("")}…`;
}

/** How often what has been kept for long enough is deleted while the daemon runs. */
export const RETENTION_EVERY_MS = 6 * 3_600_000;
/** When a round that could not be done is tried again: another program had locked the record, for one. */
export const RETENTION_RETRY_MS = 60_000;

/** What is old enough to be deleted: times up to `cutoff`. Those behind `now` are of a clock that was ahead. ISO 8601 in UTC. */
export interface Retention {
  cutoff: string;
  now: string;
}

/** What is `days` old now. */
export function retentionOf(days: number): Retention {
  const now = Date.now();
  return { cutoff: new Date(now - days * DAY_MS).toISOString(), now: new Date(now).toISOString() };
}

/**
 * How many of the first of a list are old enough to be deleted, and whether one that is not comes behind them. The list is in the
 * order in which it was written, which no clock decides: what was written before something old is old, whatever its own time. So
 * one from a clock that was years ahead goes with the next one behind it, and one from a clock that was behind stays as long as those before it.
 */
export function agedFirst(times: readonly string[], { cutoff, now }: Retention): { count: number; isEnd: boolean } {
  let count = 0;
  for (const [at, time] of times.entries()) {
    if (time > now) continue;
    if (time > cutoff) return { count, isEnd: true };
    count = at + 1;
  }
  return { count, isEnd: false };
}

/** A held call once it is decided and its history row is final. */
export interface DecidedCall {
  confirmation_id: string;
  tool: string;
  call_id: string;
  /** As JSON text. */
  arguments: string;
  decision: Exclude<Confirmation["status"], "pending">;
  reason: string;
  status: HistoryStatus;
  /** As JSON value. */
  result: JsonValue;
}

function outcomeOf(call: DecidedCall, maxChars: number): string {
  if (call.decision === "expired") return "was not made: nobody approved it in time.";
  if (call.decision === "denied") return `was refused: ${call.reason}`;
  if (call.status === "interrupted")
    return "was approved; the daemon stopped while it was in flight, and whether it took effect is unknown.";
  const { text } = forModel(toResult(call.result), maxChars, call.call_id);
  return `was approved and ran with status ${call.status}: ${text}`;
}

/** The notice by which a session learns the outcome of a held call; its result is cut to `maxChars`. */
export function decisionNotice(call: DecidedCall, maxChars: number): Message {
  const { tool, arguments: args, confirmation_id } = call;
  return {
    role: "notice",
    text: `The held call ${tool} ${args} (confirmation ${confirmation_id}) ${outcomeOf(call, maxChars)}`,
  };
}

function recoveredResult(entry: HistoryEntry, confirmation: Confirmation | undefined): string {
  if (entry.status === "held")
    return toJson({
      error: "confirmation_required",
      confirmation_id: confirmation?.id ?? null,
      expires_at: confirmation?.expires_at ?? null,
    });
  // One whose database will be asked: the outcome is not known yet.
  const text = toJson(entry.status === "pending" ? INTERRUPTED : entry.result);
  if (text.length <= RECOVERED_RESULT_CHARS) return text;
  return toJson({ truncated: true, length: text.length, start: text.slice(0, RECOVERED_RESULT_CHARS) });
}

/**
 * The messages of one call of an interrupted turn: an assistant message and its answer, coherent also where a model gave two
 * calls of a turn the same id. `confirmation` is the one of a held call.
 */
export function recoveredMessages(entry: HistoryEntry, confirmation: Confirmation | undefined): Message[] {
  const { call_id, tool, arguments: args, status } = entry;
  return [
    { role: "assistant", text: "", calls: [{ id: call_id, name: tool, arguments: args }] },
    {
      role: "tool",
      call_id,
      name: tool,
      text: recoveredResult(entry, confirmation),
      is_error: status !== "ok" && status !== "dry_run",
    },
  ];
}

// What became of a call, in a word, with the reason for a person: the application's own, where it has one. Pure.
import type { Effect } from "../../domain/effect.js";
import type { TurnEvent } from "../../domain/event.js";
import { reasonOf } from "../../domain/failure-reason.js";
import { stoppedCallText } from "../../domain/stopped-call.js";
import { visible } from "../../lib/invisible-characters.js";
import { isObject, type JsonValue, toJson } from "../../lib/json.js";
import { effectLines, effectSummary } from "./effect.js";
import { wholeTimeFor } from "./short-time.js";
import { oneLine } from "./table.js";

/** Characters of a reason; the history has all of it. */
const MAX_REASON_CHARS = 400;

/** How a call ended, for a line about it. */
interface CallOutcome {
  word: "ok" | "failed" | "refused" | "held" | "stopped" | "dry run";
  /** Why, or what to do now; "" for a call that worked. */
  reason: string;
  /** What a dry run would have changed, a line each. */
  changes?: readonly string[];
}

/** Results that say that nothing was sent: the daemon, or a person, would not have it. */
const REFUSALS = new Set(["refused", "denied", "confirmation_expired"]);

/** What a dry run would have sent, in a line; undefined for any other result. */
function notSent(result: JsonValue): string | undefined {
  if (!isObject(result) || result["dry_run"] !== true || !isObject(result["not_sent"])) return undefined;
  const { method, url, statement, parameters = [] } = result["not_sent"];
  const values = Array.isArray(parameters) && parameters.length > 0 ? toJson(parameters) : undefined;
  const line = [method, url, statement, values].filter((part) => typeof part === "string").join(" ");
  return `nothing was sent${line === "" ? "" : `; it would be ${oneLine(line, MAX_REASON_CHARS)}`}`;
}

const isRow = (side: JsonValue | undefined): boolean => side === null || isObject(side);

/** Whether a value is as the daemon writes an effect. The schema of it is not loaded for a line on the terminal. */
function isEffect(value: JsonValue | undefined): boolean {
  return (
    isObject(value) &&
    Array.isArray(value["changes"]) &&
    value["changes"].every(
      (one) => isObject(one) && isObject(one["key"]) && isRow(one["before"]) && isRow(one["after"]),
    )
  );
}

/** What a dry run found that the call would do, as in a confirmation. */
function changesOf(result: JsonValue): string[] {
  const effect = isObject(result) && isEffect(result["effect"]) ? (result["effect"] as unknown as Effect) : undefined;
  if (!effect) return [];
  return [...effectLines(effect), `  ${effectSummary(effect, undefined).join("; ")}`].map((line) => visible(line));
}

/** What became of a call. `isDryRun`: the prompt asked for a dry run; any other result that looks like one is the application's. */
export function callOutcome(
  { result, status }: Extract<TurnEvent, { kind: "tool_result" }>,
  isDryRun = false,
): CallOutcome {
  const unsent = isDryRun ? notSent(result) : undefined;
  if (unsent !== undefined) return { word: "dry run", reason: unsent, changes: changesOf(result) };
  if (status === "ok") return { word: "ok", reason: "" };
  const { error, confirmation_id: id, expires_at: until } = isObject(result) ? result : {};
  if (error === "confirmation_required") {
    const how = `Run it again with --yes or on a terminal, or: agentd approvals approve ${oneLine(String(id))}`;
    return {
      word: "held",
      reason: `held until ${wholeTimeFor(process.stderr)(String(until))}: it needs a yes. ${how}`,
    };
  }
  const stopped = stoppedCallText(result);
  if (stopped !== undefined) return { word: "stopped", reason: oneLine(stopped, MAX_REASON_CHARS) };
  const reason = oneLine(reasonOf(result) ?? toJson(result), MAX_REASON_CHARS);
  return { word: typeof error === "string" && REFUSALS.has(error) ? "refused" : "failed", reason };
}

/** A length of time in words: milliseconds, then seconds. */
export function tookText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000
    ? `${(ms / 1000).toFixed(1)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

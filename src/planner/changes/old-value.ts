// "Change the due date of loan 1 from 15 December to 20 December": the value that a field has now says nothing of the change. It is
// left out where it is certain that both are values of one field: with either of them alone the prompt makes the same call but for that.

import { toJson } from "../../lib/json.js";
import type { Step } from "../step.js";

const CHANGES =
  /^\s*(?:please\s+|can you\s+|could you\s+)*(?:change|update|set|move|switch|correct|edit|modify|raise|lower|increase|reduce|decrease|extend|postpone|reschedule|shift|rename|upgrade|downgrade)\b/i;
const FROM = /^(.*\S)\s+from\s+(\S[^,;:?!]{0,60}?)\s+to\s+(\S.*)$/i;

/** The prompt with the new value alone, and with the old one in its place; undefined where it has no two values. */
function readings(text: string): { now: string; before: string } | undefined {
  const [, head = "", old = "", next = ""] = (CHANGES.test(text) && FROM.exec(text)) || [];
  return head === "" ? undefined : { now: `${head} to ${next}`, before: `${head} to ${old}` };
}

/** Whether two steps lead to the same call with another value in one place. */
function differInOne(one: Step, other: Step): boolean {
  const [a, b] = [one.goal, other.goal];
  if (one.kind !== "call" || other.kind !== "call" || a?.tool !== b?.tool || a?.phrase !== b?.phrase) return false;
  const names = new Set([...Object.keys(a?.args ?? {}), ...Object.keys(b?.args ?? {})]);
  const held = [...names].filter((name) => toJson(a?.args[name] ?? null) !== toJson(b?.args[name] ?? null));
  const [name = ""] = held;
  return held.length === 1 && a?.args[name] !== undefined && b?.args[name] !== undefined;
}

/** The step for a prompt without the value that a field has now; undefined where that leads to no certain change. */
export function stepWithoutOldValue(text: string, stepFor: (text: string) => Step): Step | undefined {
  const read = readings(text);
  if (!read) return undefined;
  const step = stepFor(read.now);
  return differInOne(step, stepFor(read.before)) ? step : undefined;
}

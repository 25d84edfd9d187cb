// Another day than that of the prompt before: "and on the 29th?". A prompt and a text in, the prompt with that day out.

import type { PromptText } from "./prompt.js";

const DAY_MS = 86_400_000;
const NEXT_DAY = /^(?:on\s+)?the\s+(?:(?:next|following)\s+day|day\s+(after|before))(?:\s+that)?[\s?.!]*$/i;
const DAY_OF_MONTH = /^(?:on\s+)?the\s+(\d{1,2})(?:st|nd|rd|th)[\s?.!]*$/i;

const MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december";
const MONTH = new RegExp(`^(?:in\\s+)?(${MONTHS})[\\s?.!]*$`, "i");
const ANY_MONTH = new RegExp(`\\b(?:${MONTHS})\\b`, "i");

/** The prompt with another month in place of its only one. */
function withOtherMonth(base: PromptText, month: string): string | undefined {
  const [period, ...others] = base.entities.filter(({ kind }) => kind === "date");
  if (period?.through === undefined || others.length > 0 || !ANY_MONTH.test(period.text)) return undefined;
  const said = period.text.replace(ANY_MONTH, month);
  return base.text.slice(0, period.start) + said + base.text.slice(period.end);
}

/** The prompt with another day, or month, in place of its only one: "on the 29th?", "the day after?", "december?" behind "and". */
export function withOtherDay(base: PromptText, rest: string): string | undefined {
  const month = MONTH.exec(rest)?.[1];
  if (month !== undefined) return withOtherMonth(base, month);
  const [beside, date] = [NEXT_DAY.exec(rest), DAY_OF_MONTH.exec(rest)?.[1]];
  const [day, ...others] = base.entities.filter(({ kind }) => kind === "date");
  const known = String(day?.value).slice(0, "2026-01-01".length);
  if ((!beside && date === undefined) || !day || others.length > 0 || day.through !== undefined) return undefined;
  const moved = Date.parse(known) + (beside?.[1]?.toLowerCase() === "before" ? -DAY_MS : DAY_MS);
  const other = beside
    ? new Date(moved).toISOString().slice(0, known.length)
    : `${known.slice(0, -2)}${date?.padStart(2, "0")}`;
  // The 31st is no day of every month.
  if (new Date(Date.parse(other)).getUTCDate() !== Number(other.slice(-2))) return undefined;
  return base.text.slice(0, day.start) + other + base.text.slice(day.end);
}

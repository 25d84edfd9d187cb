// Numbers, times and names in the form people read. Pure but for the present time.
import type { ModelUsage } from "../../src/domain/usage.js";

const TIME = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const DATE = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const DAY_AND_TIME = new Intl.DateTimeFormat(undefined, {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});
const OTHER_YEAR = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const DAY_MS = 86_400_000;

/** A duration, in milliseconds, with as many digits as matter. */
export function duration(ms: number): string {
  if (ms < 1) return "<1 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** The time of day if it was today, otherwise the date. */
export function shortTime(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return date.toDateString() === new Date().toDateString() ? TIME.format(date) : `${DATE.format(date)}`;
}

/** The time of day, after the date if that was not today. */
export function moment(iso: string): string {
  const date = new Date(iso);
  const now = new Date();
  if (Number.isNaN(date.getTime())) return iso;
  if (date.toDateString() === now.toDateString()) return TIME.format(date);
  return (date.getFullYear() === now.getFullYear() ? DAY_AND_TIME : OTHER_YEAR).format(date);
}

/** Date and time in full. */
export function fullTime(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : FULL.format(date);
}

/** The heading a date is listed under. */
export function dayGroup(iso: string): string {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const time = Date.parse(iso);
  if (time >= midnight) return "Today";
  if (time >= midnight - DAY_MS) return "Yesterday";
  return time >= midnight - 6 * DAY_MS ? "This week" : "Earlier";
}

/** Minutes and seconds left, as 4:09. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** A size in characters. */
export function size(characters: number): string {
  if (characters < 1000) return `${characters} characters`;
  return characters < 1_000_000 ? `${(characters / 1000).toFixed(1)} kB` : `${(characters / 1_000_000).toFixed(1)} MB`;
}

/** A count with its noun. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? "" : "s"}`;
}

/** A wire name such as read_only as words. */
export function words(name: string): string {
  return name.replaceAll("_", " ");
}

/** Digits of an amount of money that matter: a turn often costs less than a cent. */
const MONEY_DIGITS = 3;

/** What model calls took: tokens, and money where there is a price. */
export function tokens({ input_tokens, output_tokens, cost, currency = "" }: ModelUsage): string {
  const counts = `${input_tokens.toLocaleString()} tokens in, ${output_tokens.toLocaleString()} out`;
  const money = cost?.toLocaleString(undefined, { maximumSignificantDigits: MONEY_DIGITS });
  return money === undefined ? counts : `${counts}, ${money} ${currency}`;
}

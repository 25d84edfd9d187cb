// Dates and times as results write them, and the forms a column displays them in. Pure but for the reader's locale and zone.
import type { JsonValue } from "../../src/lib/json.js";

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?\s?(Z|[+-]\d{2}(:?\d{2})?)?$/i;

/** Seconds and milliseconds since 1970 of the years 2000 to 2100. */
const SECONDS: readonly [number, number] = [946_684_800, 4_102_444_800];
const DAY_MS = 86_400_000;
/** A column whose moments are all this near displays how long ago they are. */
const NEAR_MS = 45 * DAY_MS;

/** Whether the day a date begins with is in the calendar: JavaScript takes February 30 for a day in March. */
function isRealDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split("-").map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Whether a text is a date without a time of day. */
export function isDate(text: string): boolean {
  return DATE.test(text) && isRealDay(text);
}

/** Whether a text is a date with a time of day. */
export function isDateTime(text: string): boolean {
  return DATE_TIME.test(text) && !Number.isNaN(timeOf(text));
}

/** Whether a number may be seconds or milliseconds since 1970. */
export function isEpoch(value: number): boolean {
  const [from, to] = SECONDS;
  return (value >= from && value < to) || (value >= from * 1000 && value < to * 1000);
}

/**
 * The moment a value stands for, in milliseconds since 1970; NaN when it is none. A date is its midnight here, and a time
 * without a zone is the time on the reader's clock: both are displayed as they were written.
 */
export function timeOf(value: JsonValue | undefined): number {
  if (typeof value === "number") return isEpoch(value) ? (value < SECONDS[1] ? value * 1000 : value) : Number.NaN;
  if (typeof value !== "string") return Number.NaN;
  const date = DATE.exec(value);
  if ((date || DATE_TIME.test(value)) && !isRealDay(value)) return Number.NaN;
  if (date) return new Date(Number(date[1]), Number(date[2]) - 1, Number(date[3])).getTime();
  if (!DATE_TIME.test(value)) return Number.NaN;
  const zoned = value
    .replace(" ", "T")
    .replace(/\s/g, "")
    .replace(/([+-]\d{2})$/, "$1:00");
  return Date.parse(zoned);
}

/** How the moments of a column are displayed, all in one form. */
export type TimeForm = "relative" | "month" | "day" | "minutes" | "seconds";

/** The form that displays these moments without losing what tells them apart. */
export function timeFormOf(times: readonly number[], now: number): TimeForm {
  const known = times.filter((time) => !Number.isNaN(time));
  if (known.length > 0 && known.every((time) => Math.abs(time - now) < NEAR_MS)) return "relative";
  if (known.every((time) => midnightOf(time) === time)) {
    // The first day of some months stands for the month.
    const isMonths = known.length >= 3 && known.every((time) => new Date(time).getDate() === 1);
    return isMonths ? "month" : "day";
  }
  return known.every((time) => time % 60_000 === 0) ? "minutes" : "seconds";
}

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(form: Exclude<TimeForm, "relative">): Intl.DateTimeFormat {
  let format = formats.get(form);
  if (format === undefined) {
    const month = { month: "short", year: "numeric" } as const;
    const day = { day: "numeric", month: "short", year: "numeric" } as const;
    const minutes = { ...day, hour: "2-digit", minute: "2-digit" } as const;
    const options = { month, day, minutes, seconds: { ...minutes, second: "2-digit" } as const }[form];
    format = new Intl.DateTimeFormat(undefined, options);
    formats.set(form, format);
  }
  return format;
}

const UNITS = [
  ["year", 365.25 * DAY_MS],
  ["month", 30.44 * DAY_MS],
  ["week", 7 * DAY_MS],
  ["day", DAY_MS],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;
let words: Intl.RelativeTimeFormat | undefined;
let numbers: Intl.RelativeTimeFormat | undefined;

const midnightOf = (time: number): number => new Date(time).setHours(0, 0, 0, 0);

/**
 * How long ago a moment is, or in how long it will be: "3 days ago". Days are those of the calendar, a moment at midnight is its day,
 * and only days have words: 13 days ago need not be "last week".
 */
export function relativeTime(time: number, now: number): string {
  words ??= new Intl.RelativeTimeFormat(undefined, { numeric: "auto" });
  numbers ??= new Intl.RelativeTimeFormat(undefined);
  const midnight = midnightOf(time);
  // A day on which the clocks change is not 24 hours long.
  const days = Math.round((midnight - midnightOf(now)) / DAY_MS);
  const isDay = midnight === time;
  const away = isDay ? days * DAY_MS : time - now;
  const [unit, length] = UNITS.find(([, length]) => Math.abs(away) >= length) ?? ["second", 1000];
  if (unit === "day" || (isDay && days === 0)) return words.format(days, "day");
  return (unit === "second" ? words : numbers).format(Math.trunc(away / length), unit);
}

/** A moment in a form. */
export function timeText(time: number, form: TimeForm, now: number): string {
  return form === "relative" ? relativeTime(time, now) : formatOf(form).format(time);
}

/** Years, quarters, weeks and months, as reports name them. */
const PERIOD = /^(?:1[89]|20|21)\d{2}(?:-(?:0[1-9]|1[0-2]|Q[1-4]|W(?:0[1-9]|[1-4]\d|5[0-3])))?$/i;

/** Whether a text names a length of time: `2026`, `2026-Q4`, `2026-11`, `2026-W47`. */
export function isPeriod(text: string): boolean {
  return PERIOD.test(text);
}

/** The Monday with which a week begins; the first one has the fourth of January. */
function weekStart(year: number, week: number): number {
  const fourth = new Date(year, 0, 4);
  const monday = 4 - ((fourth.getDay() + 6) % 7);
  return new Date(year, 0, monday + (week - 1) * 7).getTime();
}

/** The moment a text begins with, also when it is the first part of a date: "2026-11" is the first of November. NaN for others. */
export function momentOf(text: string): number {
  if (/^\d{4}$/.test(text)) return new Date(Number(text), 0, 1).getTime();
  const part = /^(\d{4})-([QW])(\d{1,2})$/i.exec(text);
  if (part) {
    const [year, number] = [Number(part[1]), Number(part[3])];
    return part[2]?.toUpperCase() === "Q" ? new Date(year, (number - 1) * 3, 1).getTime() : weekStart(year, number);
  }
  const month = /^(\d{4})-(\d{2})$/.exec(text);
  if (month) return new Date(Number(month[1]), Number(month[2]) - 1, 1).getTime();
  if (/^\d{4}-\d{2}-\d{2}[T ]\d{2}$/.test(text)) return timeOf(`${text}:00`);
  return timeOf(/^\d+$/.test(text) ? Number(text) : text);
}

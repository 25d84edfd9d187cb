// The year, quarter, month, week, day or hour of a date, as it is written: no time zone is changed. Pure.
import type { Granularity } from "../domain/result-query.js";
import type { JsonValue } from "../lib/json.js";

const DATE = /^(\d{4})-(\d\d)(?:-(\d\d)(?:[T ](\d\d)(?::?\d\d)?.{0,40})?)?$/;
const MAX_CHARS = 64;
/** Numbers of this size are taken for times: milliseconds, or seconds, of the years 1973 to 5138. */
const SECONDS = [1e8, 1e11] as const;
const MILLISECONDS = [1e11, 1e14] as const;
const DAY_MS = 86_400_000;

const isIn = (value: number, [least, below]: readonly [number, number]): boolean => value >= least && value < below;

/** A value as the text of a date; a number as one in UTC. */
function dateText(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return value.length <= MAX_CHARS ? value : undefined;
  if (typeof value !== "number") return undefined;
  if (isIn(value, MILLISECONDS)) return new Date(value).toISOString();
  return isIn(value, SECONDS) ? new Date(value * 1000).toISOString() : undefined;
}

/** The week by ISO 8601: it belongs to the year of its Thursday. */
function weekOf(year: number, month: number, day: number): string {
  const date = new Date(Date.UTC(year, month - 1, day));
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * DAY_MS);
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const week = 1 + Math.floor((thursday.getTime() - first) / (7 * DAY_MS));
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, "0")}`;
}

/** That part of a date: `2024`, `2024-Q1`, `2024-01`, `2024-W05`, `2024-01-31`, `2024-01-31T13`; null where there is none. */
export function datePart(value: JsonValue | undefined, by: Granularity): string | null {
  const text = dateText(value);
  const match = text === undefined ? null : DATE.exec(text);
  if (!match) return null;
  const [, year = "", month = "", day, hour] = match;
  if (Number(month) < 1 || Number(month) > 12 || Number(day ?? 1) < 1 || Number(day ?? 1) > 31) return null;
  switch (by) {
    case "year":
      return year;
    case "quarter":
      return `${year}-Q${Math.ceil(Number(month) / 3)}`;
    case "month":
      return `${year}-${month}`;
    case "week":
      return day === undefined ? null : weekOf(Number(year), Number(month), Number(day));
    case "day":
      return day === undefined ? null : `${year}-${month}-${day}`;
    case "hour":
      return hour === undefined ? null : `${year}-${month}-${day}T${hour}`;
    default:
      return by satisfies never;
  }
}

// Days and periods of a prompt that are counted from today: "tomorrow", "in 3 days", "last Friday", "this week", "the last 7 days".
// Text in, ISO dates out. A week begins on Monday.

/** A day or a period, as it stands in a text. */
interface RelativeDate {
  value: string;
  /** The last day, when the text names several. */
  through?: string | undefined;
  /** It may be another day as well. */
  ambiguous?: boolean;
  text: string;
  start: number;
}

const WEEKDAYS = "sunday monday tuesday wednesday thursday friday saturday".split(" ");
const UNIT = "(day|week|month|year)s?";
const DAY = /\b(?:today|tomorrow|yesterday)\b/gi;
const COUNTED = new RegExp(`\\bin (\\d+) ${UNIT}\\b|\\b(\\d+) ${UNIT} ago\\b`, "gi");
const WEEKDAY = new RegExp(`\\b(?:(last|past|previous|this|next|coming)\\s+)?(${WEEKDAYS.join("|")})\\b`, "gi");
const PERIOD = /\b(this|current|last|past|previous|next)\s+(week|month|quarter|year)\b/gi;
const SEVERAL = new RegExp(`\\b(?:the\\s+)?(last|past|previous|next)\\s+(\\d{1,3})\\s+${UNIT}\\b`, "gi");
/** What happened on a bare weekday, or since it, was on the last one. */
const HAPPENED = /\b(?:since|(?!need)\p{L}+ed|sent|made|begun|born|held|sold|bought|paid)\s+(?:on\s+)?$/iu;

/** "Black Friday" and "Easter Sunday" are names; so may be what else is written so, and a name is no day. */
const NAMED =
  /(?<!^|[.!?:]\s*)\b(?!(?:On|By|Until|Till|Since|From|Before|After|For|Due|And|Or|To|Every|Each)\b)\p{Lu}\p{Ll}+\s+$/u;

const DAY_MS = 86_400_000;
const WEEK = 7;
const MONTHS_OF_QUARTER = 3;
const YEAR_END = 12;

const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** A day moved by days, weeks, months or years; a month that has no such day ends earlier. */
function moved(day: string, count: number, unit: string): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  if (unit === "day" || unit === "week") return isoDay(Date.parse(day) + count * (unit === "week" ? WEEK : 1) * DAY_MS);
  const first = month - 1 + count * (unit === "year" ? YEAR_END : 1);
  const lastDay = new Date(Date.UTC(year, first + 1, 0)).getUTCDate();
  return isoDay(Date.UTC(year, first, Math.min(date, lastDay)));
}

/** The first and the last day of the week, month, quarter or year that a day is in, or so many before or behind it. */
function periodOf(today: string, unit: string, offset: number): { value: string; through: string } {
  const [year = 0, month = 1] = today.split("-").map(Number);
  if (unit === "week") {
    const sinceMonday = (new Date(today).getUTCDay() + WEEK - 1) % WEEK;
    const value = moved(today, offset * WEEK - sinceMonday, "day");
    return { value, through: moved(value, WEEK - 1, "day") };
  }
  const length = unit === "year" ? YEAR_END : unit === "quarter" ? MONTHS_OF_QUARTER : 1;
  const first = Math.floor((month - 1) / length) * length + offset * length;
  return { value: isoDay(Date.UTC(year, first, 1)), through: isoDay(Date.UTC(year, first + length, 0)) };
}

/** The day of a weekday: with a word before it, or the next one, of what happened the last one. */
function weekdayOf(
  name: string,
  { word, before, today }: { word: string; before: string; today: string },
): Pick<RelativeDate, "value" | "ambiguous"> {
  const ahead = (WEEKDAYS.indexOf(name) - new Date(today).getUTCDay() + WEEK) % WEEK;
  if (/^(?:last|past|previous)$/.test(word)) return { value: moved(today, ahead - WEEK, "day") };
  if (/^(?:next|coming)$/.test(word)) return { value: moved(today, ahead || WEEK, "day") };
  if (word === "this") return { value: moved(today, ahead, "day") };
  if (HAPPENED.test(before)) return { value: moved(today, ahead === 0 ? 0 : ahead - WEEK, "day") };
  return { value: moved(today, ahead, "day"), ambiguous: ahead === 0 };
}

const OFFSETS: Readonly<Record<string, number>> = { this: 0, current: 0, next: 1 };

/** The days and periods of a text that are counted from today, which is an ISO date. */
export function findRelativeDates(text: string, today: string): RelativeDate[] {
  const found: RelativeDate[] = [];
  const add = (match: RegExpMatchArray, day: Pick<RelativeDate, "value" | "through" | "ambiguous">): void => {
    found.push({ ...day, text: match[0], start: match.index ?? 0 });
  };
  for (const match of text.matchAll(SEVERAL)) {
    const [, word = "", count = "", unit = ""] = match;
    const isAhead = /next/i.test(word);
    const other = moved(today, (isAhead ? 1 : -1) * Number(count), unit.toLowerCase());
    add(match, isAhead ? { value: today, through: other } : { value: other, through: today });
  }
  for (const match of text.matchAll(PERIOD)) {
    const [, word = "", unit = ""] = match;
    add(match, periodOf(today, unit.toLowerCase(), OFFSETS[word.toLowerCase()] ?? -1));
  }
  for (const match of text.matchAll(WEEKDAY)) {
    const [, word = "", name = ""] = match;
    const before = text.slice(0, match.index);
    if (word === "" && NAMED.test(before)) continue;
    add(match, weekdayOf(name.toLowerCase(), { word: word.toLowerCase(), before, today }));
  }
  for (const match of text.matchAll(COUNTED)) {
    const [, ahead, aheadUnit = "", back, backUnit = ""] = match;
    const unit = (ahead === undefined ? backUnit : aheadUnit).toLowerCase();
    add(match, { value: moved(today, ahead === undefined ? -Number(back) : Number(ahead), unit) });
  }
  for (const match of text.matchAll(DAY)) {
    const word = match[0].toLowerCase();
    add(match, { value: moved(today, word === "tomorrow" ? 1 : word === "yesterday" ? -1 : 0, "day") });
  }
  return found;
}

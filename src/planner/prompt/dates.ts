// Dates in a prompt: ISO, written out, with slashes, and relative to today. Text in, ISO dates out.

import { findRelativeDates } from "./relative-dates.js";

/** A date found in a text. `value` is ISO 8601, with a time when the text had one. */
interface FoundDate {
  value: string;
  text: string;
  start: number;
  end: number;
  /** The last day, when the text names several. */
  through?: string | undefined;
  /** It may be another day: with its first two numbers exchanged, or a week later. */
  ambiguous?: boolean;
}

const MONTHS = "january february march april may june july august september october november december".split(" ");
const MONTH = `(${MONTHS.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)}${name.startsWith("sept") ? "|t" : ""})?`).join("|")})\\.?`;
const ISO = /\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?\b/g;
const DOTTED = /\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b/g;
const SLASHED = /\b(\d{1,2})[/-](\d{1,2})[/-](\d{4})\b|\b(\d{4})\/(\d{1,2})\/(\d{1,2})\b/g;
const MONTH_FIRST = new RegExp(`\\b${MONTH}\\s+(\\d{1,2})(?:st|nd|rd|th)?(?:,?\\s+(\\d{4}))?\\b`, "gi");
const DAY_FIRST = new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?\\s+(?:of\\s+)?${MONTH}(?:,?\\s+(\\d{4}))?\\b`, "gi");
/** "between 20 and 27 November", "from 3rd to 5th of May": the day before takes the month of the day behind. */
const DAY_BEFORE_DAY = new RegExp(
  `\\b(?<=\\b(?:between|from)\\s+(?:the\\s+)?)(\\d{1,2})(?:st|nd|rd|th)?(?=\\s+(?:and|to|until|till|through)\\s+(?:the\\s+)?\\d{1,2}(?:st|nd|rd|th)?\\s+(?:of\\s+)?${MONTH}(?:,?\\s+(\\d{4}))?\\b)`,
  "gi",
);
const WHOLE_MONTH = new RegExp(`(\\b\\w+\\s+)?\\b${MONTH}\\s+(\\d{4})\\b`, "gi");
/** What stands behind a month in small letters that may be a verb: "in may", "from march that are open". */
const AFTER_MONTH =
  "(?=\\s*(?:$|[?.!,;)])|\\s+(?:and|or|to|until|till|that|which|who|with|by|for|in|at|on|from|of|please)\\b)";
/** A month by itself is one only behind such a word; "may" and "march" are verbs too. */
const BARE_MONTH = new RegExp(
  `\\b([Ss]ince|[Bb]etween|[Ff]rom|[Ii]n|[Dd]uring|[Uu]ntil|[Bb]efore|[Aa]fter|[Oo]f) (${MONTHS.map((name) => (/^ma/.test(name) ? `(?:M${name.slice(1)}|${name}${AFTER_MONTH})` : `[${name[0]?.toUpperCase()}${name[0]}]${name.slice(1)}`)).join("|")})\\b(?!\\s+\\d)`,
  "g",
);
/** "between May and July": the second month is whole. */
const SECOND_MONTH = new RegExp(
  `(?<=\\b(?:between|from) (${MONTHS.join("|")}) (?:and|to|until|till|through) )(${MONTHS.join("|")})\\b(?! \\d)`,
  "gi",
);
/** The end of a month behind a word that bounds by it. */
const END_OF_MONTH = new RegExp(
  `(?=end\\b)(?<=\\b(?:before|by|until|till|up to|after)\\s+(?:the\\s+)?)end of ${MONTH}(?:,?\\s+(\\d{4}))?(?![\\p{L}\\d])`,
  "giu",
);
const ONE_SIDED = /^(?:since|after|until|till|before|by|to|through)\s*$/i;
const HAPPENED =
  /\b(?:was|were|(?!need)\p{L}{2,}ed|sent|made|begun|born|held|sold|bought|paid)\b(?:\s+\p{L}+){0,2}\s+(?:before|by|until|till|up to|after)\s+(?:the\s+)?$/iu;
/** "after May" begins where May ends, and "until May" has it whole. */
const FROM_ITS_END = /^(?:after|until|till|to|through)\s*$/i;
function iso(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : undefined;
}

function monthOf(name: string): number {
  return MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3).toLowerCase())) + 1;
}

/** The dates of a text. Day before month only where the month cannot come first. */
export function findDates(text: string, today: string): FoundDate[] {
  const found: FoundDate[] = [];
  const add = (match: RegExpMatchArray, value: string | undefined): void => {
    const start = match.index ?? 0;
    if (value) found.push({ value, text: match[0], start, end: start + match[0].length });
  };
  const year = Number(today.slice(0, 4));
  for (const match of text.matchAll(ISO)) add(match, match[0].replace(" ", "T"));
  for (const match of text.matchAll(SLASHED)) {
    const [, a, b, y, y2, m2, d2] = match;
    if (y2) add(match, iso(Number(y2), Number(m2), Number(d2)));
    else {
      const [first, second] = [iso(Number(y), Number(a), Number(b)), iso(Number(y), Number(b), Number(a))];
      add(match, first ?? second);
      const last = found.at(-1);
      if (last && first !== undefined && second !== undefined && first !== second) last.ambiguous = true;
    }
  }
  // With stops between the day comes first.
  for (const match of text.matchAll(DOTTED)) add(match, iso(Number(match[3]), Number(match[2]), Number(match[1])));
  for (const match of text.matchAll(MONTH_FIRST))
    add(match, iso(Number(match[3] ?? year), monthOf(match[1] ?? ""), Number(match[2])));
  for (const match of text.matchAll(DAY_FIRST))
    add(match, iso(Number(match[3] ?? year), monthOf(match[2] ?? ""), Number(match[1])));
  for (const match of text.matchAll(END_OF_MONTH)) {
    const month = monthOf(match[1] ?? "");
    const lastDay = (of: number): string => new Date(Date.UTC(of, month, 0)).toISOString().slice(0, 10);
    // What has happened did so by the last such day, and what has not does by the next one.
    const happened = HAPPENED.test(text.slice(0, match.index));
    const isPassed = lastDay(year) < today;
    const near = happened ? (isPassed ? year : year - 1) : isPassed ? year + 1 : year;
    add(match, lastDay(Number(match[2] ?? near)));
  }
  for (const match of text.matchAll(DAY_BEFORE_DAY))
    add(match, iso(Number(match[3] ?? year), monthOf(match[2] ?? ""), Number(match[1])));
  const addMonth = ({ before, name, year, end }: { before: string; name: string; year: number; end: number }): void => {
    const start = text.lastIndexOf(name, end);
    if (found.some((other) => other.start < end && start < other.end)) return;
    const last = new Date(Date.UTC(year, monthOf(name), 0)).toISOString().slice(0, 10);
    const value = FROM_ITS_END.test(before) ? last : iso(year, monthOf(name), 1);
    const through = ONE_SIDED.test(before) ? undefined : last;
    if (value) found.push({ value, text: text.slice(start, end), start, end, through });
  };
  for (const match of text.matchAll(WHOLE_MONTH))
    addMonth({
      before: match[1] ?? "",
      name: match[2] ?? "",
      year: Number(match[3]),
      end: match.index + match[0].length,
    });
  for (const match of text.matchAll(BARE_MONTH)) {
    const [whole, before = "", name = ""] = match;
    // The past is meant: in February "since November" began last year.
    const past = /since|from|after/i.test(before) && monthOf(name) > Number(today.slice(5, 7));
    addMonth({ before, name, year: past ? year - 1 : year, end: match.index + whole.length });
  }
  for (const { 1: first = "", 2: name = "", index } of text.matchAll(SECOND_MONTH))
    if (monthOf(first) < monthOf(name)) addMonth({ before: "until", name, year, end: index + name.length });
  for (const { start, text: said, ...day } of findRelativeDates(text, today))
    found.push({ ...day, text: said, start, end: start + said.length });
  return found;
}

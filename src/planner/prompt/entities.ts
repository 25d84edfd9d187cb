// The entities of a prompt: quoted texts, numbers, dates, addresses, identifiers, names. Text in; entities with their positions
// out, in the order of the text and none overlapping another. Knows nothing of tools and parameters.
import { type LocalTime, zonedMoment } from "../../domain/time-zone.js";
import { exactNumber, type JsonValue } from "../../lib/json.js";
import { findDates } from "./dates.js";
import { unitBehind, unitOf } from "./units.js";

type EntityKind = "quoted" | "url" | "email" | "path" | "date" | "time" | "list" | "number" | "id" | "name";

/** A value found in a prompt, with its position. */
export interface Entity {
  kind: EntityKind;
  value: JsonValue;
  /** As written in the prompt. */
  text: string;
  start: number;
  end: number;
  /** Sign of a number: "%", "$", "#". */
  sign?: string;
  /** A number with what is written right behind it: "50%", "2nd", "10A". */
  whole?: string;
  /** The unit of measurement behind a number, as it is written, and where it ends. */
  unit?: { text: string; end: number };
  /** The last day of a period, such as a month, which the value is the first of. */
  through?: string | undefined;
  /** It may be another day: with its first two numbers exchanged, or a week later. */
  ambiguous?: boolean;
  /** A day with the time of day beside it or within it, and the position of what stands beside it. */
  clock?: { moment: string; start: number; end: number };
  /** The day a year stands for where a date is wanted: "after 2000" begins with its last. */
  day?: string;
}

/** The day a prompt is of, and the zone that its times are in. */
export type Today = Pick<LocalTime, "date" | "timeZone">;

/** A stretch of the prompt's text. */
interface Span {
  start: number;
  end: number;
}

/** Whether two spans share text. */
export const overlaps = (a: Span, b: Span): boolean => a.start < b.end && b.start < a.end;

/** Whether a position is inside one of these spans. */
export function isInside(position: number, spans: Iterable<Span>): boolean {
  for (const { start, end } of spans) if (position >= start && position < end) return true;
  return false;
}

const PATTERNS: readonly { kind: EntityKind; pattern: RegExp }[] = [
  { kind: "quoted", pattern: /"([^"\n]+)"|“([^“”\n]+)”|`([^`\n]+)`|«([^«»\n]+)»/g },
  { kind: "quoted", pattern: /(?<![\p{L}\p{N}])['‘]([^\n‘]+?)['’](?![\p{L}\p{N}])/gu },
  {
    kind: "quoted",
    pattern:
      /\b(?:named|called|titled|entitled)\s+(?!["“'‘`\s])([^\n,;!?"“]*?[^\s,;!?"“])(?=\s+(?:with|to|for|in|on|at|as|which|that|from|has|having|costing|priced|is|by|using|and\s+\p{Ll}|into)\b|\s+[\w.-]+=|[,;!?]|(?<!\b(?:Mr|Mrs|Ms|Dr|St|Prof|Jr|Sr))\.(?:\s|$)|\s*$)/giu,
  },
  { kind: "url", pattern: /\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>]*[^\s"'<>.,;:!?)\]]/gi },
  { kind: "id", pattern: /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.]*\d)/g },
  // "1987/QX31", "1911-1912", "555-1234": several numbers with a sign between are one text.
  { kind: "id", pattern: /(?<![\w/.-])\d+\/(?=[\w-]*[A-Z])[\w-]+(?![\w/])/g },
  // "M.1952.4", "K/12", "AB 12-34": codes of capitals and numbers, whatever sign stands between.
  { kind: "id", pattern: /(?<![\w./-])[A-Z]{1,6}(?:[.-][A-Z\d]+)*\.\d[\w-]*(?:\.\w[\w-]*)*(?![\w-])/g },
  { kind: "id", pattern: /(?<![\w./-])[A-Z]{1,4}\/\d[\w-]*(?![\w/])/g },
  {
    kind: "id",
    pattern:
      /(?<![\w./-]|\b[A-Z]{2,} )(?!(?:ID|NO|NR|IN|ON|AT|TO|OF|BY|AM|PM|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)\b)[A-Z]{1,3} \d{1,4}-\d{1,4}(?![\w-]|\.\d)/g,
  },
  { kind: "email", pattern: /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g },
  { kind: "path", pattern: /(?<![^\s"'=:(])\/[\w.-]+(?:\/[\w.-]+)+/g },
  { kind: "path", pattern: /(?<![\w/.-])[A-Za-z][\w.-]*\/[\w][\w-]*(?:\.[\w-]+)*(?![\w/])/g },
];
const TIME = /\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\b\.?)?|\b\d{1,2}\s?[ap]m\b/gi;
const LIST = /\[([^[\]]*)\]/g;
const NUMBER =
  /(?<![\w.^])([$€£#]\s?)?(-?\d{1,3}(?:,\d{3})+(?:\.\d+)?|-?\d+(?:\.\d+)?)(\s?%|\s(?:percent|hundred|thousand|million|billion)\b|k\b)?(?![\d-]|\.\d)/gi;
const SCALE: Readonly<Record<string, number>> = { hundred: 100, thousand: 1e3, k: 1e3, million: 1e6, billion: 1e9 };
/** The words for 0 to 12, in order. */
export const NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const NUMBER_WORD = new RegExp(`\\b(${NUMBER_WORDS.slice(1).join("|")})\\b`, "gi");
/** "the second one", "that one": no number. */
const PRONOUN_ONE =
  /\b(?:the|this|that|which|no|any|every|each|first|second|third|fourth|fifth|last|next|old|new|other|same|\w+est|expensive)\s+$/i;
const HYPHENATED = /(?<![\w.-])\d+(?:-\d+)+(?![\w-]|\.\d)/g;
const ID = /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[A-Za-z0-9][\w-]*(?:\.\w[\w-]*)*\b(?!\^)/g;
/** "5kg", "2nd" and "10k" are numbers, "12b" and "10a" are not. */
const COUNTED = /^\d+(\p{L}{1,4})$/u;
const isCounted = (text: string): boolean => {
  const letters = COUNTED.exec(text)?.[1] ?? "";
  return letters !== "" && (/^(?:st|nd|rd|th|k|am|pm)$/i.test(letters) || unitOf(letters) !== undefined);
};
const INITIAL = String.raw`\p{Lu}\.(?=\s?\p{Lu})`;
const INITIALS = String.raw`\p{Lu}\.(?:\p{Lu}\.)+`;
const CAPITALISED = String.raw`\p{Lu}[\p{L}\p{N}'’&-]*(?:(?<=\b(?:Mr|Mrs|Ms|Dr|St|Prof|Jr|Sr))\.)?`;
/** "Washington D.C.", "Orla T. Quill", "J.R.R. Tolkien": a stop behind single capitals ends no name; several of them do behind one. */
const NAME = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:${INITIALS}|${INITIAL})\s?)*(?:${CAPITALISED}(?:\s(?:(?:of|the|de|la|van|von|du|&)\s(?:the\s)?)?(?!${INITIALS})(?:${INITIAL}\s?)*${CAPITALISED})*(?:\s${INITIALS})?)`,
  "gu",
);
/** Capitalised only because they begin a sentence, or always. */
const COMMON = new Set(
  (
    "i i'm i'd i've i'll a an the in on at of for to is are was were can could would will what which who when where why how do does did " +
    "please find get show list give tell create make add calculate compute determine search retrieve fetch delete remove update change set " +
    "book order send play help let if my me you your it this that there and or but with from also hello hi hey using use need want " +
    "estimate convert predict generate identify analyze check compare sort solve draw plan locate look provide describe display evaluate " +
    "api id ip url json xml rename complete close open mark finish cancel ship assign put buy pay mine its no not yes ok as by after before during given"
  ).split(" "),
);

/** Codes of countries that are written as common words. */
const CODES = /^(?:NO|IN|IT|IS|AT|MY|ME)$/;

/** Adds an entity unless it is empty or overlaps an earlier one: the patterns that are tried first win. */
function claim(found: Entity[], entity: Entity): void {
  if (entity.text !== "" && !found.some((other) => overlaps(entity, other))) found.push(entity);
}

function toNumber(text: string, scale: string | undefined): number | bigint | string {
  const plain = text.replaceAll(",", "");
  const factor = SCALE[scale?.trim().toLowerCase() ?? ""];
  if (factor !== undefined) return Math.round(Number(plain) * factor * 1e6) / 1e6;
  return exactNumber(plain) ?? plain;
}

function parseList(text: string): JsonValue[] {
  return text
    .split(",")
    .map((item) => item.trim().replace(/^["']|["']$/g, ""))
    .filter((item) => item !== "")
    .map((item) => (/^-?\d+(?:\.\d+)?$/.test(item) ? toNumber(item, undefined) : item));
}

/** How much of the text before a number is read for its meaning. */
const LOOK_BACK = 40;
const YEAR = /^[12]\d{3}$/;

/** What says that a span goes on behind its first day: "from 2019 on", "from May to July". */
export const GOES_ON = /^\s*(?:-|–|to|until|till|through|and|on(?!\s+\p{L})|onwards?|upwards?)(?![\p{L}\p{N}])/iu;

/** The days a year stands for between the words around it; none for any other number. */
function daysOf(year: string, before: string, behind: string): { day?: string; through?: string } {
  if (!YEAR.test(year)) return {};
  const [first, last] = [`${year}-01-01`, `${year}-12-31`];
  const word = /(\w+)\s+$/.exec(before)?.[1]?.toLowerCase() ?? "";
  // "films from 2019" are of that year.
  if (word === "from" && !GOES_ON.test(behind)) return { day: first, through: last };
  if (/^(?:before|since|from|starting|between)$/.test(word)) return { day: first };
  if (/^(?:after|until|till|through|to)$/.test(word) || /\bbetween\s+\d{4}\s+and\s+$/i.test(before))
    return { day: last };
  return /^(?:in|during|of|year)$/.test(word) ? { day: first, through: last } : {};
}

/** "the value of Two Sisters": a number in words that is capitalised within its sentence begins the name behind it. */
const isPartOfName = (prompt: string, start: number, end: number): boolean =>
  /^\p{Lu}/u.test(prompt.slice(start)) &&
  /[\p{L},]\s$/u.test(prompt.slice(0, start)) &&
  /^\s\p{Lu}\p{Ll}/u.test(prompt.slice(end));

function findNumbers(prompt: string, found: Entity[]): void {
  for (const match of prompt.matchAll(NUMBER)) {
    const [text, before, digits = "", after] = match;
    // A capital K behind a plain number is a unit, not thousands.
    const scale = after === "K" && !before ? undefined : after;
    const sign = (before ?? (/%|percent/i.test(after ?? "") ? "%" : ""))?.trim();
    const end = match.index + text.length;
    const behind = prompt.slice(end, end + LOOK_BACK);
    const unit = sign ? undefined : unitBehind(behind);
    claim(found, {
      kind: "number",
      value: toNumber(digits, scale),
      text,
      start: match.index,
      end,
      sign: sign || undefined,
      whole: sign === "%" ? text : /^\p{L}+/u.test(behind) ? text + (/^\p{L}+/u.exec(behind)?.[0] ?? "") : undefined,
      unit: unit === undefined ? undefined : { text: unit, end: end + behind.indexOf(unit) + unit.length },
      ...daysOf(text, prompt.slice(Math.max(0, match.index - LOOK_BACK), match.index), behind),
    });
  }
  for (const match of prompt.matchAll(NUMBER_WORD)) {
    const [text] = match;
    if (/^one$/i.test(text) && PRONOUN_ONE.test(prompt.slice(Math.max(0, match.index - LOOK_BACK), match.index)))
      continue;
    if (isPartOfName(prompt, match.index, match.index + text.length)) continue;
    const value = NUMBER_WORDS.indexOf(text.toLowerCase());
    claim(found, { kind: "number", value, text, start: match.index, end: match.index + text.length });
  }
}

/** A run of capitalised words, without the ordinary word that begins its sentence. */
function trimName(text: string, start: number): { text: string; start: number } | undefined {
  let rest = text;
  let at = start;
  for (;;) {
    const first = /^[^\s]+/.exec(rest)?.[0] ?? "";
    if (first === "" || CODES.test(first) || !COMMON.has(first.toLowerCase().replace(/['’]\p{L}*$/u, ""))) break;
    const cut = rest.slice(first.length);
    at += first.length + (cut.length - cut.trimStart().length);
    rest = cut.trimStart();
  }
  rest = rest.replace(/['’]s?$/, "");
  return rest === "" || !/^\p{Lu}/u.test(rest) ? undefined : { text: rest, start: at };
}

/** Whether a number in words only says how many values follow: "two numbers: 8 and 31", "the three sides 3, 4 and 5". */
function countsOthers({ text, value, end }: Entity, prompt: string, found: readonly Entity[]): boolean {
  if (!/^\p{L}/u.test(text) || !/^(?:\s+\p{L}+){0,3}\s+\p{L}+s\b/u.test(prompt.slice(end))) return false;
  const others = found.filter(({ start, kind }) => start > end && kind !== "date");
  return others.length >= Number(value) && Number(value) > 1;
}

/** A time as hours, minutes and seconds; undefined for what is none. */
function clockOf(text: string): string | undefined {
  const [, hour = "", minute = "00", second = "00", half] =
    /^(\d{1,2})(?::(\d{2}))?(?::(\d{2}))?\s?([ap])?\.?(?:m\.?)?$/i.exec(text) ?? [];
  const plain = Number(hour);
  if (hour === "" || (half !== undefined && (plain < 1 || plain > 12))) return undefined;
  const hours = half === undefined ? plain : (plain % 12) + (/p/i.test(half) ? 12 : 0);
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  return `${String(hours).padStart(2, "0")}:${minute}:${second}`;
}

/** A time in UTC, and one in a zone whose distance from UTC is said. */
const IN_UTC = /^\s*(?:UTC|GMT|Z)\b/;
const HAS_ZONE = /(?:Z|[+-]\d{2}:?\d{2})$/;

/** Gives days the time beside them, or within them, in the reader's zone: "2026-12-05 at 10:00", "at 3pm on Friday". */
function addClocks(entities: readonly Entity[], prompt: string, timeZone: string): void {
  for (const [i, day] of entities.entries()) {
    const [date = "", within] = String(day.value).split("T");
    if (day.kind === "date" && within !== undefined && !HAS_ZONE.test(within)) {
      const time = clockOf(within);
      if (time !== undefined) day.clock = { moment: zonedMoment(date, time, timeZone), start: day.end, end: day.end };
    }
    if (day.kind !== "date" || !/^\d{4}-\d{2}-\d{2}$/.test(String(day.value)) || day.through !== undefined) continue;
    const [before, after] = [entities[i - 1], entities[i + 1]];
    const isAfter = after?.kind === "time" && /^,?\s*(?:at\s+)?$/i.test(prompt.slice(day.end, after.start));
    const isBefore = before?.kind === "time" && /^,?\s*(?:on\s+)?$/i.test(prompt.slice(before.end, day.start));
    const time = isAfter ? after : isBefore ? before : undefined;
    const value = time && clockOf(time.text);
    if (!time || value === undefined) continue;
    const utc = IN_UTC.exec(prompt.slice(time.end))?.[0];
    const moment = zonedMoment(date, value, utc === undefined ? timeZone : "UTC");
    day.clock = { moment, start: time.start, end: time.end + (utc?.length ?? 0) };
  }
}

/** Every entity of a prompt, in order. `today` is the day that "tomorrow" is counted from. */
export function findEntities(prompt: string, today: Today): Entity[] {
  const found: Entity[] = [];
  for (const match of prompt.matchAll(LIST)) {
    const value = parseList(match[1] ?? "");
    const end = match.index + match[0].length;
    if (value.length > 0) claim(found, { kind: "list", value, text: match[0], start: match.index, end });
  }
  for (const { kind, pattern } of PATTERNS)
    for (const match of prompt.matchAll(pattern)) {
      const inner = match.slice(1).find((group) => group !== undefined) ?? match[0];
      // A prompt in quotes is still a prompt.
      if (kind === "quoted" && (inner.length > 0.8 * prompt.trim().length || /^["“”'‘’`«»\s]*$/.test(inner))) continue;
      const start = match.index + (kind === "quoted" ? match[0].lastIndexOf(inner) : 0);
      claim(found, { kind, value: inner, text: inner, start, end: match.index + match[0].length });
    }
  for (const date of findDates(prompt, today.date)) claim(found, { kind: "date", ...date });
  for (const match of prompt.matchAll(TIME))
    claim(found, {
      kind: "time",
      value: match[0],
      text: match[0],
      start: match.index,
      end: match.index + match[0].length,
    });
  for (const match of [...prompt.matchAll(HYPHENATED), ...prompt.matchAll(ID)]) {
    if (isCounted(match[0])) continue;
    const end = match.index + match[0].length;
    claim(found, { kind: "id", value: match[0], text: match[0], start: match.index, end });
  }
  findNumbers(prompt, found);
  for (const match of prompt.matchAll(NAME)) {
    const name = trimName(match[0], match.index);
    if (name && !found.some(({ end, unit }) => unit && name.start >= end && name.start < unit.end))
      claim(found, { kind: "name", value: name.text, ...name, end: name.start + name.text.length });
  }
  const entities = found.filter((one) => !countsOthers(one, prompt, found)).sort((a, b) => a.start - b.start);
  addClocks(entities, prompt, today.timeZone);
  return entities;
}

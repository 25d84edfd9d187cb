// Numbers as people and models write them in a text, with separators, a currency or a percent sign, and the plain form in which they are
// compared with values. Pure.

/** A number in a text. */
export interface WrittenNumber {
  /** As it is written, with its currency or percent sign. */
  text: string;
  at: number;
  /** What it may be, as plain decimals: "1,234" is 1234 or 1.234. */
  readings: readonly string[];
}

const CURRENCY = "[$€£¥₹₩]";
/** Spaces that do not end a line stand between thousands; others stand between numbers. */
const DIGITS = "\\d{1,3}(?:[,.'’\\u00a0\\u2009\\u202f]\\d{3})+(?:[.,]\\d+)?|\\d+(?:[.,]\\d+)?";
/** No part of a word, a date, a time, an address, a version or a code. */
const BEFORE = "(?<![\\p{L}\\p{N}_]|[\\p{L}\\p{N}_][-.,:/+@'’])";
const AFTER = "(?![\\p{L}\\p{N}_]|[-.,:/+@'’][\\p{L}\\p{N}_])";
const NUMBER = new RegExp(
  `${BEFORE}(?<sign>[-−])?(?<before>${CURRENCY}\\s?)?(?<digits>${DIGITS})(?<after>[ \\u00a0\\u202f]?(?:%|${CURRENCY}))?${AFTER}`,
  "gu",
);
/** Longer ones are no numbers that people compare. */
const MAX_DIGITS = 40;
const TRIVIAL = /^-?0*[01]?$/;

/** A decimal without the zeros that say nothing; those in front say that it is an identifier. */
function trimmed(decimal: string): string {
  const short = decimal.includes(".") ? decimal.replace(/\.?0+$/, "") : decimal;
  return /^-0*$/.test(short) ? "0" : short;
}

/** A hundredth of a decimal. */
function hundredth(decimal: string): string {
  const [, sign = "", whole = "", rest = ""] = /^(-?)(\d+)\.?(\d*)$/.exec(decimal) ?? [];
  const padded = whole.padStart(3, "0");
  return trimmed(`${sign}${padded.slice(0, -2)}.${padded.slice(-2)}${rest}`);
}

/** What digits with separators may mean. */
function readingsOf(digits: string): string[] {
  const marks = Array.from(digits.matchAll(/\D/g), ([mark]) => mark);
  const last = marks.at(-1) ?? "";
  const plain = digits.replace(/\D/g, "");
  const isRepeated = marks.length > 1 && marks.every((mark) => mark === last);
  if ((last !== "." && last !== ",") || isRepeated) return [plain];
  const at = digits.lastIndexOf(last);
  const decimal = trimmed(`${digits.slice(0, at).replace(/\D/g, "")}.${digits.slice(at + 1)}`);
  return /^[1-9]\d{0,2}\D\d{3}$/.test(digits) ? [plain, decimal] : [decimal];
}

/** The numbers in a text from which a person may ask where they come: no 0, no 1, and no single digit that stands alone. */
export function* numbersIn(text: string): Generator<WrittenNumber> {
  for (const match of text.matchAll(NUMBER)) {
    const { sign, before, digits = "", after } = match.groups ?? {};
    const isBare = sign === undefined && before === undefined && after === undefined;
    if (digits.length > MAX_DIGITS || (isBare && digits.length < 2)) continue;
    const signed = readingsOf(digits).map((one) => (sign === undefined ? one : `-${one}`));
    const all = after?.endsWith("%") ? signed.flatMap((one) => [one, hundredth(one)]) : signed;
    if (TRIVIAL.test(all[0] ?? "")) continue;
    yield { text: match[0], at: match.index, readings: all.filter((one) => !TRIVIAL.test(one)) };
  }
}

const PLAIN = /^-?\d+(?:\.\d+)?$/;

/** A value in the plain form; undefined for one that is no number, and for 0 and 1. */
export function plainNumber(value: unknown): string | undefined {
  if (typeof value !== "number" && typeof value !== "bigint" && typeof value !== "string") return undefined;
  if (typeof value === "string" && value.length > MAX_DIGITS) return undefined;
  const text = String(value);
  const plain = PLAIN.test(text) ? trimmed(text) : undefined;
  return plain === undefined || TRIVIAL.test(plain) ? undefined : plain;
}

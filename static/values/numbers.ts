// Numbers as people and models write them in a text, with separators, a currency or a percent sign, and the plain form in which they are
// compared with values. Pure.
import { isTrivialNumber, trimmedDecimal } from "../../src/lib/plain-number.js";

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

/** A hundredth of a decimal. */
function hundredth(decimal: string): string {
  const [, sign = "", whole = "", rest = ""] = /^(-?)(\d+)\.?(\d*)$/.exec(decimal) ?? [];
  const padded = whole.padStart(3, "0");
  return trimmedDecimal(`${sign}${padded.slice(0, -2)}.${padded.slice(-2)}${rest}`);
}

/** What digits with separators may mean. */
function readingsOf(digits: string): string[] {
  const marks = Array.from(digits.matchAll(/\D/g), ([mark]) => mark);
  const last = marks.at(-1) ?? "";
  const plain = digits.replace(/\D/g, "");
  const isRepeated = marks.length > 1 && marks.every((mark) => mark === last);
  if ((last !== "." && last !== ",") || isRepeated) return [plain];
  const at = digits.lastIndexOf(last);
  const decimal = trimmedDecimal(`${digits.slice(0, at).replace(/\D/g, "")}.${digits.slice(at + 1)}`);
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
    if (isTrivialNumber(all[0] ?? "")) continue;
    yield { text: match[0], at: match.index, readings: all.filter((one) => !isTrivialNumber(one)) };
  }
}

/** Digits behind the point of a number as it was written, for one of its readings: the zeros at its end are digits, too. */
export function writtenDecimals({ text, readings }: WrittenNumber, reading: string): number {
  const digits = /\d[\d.,'’\u00a0\u2009\u202f]*/.exec(text)?.[0] ?? "";
  // Only a separator that is no decimal point leaves a number without one.
  if (reading.replace("-", "") === digits.replace(/\D/g, "")) return 0;
  const behind = /[.,](\d+)$/.exec(digits)?.[1]?.length ?? 0;
  const isHundredth = text.endsWith("%") && readings.indexOf(reading) % 2 === 1;
  return isHundredth ? behind + 2 : behind;
}

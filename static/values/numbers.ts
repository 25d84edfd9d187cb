// Numbers as people and models write them in a text, with separators, a currency or a percent sign, and the plain form in which they are
// compared with values. Pure.
import { isTrivialNumber, MAX_COMPARED, trimmedDecimal } from "../../src/lib/plain-number.js";

/** A number in a text. */
export interface WrittenNumber {
  /** As it is written, with its currency or percent sign. */
  text: string;
  at: number;
  /** What it may be, as plain decimals: "1,234" is 1234 or 1.234. */
  readings: readonly string[];
  /** For each reading the digits behind its point as written. */
  decimals: readonly number[];
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
interface Reading {
  plain: string;
  decimals: number;
}

/** A hundredth of a decimal. */
function hundredth(decimal: string): string {
  const [, sign = "", whole = "", rest = ""] = /^(-?)(\d+)\.?(\d*)$/.exec(decimal) ?? [];
  const padded = whole.padStart(3, "0");
  return trimmedDecimal(`${sign}${padded.slice(0, -2)}.${padded.slice(-2)}${rest}`);
}

/** What digits with separators may mean, each with the digits behind its point as they were written: zeros at the end are digits, too. */
function readingsOf(digits: string): Reading[] {
  const marks = Array.from(digits.matchAll(/\D/g), ([mark]) => mark);
  const last = marks.at(-1) ?? "";
  const plain = digits.replace(/\D/g, "");
  const isRepeated = marks.length > 1 && marks.every((mark) => mark === last);
  if ((last !== "." && last !== ",") || isRepeated) return [{ plain, decimals: 0 }];
  const at = digits.lastIndexOf(last);
  const behind = digits.slice(at + 1);
  const decimal = {
    plain: trimmedDecimal(`${digits.slice(0, at).replace(/\D/g, "")}.${behind}`),
    decimals: behind.length,
  };
  return /^[1-9]\d{0,2}\D\d{3}$/.test(digits) ? [{ plain, decimals: 0 }, decimal] : [decimal];
}

/** Whether a number is a single digit with no sign, currency or percent sign: its value alone says too little. */
export function isLoneDigit({ text }: WrittenNumber): boolean {
  return text.length === 1;
}

/** The numbers in a text from which a person may ask where they come: no 0 and no 1. */
export function* numbersIn(text: string): Generator<WrittenNumber> {
  for (const match of text.matchAll(NUMBER)) {
    const { sign, digits = "", after } = match.groups ?? {};
    if (digits.length > MAX_COMPARED) continue;
    const read = readingsOf(digits).map(({ plain, decimals }) => {
      return { plain: sign === undefined ? plain : `-${plain}`, decimals };
    });
    const all = after?.endsWith("%")
      ? read.flatMap((one) => [one, { plain: hundredth(one.plain), decimals: one.decimals + 2 }])
      : read;
    if (isTrivialNumber(all[0]?.plain ?? "")) continue;
    const kept = all.filter(({ plain }) => !isTrivialNumber(plain));
    const [readings, decimals] = [kept.map(({ plain }) => plain), kept.map((one) => one.decimals)];
    yield { text: match[0], at: match.index, readings, decimals };
  }
}

// Whether the words beside a number name the column that it comes from: "stock: 7", "a rating of 4", "7 days". Pure.
import { wordsOf } from "../../src/lib/name-words.js";
import { singularOf } from "../../src/lib/plural.js";
import { namesId } from "./names.js";

/** What stands around a number in its text. */
export interface Around {
  before: string;
  after: string;
}

/** Words of a column that a sentence leaves out. */
const FILLERS = new Set([
  "number",
  "no",
  "nr",
  "num",
  "count",
  "total",
  "amount",
  "quantity",
  "value",
  "of",
  "in",
  "current",
]);
/** Words before and behind a number that may name it. */
const MAX_BEFORE = 3;
const MAX_AFTER = 2;
/** Where a sentence, a line or a cell of a table ends, or another number has its words. */
const END = /[.;!?|\n\d]/;

const nounsIn = (text: string): string[] =>
  Array.from(text.matchAll(/[\p{L}_]+/gu), ([word]) =>
    wordsOf(word).map((one) => singularOf(one.toLowerCase())),
  ).flat();

/** Whether a label or a unit beside a number is that of this column. An id has its label before it. */
export function isLabelled(column: string, { before, after }: Around): boolean {
  const ahead = nounsIn(before.split(END).at(-1) ?? "").slice(-MAX_BEFORE);
  const behind = nounsIn((after.split(END)[0] ?? "").split(",")[0] ?? "").slice(0, MAX_AFTER);
  const words = nounsIn(column);
  if (words.length === 0) return false;
  if (namesId(column)) return ahead.length > 0 && words.includes(ahead.at(-1) ?? "");
  // "7 days", of delivery_days.
  if (words.at(-1) === behind[0]) return true;
  const told = words.filter((word) => !FILLERS.has(word));
  const beside = [...ahead, ...behind];
  return (told.length > 0 ? told : words).every((word) => beside.includes(word));
}

// The order of values of any type, for sorting, for bounds and for filters: numbers, then texts, then false and true, then objects and
// lists; null and what is missing comes last, whichever way round. Pure. Source: docs/reference.md, "Whole results"
import { canonicalJson, type JsonValue } from "../lib/json.js";

/** Plain digits stand for the number: databases give decimals as text. One with zeros before it is a code. */
const PLAIN_NUMBER = /^-?(?:0|[1-9]\d{0,39})(?:\.\d{1,30})?$/;
/** Longer texts are no numbers; looked at before the pattern is tried. */
const MAX_NUMBER_CHARS = 72;

/** The number a value is or writes; undefined for everything else. */
export function numberIn(value: JsonValue | undefined): number | bigint | undefined {
  if (typeof value === "number" || typeof value === "bigint") return value;
  if (typeof value !== "string" || value.length > MAX_NUMBER_CHARS || !PLAIN_NUMBER.test(value)) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) || value.includes(".") ? number : BigInt(value);
}

/** A value as it is compared: made once for each row. An object or a list is its text. */
export type SortKey = number | bigint | string | boolean | null | { text: string };

/** Longer texts are compared by their beginnings: thousands of comparisons of whole ones would hold everything else up. */
const MAX_KEY_CHARS = 1_000;

/** The beginning of a text, without the rest of it in memory. */
function beginning(text: string): string {
  return text.length <= MAX_KEY_CHARS ? text : Buffer.from(text.slice(0, MAX_KEY_CHARS), "utf16le").toString("utf16le");
}

/** The key of a value. */
export function sortKey(value: JsonValue | undefined): SortKey {
  if (value === undefined || value === null || typeof value === "boolean") return value ?? null;
  if (typeof value === "object") return { text: beginning(canonicalJson(value)) };
  return numberIn(value) ?? (typeof value === "string" ? beginning(value) : value);
}

const collator = new Intl.Collator("en");

/** Texts as a dictionary has them; those it takes for the same by their characters. */
function compareText(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

function rankOf(key: SortKey): number {
  if (typeof key === "number" || typeof key === "bigint") return 0;
  if (typeof key === "string") return 1;
  if (typeof key === "boolean") return 2;
  return key === null ? 4 : 3;
}

/** Below, above or 0 as in every comparison; nulls are last in both directions. */
export function compareKeys(a: SortKey, b: SortKey, descending = false): number {
  const rank = rankOf(a);
  const other = rankOf(b);
  if (rank === 4 || other === 4) return rank - other;
  return descending ? -compareSome(a, b) : compareSome(a, b);
}

function compareSome(a: SortKey, b: SortKey): number {
  const rank = rankOf(a) - rankOf(b);
  if (rank !== 0) return rank;
  if (typeof a === "string") return compareText(a, b as string);
  if (typeof a === "object" && a !== null) return compareText(a.text, (b as { text: string }).text);
  const [first, second] = [a as number, b as number];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** How a value stands to a wanted one: numbers as numbers, texts as texts; undefined where they cannot be compared. */
export function comparedTo(found: JsonValue, wanted: JsonValue): number | undefined {
  const [number, other] = [numberIn(found), numberIn(wanted)];
  if (number !== undefined && other !== undefined) return number < other ? -1 : number > other ? 1 : 0;
  return typeof found === "string" && typeof wanted === "string" ? compareText(found, wanted) : undefined;
}

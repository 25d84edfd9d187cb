// The table of an answer as rows: cells are texts as people and models write them; a column of numbers with one unit becomes numbers,
// with the unit in its name. Pure.
import { distinctNames } from "../../src/lib/distinct-names.js";
import { type JsonObject, type JsonValue, parseJson } from "../../src/lib/json.js";

/** Ways to write "nothing". */
const NOTHING = /^(?:|[-–—]|null|none|n\/?a)$/i;
/** A number between a unit before it and one behind it. */
const WITH_UNIT = /^([-+−]?)\s?([^\d\s.,+−-]{1,4})?\s?([-+−]?)(\d[\d.,'’\u00a0\u2009\u202f ]*)\s?([^\d\s.,]{1,6})?$/u;
const SPACES = "'’\\u00a0\\u2009\\u202f ";
/** Digits with a point for decimals, and with a comma; others are told apart by the column. */
const POINT = new RegExp(`^(?:\\d{1,3}(?:[,${SPACES}]\\d{3})+|\\d{1,2}(?:,\\d{2})+,\\d{3}|\\d+)(?:\\.\\d+)?$`);
const COMMA = new RegExp(`^(?:\\d{1,3}(?:[.${SPACES}]\\d{3})+|\\d+)(?:,\\d+)?$`);
/** Codes and telephone numbers: digits from which nothing is counted. */
const CODE = /^0\d/;
const CURRENCIES: Readonly<Record<string, string>> = { "€": "EUR", "£": "GBP", "₹": "INR", "₩": "KRW" };

interface Amount {
  digits: string;
  unit: string;
}

function amountOf(text: string): Amount | undefined {
  const [, sign = "", before = "", inner = "", digits = "", after = ""] = WITH_UNIT.exec(text) ?? [];
  if (digits === "" || (sign !== "" && inner !== "") || (before !== "" && after !== "")) return undefined;
  const isNegative = /[-−]/.test(sign + inner);
  return { digits: `${isNegative ? "-" : ""}${digits.trim()}`, unit: before + after };
}

/** What a column has in common, when all of its texts are numbers in one unit. */
interface NumberColumn {
  unit: string;
  values: JsonValue[];
}

function asNumbers(texts: readonly string[]): NumberColumn | undefined {
  const amounts = texts.map((text) => (NOTHING.test(text) ? null : amountOf(text)));
  const known = amounts.filter((one) => one !== null);
  const unit = known[0]?.unit;
  if (unit === undefined || known.some((one) => one === undefined || one.unit !== unit)) return undefined;
  const written = known.map((one) => one?.digits.replace("-", "") ?? "");
  if (written.some((digits) => CODE.test(digits))) return undefined;
  const point = [POINT, COMMA].find((format) => written.every((digits) => format.test(digits)));
  if (point === undefined) return undefined;
  const plain = (digits: string): string =>
    point === POINT ? digits.replace(/[^\d.-]/g, "") : digits.replace(/[^\d,-]/g, "").replace(",", ".");
  return { unit, values: amounts.map((one) => (one ? parseJson(plain(one.digits)) : null)) };
}

/** The values of a column. A word that says yes or no stays the text it is, but for JSON's own. */
function valuesOf(texts: readonly string[]): JsonValue[] {
  const isBoolean = texts.every((text) => /^(?:true|false|)$/i.test(text)) && texts.some((text) => text !== "");
  return texts.map((text) => (text === "" ? null : isBoolean ? /^true$/i.test(text) : text));
}

/** The rows of a table; `head` are the titles of its columns, `body` the texts of its cells. Cells beyond the titles are left out. */
export function writtenRows(head: readonly string[], body: readonly (readonly string[])[]): JsonObject[] {
  const columns = head.map((title, at) => {
    const texts = body.map((row) => (row[at] ?? "").trim());
    const numbers = asNumbers(texts);
    const unit = numbers === undefined || title.includes(numbers.unit) ? "" : numbers.unit;
    const name = unit === "" ? title.trim() : `${title.trim()} (${CURRENCIES[unit] ?? unit})`;
    return { name, values: numbers?.values ?? valuesOf(texts) };
  });
  const names = distinctNames(columns.map(({ name }, i) => name || `Column ${i + 1}`));
  return body.map((_, row) => Object.fromEntries(columns.map(({ values }, at) => [names[at], values[row] ?? null])));
}

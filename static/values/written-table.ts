// The table of an answer as rows: cells are texts as people and models write them; a column of numbers with one unit becomes numbers,
// with the unit in its name. Pure.
import { distinctNames } from "../../src/lib/distinct-names.js";
import { type JsonObject, type JsonValue, parseJson } from "../../src/lib/json.js";

/** Ways to write "nothing". */
const NOTHING = /^(?:|[-–—]|null|none|n\/?a)$/i;
/** What stands before or behind an amount. Anything else is part of a name: Q1, INV-1001, Room 7, Jan 2025. */
const SYMBOL = "(?:US|CA|A|NZ|HK|S|R)?[$€£¥₹₩₽₺₴₪฿₫]";
const CODE = "(?:EUR|USD|GBP|CHF|JPY|CNY|INR|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR|KRW|SGD|HKD|TRY)";
const MEASURE =
  "(?:%|‰|°[CF]?|[kKMGT]i?B|bytes?|[kmµ]?g|[kmcµ]?m|[kmµn]?s|mi|ft|lb|oz|[mc]?l|k?Wh?|k?Hz|min|h|days?|hours?|minutes?|seconds?|pcs|px)";
const SPACE = "[\\s\\u00a0\\u202f]?";
const AMOUNT = new RegExp(
  `^([-+−]?)(?:(${SYMBOL}|${CODE}(?=\\s))${SPACE})?([-−]?)(\\d[\\d.,'’\\u00a0\\u2009\\u202f ]*?)(?:${SPACE}(${SYMBOL}|${CODE}|${MEASURE}))?$`,
  "u",
);
const SPACES = "'’\\u00a0\\u2009\\u202f ";
/** Digits with a point for decimals, and with a comma; others are told apart by the column. */
const POINT = new RegExp(`^(?:\\d{1,3}(?:[,${SPACES}]\\d{3})+|\\d{1,2}(?:,\\d{2})+,\\d{3}|\\d+)(?:\\.\\d+)?$`);
const COMMA = new RegExp(`^(?:\\d{1,3}(?:[.${SPACES}]\\d{3})+|\\d+)(?:,\\d+)?$`);
/** Either thousands or three decimals. */
const AMBIGUOUS = /^[1-9]\d{0,2}\.\d{3}$/;
/** Codes, and telephone numbers after a plus: digits from which nothing is counted. */
const NO_COUNT = /^(?:0\d|\+\d{7})/;
const DECADE = /^\d{3}0s$/;
const CURRENCIES: Readonly<Record<string, string>> = { "€": "EUR", "£": "GBP", "₹": "INR", "₩": "KRW" };

interface Amount {
  sign: string;
  digits: string;
  unit: string;
  isUnitBehind: boolean;
}

function amountOf(text: string): Amount | undefined {
  const [, sign = "", before = "", inner = "", digits = "", after = ""] = AMOUNT.exec(text) ?? [];
  if (digits === "" || (sign !== "" && inner !== "") || (before !== "" && after !== "")) return undefined;
  if (NO_COUNT.test((before === "" ? sign : "") + digits) || NO_COUNT.test(digits) || DECADE.test(text))
    return undefined;
  return { sign: /[-−]/.test(sign + inner) ? "-" : "", digits, unit: before + after, isUnitBehind: after !== "" };
}

/** What a column has in common, when all of its texts are numbers in one unit. */
interface NumberColumn {
  unit: string;
  values: JsonValue[];
}

/**
 * The way all numbers of a column are written. Where "1.234" may be either, only a currency behind it tells, which is written so where
 * the point stands between thousands; otherwise it is not guessed.
 */
function formatOf(amounts: readonly Amount[]): RegExp | undefined {
  const separated = amounts.filter(({ digits }) => /\D/.test(digits));
  if (separated.length > 0 && separated.every(({ digits }) => AMBIGUOUS.test(digits)))
    return separated.every(({ unit, isUnitBehind }) => isUnitBehind && /[€₽₺₫]|EUR|TRY/.test(unit)) ? COMMA : undefined;
  return [POINT, COMMA].find((format) => amounts.every(({ digits }) => format.test(digits)));
}

function asNumbers(texts: readonly string[]): NumberColumn | undefined {
  const amounts = texts.map((text) => (NOTHING.test(text) ? null : amountOf(text)));
  const known: Amount[] = [];
  for (const one of amounts) {
    if (one === undefined || (one !== null && one.unit !== (known[0] ?? one).unit)) return undefined;
    if (one !== null) known.push(one);
  }
  const format = formatOf(known);
  const [first] = known;
  if (first === undefined || format === undefined) return undefined;
  const plain = ({ sign, digits }: Amount): string =>
    sign + (format === POINT ? digits.replace(/[^\d.]/g, "") : digits.replace(/[^\d,]/g, "").replace(",", "."));
  return { unit: first.unit, values: amounts.map((one) => (one ? parseJson(plain(one)) : null)) };
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

// A value as it is set in type: the text a person reads, the exact one for the pointer, and what it stands for. Pure but for the
// reader's locale.
import { decimalsOf } from "../../src/lib/decimals.js";
import { isObject, type JsonObject, type JsonValue, toJson } from "../../src/lib/json.js";
import type { Column } from "./column.js";
import { pointOf } from "./geo.js";
import { currencyDigits, currencyOf, moneyScale } from "./names.js";
import { fieldOf, plainText } from "./rows.js";
import { timeOf, timeText } from "./time.js";

/** A cell as text. */
interface CellText {
  text: string;
  /** The exact value, where the text is another one; else "". */
  exact: string;
  /** Whether the page wrote the text, with the spaces and marks of the reader's language; false for text of the application. */
  isFormatted: boolean;
}

/** Characters of a value in a tooltip. */
const MAX_EXACT = 2000;
const NUMBER_TEXT = /^-?\d+(\.\d+)?$/;

const formats = new Map<string, Intl.NumberFormat>();

/** Digits of a number that its column's precision would take for nothing, and from where on it is written with a power of ten. */
const SMALL_DIGITS = 4;
const LEAST_PLAIN = 1e-9;

/** How a number is written: with so many digits behind its point, or with its first digits in place of zeros alone. */
type Precision = number | "small" | "tiny";

function digitsOf(precision: Precision): Intl.NumberFormatOptions {
  if (typeof precision === "number") return { minimumFractionDigits: precision, maximumFractionDigits: precision };
  const few = { maximumSignificantDigits: SMALL_DIGITS };
  return precision === "small" ? few : { ...few, notation: "scientific" };
}

/** The precision of a column, unless it leaves a number without digits: less than a tenth of it may stay itself. */
function precisionOf(value: number | bigint | string, decimals: number): Precision {
  const size = Math.abs(Number(value));
  if (size === 0 || size >= 10 ** (1 - decimals) || Number(size.toFixed(decimals)) === size) return decimals;
  return size < LEAST_PLAIN ? "tiny" : "small";
}

function numberFormat(precision: Precision, currency: string): Intl.NumberFormat {
  const key = `${precision} ${currency}`;
  let format = formats.get(key);
  if (format === undefined) {
    const digits = digitsOf(precision);
    const options: Intl.NumberFormatOptions =
      currency === "" ? digits : { ...digits, style: "currency", currency, currencyDisplay: "narrowSymbol" };
    format = new Intl.NumberFormat(undefined, options);
    formats.set(key, format);
  }
  return format;
}

/** A number with all the digits it has: a text of digits is formatted without becoming a double. */
function formatNumber(value: number | bigint | string, decimals: number, currency = ""): string {
  const format = numberFormat(precisionOf(value, decimals), currency);
  return typeof value === "string" ? format.format(value as Intl.StringNumericLiteral) : format.format(value);
}

/** A duration in the unit that suits its length. */
function durationText(ms: number): string {
  const size = Math.abs(ms);
  if (size < 1000) return `${formatNumber(Math.round(ms * 1000) / 1000, size < 10 && ms % 1 !== 0 ? 2 : 0)} ms`;
  if (size < 60_000) return `${formatNumber(ms / 1000, 1)} s`;
  const minutes = Math.floor(size / 60_000);
  const sign = ms < 0 ? "-" : "";
  if (minutes < 60) return `${sign}${minutes} min ${Math.floor((size % 60_000) / 1000)} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${sign}${hours} h ${minutes % 60} min` : `${sign}${Math.floor(hours / 24)} d ${hours % 24} h`;
}

const BYTE_UNITS = ["B", "kB", "MB", "GB", "TB", "PB"];

/** A size in bytes in the unit that suits it; a thousand of one are the next. */
export function bytesText(bytes: number): string {
  const power = Math.min(BYTE_UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.abs(bytes) || 1) / 3)));
  return `${formatNumber(bytes / 1000 ** power, power === 0 ? 0 : 1)} ${BYTE_UNITS[power]}`;
}

/** The code of the currency of a row's amounts in this column, "" when nothing says so. */
function currencyIn(column: Column, row: JsonObject): string {
  if (column.currencyField === undefined) return column.currency;
  return currencyOf(plainText(fieldOf(row, column.currencyField)));
}

/** An amount; where each row has its own currency, with as many digits as that has. */
function moneyText(value: number | bigint | string, column: Column, currency: string): string {
  const isOwn = column.currencyField !== undefined && currency !== "";
  const scale = isOwn ? moneyScale(column.name, currency) : column.scale;
  const decimals = isOwn ? currencyDigits(currency) : column.decimals;
  return formatNumber(scale === 1 ? value : Number(value) * scale, decimals, currency);
}

function numberText(value: number | bigint | string, column: Column, row: JsonObject): string {
  switch (column.kind) {
    case "money":
      return moneyText(value, column, currencyIn(column, row));
    case "percent":
      return `${formatNumber(value, column.decimals)} %`;
    case "duration":
      return durationText(Number(value) * column.scale);
    case "bytes":
      return bytesText(Number(value));
    default:
      return formatNumber(value, column.decimals);
  }
}

/** A nested value in a few words: what is in it unfolds in place. */
function nestedText(value: JsonValue[] | JsonObject): string {
  if (Array.isArray(value)) {
    if (value.length > 0 && value.every((item) => typeof item !== "object")) return value.map(String).join(", ");
    return `${value.length} ${value.length === 1 ? "item" : "items"}`;
  }
  const name = [value["name"], value["title"], value["label"]].find((one) => typeof one === "string");
  if (typeof name === "string") return name;
  const fields = Object.entries(value).filter(([, one]) => typeof one !== "object" || one === null);
  return fields.length === 0
    ? "{…}"
    : fields
        .slice(0, 3)
        .map(([key, one]) => `${key}: ${String(one)}`)
        .join(", ");
}

/** Digits behind the point of degrees: a metre. */
const DEGREE_DIGITS = 5;

/** A point by its latitude and its longitude, as maps write them. */
export function positionText([x, y]: readonly [number, number]): string {
  const degrees = (value: number): string =>
    `${formatNumber(Math.abs(value), Math.min(DEGREE_DIGITS, decimalsOf(value)))}°`;
  return `${degrees(y)} ${y < 0 ? "S" : "N"}, ${degrees(x)} ${x < 0 ? "W" : "E"}`;
}

/** The text of a value that is no cell of a column: an aggregate, or the key of a group. */
export function cellText(value: JsonValue | undefined, column: Column, row: JsonObject = {}): CellText {
  if (value === undefined) return { text: "", exact: "", isFormatted: true };
  if (value === null) return { text: "null", exact: "", isFormatted: true };
  const point = pointOf(value);
  if (point !== undefined) return { text: positionText(point), exact: toJson(value), isFormatted: true };
  if (typeof value === "object")
    return { text: nestedText(value), exact: toJson(value, 2).slice(0, MAX_EXACT), isFormatted: false };
  const exact = String(value);
  const text = shownText(value, column, row);
  return { text, exact: text === exact ? "" : exact.slice(0, MAX_EXACT), isFormatted: text !== exact };
}

function shownText(value: Exclude<JsonValue, null | object>, column: Column, row: JsonObject): string {
  if (column.kind === "time") {
    const time = timeOf(typeof value === "boolean" ? String(value) : (value as JsonValue));
    if (!Number.isNaN(time)) return timeText(time, column.timeForm, Date.now());
  }
  if (typeof value === "boolean") return value ? "yes" : "no";
  const isNumber = typeof value !== "string" || (NUMBER_TEXT.test(value) && column.kind !== "text");
  if (isNumber && ["number", "money", "percent", "duration", "bytes"].includes(column.kind))
    return numberText(value, column, row);
  return String(value);
}

/** How many hues chips have. */
const HUES = 8;
const GOOD =
  /^(ok|active|paid|done|success|succeeded|completed?|delivered|approved|enabled|available|open|yes|healthy|up|published|in[ _-]stock)$/i;
const BAD =
  /^(error|failed|failure|cancelled|canceled|rejected|overdue|denied|blocked|disabled|expired|deleted|unhealthy|down|critical|out[ _-]of[ _-]stock)$/i;
const WAITING =
  /^(pending|waiting|warning|processing|queued|draft|on[ _-]hold|in[ _-]progress|low|partial|degraded|unpaid)$/i;

/** The colour of a chip, the same for the same text everywhere: "good", "bad" and "warn" where the word says so, else a hue. */
export function chipColour(text: string): string {
  if (GOOD.test(text)) return "good";
  if (BAD.test(text)) return "bad";
  if (WAITING.test(text)) return "warn";
  let hash = 7;
  for (let i = 0; i < text.length; i++) hash = (hash * 31 + text.charCodeAt(i)) >>> 0;
  return String(hash % HUES);
}

/** A file in a result, as the daemon describes it; undefined when the value is none. */
export function fileOf(value: JsonValue): { type: string; bytes: number; sha256: string } | undefined {
  if (!isObject(value) || value["binary"] !== true || typeof value["type"] !== "string") return undefined;
  return { type: value["type"], bytes: Number(value["bytes"] ?? 0), sha256: plainText(value["sha256"]) };
}

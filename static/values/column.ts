// What a column of a result holds, told from its name and its values: what it is decides how it is set, filtered and summed. Pure.
import { decimalsOf } from "../../src/lib/decimals.js";
import type { JsonObject, JsonValue } from "../../src/lib/json.js";
import { wordsOf } from "../../src/lib/name-words.js";
import { isPlace } from "./geo.js";
import type { Aggregate } from "./group.js";
import * as names from "./names.js";
import { imageIn, isInlineImage } from "./picture.js";
import { fieldOf, plainText } from "./rows.js";
import { numberWidth, textWidth } from "./text-width.js";
import { isDate, isDateTime, isEpoch, type TimeForm, timeFormOf, timeOf, timeText } from "./time.js";

/** What the values of a column are. */
type ColumnKind =
  | "number"
  | "money"
  | "percent"
  | "duration"
  | "bytes"
  | "id"
  | "boolean"
  | "time"
  | "enum"
  | "text"
  | "link"
  | "email"
  | "color"
  | "image"
  | "place"
  | "nested"
  | "empty";

/** A column of a result. */
export interface Column {
  name: string;
  kind: ColumnKind;
  /** Digits behind the decimal point, one number for all cells. */
  decimals: number;
  /** The code of the currency of all cells; "" when there is none, or when `currencyField` has it. */
  currency: string;
  /** The column that has the currency of each row. */
  currencyField?: string | undefined;
  /** What a value is multiplied by to be in units, milliseconds or bytes. */
  scale: number;
  timeForm: TimeForm;
  /** The different values of an enum, most frequent first. */
  options: readonly string[];
  /** Width in characters that fits most cells. */
  width: number;
}

/** What the daemon knows of a column of all rows. */
export interface ColumnFacts {
  name: string;
  types?: Readonly<Record<string, number>>;
  distinct?: number;
  min?: JsonValue;
  max?: JsonValue;
  decimals?: number;
}

/** Values of a column that are looked at. */
const MAX_SAMPLE = 400;
/** More digits than this behind the decimal point are noise; the raw value has them. */
const MAX_DECIMALS = 6;
const MAX_OPTIONS = 12;
const MAX_OPTION_LENGTH = 24;
/** From so many values on they tell whether there are few different ones. */
const MIN_ENUM = 3;
const MIN_WIDTH = 4;
/** Room for a sum, and for a duration or a size in its unit. */
const MIN_SUMMED = 13;
/** Values of a column that are measured. */
const MAX_MEASURED = 100;
const MAX_WIDTH = 40;
/** Digits behind the point of amounts in no known currency, or in several. */
const UNKNOWN_DIGITS = 2;
/** Characters of a currency and its decimals. */
const MONEY_WIDTH = 4;
const PERCENT_WIDTH = 2.5;
/** By how much a sum with its sign, and an average with its name and digits, is longer than a value. */
const SUM_WIDTH = 7;
const AVERAGE_WIDTH = 10;

const NUMBER_TEXT = /^-?(0|[1-9]\d*)(\.\d+)?$/;
const EMAIL = /^[^\s@<>()]+@[^\s@<>()]+\.[^\s@<>()]+$/;
const LINK = /^https?:\/\/\S+$/i;
/** The forms of CSS: hexadecimal digits, or a function of numbers. */
const COLOR =
  /^(?:#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|(?:rgb|hsl)a?\(\s*[\d.]+(?:deg|%)?(?:[\s,/]+[\d.]+%?){2,3}\s*\))$/i;

/** From the first of these on, and before the second, a number may be a year. */
const YEARS = [1000, 2200] as const;

/** Kinds whose cells are numbers: aligned at the decimal point, and summed. */
export function isNumeric({ kind }: Column): boolean {
  return ["number", "money", "percent", "duration", "bytes"].includes(kind);
}

/** What the line of sums displays of a column, one at a time. */
const SUMS: readonly Aggregate[] = ["sum", "avg", "min", "max"];
const NO_SUMS: readonly Aggregate[] = ["avg", "min", "max"];

/**
 * What may be computed over the values of a column, the most telling first: no sum of rates, nothing of places on a map, and nothing of
 * amounts in several currencies, unless they are of one in each group: `groupedBy` is the column that makes the groups.
 */
export function aggregatesOf(column: Column, groupedBy?: string): readonly Aggregate[] {
  if (!isNumeric(column) || names.namesPlace(column.name) !== undefined) return [];
  if (column.currencyField !== undefined && column.currencyField !== groupedBy) return [];
  return column.kind === "percent" || (column.kind === "number" && names.namesRate(column.name)) ? NO_SUMS : SUMS;
}

/** Whether a text is the address of a page. */
export function isLink(text: string): boolean {
  return LINK.test(text) && URL.canParse(text);
}

/** Digits behind the point of a number, or of one that is written as a text. */
function writtenDecimals(value: JsonValue): number {
  if (typeof value === "number") return decimalsOf(value);
  return typeof value === "string" && NUMBER_TEXT.test(value) ? (value.split(".")[1]?.length ?? 0) : 0;
}

function textKind(name: string, texts: readonly string[]): ColumnKind {
  const all = (test: (text: string) => boolean): boolean => texts.every((text) => text === "" || test(text));
  if (texts.every((text) => text === "")) return "text";
  if (all((text) => isDate(text) || isDateTime(text))) return "time";
  if (all((text) => NUMBER_TEXT.test(text)) && !names.namesId(name))
    return texts.some((text) => text.includes(".")) || names.namesMoney(name)
      ? numberKind(name, texts.map(Number))
      : "id";
  if (all(isLink)) return "link";
  if (all((text) => EMAIL.test(text))) return "email";
  if (all((text) => COLOR.test(text))) return "color";
  if (all(isInlineImage)) return "image";
  if (names.namesId(name)) return "id";
  const isShort = texts.every((text) => text.length <= MAX_OPTION_LENGTH);
  // Of one record, or of two, the name alone says that its value is one of a few.
  if (texts.length < MIN_ENUM && isShort && names.namesChoice(name)) return "enum";
  const distinct = new Set(texts);
  const isEnum =
    distinct.size >= 2 &&
    distinct.size <= MAX_OPTIONS &&
    texts.length >= MIN_ENUM &&
    distinct.size * 2 <= texts.length + 1 &&
    isShort &&
    !/^(name|title|description|comment|note)$/i.test(name);
  return isEnum ? "enum" : "text";
}

function numberKind(name: string, numbers: readonly (number | bigint)[]): ColumnKind {
  // A 0 among moments stands for none.
  const moments = numbers.filter((one) => Number(one) !== 0);
  const isTime = moments.length > 0 && moments.every((one) => typeof one === "number" && isEpoch(one));
  if (isTime && names.namesMoment(name)) return "time";
  if (names.namesPercent(name)) return "percent";
  const isWhole = numbers.every((one) => typeof one === "bigint" || Number.isInteger(one));
  const isYear = isWhole && names.namesYear(name) && numbers.every((one) => one >= YEARS[0] && one < YEARS[1]);
  if (names.namesId(name) || isYear || (isWhole && names.namesCode(name))) return "id";
  if (names.namesBytes(name)) return "bytes";
  if (names.durationUnit(name) !== undefined) return "duration";
  if (names.namesMoney(name) || currencyInName(name) !== "") return "money";
  return "number";
}

function kindOf(name: string, values: readonly JsonValue[]): ColumnKind {
  if (values.length === 0) return "empty";
  if (values.every((value) => typeof value === "boolean")) return "boolean";
  if (values.every((value) => typeof value === "number" || typeof value === "bigint")) return numberKind(name, values);
  if (values.every((value) => typeof value === "string")) return textKind(name, values);
  if (values.every(isPlace)) return "place";
  return values.some((value) => typeof value === "object") ? "nested" : "text";
}

function currencyInName(name: string): string {
  return names.currencyOf(wordsOf(name).at(-1) ?? "");
}

function frequent(values: readonly JsonValue[]): string[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([text]) => text);
}

/** The width of a value as the column writes it. */
function valueWidth({ kind, decimals, timeForm }: Column, value: JsonValue, now: number): number {
  const time = kind === "time" ? timeOf(value) : Number.NaN;
  if (!Number.isNaN(time)) return textWidth(timeText(time, timeForm, now));
  const isNumber = kind === "number" || kind === "money" || kind === "percent";
  if (isNumber && typeof value !== "object" && typeof value !== "boolean")
    return numberWidth(value, decimals) + (kind === "percent" ? PERCENT_WIDTH : 0);
  return textWidth(plainText(value));
}

/** The characters that most cells need: not the longest, which may be one in a thousand. */
function widthOf(column: Column, values: readonly JsonValue[], now: number): number {
  const { name, kind } = column;
  const fixed: Partial<Record<ColumnKind, number>> = {
    boolean: 5,
    color: 11,
    image: 9,
    link: 26,
    nested: 24,
    place: 20,
    bytes: MIN_SUMMED,
    duration: MIN_SUMMED,
  };
  const isFixed = fixed[kind] !== undefined;
  const measured = isFixed ? [] : values.slice(0, MAX_MEASURED).map((value) => valueWidth(column, value, now));
  const typical = measured.sort((a, b) => a - b)[Math.ceil((measured.length - 1) * 0.9)] ?? 0;
  const content = fixed[kind] ?? typical + (kind === "enum" ? 3 : 1);
  // Below numbers stands their sum, which is longer, or the word for their average.
  const [aggregate] = aggregatesOf(column);
  const more = (aggregate === "avg" ? AVERAGE_WIDTH : SUM_WIDTH) + (kind === "money" ? MONEY_WIDTH : 0);
  const least = aggregate === undefined ? MIN_WIDTH : Math.max(MIN_SUMMED, typical + more);
  return Math.min(MAX_WIDTH, Math.ceil(Math.max(least, content, Math.min(name.length + 3, 22))));
}

function columnOf(name: string, values: readonly JsonValue[], now: number): Column {
  const kind = kindOf(name, values);
  const counted = values.map(writtenDecimals).reduce((most, one) => Math.max(most, one), 0);
  const column: Column = {
    name,
    kind,
    decimals: Math.min(MAX_DECIMALS, counted),
    currency: "",
    scale: kind === "duration" ? (names.durationUnit(name) ?? 1) : 1,
    timeForm: kind === "time" ? timeFormOf(values.map(timeOf), now) : "day",
    options: kind === "enum" ? frequent(values) : [],
    width: 0,
  };
  const found = kind === "money" ? asMoney(column, currencyInName(name)) : column;
  return { ...found, width: widthOf(found, values, now) };
}

/** The column as amounts in a currency. Whole amounts of no known currency stay whole. */
function asMoney(column: Column, currency: string): Column {
  const scale = names.moneyScale(column.name, currency);
  const isWhole = column.decimals === 0 && scale === 1;
  const decimals = currency !== "" ? names.currencyDigits(currency) : isWhole ? 0 : UNKNOWN_DIGITS;
  return { ...column, kind: "money", currency, scale, decimals };
}

/** The column that says in which currency the amounts of each row are. */
function currencyColumn(columns: readonly Column[], rows: readonly JsonObject[]): string | undefined {
  return columns.find(
    ({ name }) =>
      names.namesCurrency(name) &&
      rows.slice(0, MAX_SAMPLE).every((row) => names.currencyOf(plainText(fieldOf(row, name))) !== ""),
  )?.name;
}

/** The columns of some rows, in the order of their names. `facts` is what is known of all rows, where these are only some. */
export function columnsOf(
  columnNames: readonly string[],
  rows: readonly JsonObject[],
  { facts = [], now = Date.now() }: { facts?: readonly ColumnFacts[]; now?: number } = {},
): Column[] {
  const sample = rows.slice(0, MAX_SAMPLE);
  const columns = columnNames.map((name) => {
    const values = sample
      .map((row) => imageIn(row, name) ?? fieldOf(row, name))
      .filter((value) => value !== undefined && value !== null);
    const column = columnOf(name, values, now);
    const known = facts.find((one) => one.name === name);
    if (known?.decimals !== undefined && column.kind !== "money")
      column.decimals = Math.min(MAX_DECIMALS, Math.max(column.decimals, known.decimals));
    if (column.kind === "enum" && (known?.distinct ?? 0) > MAX_OPTIONS) column.kind = "text";
    return column;
  });
  const currencyField = currencyColumn(columns, rows);
  const hasMoney = currencyField !== undefined || columns.some(({ kind }) => kind === "money");
  const codes = new Set(
    currencyField === undefined ? [] : sample.map((row) => plainText(fieldOf(row, currencyField)).toUpperCase()),
  );
  // One currency in all rows is that of their sum, too.
  const isSame = facts.length === 0 || facts.find(({ name }) => name === currencyField)?.distinct === 1;
  const currency = codes.size === 1 && isSame ? names.currencyOf([...codes][0] ?? "") : "";
  return columns.map((column) => {
    const isTotal = column.kind === "number" && hasMoney && names.namesTotal(column.name);
    const isOpen = column.kind === "money" && column.currency === "" && currencyField !== undefined;
    if (!isTotal && !isOpen) return column;
    const width = isTotal ? Math.min(MAX_WIDTH, column.width + MONEY_WIDTH) : column.width;
    if (currency !== "") return { ...asMoney(column, currency), width };
    return { ...asMoney(column, ""), width, currencyField, decimals: UNKNOWN_DIGITS };
  });
}

// A value from the server's text to JSON, by the OID of its type: all digits kept, dates as text, arrays as lists. What JSON has no
// form for stays the server's own text. Pure.
import { parse as parseLossless } from "lossless-json";
import { checkJsonSize, exactNumber, type JsonValue } from "../../../lib/json.js";
import { toDataUrl } from "../bytes.js";
import { type ArrayTexts, parseArrayText } from "./array-text.js";

/** What has to be known of the types of a database, by OID. */
export interface TypeTable {
  /** Of an array type: the OID of its elements and what stands between them. */
  elementOf(oid: number): { oid: number; delimiter: string } | undefined;
}

/** Bytes beyond this are not shown; the text in their place says how many there are, and goes in nowhere. */
const MAX_SHOWN_BYTEA = 1024 * 1024;

const OID = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  oid: 26,
  json: 114,
  float4: 700,
  float8: 701,
  timestamp: 1114,
  timestamptz: 1184,
  numeric: 1700,
  jsonb: 3802,
} as const;

/** Digits of a decimal number in one form: without a point or zeros that say nothing. */
function plainDigits(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^([-+]?)(\d*)\.?(\d*)(?:[eE]([-+]?\d+))?$/.exec(text) ?? [];
  const digits = whole + fraction;
  const scale = Number(exponent) - fraction.length;
  const significant = digits.replace(/^0+/, "").replace(/0+$/, "");
  if (significant === "") return "0";
  const trailing = /0*$/.exec(digits)?.[0].length ?? 0;
  return `${sign === "-" ? "-" : ""}${significant}e${scale + trailing}`;
}

/** The number of a decimal text where a JSON number in memory holds all its digits, else the text. */
export function decimalOrText(text: string): JsonValue {
  if (!/^-?[\d.]/.test(text)) return text;
  const value = exactNumber(text);
  if (value === undefined || Object.is(value, -0)) return text;
  if (typeof value === "bigint") return value;
  return plainDigits(text) === plainDigits(String(value)) ? value : text;
}

/** A floating-point number: its text is the shortest one that names it, so that nothing is lost. */
function floatOrText(text: string): JsonValue {
  const value = Number(text);
  return Number.isFinite(value) && !Object.is(value, -0) ? value : text;
}

/** Text that is JSON; one of a size that `parseJson` refuses stays text. */
function jsonValue(text: string): JsonValue {
  try {
    checkJsonSize(text);
    return parseLossless(text, null, {
      parseNumber: decimalOrText,
      onDuplicateKey: ({ newValue }) => newValue,
    }) as JsonValue;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}

function byteaValue(text: string): JsonValue {
  if (!text.startsWith("\\x")) return text;
  const length = (text.length - 2) / 2;
  if (length > MAX_SHOWN_BYTEA) return `(${length} bytes, too long to be shown)`;
  return toDataUrl(Buffer.from(text.slice(2), "hex"));
}

/** ISO 8601 in place of the space; a year before Christ, or infinity, stays as the server writes it. */
function timestampValue(text: string): JsonValue {
  const [, date, time, zone] = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)(\+00)?$/.exec(text) ?? [];
  if (!date || !time) return text;
  return `${date}T${time}${zone ? "Z" : ""}`;
}

function elementsOf(array: ArrayTexts, oid: number, types: TypeTable): JsonValue[] {
  return array.map((one) => {
    if (one === null) return null;
    return typeof one === "string" ? fromPostgresText(one, oid, types) : elementsOf(one, oid, types);
  });
}

/** The value of a text that the server sent for a type, under `SESSION_SETTINGS`. */
export function fromPostgresText(text: string | null, oid: number, types: TypeTable): JsonValue {
  if (text === null) return null;
  switch (oid) {
    case OID.bool:
      return text === "t";
    case OID.int2:
    case OID.int4:
    case OID.int8:
    case OID.oid:
      return exactNumber(text) ?? text;
    case OID.numeric:
      return decimalOrText(text);
    case OID.float4:
    case OID.float8:
      return floatOrText(text);
    case OID.json:
    case OID.jsonb:
      return jsonValue(text);
    case OID.bytea:
      return byteaValue(text);
    case OID.timestamp:
    case OID.timestamptz:
      return timestampValue(text);
    default: {
      const element = types.elementOf(oid);
      const array = element && parseArrayText(text, element.delimiter);
      return element && array ? elementsOf(array, element.oid, types) : text;
    }
  }
}

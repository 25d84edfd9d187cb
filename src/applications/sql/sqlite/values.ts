// Values on their way into SQLite and out of it: as JSON for people and models, and exactly, with the storage class, for rows that
// are put back. Pure.
import { createHash } from "node:crypto";
import { isObject, type JsonObject, type JsonValue, toJson } from "../../../lib/json.js";
import { fromBase64, toDataUrl } from "../bytes.js";
import type { ColumnKind } from "../catalogue.js";
import { type ColumnType, DatabaseFailure } from "../database.js";

/** What the driver gives and takes: an integer is a bigint, a number is a real. */
export type SqliteValue = null | bigint | number | string | Uint8Array;

const DATA_URL = /^data:[^,]*;base64,/i;
const MIN_INTEGER = -(2n ** 63n);
const MAX_INTEGER = 2n ** 63n - 1n;

/** What a declared type is. SQLite takes any text for a type. */
export function sqliteKindOf(type: string): ColumnKind {
  const upper = type.toUpperCase();
  if (upper === "") return "other";
  if (/BOOL/.test(upper)) return "boolean";
  if (/DATETIME|TIMESTAMP/.test(upper)) return "timestamp";
  if (/^DATE\b/.test(upper)) return "date";
  if (/^TIME\b/.test(upper)) return "time";
  if (/JSON/.test(upper)) return "json";
  if (/INT/.test(upper)) return "integer";
  if (/CHAR|CLOB|TEXT|STRING|UUID/.test(upper)) return "text";
  if (/BLOB|BINARY|BYTE/.test(upper)) return "bytes";
  if (/REAL|FLOA|DOUB/.test(upper)) return "float";
  return /DEC|NUM|MONEY/.test(upper) ? "decimal" : "other";
}

function invalid(message: string, column: string): DatabaseFailure {
  return new DatabaseFailure("invalid_value", message, { details: column === "" ? {} : { column } });
}

function toBytes(text: string, column: string): Uint8Array {
  if (!DATA_URL.test(text)) throw invalid("bytes are given as data:application/octet-stream;base64,…", column);
  const bytes = fromBase64(text.slice(text.indexOf(",") + 1));
  if (!bytes) throw invalid("what follows the comma of the data: URL is no base64", column);
  return bytes;
}

/** Columns of numbers give what JSON has no number for as a text, and other values too, which stand for the same on their way back. */
const NUMBERS: ReadonlySet<ColumnKind> = new Set(["integer", "float", "decimal"]);
const INFINITE = /^-?Infinity$/;

/** A JSON value as it is bound to a parameter of this column. Throws DatabaseFailure when it cannot be. */
export function toBound(value: JsonValue, { name, kind }: Pick<ColumnType, "name" | "kind">): SqliteValue {
  if (value === null) return null;
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "string") {
    if (!value.isWellFormed()) throw invalid("half of a surrogate pair is no text", name);
    if (kind === "bytes" || (NUMBERS.has(kind) && DATA_URL.test(value))) return toBytes(value, name);
    return NUMBERS.has(kind) && INFINITE.test(value) ? Number(value) : value;
  }
  if (typeof value === "object") return toJson(value);
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : value;
  if (value < MIN_INTEGER || value > MAX_INTEGER)
    throw invalid(`${value} is beyond the integers of SQLite, which have 64 bits`, name);
  return value;
}

/** An integer, as a number where that holds it. */
const toInteger = (value: bigint): number | bigint => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

/** A value of a column as JSON: digits kept, bytes as a data URL, 0 and 1 of a boolean as what they mean. */
export function fromSqlite(value: SqliteValue, kind: ColumnKind): JsonValue {
  if (typeof value === "bigint")
    return kind === "boolean" && (value === 0n || value === 1n) ? value === 1n : toInteger(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (value instanceof Uint8Array) return toDataUrl(value);
  return value;
}

/** A row as an object. */
export function toRow(
  values: readonly SqliteValue[],
  columns: readonly Pick<ColumnType, "name" | "kind">[],
): JsonObject {
  return Object.fromEntries(columns.map(({ name, kind }, at) => [name, fromSqlite(values[at] ?? null, kind)]));
}

/** A value with its storage class: what JSON alone does not tell apart is in an object. */
export function toExact(value: SqliteValue): JsonValue {
  if (typeof value === "bigint") return toInteger(value);
  if (typeof value === "number")
    return Number.isInteger(value) || !Number.isFinite(value) ? { real: String(value) } : value;
  return value instanceof Uint8Array ? { blob: Buffer.from(value).toString("base64") } : value;
}

/** Bytes or characters of a value of a change that are shown; events and the history keep no more of a result. */
const MAX_SHOWN = 1024 * 1024;

const lengthOf = (value: SqliteValue): number =>
  typeof value === "string" || value instanceof Uint8Array ? value.length : 8;

/** Bytes or characters of a row. */
export function rowSize(row: readonly SqliteValue[] | null): number {
  return (row ?? []).reduce<number>((sum, value) => sum + lengthOf(value), 0);
}

/** What is too long to be shown as what tells it from another. */
function shortened(value: SqliteValue): SqliteValue {
  if (lengthOf(value) <= MAX_SHOWN || value === null || typeof value === "bigint" || typeof value === "number")
    return value;
  const digest = createHash("sha256").update(value).digest("hex");
  return `(${value.length} ${typeof value === "string" ? "characters" : "bytes"}, too long to be shown; SHA-256 ${digest})`;
}

/** A row that a change touched, as it is shown: a value of any length must not take the memory of this process and the daemon's. */
export function toShownRow(
  values: readonly SqliteValue[],
  columns: readonly Pick<ColumnType, "name" | "kind">[],
): JsonObject {
  return toRow(values.map(shortened), columns);
}

/** The value of `toExact`. Throws Error for what that does not give. */
export function fromExact(value: JsonValue | undefined): SqliteValue {
  if (value === null || typeof value === "string" || typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value) : value;
  if (isObject(value) && typeof value["real"] === "string") return Number(value["real"]);
  if (isObject(value) && typeof value["blob"] === "string") return Buffer.from(value["blob"], "base64");
  throw new Error("the images of this change cannot be read");
}

/** Whether two values are the same, storage class included. */
export function isSameValue(a: SqliteValue, b: SqliteValue): boolean {
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.from(a).equals(b);
  return Object.is(a, b);
}

// Values of MySQL and MariaDB: the texts that `syntax.ts` selects to JSON, JSON to parameters, and texts to parameters again. Pure.
import { exactNumber, type JsonValue, jsonOrText, toJson } from "../../../lib/json.js";
import { fromDataUrl, toDataUrl } from "../bytes.js";
import { type ColumnType, DatabaseFailure } from "../database.js";
import { decimalOrText } from "../postgres/values.js";

/** What a statement is bound to. */
export type MysqlParameter = string | Buffer | null;

/** The shortest number that is the same FLOAT. */
export function floatValue(text: string): JsonValue {
  const value = Number(text);
  for (let digits = 6; digits <= 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === Math.fround(value)) return short;
  }
  return value;
}

/** The value of a column's text. TIMESTAMP is in UTC by the settings of the session. */
export function fromMysqlText(text: string | null, { kind, type }: ColumnType): JsonValue {
  if (text === null) return null;
  switch (kind) {
    case "integer":
      return exactNumber(text) ?? text;
    case "boolean":
      return text === "1" ? true : text === "0" ? false : (exactNumber(text) ?? text);
    case "decimal":
      return decimalOrText(text);
    case "float":
      return type.startsWith("float") ? floatValue(text) : Number(text);
    case "json":
      return jsonOrText(text);
    case "bytes":
      return toDataUrl(Buffer.from(text, "hex"));
    case "timestamp":
      return text.replace(" ", "T");
    case "timestamptz":
      return `${text.replace(" ", "T")}Z`;
    default:
      return text;
  }
}

/** UTC without the letters that the server does not take. */
function timeText(value: string): string {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?:Z|\+00:00)?$/.exec(value) ?? [];
  return date && time ? `${date} ${time}` : value;
}

/** The parameter for a value of a column. Throws DatabaseFailure `invalid_value` for what cannot be one. */
export function toMysqlParameter(value: JsonValue, { kind, name }: ColumnType): MysqlParameter {
  if (value === null) return null;
  if (typeof value === "string" && !value.isWellFormed())
    throw new DatabaseFailure("invalid_value", `${name}: half of a surrogate pair is no text`, {
      details: { column: name },
    });
  if (kind === "json") return toJson(value);
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value === "number") return Number.isInteger(value) ? BigInt(value).toString() : String(value);
  if (typeof value === "bigint") return value.toString();
  if (typeof value !== "string") return toJson(value);
  if (kind === "bytes") return fromDataUrl(value, name);
  return kind === "timestamp" || kind === "timestamptz" ? timeText(value) : value;
}

/** The parameter for a text that was selected. */
export function textToParameter(text: string | null, { kind }: ColumnType): MysqlParameter {
  return text !== null && kind === "bytes" ? Buffer.from(text, "hex") : text;
}

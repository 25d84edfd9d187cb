// A JSON value to the text that goes to the server as a parameter; the cast beside its place says what the text is read as. Pure.
import { isObject, type JsonValue, toJson } from "../../../lib/json.js";
import { fromDataUrl } from "../bytes.js";
import type { ColumnType } from "../database.js";
import { DatabaseFailure } from "../database.js";
import { type ArrayTexts, toArrayText } from "./array-text.js";

/** A number without the exponent that integers must not have. */
function numberText(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

/** Arrays of boxes alone have something else than a comma between the elements. */
const delimiterOf = (type: string): string => (/^(pg_catalog\.)?box\[/.test(type) ? ";" : ",");

const isJsonArray = (type: string): boolean => /^(pg_catalog\.)?jsonb?\[/.test(type);

/** The server's own form goes through as it is. */
const bytesText = (value: string, column: string): string =>
  value.startsWith("\\x") ? value : `\\x${fromDataUrl(value, column).toString("hex")}`;

function elementTexts(array: readonly JsonValue[], column: Pick<ColumnType, "name" | "type">): ArrayTexts {
  return array.map((one) => {
    if (one === null) return null;
    if (isJsonArray(column.type)) return toJson(one);
    if (Array.isArray(one)) return elementTexts(one, column);
    const kind = /^(pg_catalog\.)?bytea\[/.test(column.type) ? "bytes" : "other";
    return toParameterText(one, { ...column, kind, type: "" });
  });
}

/** The text for a column's value, null for NULL. Throws DatabaseFailure `invalid_value` where the value cannot be one of the column. */
export function toParameterText(value: JsonValue, column: ColumnType): string | null {
  if (value === null) return null;
  if (typeof value === "string" && !value.isWellFormed())
    throw new DatabaseFailure("invalid_value", `${column.name}: half of a surrogate pair is no text`, {
      details: { column: column.name },
    });
  if (column.kind === "json") return toJson(value);
  if (column.kind === "bytes" && typeof value === "string") return bytesText(value, column.name);
  if (typeof value === "string") return value;
  if (typeof value === "number") return numberText(value);
  if (Array.isArray(value) && (column.kind === "array" || column.type === ""))
    return toArrayText(elementTexts(value, column), delimiterOf(column.type));
  if (Array.isArray(value) || isObject(value)) return toJson(value);
  return String(value);
}

/** A parameter of a free query, whose type the server finds: a list goes as an array, an object as JSON. */
export function toFreeParameter(value: JsonValue, position: number): string | null {
  return toParameterText(value, {
    name: `parameter ${position}`,
    kind: Array.isArray(value) ? "array" : "other",
    type: "",
  });
}

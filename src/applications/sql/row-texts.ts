// Rows by the texts of their columns, as a server's protocol has them, so that comparing them loses nothing. For servers whose values
// come as texts.
import type { JsonObject, JsonValue } from "../../lib/json.js";

/** A row by the texts of its columns. */
export type RowTexts = { [column: string]: string | null };

/** A row of an image. */
export function toRowTexts(row: JsonObject): RowTexts {
  const text = (value: JsonValue): string | null => (value === null ? null : String(value));
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, text(value)]));
}

/** The columns of a key in a row. */
export function keyTexts(key: readonly string[], row: RowTexts): RowTexts {
  return Object.fromEntries(key.map((name) => [name, row[name] ?? null]));
}

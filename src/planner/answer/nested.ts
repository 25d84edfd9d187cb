// The fields of objects within records, as fields of the records while these are narrowed: the country of the site of a telescope. Records
// in, wider ones and the way back out.

import { isObject, type JsonObject, type JsonValue } from "../../lib/json.js";
import { stem, words } from "../../tools/search/terms.js";
import type { PromptText } from "../prompt/prompt.js";
import { withoutUnit } from "../prompt/units.js";
import { fieldNamesOf } from "./narrowed.js";

/** What identifies the object within says nothing of the record. */
const IDENTITY = /^(?:id|name|title|label|slug|uuid|key|url|href)$|(?:_id|Id|_url|Url)$/;
const DAY = /^\d{4}-\d{2}-\d{2}/;

/** Records with the fields of the objects within them. */
interface WithNested {
  rows: readonly JsonObject[];
  /** The record as it was, with those of the fields within it that it was narrowed by. */
  originalOf: (row: JsonObject, used: ReadonlySet<string>) => JsonObject;
}

/** The fields of the objects within a record: those that the prompt names, and any that hold a text. */
function nestedIn(row: JsonObject, isWanted: (name: string, value: JsonValue) => boolean): [string, JsonValue][] {
  return Object.values(row)
    .filter(isObject)
    .flatMap((inner) => Object.entries(inner))
    .filter(([name, value]) => !IDENTITY.test(name) && !isObject(value) && isWanted(name, value));
}

/** Records with the fields of the objects within them, where no other field is called so. */
export function withNested(rows: readonly JsonObject[], prompt: PromptText): WithNested {
  const own = new Set(fieldNamesOf(rows));
  const isNamed = (name: string): boolean => withoutUnit(words(name)).every((word) => prompt.terms.has(stem(word)));
  const isWanted = (name: string, value: JsonValue): boolean =>
    !own.has(name) && (isNamed(name) || (typeof value === "string" && !DAY.test(value)));
  const originals = new Map<JsonObject, JsonObject>();
  const wide = rows.map((row) => {
    const nested = nestedIn(row, isWanted);
    const names = nested.map(([name]) => name);
    // Of a sender and a receiver each has a city.
    const fields = nested.filter(([name]) => names.indexOf(name) === names.lastIndexOf(name));
    if (fields.length === 0) return row;
    const out = { ...row, ...Object.fromEntries(fields) };
    originals.set(out, row);
    return out;
  });
  const originalOf = (row: JsonObject, used: ReadonlySet<string>): JsonObject => {
    const original = originals.get(row);
    if (!original) return row;
    const kept = Object.entries(row).filter(([name]) => name in original || used.has(name));
    return Object.fromEntries(kept);
  };
  return { rows: wide, originalOf };
}

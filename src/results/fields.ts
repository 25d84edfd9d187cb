// Several fields of a row at once. A row is bounded, but names may lead to the same value again and again, also inside of one another
// (`a`, `a.b`, `a/b`): what they come to together is bounded, too. Pure.
import { AppError } from "../domain/error.js";
import { type JsonValue, toJson } from "../lib/json.js";
import { fieldReader } from "./row-filter.js";

/** Characters of the named values of one row, where some stand inside of others: more than a whole row has. */
const MAX_CHARS = 16 * 1024 * 1024;

/** Whether one of the names leads into what another one leads to. */
function hasOverlap(names: readonly string[]): boolean {
  // Behind a name stand first of all those that begin with it.
  const places = names.map((name) => `${name.split(/[./]/).join("/")}/`).sort();
  return places.some((place, at) => places[at + 1]?.startsWith(place));
}

function checkSize(values: readonly (JsonValue | undefined)[]): void {
  let chars = 0;
  for (const value of values) {
    if (typeof value === "string") chars += value.length;
    else if (typeof value === "object" && value !== null) chars += toJson(value).length;
    if (chars > MAX_CHARS)
      throw new AppError("invalid_query", "The fields name the same long values again and again: name each once.");
  }
}

/** Reads these fields of a row. Throws AppError invalid_query where they repeat too much of it. */
export function fieldsReader(names: readonly string[]): (row: JsonValue) => (JsonValue | undefined)[] {
  const readers = names.map(fieldReader);
  const mayRepeat = hasOverlap(names);
  return (row) => {
    const values = readers.map((read) => read(row));
    if (mayRepeat) checkSize(values);
    return values;
  };
}

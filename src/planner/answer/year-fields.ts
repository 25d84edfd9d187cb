// The fields of records that hold years as numbers: `year`, `installed: 2004`, `born: 1950`. Rows in, names out.

import type { JsonObject, JsonValue } from "../../lib/json.js";
import { words } from "../../tools/search/terms.js";
import { isYearName } from "../slots/traits.js";

/** The last word of a field that says what was done then: `installed`, `commissioned`. */
const DONE = /^(?:\p{L}{2,}[^e]ed|built|made|born|begun|since|until|opening|founding)$/u;
const FIRST_YEAR = 1000;
const LAST_YEAR = 2200;

const isYear = (value: JsonValue | undefined): boolean =>
  typeof value === "number" && Number.isInteger(value) && value >= FIRST_YEAR && value <= LAST_YEAR;

/** Whether a field of the records holds years: by its name, or by what all of them have in it. */
export function isYearField(rows: readonly JsonObject[], key: string): boolean {
  const held = rows.map((row) => row[key]).filter((value) => value !== null && value !== undefined);
  if (isYearName(key)) return held.every((value) => typeof value === "number");
  return DONE.test(words(key).at(-1) ?? "") && held.length > 0 && held.every(isYear);
}

// Where numbers that somebody wrote stand in the rows of a result: how often each is there, and in which columns. Bounded for any rows.
// Source: docs/reference.md, "Whole results"
import type { ResultNumber } from "../domain/result-query.js";
import type { JsonValue } from "../lib/json.js";
import { plainNumber } from "../lib/plain-number.js";
import { entriesOf } from "./profile.js";

/** Columns that are named for one number. */
const MAX_FIELDS = 8;

/** Numbers being looked for. */
interface NumberPlaces {
  add(row: JsonValue, at: number): void;
  /** In the order in which they were asked for; those that are nowhere left out. */
  places(): ResultNumber[];
}

/** Plain values inside of another one, however deep. */
function* plainIn(value: JsonValue): Generator<JsonValue, void, void> {
  const left: JsonValue[] = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next !== "object" || next === null) yield next;
    else for (const inner of Object.values(next)) left.push(inner);
  }
}

/** A search for these numbers in no rows yet. What is no number in plain digits is nowhere. */
export function createNumberPlaces(wanted: readonly string[]): NumberPlaces {
  const found = new Map<string, ResultNumber | undefined>(
    wanted.flatMap((text): [string, undefined][] => {
      const plain = plainNumber(text);
      return plain === undefined ? [] : [[plain, undefined]];
    }),
  );
  /** Counts a value, in a column of its row where it is not inside of another value. */
  const count = (value: JsonValue, at: number, field?: string): void => {
    const plain = plainNumber(value);
    if (plain === undefined || !found.has(plain)) return;
    let known = found.get(plain);
    if (known === undefined) {
      known = { number: plain, count: 0, fields: [] };
      found.set(plain, known);
      if (field !== undefined) known.index = at;
    }
    known.count++;
    const { fields } = known;
    if (field !== undefined && fields.length < MAX_FIELDS && !fields.includes(field)) fields.push(field);
  };
  return {
    add(row, at) {
      for (const [name, value] of entriesOf(row)) {
        if (typeof value !== "object" || value === null) count(value, at, name);
        else for (const inner of plainIn(value)) count(inner, at);
      }
    },
    places: () => [...found.values()].filter((one) => one !== undefined),
  };
}

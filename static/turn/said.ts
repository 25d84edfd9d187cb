// Which arguments of a held call its difference says already, value by value: what it does not say stays in the open. Pure.
import { type DisplayedValues, type Effect, undisplayedFields } from "../../src/domain/effect.js";
import type { JsonObject, JsonValue } from "../../src/lib/json.js";
import { tablesOf } from "./effect.js";
import { isWholeSide } from "./side-text.js";

/** What is displayed whole of these values. */
function displayedOf(all: readonly (readonly [string, JsonValue | undefined])[]): DisplayedValues {
  const whole = all.flatMap(([name, value]): [string, JsonValue][] =>
    value !== undefined && isWholeSide(value) ? [[name, value]] : [],
  );
  return new Map(whole);
}

/** The key of the only row that changes, by the names that the call has for it. */
const keyOf = ({ changes: [only] }: Effect): [string, JsonValue][] => Object.entries(only?.key ?? {});

/** Of the arguments what the difference of an effect does not say: all of them, unless it is of a single row. */
export function unsaidArguments(args: JsonObject, effect: Effect | undefined): JsonObject {
  const [table, ...others] = effect ? tablesOf(effect) : [];
  const row = table?.rows[0];
  if (!effect || !table || !row || others.length > 0 || table.rows.length > 1 || table.hidden > 0) return args;
  // Of a row that goes an argument can say nothing but which: its other values are what it had.
  const cells = row.cells.map(({ after, isChanged }, at): [string, JsonValue | undefined] => [
    table.columns[at] ?? "",
    isChanged && row.kind !== "deleted" ? after : undefined,
  ]);
  return undisplayedFields(args, displayedOf([...keyOf(effect), ...cells]));
}

/** Of the arguments what neither the headline, which has the key of a single row, nor these fields of one line say. */
export function unsaidInLine(
  args: JsonObject,
  effect: Effect | undefined,
  fields: readonly { name: string; after: JsonValue | undefined }[],
): JsonObject {
  if (effect?.changes.length !== 1) return args;
  return undisplayedFields(
    args,
    displayedOf([...keyOf(effect), ...fields.map(({ name, after }) => [name, after] as const)]),
  );
}

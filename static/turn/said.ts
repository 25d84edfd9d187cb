// Which arguments of a held call its difference says already, value by value: what it does not say stays in the open. Pure.
import type { Effect } from "../../src/domain/effect.js";
import { canonicalJson, isObject, type JsonObject, type JsonValue } from "../../src/lib/json.js";
import { tablesOf } from "./effect.js";
import { isWholeSide } from "./side-text.js";

/** What a difference displays in full, by the names of its columns. */
type Displayed = ReadonlyMap<string, JsonValue>;

/** What of a value no displayed value says: of an object the fields that are not said, of a list all or nothing. */
function unsaidIn(path: string, value: JsonValue, displayed: Displayed): JsonValue | undefined {
  const cell = displayed.get(path);
  if (cell !== undefined) return canonicalJson(cell) === canonicalJson(value) ? undefined : value;
  if (Array.isArray(value)) {
    const isSaid = (one: JsonValue, at: number) => unsaidIn(`${path}[${at}]`, one, displayed) === undefined;
    return value.length > 0 && value.every(isSaid) ? undefined : value;
  }
  if (!isObject(value) || Object.keys(value).length === 0) return value;
  const left = without(value, displayed, `${path}.`);
  return Object.keys(left).length === 0 ? undefined : left;
}

/** The fields, below a path, that none of the displayed values says. */
function without(fields: JsonObject, displayed: Displayed, path = ""): JsonObject {
  const left = Object.entries(fields).map(([name, value]) => [name, unsaidIn(path + name, value, displayed)] as const);
  return Object.fromEntries(left.filter((one): one is [string, JsonValue] => one[1] !== undefined));
}

/** What is displayed whole of these values. */
function displayedOf(all: readonly (readonly [string, JsonValue | undefined])[]): Displayed {
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
  return without(args, displayedOf([...keyOf(effect), ...cells]));
}

/** Of the arguments what neither the headline, which has the key of a single row, nor these fields of one line say. */
export function unsaidInLine(
  args: JsonObject,
  effect: Effect | undefined,
  fields: readonly { name: string; after: JsonValue | undefined }[],
): JsonObject {
  if (effect?.changes.length !== 1) return args;
  return without(args, displayedOf([...keyOf(effect), ...fields.map(({ name, after }) => [name, after] as const)]));
}

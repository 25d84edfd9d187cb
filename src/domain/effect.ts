// What a call changes, row by row, and whether it can be taken back. schemas/effect.ts has the fields.
import type { z } from "zod";
import { isObject, isSameJson, type JsonObject, type JsonValue } from "../lib/json.js";
import type * as schemas from "./schemas/effect.js";
import type { ForeseenUndo } from "./undo-state.js";

/** What a call would do, or did. */
export type Effect = z.infer<typeof schemas.EffectSchema>;

export type RowChange = Effect["changes"][number];
export type TableCounts = NonNullable<Effect["tables"]>[number];

/** What is shown of a call before it is made. */
export interface Foreseen {
  effect: Effect;
  undo: ForeseenUndo;
  /** Of what the effect is made of, whole; "" when there is nothing to compare. Never shown. */
  fingerprint: string;
}

/** Most changes of an effect that are shown; the counts are of all. */
export const MAX_SHOWN_CHANGES = 100;
/** Most of an effect that is shown, in bytes of its JSON. */
export const MAX_SHOWN_BYTES = 256 * 1024;

/** Levels of values within each other that are compared one by one. */
const MAX_LEVELS = 4;

/** The fields of a value that may have objects and lists in it, each with its path, where `other` can be compared field by field. */
function fieldsOf(
  value: JsonValue,
  other: JsonValue,
): [path: string, left: JsonValue | undefined, right: JsonValue | undefined][] {
  if (isObject(value) && isObject(other)) {
    const names = [...new Set([...Object.keys(value), ...Object.keys(other)])];
    return names.map((name) => [`.${name}`, ownField(value, name), ownField(other, name)]);
  }
  // Of lists of another length nobody knows which items belong together, and those of plain values are told as a whole.
  if (!Array.isArray(value) || !Array.isArray(other) || value.length !== other.length) return [];
  if (![...value, ...other].some((item) => typeof item === "object" && item !== null)) return [];
  return value.map((item, at) => [`[${at}]`, item, other[at]]);
}

const ownField = (value: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(value, name) ? value[name] : undefined;

/** A difference between two values; a side that is undefined is not there. */
interface Difference {
  /** Such as `address.city` or `lines[0].quantity`. */
  path: string;
  before: JsonValue | undefined;
  after: JsonValue | undefined;
}

function differencesAt({ path, before, after }: Difference, level: number): Difference[] {
  if (before === undefined || after === undefined) return before === after ? [] : [{ path, before, after }];
  if (isSameJson(before, after)) return [];
  const fields = level < MAX_LEVELS ? fieldsOf(before, after) : [];
  if (fields.length === 0) return [{ path, before, after }];
  return fields.flatMap(([name, left, right]) =>
    differencesAt({ path: path + name, before: left, after: right }, level + 1),
  );
}

/** What differs between two rows: objects are compared field by field, lists of the same length item by item, unless their items are plain. */
export function differencesBetween(before: JsonObject, after: JsonObject): Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((path) =>
    differencesAt({ path, before: ownField(before, path), after: ownField(after, path) }, 1),
  );
}

/** The values that a difference displays whole, by their paths: such as `city`, `address.city` or `lines[0].quantity`. */
export type DisplayedValues = ReadonlyMap<string, JsonValue>;

/** What of a value no displayed value says: of an object the fields that are not displayed, of a list all or nothing. */
function undisplayedIn(path: string, value: JsonValue, displayed: DisplayedValues): JsonValue | undefined {
  const cell = displayed.get(path);
  if (cell !== undefined) return isSameJson(cell, value) ? undefined : value;
  if (Array.isArray(value)) {
    const isSaid = (one: JsonValue, at: number) => undisplayedIn(`${path}[${at}]`, one, displayed) === undefined;
    return value.length > 0 && value.every(isSaid) ? undefined : value;
  }
  if (!isObject(value) || Object.keys(value).length === 0) return value;
  const left = undisplayedFields(value, displayed, `${path}.`);
  return Object.keys(left).length === 0 ? undefined : left;
}

/** Of the arguments of a call those that none of the displayed values says: by another name or value they are not the same for a reader. */
export function undisplayedFields(fields: JsonObject, displayed: DisplayedValues, path = ""): JsonObject {
  const left = Object.entries(fields).map(
    ([name, value]) => [name, undisplayedIn(path + name, value, displayed)] as const,
  );
  return Object.fromEntries(left.filter((one): one is [string, JsonValue] => one[1] !== undefined));
}

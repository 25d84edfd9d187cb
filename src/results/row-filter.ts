// Which rows are asked for: those whose fields equal values, whose text contains a text, or that meet conditions. One judgement for
// rows in memory and rows on disk, for models and for people. Equal means equal, because a count is believed as it stands. Pure.
import type { FieldCondition, RowChoice } from "../domain/result-query.js";
import { canonicalJson, isObject, type JsonValue } from "../lib/json.js";
import { valueAt } from "../lib/json-pointer.js";
import { comparedTo } from "./value-order.js";

const INTEGER = /^-?(0|[1-9]\d*)$/;

/** The field of a row that is a plain value. */
export const VALUE_FIELD = "value";

/** Finds a field of an item: its own key, or keys joined by dots or slashes. Taken apart once, because there are many items. */
export function fieldReader(field: string): (item: JsonValue) => JsonValue | undefined {
  const path = field.split(/[./]/);
  return (item) => {
    if (Array.isArray(item)) return valueAt(item, path);
    if (!isObject(item)) return field === VALUE_FIELD ? item : undefined;
    return Object.hasOwn(item, field) ? item[field] : valueAt(item, path);
  };
}

const isNumeric = (value: JsonValue): boolean => typeof value === "number" || typeof value === "bigint";

/** Whether a text is this number in plain digits, such as 12.50 for 12.5. One with zeros before it is a code, not a number. */
function spells(text: string, number: string): boolean {
  return text.startsWith(number) && (number.includes(".") ? /^0*$/ : /^(\.0+)?$/).test(text.slice(number.length));
}

/** Whether a value equals the wanted one. A text of plain digits stands for the number: ids and amounts are written either way. */
function equalTo(wanted: JsonValue): (found: JsonValue) => boolean {
  const text = canonicalJson(wanted);
  const digits = typeof wanted === "string" && INTEGER.test(wanted) ? wanted : undefined;
  return (found) => {
    if (typeof found === "string") return found === wanted || (isNumeric(wanted) && spells(found, text));
    // A large object need not be written out to be none of the plain values.
    if (typeof found === "object" && typeof wanted !== "object") return false;
    return canonicalJson(found) === (isNumeric(found) ? (digits ?? text) : text);
  };
}

let lastText = "";
let lastLower = "";

/** In small letters; many conditions look at the same long text one after the other. */
function inLower(text: string): string {
  if (text !== lastText) [lastText, lastLower] = [text, text.toLowerCase()];
  return lastLower;
}

/** Whether a value's text contains this one; of a list, whether that of an item does. */
function holding(wanted: string): (found: JsonValue) => boolean {
  const text = wanted.toLowerCase();
  const holds = (found: JsonValue): boolean => {
    if (Array.isArray(found)) return found.some(holds);
    return found !== null && !isObject(found) && inLower(String(found)).includes(text);
  };
  return holds;
}

/** Whether a text stands in any value of a row, at any depth. */
function holdingAnywhere(wanted: string): (row: JsonValue) => boolean {
  const text = wanted.toLowerCase();
  const holds = (found: JsonValue): boolean => {
    if (typeof found === "object" && found !== null) return Object.values(found).some(holds);
    return found !== null && String(found).toLowerCase().includes(text);
  };
  return holds;
}

function isEmpty(found: JsonValue | undefined): boolean {
  if (typeof found === "object" && found !== null) return Object.keys(found).length === 0;
  return found === undefined || found === null || found === "";
}

/** Whether a value meets a condition; a row without the field meets `ne` and `empty` alone. */
function meeting({ op, value = null }: FieldCondition): (found: JsonValue | undefined) => boolean {
  const whenFound =
    (meets: (found: JsonValue) => boolean) =>
    (found: JsonValue | undefined): boolean =>
      found !== undefined && meets(found);
  const compared = (holds: (order: number) => boolean) =>
    whenFound((found) => {
      const order = comparedTo(found, value);
      return order !== undefined && holds(order);
    });
  switch (op) {
    case "eq":
      return whenFound(equalTo(value));
    case "ne": {
      const equals = whenFound(equalTo(value));
      return (found) => !equals(found);
    }
    case "in": {
      const wanted = (Array.isArray(value) ? value : [value]).map(equalTo);
      return whenFound((found) => wanted.some((equals) => equals(found)));
    }
    case "contains":
      return whenFound(holding(String(value)));
    case "starts": {
      const text = String(value).toLowerCase();
      return whenFound((found) => typeof found !== "object" && inLower(String(found)).startsWith(text));
    }
    case "lt":
      return compared((order) => order < 0);
    case "le":
      return compared((order) => order <= 0);
    case "gt":
      return compared((order) => order > 0);
    case "ge":
      return compared((order) => order >= 0);
    case "empty":
      return isEmpty;
    case "not_empty":
      return (found) => !isEmpty(found);
    default:
      return op satisfies never;
  }
}

/** The judgement of one row; undefined when nothing is asked of it. A row without the field meets nothing of `where` and `contains`. */
export function rowFilter({ where, contains, filter = [], q }: RowChoice): ((row: JsonValue) => boolean) | undefined {
  const conditions: FieldCondition[] = [
    ...Object.entries(where ?? {}).map(([field, value]): FieldCondition => ({ field, op: "eq", value })),
    ...Object.entries(contains ?? {}).map(([field, value]): FieldCondition => ({ field, op: "contains", value })),
    ...filter,
  ];
  if (!where && !contains && filter.length === 0 && q === undefined) return undefined;
  const judged = conditions.map((one) => ({ read: fieldReader(one.field), meets: meeting(one) }));
  const holds = q === undefined ? undefined : holdingAnywhere(q);
  return (row) => judged.every(({ read, meets }) => meets(read(row))) && (!holds || holds(row));
}

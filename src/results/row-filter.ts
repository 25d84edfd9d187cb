// Which rows a model asks for: those whose fields equal values, or whose text contains a text. One judgement for rows in memory
// and rows on disk. Equal means equal, because a count is believed as it stands. Pure.
import { canonicalJson, isObject, type JsonObject, type JsonValue } from "../lib/json.js";
import { valueAt } from "../lib/json-pointer.js";

/** What a row has to meet, all of it. */
export interface RowConditions {
  /** Values by field, each equal to the row's. */
  where?: JsonObject;
  /** Texts by field, each somewhere in the row's, in small or capital letters. */
  contains?: JsonObject;
}

const INTEGER = /^-?(0|[1-9]\d*)$/;

/** Finds a field of an item: its own key, or keys joined by dots or slashes. Taken apart once, because there are many items. */
export function fieldReader(field: string): (item: JsonValue) => JsonValue | undefined {
  const path = field.split(/[./]/);
  return (item) => {
    if (!isObject(item)) return Array.isArray(item) ? valueAt(item, path) : undefined;
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
    return canonicalJson(found) === (isNumeric(found) ? (digits ?? text) : text);
  };
}

/** Whether a value's text contains this one; of a list, whether that of an item does. */
function holding(wanted: string): (found: JsonValue) => boolean {
  const text = wanted.toLowerCase();
  const holds = (found: JsonValue): boolean => {
    if (Array.isArray(found)) return found.some(holds);
    return found !== null && !isObject(found) && String(found).toLowerCase().includes(text);
  };
  return holds;
}

/** The judgement of one row; undefined when nothing is asked of it. A row without the field meets nothing. */
export function rowFilter({ where, contains }: RowConditions): ((row: JsonValue) => boolean) | undefined {
  if (!where && !contains) return undefined;
  const conditions = [
    ...Object.entries(where ?? {}).map(([field, wanted]) => ({ read: fieldReader(field), meets: equalTo(wanted) })),
    ...Object.entries(contains ?? {}).map(([field, wanted]) => ({
      read: fieldReader(field),
      meets: holding(String(wanted)),
    })),
  ];
  return (row) =>
    conditions.every(({ read, meets }) => {
      const found = read(row);
      return found !== undefined && meets(found);
    });
}

// What the values of each column are like: types, how many are different, bounds, digits and what the texts are. Bounded for rows with
// any number of columns. Source: docs/reference.md, "Whole results"
import type { ResultColumn } from "../domain/result-query.js";
import { decimalsOf } from "../lib/decimals.js";
import { canonicalJson, isObject, type JsonValue } from "../lib/json.js";
import { VALUE_FIELD } from "./row-filter.js";
import { compareKeys, sortKey } from "./value-order.js";

/** Columns that are described. */
const MAX_COLUMNS = 500;
/** Different values counted in one column; of all together, and the longest that is remembered. */
const MAX_DISTINCT = 1_000;
const MAX_DISTINCT_IN_ALL = 100_000;
const MAX_DISTINCT_CHARS = 256;
/** Longer texts are text. */
const MAX_FORMAT_CHARS = 2_048;

type Format = NonNullable<ResultColumn["format"]>;

/** The closest first: an image has an address, too. */
const FORMATS: readonly (readonly [Format, RegExp])[] = [
  ["date-time", /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/],
  ["date", /^\d{4}-\d\d-\d\d$/],
  ["image", /^(?:https?:\/\/[^\s?#]+\.(?:png|jpe?g|gif|webp|svg|avif)(?:[?#]\S*)?$|data:image\/)/i],
  ["uri", /^https?:\/\/\S+$/i],
  ["email", /^[^\s@]{1,64}@[^\s@]{1,255}$/],
  ["color", /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i],
];

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "bigint" ? "number" : typeof value;
}

/** One column as its values come. */
class Column {
  readonly types = new Map<string, number>();
  private seen: Set<string> | undefined = new Set();
  private formats: readonly (readonly [Format, RegExp])[] = FORMATS;
  private texts = 0;
  private decimals: number | undefined;
  private bounds: { min: JsonValue; max: JsonValue } | undefined;

  /** `room` is what all columns together may still remember. */
  add(value: JsonValue, room: { distinct: number }): void {
    const type = typeOf(value);
    this.types.set(type, (this.types.get(type) ?? 0) + 1);
    if (value === null) return;
    this.addDistinct(value, room);
    if (typeof value === "number") this.decimals = Math.max(this.decimals ?? 0, decimalsOf(value));
    if (type === "number") this.addBound(value);
    if (typeof value === "string" && value !== "") this.addText(value);
  }

  private addDistinct(value: JsonValue, room: { distinct: number }): void {
    if (!this.seen) return;
    // A long text need not be written as JSON to be found too long.
    const isShort = typeof value !== "object" && !(typeof value === "string" && value.length > MAX_DISTINCT_CHARS);
    const text = isShort ? canonicalJson(value) : undefined;
    if (text !== undefined && this.seen.has(text)) return;
    const isTooMuch = this.seen.size >= MAX_DISTINCT || room.distinct <= 0;
    if (text === undefined || isTooMuch) {
      room.distinct += this.seen.size;
      this.seen = undefined;
      return;
    }
    room.distinct--;
    this.seen.add(text);
  }

  private addText(value: string): void {
    this.texts++;
    if (this.formats.length === 0) return;
    this.formats =
      value.length > MAX_FORMAT_CHARS && !value.startsWith("data:image/")
        ? []
        : this.formats.filter(([, pattern]) => pattern.test(value));
    if (this.formats[0]?.[0].startsWith("date")) this.addBound(value);
  }

  private addBound(value: JsonValue): void {
    const key = sortKey(value);
    if (!this.bounds) this.bounds = { min: value, max: value };
    else if (compareKeys(key, sortKey(this.bounds.min)) < 0) this.bounds.min = value;
    else if (compareKeys(key, sortKey(this.bounds.max)) > 0) this.bounds.max = value;
  }

  describe(name: string): ResultColumn {
    const column: ResultColumn = { name, types: Object.fromEntries(this.types) };
    const format = this.texts > 0 ? this.formats[0]?.[0] : undefined;
    const hasNumbers = this.types.has("number");
    if (this.seen) column.distinct = this.seen.size;
    // Of numbers and dates in one column there is no least.
    const isOfOneKind = hasNumbers ? this.texts === 0 : format?.startsWith("date") === true;
    if (this.bounds && isOfOneKind) Object.assign(column, this.bounds);
    if (this.decimals !== undefined) column.decimals = this.decimals;
    if (format) column.format = format;
    return column;
  }
}

/** The columns of a row and their values; of a plain value the one column `value`. */
export function entriesOf(row: JsonValue): readonly (readonly [string, JsonValue])[] {
  if (isObject(row) || Array.isArray(row)) return Object.entries(row);
  return [[VALUE_FIELD, row]];
}

/** Columns being described. */
interface Profile {
  add(row: JsonValue): void;
  /** In the order in which they come up. */
  columns(): ResultColumn[];
  /** Whether there are more. */
  readonly isCut: boolean;
}

/** A profile of no rows yet. */
export function createProfile(): Profile {
  const columns = new Map<string, Column>();
  const room = { distinct: MAX_DISTINCT_IN_ALL };
  let isCut = false;
  return {
    add(row) {
      for (const [name, value] of entriesOf(row)) {
        let column = columns.get(name);
        if (!column) {
          if (columns.size >= MAX_COLUMNS) {
            isCut = true;
            continue;
          }
          columns.set(name, (column = new Column()));
        }
        column.add(value, room);
      }
    },
    columns: () => [...columns].map(([name, column]) => column.describe(name)),
    get isCut() {
      return isCut;
    },
  };
}

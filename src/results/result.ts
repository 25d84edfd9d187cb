// What becomes of a tool's result: whole for the turn, capped for events and the record, cut to a budget for the model,
// and readable in pieces afterwards. Pure; where the values are kept is not known here.
import { withoutMedia, withoutPicture } from "../domain/picture.js";
import { isObject, type JsonObject, type JsonValue, toJson } from "../lib/json.js";
import { toPointer, valueAt } from "../lib/json-pointer.js";
import { listIn, type Rows } from "./rows.js";

/** Characters of one result that events and the history keep. Source: docs/reference.md, "Large results". */
export const RECORD_LIMIT = 1024 * 1024;

/** A tool's result, serialised once. */
export interface Result {
  /** The whole value; of a result with `rows` the answer with the first of them in their place. */
  readonly value: JsonValue;
  /** `value` as JSON. */
  readonly json: string;
  /** Every row of an answer that was too long for memory. */
  readonly rows?: Rows;
}

/** What the model sees of a result. */
interface ModelView {
  /** Always valid JSON. */
  text: string;
  /** Whether something was left out; then `read_result` has the rest. */
  cut: boolean;
}

/** A value as a result. */
export function toResult(value: JsonValue, rows?: Rows): Result {
  return { value, json: toJson(value), rows };
}

/** The list a result is about, and how long it really is. */
interface Counted {
  path: readonly string[];
  list: JsonValue[];
  count: number;
}

/** Names the shape of a value in a few words: "array of 120 objects with id, name". */
function shapeOf(value: JsonValue, counted?: Counted): string {
  if (Array.isArray(value)) {
    const first = value[0];
    const inner = isObject(first) ? `objects with ${Object.keys(first).slice(0, 20).join(", ")}` : `${typeof first}s`;
    const count = value === counted?.list ? counted.count : value.length;
    return count === 0 ? "empty array" : `array of ${count} ${inner}`;
  }
  if (isObject(value)) return `object with ${Object.keys(value).slice(0, 40).join(", ")}`;
  return typeof value === "string" ? `string of ${value.length} characters` : typeof value;
}

interface Limits {
  items: number;
  chars: number;
  depth: number;
}

/** A smaller value of the same shape: long strings, arrays and objects cut, each cut saying how much is missing. */
function shrink(value: JsonValue, limits: Limits, counted?: Counted): JsonValue {
  if (typeof value === "string")
    return value.length <= limits.chars
      ? value
      : `${value.slice(0, limits.chars).toWellFormed()}… (${value.length - limits.chars} more characters)`;
  if (typeof value !== "object" || value === null) return value;
  if (limits.depth === 0) return `(${shapeOf(value, counted)})`;
  const inner = { ...limits, depth: limits.depth - 1 };
  if (Array.isArray(value)) {
    const count = value === counted?.list ? counted.count : value.length;
    const kept = value.slice(0, limits.items).map((item) => shrink(item, inner));
    return count > kept.length ? [...kept, `… (${count - kept.length} more items)`] : kept;
  }
  const keys = Object.keys(value);
  const kept = keys
    .slice(0, limits.items * 4)
    .map((key) => [key, shrink(value[key] ?? null, inner, counted)] as [string, JsonValue]);
  if (keys.length > kept.length) kept.push(["…", `${keys.length - kept.length} more fields`]);
  return Object.fromEntries(kept);
}

/** Tried in order until the preview fits; the last is small enough for any budget in use. */
const PREVIEWS = [
  { items: 50, chars: 2000, depth: 8 },
  { items: 20, chars: 500, depth: 6 },
  { items: 10, chars: 200, depth: 5 },
  { items: 5, chars: 100, depth: 4 },
  { items: 3, chars: 60, depth: 2 },
  { items: 1, chars: 40, depth: 1 },
] as const;

/** The record has left for most of a long text; these come before the smaller ones. */
const RECORD_PREVIEWS: readonly Limits[] = [
  ...[900_000, 400_000, 100_000, 20_000].map((chars) => ({ items: 1_000, chars, depth: 16 })),
  ...PREVIEWS,
];

interface PreviewOptions {
  /** Tried in this order until the value fits. */
  sizes: readonly Limits[];
  counted?: Counted;
}

function preview(value: JsonValue, budget: number, options: PreviewOptions): JsonValue {
  const { sizes, counted } = options;
  for (const limits of sizes) {
    const small = shrink(value, limits, counted);
    if (toJson(small).length <= budget) return small;
  }
  return `(${shapeOf(value, counted).slice(0, 200)})`;
}

function countedIn({ value, rows }: Result): Counted | undefined {
  if (!rows) {
    const found = listIn(value);
    return found && { ...found, count: found.list.length };
  }
  const list = valueAt(value, rows.path);
  return Array.isArray(list) ? { path: rows.path, list, count: rows.count } : undefined;
}

/** The shape of a result, its rows counted even where they are not in memory. */
export function resultShape(result: Result): string {
  return shapeOf(result.value, countedIn(result));
}

/** The summary of a result that is not given whole. */
function summaryOf({ value, json, rows }: Result, counted: Counted | undefined): JsonObject {
  return {
    truncated: true,
    shape: shapeOf(value, counted),
    total_characters: rows ? rows.bytes : json.length,
    ...(counted && { total_items: counted.count, ...(counted.path.length > 0 && { list: toPointer(counted.path) }) }),
    ...(rows?.truncated && {
      incomplete: `the target's answer went on; it was read up to here and holds ${rows.count} items or more`,
    }),
  };
}

/** A result as the model sees it: the value itself, or its shape, counts and a preview within `budget` characters. */
export function forModel(given: Result, budget: number, callId: string): ModelView {
  const seen = given.rows ? withoutPicture(given.value) : withoutMedia(given.value);
  const result = seen === given.value ? given : toResult(seen);
  const { value, json, rows } = result;
  if (!rows && json.length <= budget) return { text: json, cut: false };
  const counted = countedIn(result);
  const { truncated, shape, ...counts } = summaryOf(result, counted);
  const summary = {
    truncated,
    call_id: callId,
    shape: String(shape).slice(0, Math.max(40, budget / 4)),
    ...counts,
    note: "Only a preview. Use read_result with this call_id to page, filter or count the rest.",
  };
  const left = Math.max(200, budget - toJson(summary).length - 20);
  return { text: toJson({ ...summary, preview: preview(value, left, { sizes: PREVIEWS, counted }) }), cut: true };
}

/** What stands around the list of a result, the list itself left out. */
export function around(value: JsonValue, path: readonly string[]): JsonValue {
  const [key, ...inner] = path;
  if (key === undefined || !isObject(value)) return null;
  const { [key]: found = null, ...others } = value;
  return inner.length === 0 ? others : { ...others, [key]: around(found, inner) };
}

/** A result as events and the history keep it: itself, or its first rows and counts, or a preview that says it was cut. */
export function forRecord(result: Result, limit = RECORD_LIMIT): JsonValue {
  const { value, json, rows } = result;
  if (!rows && json.length <= limit) return value;
  // The beginning of a picture is none.
  const described = withoutPicture(value);
  if (described !== value) return described;
  const counted = countedIn(result);
  const summary = summaryOf(result, counted);
  if (!counted)
    return { ...summary, preview: preview(value, limit - toJson(summary).length - 100, { sizes: RECORD_PREVIEWS }) };
  if (counted.path.length > 0)
    summary["rest"] = preview(around(value, counted.path), limit / 8, { sizes: RECORD_PREVIEWS });
  const items: JsonValue[] = [];
  let used = toJson(summary).length + 100;
  for (const item of counted.list) {
    used += toJson(item).length + 1;
    if (used > limit) break;
    items.push(item);
  }
  return { ...summary, items };
}

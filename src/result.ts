// What becomes of a tool's result: whole for the turn, capped for events and the record, cut to a budget for the model,
// and readable in pieces afterwards. Pure; where the values are kept is somebody else's business.
import { isObject, type JsonObject, type JsonValue, toJson } from "./json.js";

/** Characters of one result that events and the history keep. Source: reference, 10.6. */
export const RECORD_LIMIT = 1024 * 1024;

/** What the model sees of a result. */
export interface ModelView {
  /** Always valid JSON. */
  text: string;
  /** Whether something was left out; then `read_result` has the rest. */
  cut: boolean;
}

/** Names the shape of a value in a few words: "array of 120 objects with id, name". */
export function shapeOf(value: JsonValue): string {
  if (Array.isArray(value)) {
    const first = value[0];
    const inner = isObject(first) ? `objects with ${Object.keys(first).slice(0, 20).join(", ")}` : `${typeof first}s`;
    return value.length === 0 ? "empty array" : `array of ${value.length} ${inner}`;
  }
  if (isObject(value)) return `object with ${Object.keys(value).slice(0, 40).join(", ")}`;
  return typeof value === "string" ? `string of ${value.length} characters` : typeof value;
}

/** A smaller value of the same shape: long strings, arrays and objects cut, each cut saying how much is missing. */
function shrink(value: JsonValue, limits: { items: number; chars: number; depth: number }): JsonValue {
  if (typeof value === "string")
    return value.length <= limits.chars
      ? value
      : `${value.slice(0, limits.chars).toWellFormed()}… (${value.length - limits.chars} more characters)`;
  if (typeof value !== "object" || value === null) return value;
  if (limits.depth === 0) return `(${shapeOf(value)})`;
  const inner = { ...limits, depth: limits.depth - 1 };
  if (Array.isArray(value)) {
    const kept = value.slice(0, limits.items).map((item) => shrink(item, inner));
    return value.length > limits.items ? [...kept, `… (${value.length - limits.items} more items)`] : kept;
  }
  const entries = Object.entries(value);
  const kept = entries.slice(0, limits.items * 4).map(([key, item]) => [key, shrink(item, inner)] as const);
  if (entries.length > kept.length) kept.push(["…", `${entries.length - kept.length} more fields`]);
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

function preview(value: JsonValue, budget: number): JsonValue {
  for (const limits of PREVIEWS) {
    const small = shrink(value, limits);
    if (toJson(small).length <= budget) return small;
  }
  return `(${shapeOf(value).slice(0, 200)})`;
}

/** A result as the model sees it: the value itself, or its shape, counts and a preview within `budget` characters. */
export function forModel(value: JsonValue, budget: number, callId: string): ModelView {
  const whole = toJson(value);
  if (whole.length <= budget) return { text: whole, cut: false };
  const summary = {
    truncated: true,
    call_id: callId,
    shape: shapeOf(value).slice(0, Math.max(40, budget / 4)),
    total_characters: whole.length,
    ...(Array.isArray(value) && { total_items: value.length }),
    note: "Only a preview. Use read_result with this call_id to page, filter or count the rest.",
  };
  const room = Math.max(200, budget - toJson(summary).length - 20);
  return { text: toJson({ ...summary, preview: preview(value, room) }), cut: true };
}

/** A result as events and the history keep it: itself, or a preview that says it was cut. */
export function forRecord(value: JsonValue): JsonValue {
  const whole = toJson(value);
  if (whole.length <= RECORD_LIMIT) return value;
  const summary: JsonObject = { truncated: true, shape: shapeOf(value), total_characters: whole.length };
  if (!Array.isArray(value)) return { ...summary, preview: preview(value, RECORD_LIMIT / 2) };
  const items: JsonValue[] = [];
  let used = 0;
  for (const item of value) {
    used += toJson(item).length + 1;
    if (used > RECORD_LIMIT - 2048) break;
    items.push(item);
  }
  return { ...summary, total_items: value.length, items };
}

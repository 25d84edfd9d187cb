// Converts a value of a prompt to what a slot takes, or finds it invalid: by its type, its options and its bounds. Pure.
import { isObject, type JsonObject, type JsonValue } from "../../lib/json.js";
import { pairRunAt } from "../prompt/pairs.js";
import type { Slot, SlotType } from "./slot.js";

function toScalar(value: JsonValue, type: SlotType): JsonValue | undefined {
  switch (type) {
    case "integer":
    case "number": {
      const number = typeof value === "string" && /^-?\d+(?:\.\d+)?$/.test(value.trim()) ? Number(value) : value;
      if (typeof number === "bigint") return number;
      if (typeof number !== "number" || (type === "integer" && !Number.isInteger(number))) return undefined;
      return number;
    }
    case "boolean":
      if (typeof value === "boolean") return value;
      return /^(?:true|yes|on)$/i.test(String(value))
        ? true
        : /^(?:false|no|off)$/i.test(String(value))
          ? false
          : undefined;
    case "string":
      return typeof value === "string" ? value : typeof value === "object" ? undefined : String(value);
    case "any":
      return value;
    default:
      return undefined;
  }
}

/** "tier=gold, plan=pro" as an object, if it is nothing but pairs whose values are valid. */
function toObject({ items }: Slot, written: JsonValue): JsonObject | undefined {
  const run = typeof written === "string" ? pairRunAt(written, 0) : undefined;
  if (!run || run.start + run.text.length < String(written).replace(/[.!?\s]+$/, "").length) return undefined;
  const out: [string, JsonValue][] = [];
  for (const [name, text] of run.pairs) {
    const value = toScalar(text, items);
    if (value === undefined) return undefined;
    out.push([name, value]);
  }
  return Object.fromEntries(out);
}

/** A day for a date, a moment for a date-time; a date in another notation is kept as it is. */
function toDate(text: string, format: string): string | undefined {
  const day = /^\d{4}-\d{2}-\d{2}(?=$|T)/.exec(text)?.[0];
  if (day === undefined) return /\d/.test(text) && !/^\d+$/.test(text) ? text : undefined;
  if (format === "date") return day;
  return format === "date-time" && text === day ? `${day}T00:00:00Z` : text;
}

/** What may be a UUID, or most of one: "R26A-003" is a code of its record. */
const UUID = /^[\da-f]{8}[\da-f-]*$/i;

/** Names of texts that hold a day or a time. */
const TIME_NAME = /_(?:on|at|date|day)$|[a-z](?:On|At|Date|Day)$/;
/** Letters with a number: the code of a record, and no time. */
const LETTERED_CODE = /^\p{L}{1,5}[-./]?\d[\p{L}\d]*(?:[-./][\p{L}\d]+)*$/u;

/** The value as this slot takes it; undefined when its type, options or bounds make it invalid. */
export function toSlotValue(slot: Slot, value: JsonValue): JsonValue | undefined {
  if (slot.type === "object") return isObject(value) ? value : toObject(slot, value);
  if (slot.type === "array") {
    const items = Array.isArray(value) ? value : [value];
    const fitted = items.map((item) => toScalar(item, slot.items));
    const isTaken = (item: JsonValue | undefined): boolean =>
      item !== undefined && (slot.options.length === 0 || slot.options.includes(item));
    return fitted.every(isTaken) ? (fitted as JsonValue[]) : undefined;
  }
  const fitted = toScalar(value, slot.type);
  if (fitted === undefined) return undefined;
  // The planner has no file to send, and a file's name is not its content.
  if (slot.format === "binary") return undefined;
  const isTime = slot.format.startsWith("date") || TIME_NAME.test(slot.name);
  if (slot.type === "string" && isTime && LETTERED_CODE.test(String(fitted))) return undefined;
  if (slot.type === "string" && slot.format.startsWith("date")) return toDate(String(fitted), slot.format);
  if (slot.format === "uuid" && !UUID.test(String(fitted))) return undefined;
  if (slot.options.length > 0)
    return slot.options.find((option) => String(option).toLowerCase() === String(fitted).toLowerCase());
  const { minimum, maximum, maxLength } = slot.schema;
  if (typeof fitted === "number") {
    if (typeof minimum === "number" && fitted < minimum) return undefined;
    if (typeof maximum === "number" && fitted > maximum) return undefined;
  }
  if (typeof fitted === "string" && typeof maxLength === "number" && fitted.length > maxLength) return undefined;
  return fitted;
}

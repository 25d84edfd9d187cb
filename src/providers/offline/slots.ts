// The parameters of a tool as slots to be filled: their type, their place in the arguments, the words they are called by.
// Reads JSON Schema; `fit` turns a found value into what a slot takes, or says that it does not fit.
import { isObject, type JsonObject, type JsonValue } from "../../json.js";
import { stem, words } from "../../rank/terms.js";
import type { Tool } from "../../tool.js";
import { runAt } from "./pairs.js";

export type SlotType = "string" | "number" | "integer" | "boolean" | "array" | "object" | "any";

/** One parameter, or one field of a nested object. */
export interface Slot {
  /** Where its value goes in the arguments. */
  path: string[];
  name: string;
  type: SlotType;
  /** What an array holds, or an object whose names are the sender's own. */
  items: SlotType;
  schema: JsonObject;
  /** Needed, and so is everything around it. */
  required: boolean;
  /** The stemmed words of its name. */
  label: string[];
  /** Those of the objects it stands in, without mere wrappers. */
  around: string[];
  description: string;
  options: JsonValue[];
  format: string;
}

const MAX_DEPTH = 3;

/** Follows a local reference one step. */
export function resolve(schema: JsonValue | undefined, root: JsonObject): JsonObject {
  if (!isObject(schema)) return {};
  const ref = schema["$ref"];
  if (typeof ref !== "string" || !ref.startsWith("#/")) return schema;
  let at: JsonValue | undefined = root;
  for (const part of ref.slice(2).split("/")) at = isObject(at) ? at[part] : undefined;
  return isObject(at) ? at : {};
}

const TYPES: Readonly<Record<string, SlotType>> = {
  string: "string",
  number: "number",
  float: "number",
  integer: "integer",
  boolean: "boolean",
  array: "array",
  object: "object",
};

/** The type a schema asks for; of several the first that is not null. */
export function typeOf(schema: JsonObject, root: JsonObject): SlotType {
  const { type } = schema;
  const named = Array.isArray(type) ? type.find((one) => one !== "null") : type;
  if (typeof named === "string") return TYPES[named] ?? "any";
  for (const key of ["oneOf", "anyOf", "allOf"] as const) {
    const list = schema[key];
    if (!Array.isArray(list)) continue;
    for (const inner of list) {
      const found = typeOf(resolve(inner, root), root);
      if (found !== "any") return found;
    }
  }
  if (Array.isArray(schema["enum"])) return typeof schema["enum"][0] === "number" ? "number" : "string";
  return isObject(schema["properties"]) ? "object" : "any";
}

/** Objects that only wrap what is sent. */
const WRAPPER = /^(?:body|data|input|payload|attributes|params|parameters|request|options|filters?)$/i;

/** How many objects around a slot only wrap what is sent. */
export function wrappersOf({ path }: Slot): number {
  const first = path.findIndex((part) => !WRAPPER.test(part));
  return first < 0 ? path.length - 1 : first;
}

interface Place {
  path: string[];
  required: boolean;
  /** Schemas this one stands in: one that holds itself is entered once. */
  within: readonly JsonObject[];
}

function collect(schema: JsonObject, root: JsonObject, { path, required, within }: Place, out: Slot[]): void {
  const properties = schema["properties"];
  if (!isObject(properties)) return;
  const needed = Array.isArray(schema["required"]) ? schema["required"] : [];
  for (const [name, raw] of Object.entries(properties)) {
    const inner = resolve(raw, root);
    const type = typeOf(inner, root);
    const here = [...path, name];
    const must = required && needed.includes(name);
    const shape = type === "object" ? shapeOf(inner, root) : undefined;
    if (shape && path.length < MAX_DEPTH && !within.includes(inner)) {
      collect(shape, root, { path: here, required: must, within: [...within, inner] }, out);
      continue;
    }
    const text = isObject(raw) && typeof raw["description"] === "string" ? raw["description"] : inner["description"];
    out.push({
      path: here,
      name,
      type,
      items: type === "array" || type === "object" ? itemsOf(inner, type, root) : "any",
      schema: inner,
      required: must,
      label: words(name).map(stem),
      around: path.flatMap((part) => (WRAPPER.test(part) ? [] : words(part).map(stem))),
      description: typeof text === "string" ? text : "",
      options: optionsOf(inner, root),
      format: typeof inner["format"] === "string" ? inner["format"] : "",
    });
  }
}

/** Where the fields of an object stand: in it, in all that it is composed of, or in the first form it may have. */
function shapeOf(schema: JsonObject, root: JsonObject, depth = 0): JsonObject | undefined {
  if (depth > MAX_DEPTH) return undefined;
  const inner = (part: JsonValue): JsonObject | undefined => shapeOf(resolve(part, root), root, depth + 1);
  const all = listIn(schema, "allOf").flatMap((part) => [inner(part)].filter((shape) => shape !== undefined));
  if (isObject(schema["properties"])) all.push(schema);
  if (all.length === 0) {
    for (const form of formsOf(schema)) {
      const shape = inner(form);
      if (shape) return shape;
    }
  }
  if (all.length < 2) return all[0];
  return {
    properties: Object.assign({}, ...all.map((shape) => shape["properties"])),
    required: all.flatMap((shape) => listIn(shape, "required")),
  };
}

const listIn = (schema: JsonObject, key: string): JsonValue[] => {
  const list = schema[key];
  return Array.isArray(list) ? list : [];
};

const formsOf = (schema: JsonObject): JsonValue[] => [...listIn(schema, "anyOf"), ...listIn(schema, "oneOf")];

/** What an array holds, or an object whose names are the sender's own. */
function itemsOf(schema: JsonObject, type: SlotType, root: JsonObject): SlotType {
  if (type === "array") return typeOf(resolve(schema["items"], root), root);
  const forms = [schema, ...formsOf(schema).map((form) => resolve(form, root))];
  return typeOf(
    resolve(forms.find((form) => isObject(form["additionalProperties"]))?.["additionalProperties"], root),
    root,
  );
}

function optionsOf(schema: JsonObject, root: JsonObject): JsonValue[] {
  const own = schema["enum"] ?? resolve(schema["items"], root)["enum"];
  if (Array.isArray(own)) return own.filter((option) => option !== null);
  // Descriptions often list what the schema forgot to: "One of: [daily, weekly]".
  const listed = /\bone of:?\s*\[([^\]]+)\]/i.exec(
    typeof schema["description"] === "string" ? schema["description"] : "",
  );
  return listed?.[1]?.split(",").map((option) => option.trim().replace(/^["']|["']$/g, "")) ?? [];
}

const known = new WeakMap<Tool, readonly Slot[]>();

/** The slots of a tool, in the order of its schema; the same ones every time. */
export function slotsOf(tool: Tool): readonly Slot[] {
  let slots = known.get(tool);
  if (!slots) {
    const out: Slot[] = [];
    collect(tool.input_schema, tool.input_schema, { path: [], required: true, within: [] }, out);
    known.set(tool, (slots = out));
  }
  return slots;
}

const PERSON = /^(?:author|artist|creator|composer|director|writer|editor)$/i;

/** The slots a prompt can fill: those of objects that may be left out only where it speaks of the object. */
export function slotsFor(tool: Tool, prompt: { text: string; terms: ReadonlySet<string> }): Slot[] {
  const speaks = (name: string): boolean =>
    WRAPPER.test(name) ||
    words(name).every((word) => prompt.terms.has(stem(word))) ||
    (PERSON.test(name) && /\bby\s/i.test(prompt.text));
  return slotsOf(tool).filter(({ path, required }) => required || path.slice(0, -1).every(speaks));
}

/** The slots that stand in the path of a tool, by name. */
export function pathNames(tool: Tool): Set<string> {
  return new Set([...(tool.transport.path ?? "").matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? ""));
}

/** Whether a tool replaces a record as a whole: a PUT on a path that ends in the record's key. */
export function replacesWhole(tool: Tool): boolean {
  return tool.transport.method === "PUT" && tool.transport.path?.endsWith("}") === true;
}

function fitScalar(value: JsonValue, type: SlotType): JsonValue | undefined {
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

/** "tier=gold, plan=pro" as the object it stands for, if it is nothing but pairs whose values fit. */
function fitPairs({ items }: Slot, text: JsonValue): JsonObject | undefined {
  const run = typeof text === "string" ? runAt(text, 0) : undefined;
  if (!run || run.start + run.text.length < String(text).replace(/[.!?\s]+$/, "").length) return undefined;
  const out: [string, JsonValue][] = [];
  for (const [name, said] of run.pairs) {
    const value = fitScalar(said, items);
    if (value === undefined) return undefined;
    out.push([name, value]);
  }
  return Object.fromEntries(out);
}

/** A day where a day is wanted, a moment where a moment is; other notations are the description's own business. */
function fitDate(text: string, format: string): string | undefined {
  const day = /^\d{4}-\d{2}-\d{2}(?=$|T)/.exec(text)?.[0];
  if (day === undefined) return /\d/.test(text) && !/^\d+$/.test(text) ? text : undefined;
  if (format === "date") return day;
  return format === "date-time" && text === day ? `${day}T00:00:00Z` : text;
}

/** The value as this slot takes it, or undefined when it does not fit its type, options or bounds. */
export function fit(slot: Slot, value: JsonValue): JsonValue | undefined {
  if (slot.type === "object") return isObject(value) ? value : fitPairs(slot, value);
  if (slot.type === "array") {
    const items = Array.isArray(value) ? value : [value];
    const fitted = items.map((item) => fitScalar(item, slot.items));
    return fitted.some((item) => item === undefined) ? undefined : (fitted as JsonValue[]);
  }
  const fitted = fitScalar(value, slot.type);
  if (fitted === undefined) return undefined;
  // The planner has no file to send, and a file's name is not its content.
  if (slot.format === "binary") return undefined;
  if (slot.type === "string" && slot.format.startsWith("date")) return fitDate(String(fitted), slot.format);
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

/** What stands at a place. */
export function valueAt(args: JsonValue, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = args;
  for (const key of path) value = isObject(value) ? value[key] : undefined;
  return value;
}

/** Every text and number in a value, as lower-case text. */
export function textsIn(value: JsonValue): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value).toLowerCase()];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** Puts a value at its place, making the objects around it. */
export function place(args: JsonObject, path: readonly string[], value: JsonValue): void {
  let at = args;
  path.forEach((key, i) => {
    if (i === path.length - 1) {
      at[key] = value;
      return;
    }
    const inner = at[key];
    if (isObject(inner)) at = inner;
    else at = at[key] = {};
  });
}

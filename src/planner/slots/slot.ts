// The parameters of a tool as slots to be filled: their type, their path in the arguments, the words they are called by.
// Reads JSON Schema.

import type { Tool } from "../../domain/tool.js";
import { isObject, type JsonObject, type JsonValue, listOf, objectOf } from "../../lib/json.js";
import { referred } from "../../lib/json-pointer.js";
import { stem, words } from "../../tools/search/terms.js";
import { markMinutes } from "./minutes.js";

export type SlotType = "string" | "number" | "integer" | "boolean" | "array" | "object" | "any";

/** One parameter, or one field of a nested object. */
export interface Slot {
  /** Its path in the arguments. */
  path: string[];
  name: string;
  type: SlotType;
  /** What an array holds, or an object whose names are the sender's own. */
  items: SlotType;
  schema: JsonObject;
  /** Required, and so is every object that encloses it. */
  required: boolean;
  /** The stemmed words of its name. */
  label: string[];
  /** Those of the objects that enclose it, without mere wrappers. */
  enclosing: string[];
  description: string;
  options: JsonValue[];
  format: string;
  /** Its name ends in "min" for minutes, and is no bound. */
  inMinutes?: true;
}

const MAX_DEPTH = 3;
/** Slots of one tool: a prompt fills a handful, and objects in objects may have millions. */
const MAX_SLOTS = 2000;
/** Forms of one schema that are looked at. */
const MAX_FORMS = 200;

/** Follows a local reference one step. */
function resolve(schema: JsonValue | undefined, root: JsonObject): JsonObject {
  if (!isObject(schema)) return {};
  const ref = schema["$ref"];
  if (typeof ref !== "string" || !ref.startsWith("#/")) return schema;
  return objectOf(referred(schema, root));
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

/** The type a schema asks for; of several the first that is not null. A schema is looked at once, so that circles end. */
function typeOf(schema: JsonObject, root: JsonObject, seen = new Set<JsonObject>()): SlotType {
  if (seen.has(schema) || seen.size >= MAX_FORMS) return "any";
  seen.add(schema);
  const { type } = schema;
  const named = Array.isArray(type) ? type.find((one) => one !== "null") : type;
  if (typeof named === "string") return TYPES[named] ?? "any";
  for (const key of ["oneOf", "anyOf", "allOf"] as const) {
    const list = schema[key];
    if (!Array.isArray(list)) continue;
    for (const inner of list) {
      const found = typeOf(resolve(inner, root), root, seen);
      if (found !== "any") return found;
    }
  }
  if (Array.isArray(schema["enum"])) return typeof schema["enum"][0] === "number" ? "number" : "string";
  return isObject(schema["properties"]) ? "object" : "any";
}

/** Objects that only wrap what is sent. */
const WRAPPER = /^(?:body|data|input|payload|attributes|params|parameters|request|options|filters?|where|condition)$/i;

/** A unit that a name ends with: `wavelength_nm` is the wavelength. */
const UNIT = /^(?:nm|mm|cm|km|kg|ms|ly|kwh|kmh|mph|eur|usd|gbp)$/;

/** The words of a name without the unit that it ends with. */
function withoutUnit(name: string[]): string[] {
  return name.length > 1 && UNIT.test(name.at(-1) ?? "") ? name.slice(0, -1) : name;
}

/** How many of the objects that enclose a slot only wrap what is sent. */
export function wrapperCount({ path }: Slot): number {
  const first = path.findIndex((part) => !WRAPPER.test(part));
  return first < 0 ? path.length - 1 : first;
}

interface Collector {
  /** The schema that references are resolved in. */
  root: JsonObject;
  path: string[];
  required: boolean;
  /** The enclosing schemas: one that holds itself is entered once. */
  within: readonly JsonObject[];
  /** Receives the slots, in the order of the schema. */
  out: Slot[];
}

function collect(schema: JsonObject, { root, path, required, within, out }: Collector): void {
  const properties = schema["properties"];
  if (!isObject(properties)) return;
  const needed = listOf(schema["required"]);
  for (const [name, raw] of Object.entries(properties)) {
    if (out.length >= MAX_SLOTS) return;
    const inner = withoutNull(resolve(raw, root), root);
    const type = typeOf(inner, root);
    const here = [...path, name];
    const must = required && needed.includes(name);
    const shape = type === "object" ? shapeOf(inner, root) : undefined;
    if (shape && path.length < MAX_DEPTH && !within.includes(inner)) {
      collect(shape, { root, path: here, required: must, within: [...within, inner], out });
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
      label: withoutUnit(words(name)).map(stem),
      enclosing: path.flatMap((part) => (WRAPPER.test(part) ? [] : words(part).map(stem))),
      description: typeof text === "string" ? text : "",
      options: optionsOf(inner, root),
      format: typeof inner["format"] === "string" ? inner["format"] : "",
    });
  }
}

/** A schema of which one form may be null, as its other form. */
function withoutNull(schema: JsonObject, root: JsonObject): JsonObject {
  const forms = formsOf(schema).map((form) => resolve(form, root));
  const [only, ...others] = forms.filter(({ type }) => type !== "null");
  if (!only || others.length > 0 || forms.length < 2 || isObject(only["properties"])) return schema;
  const { anyOf: _, oneOf: __, ...rest } = schema;
  return { ...only, ...rest };
}

/** The schema with the fields of an object: itself, all that it is composed of, or the first form it may have. */
function shapeOf(
  schema: JsonObject,
  root: JsonObject,
  { depth, seen } = { depth: 0, seen: new Set<JsonObject>() },
): JsonObject | undefined {
  if (depth > MAX_DEPTH || seen.has(schema) || seen.size >= MAX_FORMS) return undefined;
  seen.add(schema);
  const inner = (part: JsonValue): JsonObject | undefined =>
    shapeOf(resolve(part, root), root, { depth: depth + 1, seen });
  const all = listOf(schema["allOf"]).flatMap((part) => [inner(part)].filter((shape) => shape !== undefined));
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
    required: all.flatMap((shape) => listOf(shape["required"])),
  };
}

const formsOf = (schema: JsonObject): JsonValue[] => [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])];

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

/**
 * Takes the one object that holds all that a tool is sent besides its keys for a wrapper, so that what may be left out,
 * and the name of the record, is called by its own name: {"issue": {"title": …}}. Other texts are still called by both.
 */
function unwrap(slots: readonly Slot[], tool: Tool): void {
  const keys = pathNames(tool);
  const body = slots.filter(({ path, name }) => path.length > 1 || !keys.has(name));
  const [wrapper] = body[0]?.path ?? [];
  if (wrapper === undefined || tool.safety === "read_only") return;
  if (body.some(({ path }) => path.length < 2 || path[0] !== wrapper)) return;
  const outer = WRAPPER.test(wrapper) ? 0 : words(wrapper).length;
  for (const slot of body)
    if (!slot.required || /^(?:name|title)$/i.test(slot.name)) slot.enclosing = slot.enclosing.slice(outer);
}

/**
 * Takes for required what the body of a new record, or of an action, has to have, where the body itself may be left out: without
 * one nothing would be said of the record.
 */
function requireBody(slots: readonly Slot[], { safety, verb, input_schema: schema }: Tool): void {
  if (safety === "read_only" || (verb !== "create" && verb !== "action")) return;
  const names = Object.values(objectOf(schema["dependentRequired"])).flatMap(listOf);
  for (const slot of slots) if (slot.path.length === 1 && names.includes(slot.name)) slot.required = true;
}

/** The slots of a tool, in the order of its schema; the same ones every time. */
export function slotsOf(tool: Tool): readonly Slot[] {
  let slots = known.get(tool);
  if (!slots) {
    const out: Slot[] = [];
    collect(tool.input_schema, { root: tool.input_schema, path: [], required: true, within: [], out });
    requireBody(out, tool);
    markMinutes(out, tool);
    unwrap(out, tool);
    known.set(tool, (slots = out));
  }
  return slots;
}

const PERSON = /^(?:author|artist|creator|composer|director|writer|editor)$/i;

/** The slots a prompt can fill: those of an optional object only where the prompt mentions the object. */
export function slotsFor(tool: Tool, prompt: { text: string; terms: ReadonlySet<string> }): Slot[] {
  const isMentioned = (name: string): boolean =>
    WRAPPER.test(name) ||
    words(name).every((word) => prompt.terms.has(stem(word))) ||
    (PERSON.test(name) && /\bby\s/i.test(prompt.text));
  return slotsOf(tool).filter(
    ({ path, required, enclosing }) => required || enclosing.length === 0 || path.slice(0, -1).every(isMentioned),
  );
}

/** The names of a tool's path parameters. */
export function pathNames(tool: Tool): Set<string> {
  return new Set([...(tool.transport.path ?? "").matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? ""));
}

/** Names of parameters that take a key and nothing else; a measure is none. */
export const KEY_NAME = /(?:^|[_-])ids?$|Ids?$|uuid$/;

/** The noun of the record whose key a field has: "boat" of `boat_id`. */
export const keyNoun = (name: string): string | undefined => (KEY_NAME.test(name) ? words(name).at(-2) : undefined);

/** Names of parameters that may take a key, among others. */
export const ID_LIKE = /(?:^|_|[a-z])(?:id|ids|number|no|num|code|key|sku|uuid|slug|zip\w*|ticker|symbol|iata)$/i;

/** The slots that identify a record: the path parameters, or the required ids of a tool without any in its path. */
export function keysOf(tool: Tool): Slot[] {
  const names = pathNames(tool);
  return slotsOf(tool).filter(({ name, path, required }) => {
    if (path.length > 1) return false;
    return names.size > 0 ? names.has(name) : required && KEY_NAME.test(name);
  });
}

/** Whether a tool replaces a record as a whole: a PUT on a path that ends in the record's key. */
export function replacesWhole(tool: Tool): boolean {
  return tool.transport.method === "PUT" && tool.transport.path?.endsWith("}") === true;
}

/** Every text and number in a value, as lower-case text. */
export function textsIn(value: JsonValue): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value).toLowerCase()];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** Sets the value at a path, creating the objects that enclose it. */
export function setValueAt(args: JsonObject, path: readonly string[], value: JsonValue): void {
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

// Schemas of a description to JSON Schema 2020-12 that stands on its own: references become `$defs`, circles stay circles,
// and each tool gets only the definitions it can reach. What only the target may write (readOnly) is not asked for.
import { isObject, type JsonObject, type JsonValue } from "../../json.js";
import { isNullableWithoutType, ownKeywords } from "./keywords.js";
import { createDefinitionNames } from "./names.js";
import { ImportProblem, listOf, objectOf, textsOf, type Warn } from "./read.js";
import { pointerNames, type Refs } from "./refs.js";
import { createVariants, impliedValue, propertyOf, type Variants, valuesByRef } from "./variants.js";

/** A chain of schemas that all describe the same value; real ones have a handful. */
const MAX_CHAIN = 64;
const ONE = ["not", "if", "then", "else"];
const MANY = ["allOf", "oneOf", "anyOf"];
const INSIDE = ["contains", "propertyNames", "unevaluatedItems"];
const INSIDE_BY_NAME = ["patternProperties", "dependentSchemas"];
const COMBINES = ["$ref", ...MANY, ...ONE];
const SCALAR = new Set(["string", "number", "integer", "boolean"]);
/** Characters of a schema that is written out wherever it is used. */
const MAX_INLINE = 600;
const NOTES = ["description", "default", "deprecated", "title"];

/** Where a conversion stands. */
interface Walk {
  /** Gets every definition that is referred to. */
  uses: Set<string>;
  /** Definitions that describe the very value at hand: one that comes again says nothing new and would never end. */
  chain: readonly string[];
  /** Properties that a surrounding `allOf` declares as readOnly. */
  hidden: ReadonlySet<string>;
}

interface Definition {
  name: string;
  schema: JsonValue;
  uses: Set<string>;
}

/** Converts the schemas of one description. */
export interface Schemas {
  /** The schema with its references pointing into `#/$defs`; adds what it refers to to `uses`. */
  convert(schema: JsonValue | undefined, uses: Set<string>): JsonValue;
  /** The definitions reachable from `uses`, by name; undefined when there are none. */
  definitions(uses: ReadonlySet<string>): JsonObject | undefined;
  /** The names of properties only the target may write. */
  readOnlyNames(schema: JsonValue | undefined): ReadonlySet<string>;
  /** What a reference picks from by a discriminator, if it does. */
  variants(ref: string): Variants | undefined;
}

const NO_NAMES: ReadonlySet<string> = new Set();
/** Stands where a schema would describe itself by itself. */
const CIRCLE: JsonObject = {};
/** Marks a base schema as itself, without the choice its discriminator offers. */
const PLAIN = "|plain";

/** A converter for the description that `refs` looks up. */
export function createSchemas(root: JsonObject, refs: Refs, warn: Warn): Schemas {
  const keepSiblings = !String(root["openapi"]).startsWith("3.0");
  const definitions = new Map<string, Definition>();
  const names = new Map<string, string>();
  const nameFor = createDefinitionNames();
  const findVariants = createVariants(root);
  const readOnly = new WeakMap<JsonObject, ReadonlySet<string>>();

  const variants = (ref: string): Variants | undefined => findVariants(ref, refs.at(ref));

  function nameOf(key: string): string {
    let name = names.get(key);
    if (name === undefined) names.set(key, (name = nameFor(pointerNames(key))));
    return name;
  }

  function isReadOnly(schema: JsonValue | undefined): boolean {
    for (let node = schema, i = 0; isObject(node) && i < 5; i++) {
      if (node["readOnly"] === true) return true;
      const only = listOf(node["allOf"]);
      node = typeof node["$ref"] === "string" ? refs.at(node["$ref"]) : only.length === 1 ? only[0] : undefined;
    }
    return false;
  }

  function readOnlyNames(schema: JsonValue | undefined, depth = 0): ReadonlySet<string> {
    if (!isObject(schema) || depth > MAX_CHAIN) return NO_NAMES;
    const known = readOnly.get(schema);
    if (known) return known;
    readOnly.set(schema, NO_NAMES);
    const found = new Set<string>();
    for (const [name, property] of Object.entries(objectOf(schema["properties"])))
      if (isReadOnly(property)) found.add(name);
    const parts = [
      ...listOf(schema["allOf"]),
      ...(typeof schema["$ref"] === "string" ? [refs.at(schema["$ref"])] : []),
    ];
    for (const part of parts) for (const name of readOnlyNames(part, depth + 1)) found.add(name);
    readOnly.set(schema, found);
    return found;
  }

  function define(key: string, chain: readonly string[]): Definition {
    const known = definitions.get(key);
    if (known) return known;
    const ref = key.replace(PLAIN, "");
    const raw = refs.at(ref);
    if (raw === undefined) warn(`The schema ${ref} is referred to but not there; any value is taken in its place.`);
    const uses = new Set<string>();
    const walk: Walk = { uses, chain: [...chain, key], hidden: NO_NAMES };
    const picked = key === ref ? variants(ref) : undefined;
    const schema = picked ? choice(picked, objectOf(raw), walk) : convert(raw, walk);
    const definition = { name: nameOf(key), schema, uses };
    definitions.set(key, definition);
    return definition;
  }

  /** A plain value's schema stands where it is used: a reference to it would cost the model more than it tells. */
  function inlined(ref: string): JsonObject | undefined {
    const raw = refs.at(ref);
    if (!isObject(raw) || !SCALAR.has(String(raw["type"])) || COMBINES.some((key) => key in raw)) return undefined;
    const out = ownKeywords(raw);
    return JSON.stringify(out).length <= MAX_INLINE ? out : undefined;
  }

  function reference(ref: string, walk: Walk): JsonObject {
    const scalar = inlined(ref);
    if (scalar) return scalar;
    // Inside one of its own variants a base schema is just itself.
    const own = walk.chain.length > 0 && variants(ref)?.variants.some((variant) => walk.chain.includes(variant.ref));
    const key = own ? ref + PLAIN : ref;
    if (walk.chain.includes(key)) return CIRCLE;
    if (walk.chain.length > MAX_CHAIN)
      throw new ImportProblem(`its schemas build on each other more than ${MAX_CHAIN} deep`);
    if (walk.chain.length > 0) define(key, walk.chain);
    walk.uses.add(key);
    return { $ref: `#/$defs/${nameOf(key)}` };
  }

  /** The values a property is limited to, by the schema itself or by what it builds on; undefined when it is not. */
  function limits(schema: JsonValue | undefined, property: string, depth = 0): JsonValue[] | undefined {
    if (!isObject(schema) || depth > MAX_CHAIN) return undefined;
    if (typeof schema["$ref"] === "string") return limits(refs.at(schema["$ref"]), property, depth + 1);
    const own = objectOf(refs.follow(objectOf(schema["properties"])[property] ?? {}));
    if (own["const"] !== undefined) return [own["const"]];
    if (Array.isArray(own["enum"])) return own["enum"];
    for (const part of listOf(schema["allOf"])) {
      const found = limits(part, property, depth + 1);
      if (found) return found;
    }
    return undefined;
  }

  /** One branch of a choice, told apart from the others by the discriminating property's value. */
  function branch(ref: string, property: string, mapped: string[] | undefined, walk: Walk): JsonObject {
    const converted = reference(ref, walk);
    const limited = limits(refs.at(ref), property);
    // Without a mapping the schema's name is the value, unless the schema itself says otherwise.
    if (converted === CIRCLE || limited?.length === 1 || (limited && !mapped)) return converted;
    const values = mapped ?? [impliedValue(ref)];
    const pick: JsonObject = values.length === 1 ? { const: values[0] ?? "" } : { enum: values };
    const properties = Object.fromEntries([[property, pick]]);
    return { allOf: [converted, { type: "object", properties, required: [property] }] };
  }

  function choice({ property, variants: all }: Variants, raw: JsonObject, walk: Walk): JsonObject {
    const description = ownKeywords(raw)["description"];
    const branches = all.map((variant) => branch(variant.ref, property, [variant.value], walk));
    return { ...(description !== undefined && { description }), oneOf: branches };
  }

  function properties(raw: JsonObject, walk: Walk, hidden: ReadonlySet<string>, out: JsonObject): void {
    const inner: Walk = { uses: walk.uses, chain: [], hidden: NO_NAMES };
    if (isObject(raw["properties"])) {
      const kept = Object.entries(raw["properties"]).filter(([name]) => !hidden.has(name));
      out["properties"] = Object.fromEntries(
        kept.map(([name, property]) => [name, named(name, convert(property, inner))]),
      );
    }
    const required = [...new Set(textsOf(raw["required"]))].filter((name) => !hidden.has(name));
    if (required.length > 0) out["required"] = required;
    for (const key of ["additionalProperties", "unevaluatedProperties"])
      if (typeof raw[key] === "boolean") out[key] = raw[key];
      else if (isObject(raw[key])) out[key] = convert(raw[key], inner);
    for (const key of INSIDE_BY_NAME)
      if (isObject(raw[key]))
        out[key] = Object.fromEntries(Object.entries(raw[key]).map(([name, schema]) => [name, convert(schema, inner)]));
    if (isObject(raw["dependentRequired"]))
      out["dependentRequired"] = Object.fromEntries(
        Object.entries(raw["dependentRequired"]).map(([name, others]) => [name, [...new Set(textsOf(others))]]),
      );
  }

  function items(raw: JsonObject, walk: Walk, out: JsonObject): void {
    const inner: Walk = { uses: walk.uses, chain: [], hidden: NO_NAMES };
    const tuple = Array.isArray(raw["prefixItems"]) ? raw["prefixItems"] : raw["items"];
    if (Array.isArray(tuple)) {
      if (tuple.length > 0) out["prefixItems"] = tuple.map((item) => convert(item, inner));
      const rest = Array.isArray(raw["items"]) ? raw["additionalItems"] : raw["items"];
      if (isObject(rest) || typeof rest === "boolean") out["items"] = convert(rest, inner);
    } else if (isObject(raw["items"]) || typeof raw["items"] === "boolean") out["items"] = convert(raw["items"], inner);
    for (const key of INSIDE)
      if (isObject(raw[key]) || typeof raw[key] === "boolean") out[key] = convert(raw[key], inner);
  }

  function combined(raw: JsonObject, walk: Walk, hidden: ReadonlySet<string>, out: JsonObject): void {
    const same: Walk = { ...walk, hidden };
    const property = propertyOf(raw);
    const picks = valuesByRef(raw);
    for (const key of MANY) {
      const parts = listOf(raw[key]);
      if (parts.length === 0) continue;
      const converted = parts.map((part) => {
        const ref = objectOf(part)["$ref"];
        if (property === undefined || typeof ref !== "string" || key === "allOf") return convert(part, same);
        return branch(ref, property, picks.get(ref), same);
      });
      const kept = converted.filter((part) => part !== CIRCLE);
      if (kept.length > 0) out[key] = kept;
    }
    for (const key of ONE) if (isObject(raw[key]) || typeof raw[key] === "boolean") out[key] = convert(raw[key], same);
  }

  function convert(raw: JsonValue | undefined, walk: Walk): JsonValue {
    if (typeof raw === "boolean") return raw;
    if (!isObject(raw)) return {};
    if (typeof raw["$ref"] === "string") {
      const target = reference(raw["$ref"], walk);
      const notes = Object.entries(ownKeywords(raw)).filter(([key]) => NOTES.includes(key));
      if (!keepSiblings && target !== CIRCLE) return { ...target, ...Object.fromEntries(notes) };
      const { $ref: _, ...siblings } = raw;
      const rest = convert(siblings, walk);
      return isObject(rest) && target !== CIRCLE ? { ...target, ...rest } : target;
    }
    const out = ownKeywords(raw);
    const hidden = new Set([...walk.hidden, ...readOnlyNames(raw)]);
    properties(raw, walk, hidden, out);
    items(raw, walk, out);
    combined(raw, walk, hidden, out);
    if (!isNullableWithoutType(raw) || Object.keys(out).every((key) => NOTES.includes(key))) return out;
    return orNull(out);
  }

  function reachable(uses: ReadonlySet<string>): JsonObject | undefined {
    const found = new Map<string, Definition>();
    const queue = [...uses];
    for (let key = queue.shift(); key !== undefined; key = queue.shift()) {
      if (found.has(key)) continue;
      const definition = define(key, []);
      found.set(key, definition);
      queue.push(...definition.uses);
    }
    if (found.size === 0) return undefined;
    return Object.fromEntries([...found.values()].map(({ name, schema }) => [name, schema]));
  }

  return {
    convert: (schema, uses) => convert(schema, { uses, chain: [], hidden: NO_NAMES }),
    definitions: reachable,
    readOnlyNames: (schema) => readOnlyNames(schema),
    variants,
  };
}

/** The schema or null: as one more branch where there is a choice already. */
function orNull({ description, ...rest }: JsonObject): JsonObject {
  const note = description !== undefined && { description };
  for (const key of ["oneOf", "anyOf"]) {
    const parts = rest[key];
    if (!Array.isArray(parts) || Object.keys(rest).length > 1) continue;
    const allowed = parts.some((part) => isObject(part) && [part["type"]].flat().includes("null"));
    return { ...note, [key]: allowed ? parts : [...parts, { type: "null" }] };
  }
  return { ...note, anyOf: [rest, { type: "null" }] };
}

/** A title that only spells the property's name again is left out. */
function named(name: string, schema: JsonValue): JsonValue {
  if (!isObject(schema) || typeof schema["title"] !== "string") return schema;
  const squash = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
  if (squash(schema["title"]) !== squash(name)) return schema;
  const { title: _, ...rest } = schema;
  return rest;
}

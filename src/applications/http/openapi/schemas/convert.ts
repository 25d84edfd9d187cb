// One schema with everything inside it, to JSON Schema 2020-12. What it refers to stays a reference.
// Source: JSON Schema 2020-12, Core, applicators.
import { isObject, type JsonObject, type JsonValue, listOf, objectOf, textsOf } from "../../../../lib/json.js";
import { squash } from "../names/english.js";
import { ImportProblem, spelled } from "../read.js";
import { isNullableWithoutType, ownKeywords } from "./keywords.js";
import { fitted } from "./options.js";
import { branch, otherwise, reference } from "./references.js";
import { propertyOf } from "./variants.js";
import { CIRCLE, MANY, MAX_DEPTH, NO_NAMES, ONE, type Surroundings, type Walk } from "./walk.js";

const INSIDE = ["contains", "propertyNames", "unevaluatedItems"];
const INSIDE_BY_NAME = ["patternProperties", "dependentSchemas"];
const NOTES = ["description", "default", "deprecated", "title"];

type Convert = (schema: JsonValue | undefined) => JsonValue;

const isSchema = (value: JsonValue | undefined): boolean => isObject(value) || typeof value === "boolean";

function mapped(value: JsonObject, convert: (schema: JsonValue, name: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, convert(inner, name)]));
}

/** A title that only spells the property's name again is left out. */
export function withoutOwnTitle(name: string, schema: JsonValue): JsonValue {
  if (!isObject(schema) || typeof schema["title"] !== "string") return schema;
  if (squash(schema["title"]) !== squash(name)) return schema;
  const { title: _, ...rest } = schema;
  return rest;
}

/** Names that an object requires and forbids at once: they may be sent, and need not. */
function contradictions(raw: JsonObject, required: readonly string[]): ReadonlySet<string> {
  if (raw["additionalProperties"] !== false || isObject(raw["patternProperties"])) return NO_NAMES;
  return new Set(required.filter((name) => !Object.hasOwn(objectOf(raw["properties"]), name)));
}

/** What an object's members are converted with. */
interface MembersWalk {
  inner: Convert;
  member: (schema: JsonValue, name: string) => JsonValue;
  /** Those that are not asked for. */
  hidden: ReadonlySet<string>;
}

/** What an object's members are. */
function members(raw: JsonObject, { inner, member, hidden }: MembersWalk): JsonObject {
  const out: JsonObject = {};
  const required = [...new Set(textsOf(raw["required"]))].filter((name) => !hidden.has(name));
  const contradictory = contradictions(raw, required);
  if (isObject(raw["properties"]) || contradictory.size > 0) {
    const visible = Object.entries(objectOf(raw["properties"])).filter(([name]) => !hidden.has(name));
    const others = [...contradictory].map((name): [string, JsonValue] => [name, {}]);
    out["properties"] = Object.fromEntries([...visible, ...others].map(([name, one]) => [name, member(one, name)]));
  }
  const needed = required.filter((name) => !contradictory.has(name));
  if (needed.length > 0) out["required"] = needed;
  for (const key of ["additionalProperties", "unevaluatedProperties"])
    if (isSchema(raw[key])) out[key] = inner(raw[key]);
  for (const key of INSIDE_BY_NAME) if (isObject(raw[key])) out[key] = mapped(raw[key], inner);
  if (isObject(raw["dependentRequired"]))
    out["dependentRequired"] = mapped(raw["dependentRequired"], (others) => [...new Set(textsOf(others))]);
  return out;
}

/** What a list's items are. Before 2020-12 a tuple was a list under `items`. */
function items(raw: JsonObject, inner: Convert): JsonObject {
  const out: JsonObject = {};
  const old = Array.isArray(raw["items"]) ? raw["items"] : undefined;
  const tuple = old ?? listOf(raw["prefixItems"]);
  if (tuple.length > 0) out["prefixItems"] = tuple.map(inner);
  const rest = old ? raw["additionalItems"] : raw["items"];
  if (isSchema(rest)) out["items"] = inner(rest);
  for (const key of INSIDE) if (isSchema(raw[key])) out[key] = inner(raw[key]);
  return out;
}

/** The schemas that describe the same value once more. */
function combined(raw: JsonObject, same: Walk, around: Surroundings): JsonObject {
  const out: JsonObject = {};
  const property = propertyOf(raw);
  const picks = around.picks.values(raw);
  const fallback = around.picks.fallback(raw);
  for (const key of MANY) {
    const parts = listOf(raw[key]).map((part) => {
      const ref = objectOf(part)["$ref"];
      if (property === undefined || typeof ref !== "string" || key === "allOf") return convert(part, same, around);
      if (around.refs.last(ref) === fallback) {
        const refs = listOf(raw[key]).flatMap((one) => textsOf([objectOf(one)["$ref"] ?? null]));
        const others = refs.filter((one) => around.refs.last(one) !== fallback);
        const mapped = others.map((one) => ({ ref: one, mapped: picks.get(around.refs.last(one)) }));
        return otherwise({ ref, property, others: mapped }, same, around);
      }
      return branch({ ref, property, mapped: picks.get(around.refs.last(ref)) }, same, around);
    });
    const kept = parts.filter((part) => part !== CIRCLE);
    if (kept.length > 0) out[key] = kept;
  }
  for (const key of ONE) if (isSchema(raw[key])) out[key] = convert(raw[key], same, around);
  return out;
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

function convertReference({ $ref: ref, ...siblings }: JsonObject, walk: Walk, around: Surroundings): JsonValue {
  const target = reference(spelled(ref), walk, around);
  if (target === CIRCLE) return target;
  if (around.keepSiblings) return { ...target, ...objectOf(convert(siblings, walk, around)) };
  const notes = Object.entries(ownKeywords(siblings)).filter(([key]) => NOTES.includes(key));
  return { ...target, ...Object.fromEntries(notes) };
}

/** What a surrounding schema hides, and what this one does. */
function hiddenNames(
  outer: ReadonlySet<string>,
  own: ReadonlySet<string>,
  { work }: Surroundings,
): ReadonlySet<string> {
  if (own.size === 0 || own === outer) return outer;
  if (outer.size === 0) return own;
  work.spend(outer.size + own.size);
  return new Set([...outer, ...own]);
}

/** Converts a schema. Throws ImportProblem where it refers to what may not be read or builds on itself too deep. */
export function convert(given: JsonValue | undefined, walk: Walk, around: Surroundings): JsonValue {
  if (typeof given === "boolean") return given;
  if (!isObject(given)) return {};
  if (typeof given["$ref"] === "string") return convertReference(given, walk, around);
  const raw = fitted(given);
  if (walk.depth > MAX_DEPTH) throw new ImportProblem(`its schemas are nested more than ${MAX_DEPTH} deep`);
  around.work.spend();
  const depth = walk.depth + 1;
  const inner: Convert = (schema) => convert(schema, { uses: walk.uses, chain: [], hidden: NO_NAMES, depth }, around);
  const member = (schema: JsonValue, name: string) => around.member(schema, { uses: walk.uses, depth, name });
  const hidden = hiddenNames(walk.hidden, around.readOnlyNames(raw), around);
  const out = {
    ...ownKeywords(raw),
    ...members(raw, { inner, member, hidden }),
    ...items(raw, inner),
    ...combined(raw, { ...walk, hidden, depth }, around),
  };
  const saysSomething = Object.keys(out).some((key) => !NOTES.includes(key));
  return saysSomething && isNullableWithoutType(raw) ? orNull(out) : out;
}

// The members of an object that is made of parts: gathered from its `allOf` and references, each reference once, however often
// it is named. What is no plain object, or too large to be written out, has none.
import { isObject, type JsonObject, type JsonValue, listOf, objectOf, textsOf, toJson } from "../../../../lib/json.js";
import type { Refs } from "./refs.js";
import type { Schemas } from "./schemas.js";
import type { Work } from "./work.js";

/** Keywords about the object as a whole, which single members could not express. */
const WHOLE = [
  "oneOf anyOf not if then else patternProperties propertyNames maxProperties",
  "dependentRequired dependentSchemas unevaluatedProperties enum const",
].flatMap((words) => words.split(" "));

/** Parts inside of parts; real ones have a handful. */
const MAX_PARTS_DEPTH = 100;
/** Members of a body that become arguments; of a larger object the whole is one argument. */
const MAX_MEMBERS = 1000;

/** What members are gathered with. */
interface MembersContext {
  refs: Refs;
  schemas: Schemas;
  work: Work;
}

/** An object's members. */
export interface Members {
  properties: Map<string, JsonValue>;
  required: Set<string>;
  additional: JsonValue | undefined;
  /** How many members there must be. */
  minimum: number;
}

/** Several schemas where several parts describe the same member. */
type Gathered = Omit<Members, "properties"> & { properties: Map<string, Set<JsonValue>> };

/** A choice between one schema and null is that schema. */
function withoutNull(raw: JsonObject): JsonValue | undefined {
  for (const key of ["oneOf", "anyOf"]) {
    const parts = listOf(raw[key]).filter((part) => objectOf(part)["type"] !== "null");
    if (parts.length === 1 && raw["properties"] === undefined) return parts[0];
  }
  return undefined;
}

/** The member that a discriminator picks the only branch by. */
function ofPick([property, pick]: [property: string, pick: JsonObject]): Gathered {
  const properties = new Map([[property, new Set<JsonValue>([pick])]]);
  return { properties, required: new Set([property]), additional: undefined, minimum: 0 };
}

function minimumOf(schema: JsonObject): number {
  return typeof schema["minProperties"] === "number" ? schema["minProperties"] : 0;
}

/** The position of a part. */
interface Part {
  /** The references on the way to it. */
  within: readonly string[];
  /** How many parts are around it. */
  depth: number;
  /** References that are gathered: once more they would add nothing. */
  done: Set<string>;
}

/** The members of an object; undefined for what is no plain object, or too large to be written out as arguments. */
function gather(
  schema: JsonValue | undefined,
  context: MembersContext,
  { within, depth, done }: Part,
): Gathered | undefined {
  if (!isObject(schema) || depth > MAX_PARTS_DEPTH) return undefined;
  context.work.spend();
  if (typeof schema["$ref"] === "string") {
    const ref = context.refs.last(schema["$ref"]);
    const picked = context.schemas.variants(ref);
    if (within.includes(ref) || (picked && !within.some((heir) => picked.refs.has(heir)))) return undefined;
    if (done.has(ref)) return { properties: new Map(), required: new Set(), additional: undefined, minimum: 0 };
    const target = context.refs.follow(schema);
    const members = gather(target, context, { within: [...within, ref], depth: depth + 1, done });
    done.add(ref);
    return members;
  }
  const single = withoutNull(schema);
  if (single !== undefined) {
    const members = gather(single, context, { within, depth: depth + 1, done });
    const picked = members && context.schemas.picked(schema, single);
    if (picked) merge(members, ofPick(picked), context.work);
    return members;
  }
  const types = [schema["type"] ?? "object"].flat();
  if (!types.includes("object") || types.some((type) => type !== "object" && type !== "null")) return undefined;
  if (WHOLE.some((key) => schema[key] !== undefined && (!Array.isArray(schema[key]) || schema[key].length > 0)))
    return undefined;
  const all: Gathered = {
    properties: new Map(),
    required: new Set(),
    additional: schema["additionalProperties"],
    minimum: minimumOf(schema),
  };
  for (const part of listOf(schema["allOf"])) {
    const members = gather(part, context, { within, depth: depth + 1, done });
    if (!members) return undefined;
    merge(all, members, context.work);
  }
  const own = Object.entries(objectOf(schema["properties"]));
  if (own.length > MAX_MEMBERS) return undefined;
  merge(
    all,
    {
      properties: new Map(own.map(([name, one]) => [name, new Set([one])])),
      required: new Set(textsOf(schema["required"])),
      additional: undefined,
      minimum: 0,
    },
    context.work,
  );
  return Math.max(all.properties.size, all.required.size) > MAX_MEMBERS ? undefined : all;
}

function merge(into: Gathered, from: Gathered, work: Work): void {
  for (const [name, schemas] of from.properties) {
    work.spend(schemas.size);
    const all = into.properties.get(name);
    if (!all) into.properties.set(name, schemas);
    else for (const schema of schemas) all.add(schema);
  }
  for (const name of from.required) into.required.add(name);
  into.minimum = Math.max(into.minimum, from.minimum);
  if (from.additional !== undefined && into.additional !== false) into.additional = from.additional;
}

const known = new WeakMap<JsonObject, { schemas: ReadonlySet<JsonValue>; all: JsonValue }[]>();

/** What describes a member: one schema, or several that all hold. The same value for the same schemas; equal ones count once. */
function joined(schemas: ReadonlySet<JsonValue>): JsonValue {
  const [first = {}, ...rest] = schemas;
  if (rest.length === 0 || !isObject(first)) return first;
  const before = known.get(first) ?? [];
  const same = before.find((one) => one.schemas.size === schemas.size && rest.every((part) => one.schemas.has(part)));
  if (same) return same.all;
  const different = new Map([first, ...rest].map((schema) => [toJson(schema), schema]));
  const all = different.size === 1 ? first : { allOf: [...different.values()] };
  known.set(first, [...before, { schemas, all }]);
  return all;
}

/** Gives the members of the object a schema describes; undefined when they cannot stand for it. Throws ImportProblem. */
export type MembersOf = (schema: JsonValue | undefined) => Members | undefined;

/** A function that gathers the members of what is referred to once. */
export function createMembers(context: MembersContext): MembersOf {
  const byReference = new Map<string, Members | undefined>();
  const make: MembersOf = (schema) => {
    const gathered = gather(schema, context, { within: [], depth: 0, done: new Set() });
    if (!gathered) return undefined;
    const properties = [...gathered.properties].map(([name, schemas]): [string, JsonValue] => [name, joined(schemas)]);
    return { ...gathered, properties: new Map(properties) };
  };
  return (schema) => {
    const ref = objectOf(schema)["$ref"];
    if (typeof ref !== "string") return make(schema);
    if (!byReference.has(ref)) byReference.set(ref, make(schema));
    return byReference.get(ref);
  };
}

/** Members that are required and described nowhere: any value is accepted, or what `additionalProperties` describes. */
export function undescribedMembers({ properties, required, additional }: Members): [string, JsonValue][] {
  if (additional === false) return [];
  const schema = objectOf(additional);
  return [...required].filter((name) => !properties.has(name)).map((name) => [name, schema]);
}

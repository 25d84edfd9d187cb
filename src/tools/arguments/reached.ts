// The part of a schema that given arguments can reach. Entities that are linked reach each other all, which nobody can compile;
// arguments reach as far as they are nested. Pure; what it cannot follow it leaves whole.
import { definitionName, definitionOf, namesIn, type SharingSchema } from "../../domain/definitions.js";
import { isObject, type JsonObject, type JsonValue, objectOf } from "../../lib/json.js";

/** Pairs of a schema and a value that are looked at; beyond them the whole schema is taken. */
const MAX_PAIRS = 20_000;
/** Schemas inside schemas, references followed; beyond them, too: the stack would not hold them. */
const MAX_DEPTH = 1_000;
/** Keywords whose schema, or list of schemas, is for what is inside the value. */
const INSIDE = new Set([
  "items",
  "prefixItems",
  "contains",
  "additionalItems",
  "additionalProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
]);
/** Keywords that hold schemas of the value itself by names of the author's. */
const MAPS = new Set(["dependentSchemas", "dependencies"]);
/** Keywords that hold values, not schemas. */
const VALUES = new Set(["enum", "const", "default", "examples", "example", "required", "$defs"]);
/** Keywords by which a reference leads to what its text does not say. */
const ELSEWHERE = new Set(["$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef"]);

/** The search met something that it does not follow. */
class Unfollowed extends Error {}

/** Looks for the definitions that a value meets on its way through a schema. */
class Search {
  readonly found = new Set<string>();
  private readonly schema: SharingSchema;
  private readonly seen = new Map<string, Set<JsonValue>>();
  private pairs = 0;
  private depth = 0;

  constructor(schema: SharingSchema) {
    this.schema = schema;
  }

  look(schema: JsonValue | undefined, value: JsonValue): void {
    if (typeof schema !== "object" || schema === null) return;
    if (++this.pairs > MAX_PAIRS || ++this.depth > MAX_DEPTH) throw new Unfollowed();
    if (Array.isArray(schema)) for (const part of schema) this.look(part, value);
    else for (const [key, inner] of Object.entries(schema)) this.lookAt(key, inner, value);
    this.depth--;
  }

  private lookAt(key: string, inner: JsonValue, value: JsonValue): void {
    if (VALUES.has(key)) return;
    if (ELSEWHERE.has(key)) throw new Unfollowed();
    if (key === "$ref") this.follow(inner, value);
    else if (key === "properties") this.lookByName(objectOf(inner), value);
    else if (key === "patternProperties") this.lookInside(Object.values(objectOf(inner)), value);
    else if (INSIDE.has(key)) this.lookInside(inner, value);
    else this.look(MAPS.has(key) ? Object.values(objectOf(inner)) : inner, value);
  }

  private follow(ref: JsonValue, value: JsonValue): void {
    const name = definitionName(ref);
    // A reference into a definition may lead anywhere in it.
    if (name === undefined || ref !== `#/$defs/${name}`) throw new Unfollowed();
    const seen = this.seen.get(name) ?? new Set<JsonValue>();
    this.seen.set(name, seen);
    if (seen.has(value)) return;
    seen.add(value);
    this.found.add(name);
    this.look(definitionOf(this.schema, name), value);
  }

  private lookByName(properties: JsonObject, value: JsonValue): void {
    if (!isObject(value)) return;
    for (const [name, inner] of Object.entries(value))
      if (Object.hasOwn(properties, name)) this.look(properties[name], inner);
  }

  /** Each schema of a list counts as if it were for everything inside. */
  private lookInside(schema: JsonValue, value: JsonValue): void {
    if (typeof value !== "object" || value === null) return;
    for (const inner of Object.values(value)) this.look(schema, inner);
  }
}

/** The names of the definitions that arguments can reach; undefined where that cannot be said. */
export function reachedBy(schema: SharingSchema, args: JsonObject): ReadonlySet<string> | undefined {
  const search = new Search(schema);
  try {
    search.look(schema.parameters, args);
    return search.found;
  } catch (error) {
    if (error instanceof Unfollowed) return undefined;
    throw error;
  }
}

/** The schema, self-contained, with these definitions; in place of the others, which no argument reaches, stands any value. */
export function reducedTo(schema: SharingSchema, names: ReadonlySet<string>): JsonObject {
  const kept = [...names].map((name): [string, JsonValue] => [name, definitionOf(schema, name) ?? true]);
  const { $defs: own, ...root } = schema.parameters;
  const others = [root, ...kept.map(([, definition]) => definition)].flatMap(namesIn);
  const rest = others.filter((name) => !names.has(name)).map((name): [string, JsonValue] => [name, true]);
  if (own === undefined && kept.length + rest.length === 0) return root;
  return { ...root, $defs: Object.fromEntries([...rest, ...kept]) };
}

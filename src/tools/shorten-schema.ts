// A schema that would be too large whole, as far as a size allows: the definitions nearest to the arguments stay, a reference
// beyond them becomes the type and a word of what it led to. The work is bounded by the size asked for and by what the schema
// itself holds, not by what it reaches.
import { definitionName, definitionOf, namesIn, type SharingSchema, sizeOf } from "../domain/definitions.js";
import { isObject, type JsonObject, type JsonValue } from "../lib/json.js";
import { BAREST, CUTS, type Cut, shallow, withoutDefinitions } from "./cut-schema.js";

/** Of the size, what the arguments themselves may take before they are cut further. */
const ROOT_SHARE = 3 / 4;
/** A definition that is larger by so much is not tried: cutting it would cost more than it can bring. */
const MAX_RATIO = 4;
/** Definitions that are tried and do not fit before the rest is left out. */
const MAX_MISSES = 16;

const knownCuts = new WeakMap<JsonObject, Map<Cut, JsonValue>>();

/** A definition as a cut leaves it: made once, for all schemas that share it. */
function cutDefinition(definition: JsonValue, cut: Cut): JsonValue {
  if (!isObject(definition)) return definition;
  const known = knownCuts.get(definition) ?? new Map<Cut, JsonValue>();
  knownCuts.set(definition, known);
  let made = known.get(cut);
  if (made === undefined) known.set(cut, (made = withoutDefinitions(definition, cut, cut.depth - 1)));
  return made;
}

/** The definitions nearest to a schema, cut, as many as fit beside it. */
function nearest(root: JsonObject, schema: SharingSchema, { cut, room }: { cut: Cut; room: number }) {
  const kept = new Map<string, JsonValue>();
  const seen = new Set(namesIn(root));
  let left = room;
  let misses = 0;
  // A set is walked in the order of insertion, what is added on the way too: breadth first.
  for (const name of seen) {
    if (misses > MAX_MISSES) break;
    const definition = definitionOf(schema, name);
    if (definition === undefined) continue;
    const inner = sizeOf(definition) > MAX_RATIO * left ? undefined : cutDefinition(definition, cut);
    const size = inner === undefined ? Number.POSITIVE_INFINITY : sizeOf(inner) + name.length;
    if (inner === undefined || size > left) {
      misses++;
      continue;
    }
    kept.set(name, inner);
    left -= size;
    for (const next of namesIn(inner)) seen.add(next);
  }
  return kept;
}

/** The same with references to what is not kept saying in short what it was; a copy only where there are some. */
function withoutLinks(value: JsonValue, kept: ReadonlyMap<string, JsonValue>, toShort: (name: string) => JsonObject) {
  if (namesIn(value).every((name) => kept.has(name))) return value;
  const copy = (inner: JsonValue): JsonValue => {
    if (Array.isArray(inner)) return inner.map(copy);
    if (!isObject(inner)) return inner;
    const name = definitionName(inner["$ref"]);
    const members = Object.entries(inner).map(([key, one]): [string, JsonValue] => [key, copy(one)]);
    if (name === undefined || kept.has(name)) return Object.fromEntries(members);
    return { ...toShort(name), ...Object.fromEntries(members.filter(([key]) => key !== "$ref")) };
  };
  return copy(value);
}

/**
 * A self-contained schema of at most about `maxSize` characters of JSON. Only required arguments without any depth left are
 * kept beyond that.
 */
export function shortenSchema(schema: SharingSchema, maxSize: number): JsonObject {
  const cutRoot = (cut: Cut): JsonObject => withoutDefinitions(schema.parameters, cut) as JsonObject;
  const cut = CUTS.find((one) => sizeOf(cutRoot(one)) <= ROOT_SHARE * maxSize) ?? BAREST;
  const own = cutRoot(cut);
  const kept = nearest(own, schema, { cut, room: maxSize - sizeOf(own) });
  const toShort = (name: string): JsonObject => {
    const definition = definitionOf(schema, name);
    return isObject(definition) ? shallow(definition, cut) : {};
  };
  const whole = withoutLinks(own, kept, toShort) as JsonObject;
  const definitions = [...kept].map(([name, one]) => [name, withoutLinks(one, kept, toShort)]);
  return definitions.length > 0 ? { ...whole, $defs: Object.fromEntries(definitions) } : whole;
}

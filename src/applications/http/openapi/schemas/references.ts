// `$ref`s as a tool's schema writes them: into `$defs`, written out where that is shorter, cut where they would never end,
// and turned into a choice where a discriminator picks.
import { sizeOf } from "../../../../domain/definitions.js";
import { isObject, type JsonObject, type JsonValue, listOf, objectOf } from "../../../../lib/json.js";
import { ImportProblem, spelled } from "../read.js";
import { ownKeywords } from "./keywords.js";
import { fitted } from "./options.js";
import type { Refs } from "./refs.js";
import type { Variants } from "./variants.js";
import { CIRCLE, MANY, MAX_CHAIN, ONE, PLAIN, type Surroundings, type Walk } from "./walk.js";

const COMBINES = ["$ref", ...MANY, ...ONE];
const SCALAR = new Set(["string", "number", "integer", "boolean"]);
/** Characters of a schema that is written out wherever it is used. */
const MAX_INLINE = 600;

/**
 * A plain value's schema, which is written where it is used: a reference to it would cost the model more tokens. Undefined for
 * every other schema.
 */
export function scalarAt(ref: string, refs: Refs): JsonObject | undefined {
  const raw = refs.at(ref);
  if (!isObject(raw) || !SCALAR.has(spelled(raw["type"])) || COMBINES.some((key) => key in raw)) return undefined;
  const out = ownKeywords(fitted(raw));
  return sizeOf(out) <= MAX_INLINE ? out : undefined;
}

/** The schema in place of a reference; CIRCLE where it would add nothing. Throws ImportProblem. */
export function reference(given: string, walk: Walk, around: Surroundings): JsonObject {
  const ref = around.refs.last(given);
  const scalar = around.scalar(ref);
  if (scalar) return scalar;
  // Inside one of its own variants a base schema is just itself.
  const own = walk.chain.length > 0 && walk.chain.some((heir) => around.picks.variants(ref)?.refs.has(heir));
  const key = own ? ref + PLAIN : ref;
  if (walk.chain.includes(key)) return CIRCLE;
  if (walk.chain.length > MAX_CHAIN)
    throw new ImportProblem(`its schemas build on each other more than ${MAX_CHAIN} deep`);
  if (walk.chain.length > 0) around.define(key, walk);
  walk.uses.add(key);
  return { $ref: `#/$defs/${around.nameOf(key)}` };
}

/** The values a property is limited to, by the schema itself or by what it builds on; undefined when it is not. */
function limits(ref: string, property: string, { refs, work }: Surroundings): JsonValue[] | undefined {
  const seen = new Set<JsonObject>();
  function find(schema: JsonValue | undefined, depth: number): JsonValue[] | undefined {
    if (!isObject(schema) || depth > MAX_CHAIN || seen.has(schema)) return undefined;
    seen.add(schema);
    work.spend();
    if (typeof schema["$ref"] === "string") return find(refs.at(schema["$ref"]), depth + 1);
    const own = objectOf(refs.follow(objectOf(schema["properties"])[property] ?? {}));
    if (own["const"] !== undefined) return [own["const"]];
    if (Array.isArray(own["enum"])) return own["enum"];
    for (const part of listOf(schema["allOf"])) {
      const found = find(part, depth + 1);
      if (found) return found;
    }
    return undefined;
  }
  return find(refs.at(ref), 0);
}

/** One branch of a choice: a reference and the values of the discriminating property that pick it, where a mapping names them. */
interface Branch {
  ref: string;
  property: string;
  mapped: string[] | undefined;
}

/** What the discriminating property of a branch must be; undefined where the branch itself says so. */
export function pickOf({ ref, property, mapped }: Branch, around: Surroundings): JsonObject | undefined {
  const limited = limits(ref, property, around);
  // Without a mapping the schema's name is the value, unless the schema itself limits it.
  if (limited?.length === 1 || (limited && !mapped)) return undefined;
  const values = mapped ?? [around.picks.implied(ref)];
  return values.length === 1 ? { const: values[0] ?? "" } : { enum: values };
}

/** A branch as a schema, distinguished from the others by the discriminating property's value. */
export function branch({ ref, property, mapped }: Branch, walk: Walk, around: Surroundings): JsonObject {
  const converted = reference(ref, walk, around);
  const pick = converted === CIRCLE ? undefined : pickOf({ ref, property, mapped }, around);
  if (pick === undefined) return converted;
  const properties = Object.fromEntries([[property, pick]]);
  return { allOf: [converted, { type: "object", properties, required: [property] }] };
}

/** The branch that is taken where none of the others is picked. */
interface Fallback {
  ref: string;
  property: string;
  others: Pick<Branch, "ref" | "mapped">[];
}

/** A fallback as a schema: it fits where the property is not there, or has a value that picks none of the others. */
export function otherwise({ ref, property, others }: Fallback, walk: Walk, around: Surroundings): JsonObject {
  const converted = reference(ref, walk, around);
  if (converted === CIRCLE) return converted;
  const values = others.flatMap(
    (one) => one.mapped ?? limits(one.ref, property, around) ?? [around.picks.implied(one.ref)],
  );
  const properties = Object.fromEntries([[property, { enum: [...new Set(values)] }]]);
  return { allOf: [converted, { not: { properties, required: [property] } }] };
}

/** A base schema, and the variants its discriminator picks from. */
interface Choice {
  schema: JsonObject;
  picked: Variants;
}

/** A base schema as the choice its discriminator offers. */
export function choice({ schema, picked }: Choice, walk: Walk, around: Surroundings): JsonObject {
  const { property, variants, fallback } = picked;
  const description = ownKeywords(schema)["description"];
  const note = description !== undefined && { description };
  const all = variants.map(({ ref, value }) => branch({ ref, property, mapped: [value] }, walk, around));
  const others = variants.map(({ ref, value }) => ({ ref, mapped: [value] }));
  if (fallback !== undefined) all.push(otherwise({ ref: fallback, property, others }, walk, around));
  const branches = all.filter((one) => one !== CIRCLE);
  return branches.length > 0 ? { ...note, oneOf: branches } : { ...note };
}

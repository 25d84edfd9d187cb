// Discriminators: which schemas a base schema picks from, and the value that picks each.
// Source: OpenAPI 3.1, Discriminator Object.
import { isObject, type JsonObject, type JsonValue, listOf, objectOf } from "../../../lib/json.js";
import { referenceNames, toPointer } from "../../../lib/json-pointer.js";

/** One schema a discriminator can pick. */
interface Variant {
  /** The value of the discriminating property. */
  value: string;
  ref: string;
}

/** A base schema's discriminator with what it picks from. */
export interface Variants {
  property: string;
  variants: Variant[];
  /** The references of the variants. */
  refs: ReadonlySet<string>;
}

function toRef(name: string): string {
  return /[#/]/.test(name) ? name : `#${toPointer(["components", "schemas", name])}`;
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** The pointers of all component schemas that build on another one through `allOf`, by that other one's pointer. */
function heirsIn(root: JsonObject): Map<string, string[]> {
  const heirs = new Map<string, string[]>();
  for (const [name, schema] of Object.entries(objectOf(objectOf(root["components"])["schemas"])))
    for (const part of listOf(objectOf(schema)["allOf"])) {
      const base = objectOf(part)["$ref"];
      if (typeof base === "string") append(heirs, base, toRef(name));
    }
  return heirs;
}

/** A function that gives the variants of the schema at a pointer; undefined when nothing is picked there. */
export function createVariants(root: JsonObject): (ref: string, schema: JsonValue | undefined) => Variants | undefined {
  let heirs: Map<string, string[]> | undefined;
  const known = new Map<string, Variants | undefined>();
  const find = (ref: string, schema: JsonValue | undefined): Variants | undefined => {
    if (!isObject(schema) || Array.isArray(schema["oneOf"]) || Array.isArray(schema["anyOf"])) return undefined;
    const property = propertyOf(schema);
    if (property === undefined) return undefined;
    const mapping = Object.entries(objectOf(objectOf(schema["discriminator"])["mapping"]));
    const mapped = mapping.flatMap(([value, target]) =>
      typeof target === "string" ? [{ value, ref: toRef(target) }] : [],
    );
    heirs ??= heirsIn(root);
    const named = (heirs.get(ref) ?? []).map((heir) => ({ value: impliedValue(heir), ref: heir }));
    const variants = (mapped.length > 0 ? mapped : named).filter((variant) => variant.ref !== ref);
    return variants.length > 0 ? { property, variants, refs: new Set(variants.map((one) => one.ref)) } : undefined;
  };
  return (ref, schema) => {
    if (!known.has(ref)) known.set(ref, find(ref, schema));
    return known.get(ref);
  };
}

/** The name of the discriminating property; Swagger 2 writes it as a bare text. */
export function propertyOf(schema: JsonObject): string | undefined {
  const { discriminator } = schema;
  const name = isObject(discriminator) ? discriminator["propertyName"] : discriminator;
  return typeof name === "string" ? name : undefined;
}

/** The values a discriminator's mapping gives to each reference. */
export function valuesByRef(schema: JsonObject): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [value, target] of Object.entries(objectOf(objectOf(schema["discriminator"])["mapping"])))
    if (typeof target === "string") append(values, toRef(target), value);
  return values;
}

/** The value a discriminator takes for a reference that no mapping names: the schema's own name. */
export function impliedValue(ref: string): string {
  return referenceNames(ref).at(-1) ?? "";
}

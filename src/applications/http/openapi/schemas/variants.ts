// Discriminators: which schemas a base schema picks from, and the value that picks each.
// Source: OpenAPI 3.1, Discriminator Object; Swagger 2.0, Schema Object, discriminator.
import { isObject, type JsonObject, listOf, objectOf } from "../../../../lib/json.js";
import { toPointer } from "../../../../lib/json-pointer.js";
import { definitionWay, type Refs } from "./refs.js";

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
  /** The reference of what is there where the property is not, or has none of the values (OpenAPI 3.2, defaultMapping). */
  fallback?: string | undefined;
  /** The references of the variants and of the fallback. */
  refs: ReadonlySet<string>;
}

function toRef(name: string): string {
  return /[#/]/.test(name) ? name : `#${toPointer(["components", "schemas", name])}`;
}

function append<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** What discriminators pick, in one description. Equal references are the last ones on their way. */
export interface Picks {
  /** The variants of the schema at a reference; undefined when nothing is picked there. */
  variants(ref: string): Variants | undefined;
  /** The values a discriminator's mapping gives to each reference. */
  values(schema: JsonObject): Map<string, string[]>;
  /** The reference that a discriminator takes where no other is picked, if it names one. */
  fallback(schema: JsonObject): string | undefined;
  /** The value a discriminator takes for a reference that no mapping names: the name of the schema among the components. */
  implied(ref: string): string;
}

const COMPONENT = /^#\/components\/schemas\//;

/** Looks up what the discriminators of a description pick. */
export function createPicks(root: JsonObject, refs: Refs): Picks {
  let components: [name: string, ref: string][] | undefined;
  /** The component schemas, wherever they are kept. */
  const componentsOf = (): [name: string, ref: string][] => {
    const { schemas } = objectOf(refs.follow(root["components"]));
    components ??= Object.keys(objectOf(refs.follow(schemas))).map((name) => [name, refs.last(toRef(name))]);
    return components;
  };
  /** The components that build on another one through `allOf`, by that other one's reference. */
  let heirs: Map<string, { value: string; ref: string }[]> | undefined;
  const heirsOf = (base: string): { value: string; ref: string }[] => {
    if (!heirs) {
      heirs = new Map();
      for (const [value, ref] of componentsOf())
        for (const part of listOf(objectOf(refs.at(ref))["allOf"])) {
          const { $ref } = objectOf(part);
          if (typeof $ref === "string") append(heirs, refs.last($ref), { value, ref });
        }
    }
    return heirs.get(base) ?? [];
  };
  const impliedBy = (ref: string): string => {
    const name = COMPONENT.test(ref) ? undefined : componentsOf().find(([, one]) => one === refs.last(ref))?.[0];
    return name ?? definitionWay(ref).at(-1) ?? "";
  };
  const fallbackOf = (schema: JsonObject): string | undefined => {
    const target = objectOf(schema["discriminator"])["defaultMapping"];
    return typeof target === "string" ? refs.last(toRef(target)) : undefined;
  };
  const known = new Map<string, Variants | undefined>();
  const find = (ref: string): Variants | undefined => {
    const schema = refs.at(ref);
    if (!isObject(schema) || Array.isArray(schema["oneOf"]) || Array.isArray(schema["anyOf"])) return undefined;
    const property = propertyOf(schema);
    if (property === undefined) return undefined;
    const mapping = Object.entries(objectOf(objectOf(schema["discriminator"])["mapping"]));
    const mapped = mapping.flatMap(([value, target]) =>
      typeof target === "string" ? [{ value, ref: refs.last(toRef(target)) }] : [],
    );
    const named = new Set(mapped.map((variant) => variant.ref));
    // What the mapping does not name keeps the name it has among the components.
    const variants = [...mapped, ...heirsOf(ref).filter((variant) => variant.ref !== ref && !named.has(variant.ref))];
    if (variants.length === 0) return undefined;
    // In Swagger 2.0 the base is one of what its discriminator picks.
    if (root["swagger"] !== undefined && !named.has(ref)) variants.push({ value: impliedBy(ref), ref });
    const other = fallbackOf(schema);
    const fallback = other === ref ? undefined : other;
    const all = [...variants.map((one) => one.ref), ...(fallback === undefined ? [] : [fallback])];
    return { property, variants: variants.filter((one) => one.ref !== fallback), fallback, refs: new Set(all) };
  };
  return {
    variants(ref) {
      const end = refs.last(ref);
      if (!known.has(end)) known.set(end, find(end));
      return known.get(end);
    },
    values(schema) {
      const values = new Map<string, string[]>();
      for (const [value, target] of Object.entries(objectOf(objectOf(schema["discriminator"])["mapping"])))
        if (typeof target === "string") append(values, refs.last(toRef(target)), value);
      return values;
    },
    fallback: fallbackOf,
    implied: impliedBy,
  };
}

/** The name of the discriminating property; Swagger 2 writes it as a bare text. */
export function propertyOf(schema: JsonObject): string | undefined {
  const { discriminator } = schema;
  const name = isObject(discriminator) ? discriminator["propertyName"] : discriminator;
  return typeof name === "string" ? name : undefined;
}

// Looks through one file of a description for what it refers to: every `$ref`, `$dynamicRef` and target of a discriminator, with the
// address it is relative to; and for the addresses and names that schemas give themselves. Pure; looks at each value once.
// Source: OpenAPI 3.1 and 3.2, Reference Object; JSON Schema 2020-12, Core, 8.2 and 8.3.
import { type JsonObject, type JsonValue, objectOf } from "../../../../lib/json.js";
import { contentOf } from "../read.js";

/** One reference: `holder[key]` is its text. */
export interface FoundReference {
  holder: JsonObject;
  key: string;
  /** What it is relative to: the file's address, or that of the schema around it that has its own. */
  base: string;
}

/** Is given what is found; `path` is only true at the moment of the call. */
interface Finder {
  /** Whether schemas can have addresses and names: from OpenAPI 3.1 on. */
  hasIdentifiers: boolean;
  reference(found: FoundReference): void;
  /** A schema has an address of its own (`$id`). */
  schema(address: string, path: readonly string[]): void;
  /** A schema has a name at an address (`$anchor`, `$dynamicAnchor`). */
  anchor(found: { address: string; name: string; isDynamic: boolean }, path: readonly string[]): void;
}

/** Looks at a value, which stands at these names in its file, and at all in it that was not looked at before. */
export type LookThrough = (value: JsonValue | undefined, at: readonly string[], base: string) => void;

function absolute(id: string, base: string): string {
  if (!URL.canParse(id, base)) return base;
  const url = new URL(id, base);
  url.hash = "";
  return url.href;
}

/** A function that looks through one file. What it takes for data it looks at only when it is called with it. */
export function createLookThrough(finder: Finder): LookThrough {
  const seen = new WeakSet<object>();
  const path: string[] = [];

  /** The address that references in a schema are relative to. */
  function identify({ $id: id, $anchor, $dynamicAnchor }: JsonObject, base: string): string {
    const address = typeof id === "string" ? absolute(id, base) : base;
    if (address !== base) finder.schema(address, path);
    for (const name of [$anchor, $dynamicAnchor])
      if (typeof name === "string") finder.anchor({ address, name, isDynamic: name === $dynamicAnchor }, path);
    return address;
  }

  /** What a discriminator picks is a name or an address. */
  function targets(schema: JsonObject, base: string): void {
    const mapping = objectOf(objectOf(schema["discriminator"])["mapping"]);
    for (const [key, target] of Object.entries(mapping))
      if (typeof target === "string" && /[#/]|\.(json|ya?ml)$/i.test(target))
        finder.reference({ holder: mapping, key, base });
  }

  /** `named` is true of an object whose keys are names of the author's. */
  function walk(value: JsonValue | undefined, outer: string, named: boolean): void {
    if (typeof value !== "object" || value === null || seen.has(value)) return;
    seen.add(value);
    if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) {
        path.push(String(i));
        walk(item, outer, false);
        path.pop();
      }
      return;
    }
    const base = finder.hasIdentifiers && !named ? identify(value, outer) : outer;
    for (const key of finder.hasIdentifiers ? ["$ref", "$dynamicRef"] : ["$ref"])
      if (typeof value[key] === "string") finder.reference({ holder: value, key, base });
    if (!named) targets(value, base);
    for (const [key, inner] of Object.entries(value)) {
      const content = named ? "description" : contentOf(key);
      if (content === "data") continue;
      path.push(key);
      walk(inner, base, content === "names");
      path.pop();
    }
  }

  return (value, at, base) => {
    path.splice(0, path.length, ...at);
    walk(value, base, false);
  };
}

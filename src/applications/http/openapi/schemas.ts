// Schemas of a description to JSON Schema 2020-12 that is self-contained: references become `$defs`, circles stay circles,
// each definition is converted once, and each tool gets only the definitions it can reach.
import type { JsonObject, JsonValue } from "../../../lib/json.js";
import { referenceNames } from "../../../lib/json-pointer.js";
import { convert } from "./convert.js";
import { createDefinitionNames } from "./names.js";
import { objectOf, type Warn } from "./read.js";
import { createReadOnly } from "./readonly.js";
import { choice } from "./references.js";
import type { Refs } from "./refs.js";
import { createVariants, type Variants } from "./variants.js";
import { type Definition, NO_NAMES, PLAIN, type Surroundings, type Walk } from "./walk.js";

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

function createSurroundings(root: JsonObject, refs: Refs, warn: Warn): Surroundings {
  const definitions = new Map<string, Definition>();
  const names = new Map<string, string>();
  const nameFor = createDefinitionNames();
  const findVariants = createVariants(root);
  const around: Surroundings = {
    refs,
    keepSiblings: !String(root["openapi"]).startsWith("3.0"),
    variants: (ref) => findVariants(ref, refs.at(ref)),
    readOnlyNames: createReadOnly(refs),
    nameOf(key) {
      let name = names.get(key);
      if (name === undefined) names.set(key, (name = nameFor(referenceNames(key))));
      return name;
    },
    define(key, chain) {
      const known = definitions.get(key);
      if (known) return known;
      const ref = key.endsWith(PLAIN) ? key.slice(0, -PLAIN.length) : key;
      const raw = refs.at(ref);
      if (raw === undefined) warn(`The schema ${ref} is referred to but not there; any value is taken in its place.`);
      const walk: Walk = { uses: new Set(), chain: [...chain, key], hidden: NO_NAMES };
      const picked = key === ref ? around.variants(ref) : undefined;
      const schema = picked ? choice({ schema: objectOf(raw), picked }, walk, around) : convert(raw, walk, around);
      const definition = { name: around.nameOf(key), schema, uses: walk.uses };
      definitions.set(key, definition);
      return definition;
    },
  };
  return around;
}

/** A converter for the description that `refs` looks up. */
export function createSchemas(root: JsonObject, refs: Refs, warn: Warn): Schemas {
  const around = createSurroundings(root, refs, warn);
  return {
    convert: (schema, uses) => convert(schema, { uses, chain: [], hidden: NO_NAMES }, around),
    readOnlyNames: around.readOnlyNames,
    variants: around.variants,
    definitions(uses) {
      const found = new Map<string, Definition>();
      const queue = [...uses];
      for (let key = queue.shift(); key !== undefined; key = queue.shift()) {
        if (found.has(key)) continue;
        const definition = around.define(key, []);
        found.set(key, definition);
        queue.push(...definition.uses);
      }
      if (found.size === 0) return undefined;
      return Object.fromEntries([...found.values()].map(({ name, schema }) => [name, schema]));
    },
  };
}

// Schemas of a description to JSON Schema 2020-12: references lead to definitions that all tools share, circles stay circles, and
// everything is converted once, however many tools refer to it.
import { sizeOf } from "../../../../domain/definitions.js";
import { isObject, type JsonObject, type JsonValue, objectOf } from "../../../../lib/json.js";
import { createDefinitionNames } from "../../../names.js";
import { hasIdentifiers, ImportProblem, type Warn } from "../read.js";
import { convert, withoutOwnTitle } from "./convert.js";
import { createReadOnly } from "./readonly.js";
import { choice, pickOf, scalarAt } from "./references.js";
import { definitionWay, displayRef, type Refs } from "./refs.js";
import { createPicks, propertyOf, type Variants } from "./variants.js";
import { type Definition, NO_NAMES, PLAIN, type Surroundings, type Walk } from "./walk.js";
import type { Work } from "./work.js";

/** Characters of plain values that are written out where they are used, all together; after that they are referred to. */
const MAX_WRITTEN_OUT = 4_000_000;

/** Converts the schemas of one description. */
export interface Schemas {
  /**
   * The schema with its references pointing into `#/$defs`; adds what it refers to to `uses`. The same one for the same schema,
   * also where that stands in a definition. `name` is what a member is called.
   */
  convert(schema: JsonValue | undefined, uses: Set<string>, name?: string): JsonValue;
  /** Makes sure of all definitions reachable from `uses`. Throws ImportProblem where one of them cannot be made. */
  require(uses: ReadonlySet<string>): void;
  /** All definitions that were required, by name. */
  definitions(): Map<string, JsonValue>;
  /** A name for a definition of the import's own, like no other. */
  newName(like: string): string;
  /** The names of properties only the target may write. */
  readOnlyNames(schema: JsonValue | undefined): ReadonlySet<string>;
  /** What a reference picks from by a discriminator, if it does. */
  variants(ref: string): Variants | undefined;
  /** The member by which a discriminator picks this branch, and what that must be; undefined where nothing more is said. */
  picked(schema: JsonObject, branch: JsonValue): [property: string, pick: JsonObject] | undefined;
}

/** What the schemas of one description are read with. */
interface SchemasInput {
  root: JsonObject;
  refs: Refs;
  work: Work;
  warn: Warn;
}

/** Says what is written in place of references to plain values, as long as there is room. */
function createScalars(refs: Refs): (ref: string) => JsonObject | undefined {
  const known = new Map<string, JsonObject | undefined>();
  let room = MAX_WRITTEN_OUT;
  return (ref) => {
    if (!known.has(ref)) known.set(ref, scalarAt(ref, refs));
    const scalar = known.get(ref);
    room -= scalar ? sizeOf(scalar) : 0;
    return room < 0 ? undefined : scalar;
  };
}

/** Levels that an argument's schema is converted at, at least: those of a member of the parts that a definition is made of. */
const ARGUMENT_DEPTH = 4;

/** A member, converted. */
interface ConvertedMember {
  schema: JsonValue;
  uses: ReadonlySet<string>;
  /** The level it was converted at: it is not too deep where there are no more around it. */
  depth: number;
}

/** Converts what is described once, once: as an argument and as a member of definitions. */
function createMemberConverter(around: () => Surroundings): Surroundings["member"] {
  const known = new Map<JsonObject, ConvertedMember>();
  return (raw, { uses, depth: level, name }) => {
    const depth = Math.max(level, ARGUMENT_DEPTH);
    let made = isObject(raw) ? known.get(raw) : undefined;
    if (!made || made.depth < depth) {
      const own = new Set<string>();
      const converted = convert(raw, { uses: own, chain: [], hidden: NO_NAMES, depth }, around());
      const schema = name === undefined ? converted : withoutOwnTitle(name, converted);
      made = { schema, uses: own.size > 0 ? own : NO_NAMES, depth };
      if (isObject(raw)) known.set(raw, made);
    }
    for (const key of made.uses) uses.add(key);
    return made.schema;
  };
}

function createSurroundings({ root, refs, work, warn }: SchemasInput, nameFor: (way: string[]) => string) {
  const definitions = new Map<string, Definition>();
  const names = new Map<string, string>();
  const picks = createPicks(root, refs);
  const make = (key: string, { chain, depth }: Pick<Walk, "chain" | "depth">): Definition => {
    const ref = key.endsWith(PLAIN) ? key.slice(0, -PLAIN.length) : key;
    const raw = refs.at(ref);
    if (raw === undefined)
      warn(`The schema ${displayRef(ref)} is referred to but not there; any value is taken in its place.`);
    const walk: Walk = { uses: new Set(), chain: [...chain, key], hidden: NO_NAMES, depth };
    const picked = key === ref ? picks.variants(ref) : undefined;
    const schema = picked ? choice({ schema: objectOf(raw), picked }, walk, around) : convert(raw, walk, around);
    return { name: around.nameOf(key), schema, uses: walk.uses };
  };
  const around: Surroundings = {
    refs,
    work,
    keepSiblings: hasIdentifiers(root),
    scalar: createScalars(refs),
    member: createMemberConverter(() => around),
    picks,
    readOnlyNames: createReadOnly(refs, work),
    nameOf(key) {
      let name = names.get(key);
      if (name === undefined) names.set(key, (name = nameFor(definitionWay(key))));
      return name;
    },
    define(key, within) {
      let definition = definitions.get(key);
      if (!definition) definitions.set(key, (definition = work.shared(() => make(key, within))));
      return definition;
    },
  };
  return around;
}

/** A converter for the description that `refs` looks up. */
export function createSchemas(input: SchemasInput): Schemas {
  const { work } = input;
  const nameFor = createDefinitionNames();
  const around = createSurroundings(input, nameFor);
  /** Definitions that are there with all that they reach. */
  const required = new Map<string, Definition>();
  const failed = new Map<string, ImportProblem>();
  const define = (key: string): Definition => {
    const problem = failed.get(key);
    if (problem) throw problem;
    try {
      return around.define(key, { chain: [], depth: 0 });
    } catch (error) {
      if (error instanceof ImportProblem) failed.set(key, error);
      throw error;
    }
  };
  return {
    convert: (raw, uses, name) => around.member(raw, { uses, depth: 0, name }),
    readOnlyNames: around.readOnlyNames,
    variants: around.picks.variants,
    picked(schema, part) {
      const property = propertyOf(schema);
      const ref = objectOf(part)["$ref"];
      if (property === undefined || typeof ref !== "string") return undefined;
      const mapped = around.picks.values(schema).get(input.refs.last(ref));
      const pick = pickOf({ ref, property, mapped }, around);
      return pick && [property, pick];
    },
    newName: (like) => nameFor([like]),
    require(uses) {
      const found = new Map<string, Definition>();
      const queue = [...uses];
      for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
        if (required.has(key) || found.has(key)) continue;
        work.shared(() => work.spend());
        const definition = define(key);
        found.set(key, definition);
        for (const next of definition.uses) queue.push(next);
      }
      for (const [key, definition] of found) required.set(key, definition);
    },
    definitions: () => new Map([...required.values()].map(({ name, schema }) => [name, schema])),
  };
}

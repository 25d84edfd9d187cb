// What the conversion of schemas carries along: its position, and what it may look up in the description around it.
import type { JsonObject, JsonValue } from "../../../../lib/json.js";
import type { Refs } from "./refs.js";
import type { Picks } from "./variants.js";
import type { Work } from "./work.js";

/** Schemas inside of schemas: what is deeper could not be read back, nor checked. Real ones have a dozen levels. */
export const MAX_DEPTH = 120;

/** A chain of schemas that all describe the same value; real ones have a handful. */
export const MAX_CHAIN = 64;

export const NO_NAMES: ReadonlySet<string> = new Set();

/** Stands where a schema would describe itself by itself. Compared by identity. */
export const CIRCLE: JsonObject = {};

/** Marks a base schema as itself, without the choice its discriminator offers. */
export const PLAIN = "|plain";

/** Keywords that describe the same value by one schema, or by a list of them. */
export const ONE = ["not", "if", "then", "else"];
export const MANY = ["allOf", "oneOf", "anyOf"];

/** The position of a conversion. */
export interface Walk {
  /** Gets every definition that is referred to. */
  uses: Set<string>;
  /** Definitions that describe the very value at hand: a repetition adds nothing and would never end. */
  chain: readonly string[];
  /** Properties that a surrounding `allOf` declares as readOnly. */
  hidden: ReadonlySet<string>;
  /** Levels of schemas around this one. */
  depth: number;
}

/** One entry of `$defs`. */
export interface Definition {
  name: string;
  schema: JsonValue;
  uses: Set<string>;
}

/** Where a member of an object stands. */
interface MemberPosition extends Pick<Walk, "uses" | "depth"> {
  /** What it is called there; undefined for what has no name, such as a parameter's schema. */
  name?: string | undefined;
}

/** The description around the schemas. */
export interface Surroundings {
  refs: Refs;
  work: Work;
  /** Whether keywords next to a `$ref` count: from OpenAPI 3.1 on. */
  keepSiblings: boolean;
  /** The name a definition has, converted or not. */
  nameOf(key: string): string;
  /** Converts a definition now, inside the chain of those that describe the same value. */
  define(key: string, within: Pick<Walk, "chain" | "depth">): Definition;
  /** What is written in place of a reference to a plain value; undefined for every other one. */
  scalar(ref: string): JsonObject | undefined;
  /** Converts a member of an object, or an argument; gives the same schema for the same one. */
  member(raw: JsonValue | undefined, at: MemberPosition): JsonValue;
  picks: Picks;
  /** The names of properties only the target may write. */
  readOnlyNames(schema: JsonValue | undefined): ReadonlySet<string>;
}

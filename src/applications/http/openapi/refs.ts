// `$ref`s inside one tree: JSON pointers looked up once, chains followed with an end.
// Source: RFC 6901; OpenAPI 3.1, Reference Object.
import { isObject, type JsonObject, type JsonValue } from "../../../lib/json.js";
import { referenceNames, valueAt } from "../../../lib/json-pointer.js";
import { ImportProblem } from "./read.js";
import type { Work } from "./work.js";

/** References to references to … beyond this are taken for a circle. */
const MAX_HOPS = 50;

/** Looks things up in one description. */
export interface Refs {
  /** What a reference points at; undefined when there is nothing. Throws ImportProblem when it may not be read. */
  at(ref: string): JsonValue | undefined;
  /** The value itself, or what its `$ref` leads to in the end. Throws ImportProblem when that is nothing or a circle. */
  follow(value: JsonValue | undefined): JsonValue | undefined;
}

/** What references are looked up in. */
interface RefsInput {
  root: JsonObject;
  /** Addresses outside it, with the reason each is not here. */
  refused: ReadonlyMap<string, string>;
  /** Counts each look. */
  work: Work;
}

/** Looks up references. */
export function createRefs({ root, refused, work }: RefsInput): Refs {
  const known = new Map<string, JsonValue | undefined>();
  const find = (ref: string): JsonValue | undefined => {
    if (ref === "#" || ref === "#/") return root;
    if (!ref.startsWith("#/")) {
      if (ref.startsWith("#")) return undefined;
      throw new ImportProblem(`refers to ${ref}: ${refused.get(ref) ?? "it is not part of the description"}`);
    }
    let node: JsonValue | undefined = root;
    for (const name of referenceNames(ref)) {
      // A step through a reference is not allowed by the RFC, and met in the wild.
      if (isObject(node) && typeof node["$ref"] === "string" && !Object.hasOwn(node, name)) node = follow(node);
      node = valueAt(node, [name]);
    }
    return node;
  };
  const at = (ref: string): JsonValue | undefined => {
    work.spend();
    if (known.has(ref)) return known.get(ref);
    // Stands while it is looked for, so that a reference through itself ends.
    known.set(ref, undefined);
    try {
      const value = find(ref);
      known.set(ref, value);
      return value;
    } catch (error) {
      known.delete(ref);
      throw error;
    }
  };
  const follow = (value: JsonValue | undefined): JsonValue | undefined => {
    let node = value;
    for (let i = 0; isObject(node) && typeof node["$ref"] === "string"; i++) {
      const ref: string = node["$ref"];
      if (i > MAX_HOPS) throw new ImportProblem(`the reference ${ref} leads in a circle`);
      node = at(ref);
      if (node === undefined) throw new ImportProblem(`the reference ${ref} points nowhere`);
    }
    return node;
  };
  return { at, follow };
}

// `$ref`s inside one tree: JSON pointers looked up once, chains followed with an end.
// Source: RFC 6901; OpenAPI 3.1, Reference Object.
import { isObject, type JsonObject, type JsonValue, objectOf } from "../../../../lib/json.js";
import { referenceNames, valueAt } from "../../../../lib/json-pointer.js";
import { FILES, hasIdentifiers, ImportProblem, spelled } from "../read.js";
import type { Work } from "./work.js";

/** References to references to … beyond this are taken for a circle. */
const MAX_HOPS = 50;

/** Looks things up in one description. */
export interface Refs {
  /** What a reference points at; undefined when there is nothing. Throws ImportProblem when it may not be read. */
  at(ref: string): JsonValue | undefined;
  /** The reference itself, or the last one where it leads to nothing but a reference to another. */
  last(ref: string): string;
  /** The value itself, or what its `$ref` leads to in the end. Throws ImportProblem when that is nothing or a circle. */
  follow(value: JsonValue | undefined): JsonValue | undefined;
  /** The object a value is or leads to, with the summary and the description that stand beside its `$ref`. Throws ImportProblem. */
  object(value: JsonValue | undefined): JsonObject;
  /** The same, with everything that stands beside a `$ref` on the way: the nearer wins. Throws ImportProblem. */
  merged(value: JsonValue | undefined): JsonObject;
}

/** What references are looked up in. */
interface RefsInput {
  root: JsonObject;
  /** Addresses outside it, with the reason each is not here. */
  refused: ReadonlyMap<string, string>;
  /** Counts each look. */
  work: Work;
}

/** The names on a reference's way; a file is called by its own name without what its format adds. */
export function definitionWay(ref: string): string[] {
  const names = referenceNames(ref);
  return names[0] === FILES && names.length === 2
    ? [(names[1] ?? "").replace(/^.*\/(?=.)|\.(ya?ml|json)(?=$|\|)/gi, "")]
    : names;
}

/** A reference as people read it: "common.yaml#/Pet" for what is in another file. */
export function displayRef(ref: string): string {
  const [section, file, ...names] = referenceNames(ref);
  if (!ref.startsWith("#/") || section !== FILES || file === undefined) return ref;
  return names.length === 0 ? file : `${file}#/${names.join("/")}`;
}

/** Looks up references. */
export function createRefs({ root, refused, work }: RefsInput): Refs {
  const known = new Map<string, JsonValue | undefined>();
  const hasNotes = hasIdentifiers(root);
  const find = (ref: string): JsonValue | undefined => {
    if (ref === "#" || ref === "#/") return root;
    if (!ref.startsWith("#/"))
      throw new ImportProblem(`refers to ${ref}: ${refused.get(ref) ?? "it is not part of the description"}`);
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
  /** Calls `pass` with each value that is a reference on the way to what is referred to in the end. */
  const walk = (value: JsonValue | undefined, pass: (holder: JsonObject) => void): JsonValue | undefined => {
    let node = value;
    for (let i = 0; isObject(node) && typeof node["$ref"] === "string"; i++) {
      const ref: string = node["$ref"];
      if (i > MAX_HOPS) throw new ImportProblem(`the reference ${displayRef(ref)} leads in a circle`);
      pass(node);
      node = at(ref);
      if (node === undefined) throw new ImportProblem(`the reference ${displayRef(ref)} points nowhere`);
    }
    return node;
  };
  const follow = (value: JsonValue | undefined): JsonValue | undefined => walk(value, () => undefined);
  const ends = new Map<string, string>();
  const findEnd = (ref: string): string => {
    let end = ref;
    for (let i = 0; i < MAX_HOPS && !refused.has(end); i++) {
      const target = at(end);
      const next = isObject(target) && Object.keys(target).length === 1 ? target["$ref"] : undefined;
      if (typeof next !== "string" || refused.has(next)) break;
      end = next;
    }
    return end;
  };
  const last = (ref: string): string => {
    let end = ends.get(ref);
    if (end === undefined) ends.set(ref, (end = findEnd(ref)));
    return end;
  };
  const collected = (value: JsonValue | undefined, part: (holder: JsonObject) => JsonObject): JsonObject => {
    const holders: JsonObject[] = [];
    const target = walk(value, (holder) => void holders.push(part(holder)));
    if (holders.length > 0 && !isObject(target))
      throw new ImportProblem(`the reference ${displayRef(spelled(objectOf(value)["$ref"]))} leads to no object`);
    const beside = holders.filter((one) => Object.keys(one).length > 0);
    return beside.length === 0 ? objectOf(target) : Object.assign({}, objectOf(target), ...beside.toReversed());
  };
  const notesOf = ({ summary, description }: JsonObject): JsonObject => {
    const given = Object.entries({ summary, description }).filter(([, note]) => typeof note === "string");
    return Object.fromEntries(given) as JsonObject;
  };
  return {
    at,
    last,
    follow,
    object: (value) => collected(value, hasNotes ? notesOf : () => ({})),
    merged: (value) => collected(value, ({ $ref: _, ...beside }) => beside),
  };
}

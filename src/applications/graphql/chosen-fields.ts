// The argument `fields`: dotted paths become a selection, each step checked against the types of the schema. No text of an
// argument gets into an operation that is not the name of a field. Pure. Source: docs/graphql.md, "What comes back".
import { didYouMean } from "../../lib/did-you-mean.js";
import type { JsonValue } from "../../lib/json.js";
import { CallError } from "../transport.js";
import { baseOf, type OutputField, type OutputType, type OutputTypes } from "./output-types.js";
import { fieldCall, leafSelection, memberField, pageSelection, recordLeaves, type Taken } from "./selection.js";
import { type Connection, connectionOf } from "./shape.js";

/** Paths in one call, and steps of a path. */
const MAX_FIELDS = 200;
const MAX_STEPS = 12;
/** Names that a message lists. */
const MAX_LISTED = 40;

/** What is asked of one value: names with what is asked of theirs; a name without any stands for its leaves. */
type Tree = Map<string, Tree>;

function toTree(fields: JsonValue, argument: string): Tree {
  if (!Array.isArray(fields) || !fields.every((path) => typeof path === "string"))
    throw new CallError(`${argument} must be a list of texts such as "name" or "owner.login"`);
  if (fields.length > MAX_FIELDS) throw new CallError(`${argument} may hold ${MAX_FIELDS} fields at most`);
  const tree: Tree = new Map();
  for (const path of fields) {
    const steps = path.trim().split(/\s*\.\s*/);
    if (steps.length > MAX_STEPS) throw new CallError(`${argument}: ${path} has more than ${MAX_STEPS} steps`);
    let at = tree;
    for (const step of steps) {
      const next = at.get(step) ?? new Map<string, Tree>();
      at.set(step, next);
      at = next;
    }
  }
  return tree;
}

/** Where a tree is applied. */
interface Place {
  types: OutputTypes;
  argument: string;
  /** The steps so far, for messages. */
  path: readonly string[];
}

const spelled = ({ path }: Place, step: string): string => [...path, step].join(".");

/** A type and what it is called. */
type NamedType = OutputType & { name: string };

/** The message for a step that is not there, with what is. */
function unknownField(step: string, { name, fields, members = [] }: NamedType, place: Place): CallError {
  const there = [
    ...new Set([...fields.keys(), ...members.flatMap((one) => [...(place.types.get(one)?.fields.keys() ?? [])])]),
  ];
  const more = there.length > MAX_LISTED ? `, and ${there.length - MAX_LISTED} more` : "";
  return new CallError(
    `${place.argument}: ${name} has no field ${JSON.stringify(spelled(place, step))}.${didYouMean(step, there)} It has ${there.slice(0, MAX_LISTED).join(", ")}${more}; fields that need arguments cannot be chosen`,
  );
}

function fieldText(field: OutputField, tree: Tree, place: Place): string {
  const isComposite = place.types.has(field.base);
  if (!isComposite && tree.size > 0)
    throw new CallError(`${place.argument}: ${spelled(place, field.name)} is a ${field.base}, which has no fields`);
  if (!isComposite) return fieldCall(field);
  const inner =
    tree.size === 0
      ? leafSelection(field.base, place.types)
      : selectionOf(field.base, tree, { ...place, path: [...place.path, field.name] });
  return `${fieldCall(field)} { ${inner} }`;
}

function merge(from: Tree, into: Tree): void {
  for (const [step, inner] of from) {
    const there = into.get(step) ?? new Map<string, Tree>();
    into.set(step, there);
    merge(inner, there);
  }
}

/** The paths of a tree, each a tree of its own. */
function pathsIn(tree: Tree): Tree[] {
  if (tree.size === 0) return [new Map()];
  return [...tree].flatMap(([step, inner]) => pathsIn(inner).map((rest): Tree => new Map([[step, rest]])));
}

/** What each member that has a field is asked of it: a path that fits some of them is asked of those. Throws CallError for one that fits none. */
function treesByMember(having: readonly Having[], tree: Tree, place: Place): Map<Having, Tree> {
  const found = new Map<Having, Tree>();
  for (const path of pathsIn(tree)) {
    let fault: unknown;
    let fits = false;
    for (const one of having)
      try {
        fieldText(one.field, path, place);
        fits = true;
        const own = found.get(one) ?? new Map<string, Tree>();
        found.set(one, own);
        merge(path, own);
      } catch (error) {
        fault ??= error;
      }
    if (!fits) throw fault;
  }
  return found;
}

/** A member of an abstract type, and a field of it. */
interface Having {
  member: string;
  field: OutputField;
}

/** What members of an abstract type are asked for: a field that some of them have, or a member's own name and then its fields. */
function memberParts(tree: Tree, type: NamedType, place: Place): string[] {
  const taken: Taken = new Map();
  const parts = new Map<string, string[]>();
  const add = (member: string, text: string): void => {
    parts.set(member, [...new Set([...(parts.get(member) ?? []), text])]);
  };
  for (const [step, inner] of tree) {
    if (step === "__typename" || type.fields.has(step)) continue;
    const members = type.members ?? [];
    const having = members.flatMap((member): Having[] => {
      const field = place.types.get(member)?.fields.get(step);
      return field ? [{ member, field }] : [];
    });
    if (having.length > 0) {
      for (const [{ member, field }, own] of treesByMember(having, inner, place))
        add(member, memberField(fieldText(field, own, place), field, { member, taken }));
      continue;
    }
    const own = members.includes(step) ? place.types.get(step) : undefined;
    if (!own) throw unknownField(step, type, place);
    for (const [one, deeper] of inner) {
      const field = own.fields.get(one);
      if (!field) throw unknownField(one, { name: step, ...own }, place);
      const text = fieldText(field, deeper, place);
      // What the interface has is asked of it, too: its type may be another than the member's.
      if (type.fields.has(one)) add(step, `${one}__${step}: ${text}`);
      else add(step, memberField(text, field, { member: step, taken }));
    }
  }
  return [...parts].map(([member, texts]) => `... on ${member} { ${texts.join(" ")} }`);
}

/** What a page is asked for anyway, or holds its rows. */
const OF_PAGE = /^(?:edges|nodes|pageInfo)$/;

/** The steps that are about a page's rows, wherever they stand: "name", "nodes.name", "edges.node.name". */
function rowsTree(tree: Tree, page: OutputType): Tree {
  const rows: Tree = new Map();
  for (const [step, inner] of tree) {
    if (step === "nodes") merge(inner, rows);
    else if (step === "edges") merge(inner.get("node") ?? new Map(), rows);
    else if (!page.fields.has(step)) merge(new Map([[step, inner]]), rows);
  }
  return rows;
}

/** What is chosen of a page beside its rows: records of its own, and what only stands between it and a row. */
function besideRows(tree: Tree, page: OutputType, place: Place): string[] {
  return [...tree].flatMap(([step, inner]) => {
    const field = page.fields.get(step);
    if (!field || !place.types.has(field.base)) return [];
    if (!OF_PAGE.test(step)) return [fieldText(field, inner, place)];
    const ofEdge = step === "edges" ? [...inner].filter(([one]) => one !== "node") : [];
    if (ofEdge.length === 0) return [];
    return [`edges { ${recordOf(field.base, new Map(ofEdge), { ...place, path: [...place.path, step] })} }`];
  });
}

function pageOf(tree: Tree, { name, connection }: { name: string; connection: Connection }, place: Place): string {
  const page = place.types.get(name) ?? { fields: new Map() };
  const rows = rowsTree(tree, page);
  // A row that looks like a page of its own is a record all the same.
  const text = rows.size > 0 ? recordOf(connection.item, rows, place) : recordLeaves(connection.item, place.types);
  const selected = pageSelection(name, place.types, { connection, rows: text });
  return [...besideRows(tree, page, place), selected].join(" ");
}

function selectionOf(name: string, tree: Tree, place: Place): string {
  const connection = connectionOf(name, place.types);
  return connection ? pageOf(tree, { name, connection }, place) : recordOf(name, tree, place);
}

function recordOf(name: string, tree: Tree, place: Place): string {
  const type: NamedType = { name, ...(place.types.get(name) ?? { fields: new Map() }) };
  const parts = type.members || tree.has("__typename") ? ["__typename"] : [];
  for (const [step, inner] of tree) {
    const field = type.fields.get(step);
    if (field) parts.push(fieldText(field, inner, place));
    else if (step !== "__typename" && !type.members) throw unknownField(step, type, place);
  }
  return [...parts, ...(type.members ? memberParts(tree, type, place) : [])].join(" ");
}

/** The selection that the argument asks for. Throws CallError naming what is not there, and what is. */
export function chosenSelection(
  fields: JsonValue,
  returns: string,
  { types, argument }: { types: OutputTypes; argument: string },
): string {
  const name = baseOf(returns);
  if (!types.has(name)) throw new CallError(`${argument} cannot be chosen: the document does not say what ${name} has`);
  const tree = toTree(fields, argument);
  if (tree.size === 0) return leafSelection(name, types);
  return selectionOf(name, tree, { types, argument, path: [] });
}

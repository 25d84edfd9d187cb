// What fields the types of a schema have, as far as they can be selected: in memory, and in the short form that a schema document
// holds once for all its actions, so that no call needs the schema itself. Pure; knows nothing of where types come from.
import { isObject, type JsonObject, objectOf } from "../../lib/json.js";

/** A field that can be selected. */
export interface OutputField {
  name: string;
  /** As GraphQL writes it: "[Issue!]!". */
  type: string;
  /** The name of its type alone: "Issue". */
  base: string;
  /** The argument that says how many are given; the only one a nested field is called with. */
  paged?: "first" | "limit";
  /** Deprecated ones are selected only when they are asked for. */
  isDeprecated?: boolean;
}

/** A type whose values have members; everything else is a leaf. */
export interface OutputType {
  fields: ReadonlyMap<string, OutputField>;
  /** The object types that a value of an interface or union may be of. */
  members?: readonly string[];
}

/** Types with members, by name. */
export type OutputTypes = ReadonlyMap<string, OutputType>;

/** Where a schema document holds the short form; no type can be called so. */
const DEFINITION = "output-types";
const KEYWORD = "x-graphql-types";

/** The name of a type without lists and exclamation marks. */
export function baseOf(type: string): string {
  return type.replace(/[[\]!]/g, "");
}

function shortField({ name, type, paged, isDeprecated }: OutputField): string {
  return `${name}${paged ? `(${paged})` : ""}${isDeprecated ? "~" : ""}:${type}`;
}

const FIELD = /^(\w+)(?:\((first|limit)\))?(~)?:(\S+)$/;

function readField(text: string): OutputField | undefined {
  const [, name, paged, deprecated, type] = FIELD.exec(text) ?? [];
  if (name === undefined || type === undefined) return undefined;
  const field: OutputField = { name, type, base: baseOf(type) };
  if (paged === "first" || paged === "limit") field.paged = paged;
  if (deprecated !== undefined) field.isDeprecated = true;
  return field;
}

/** The members of a document's `$defs` that hold the types: "id:ID! issues(first):IssueConnection!", and behind "=" what an abstract type may be. */
export function writeOutputTypes(types: OutputTypes): JsonObject {
  const texts = [...types].map(([name, { fields, members }]): [string, string] => {
    const own = [...fields.values()].map(shortField);
    return [name, [...own, ...(members ? ["=", ...members] : [])].join(" ")];
  });
  const $comment =
    "What can be selected, by type; an argument in parentheses says how many are given, ~ marks deprecated.";
  return { [DEFINITION]: { $comment, [KEYWORD]: Object.fromEntries(texts) } };
}

function readType(text: string): OutputType {
  const [own = "", members] = text.split("=", 2);
  const fields = own.split(" ").flatMap((part) => readField(part) ?? []);
  const type: OutputType = { fields: new Map(fields.map((field) => [field.name, field])) };
  if (members !== undefined) type.members = members.split(" ").filter((name) => name !== "");
  return type;
}

/** A map whose values are made when they are first asked for. */
class LazyTypes extends Map<string, OutputType> {
  readonly #texts: JsonObject;

  constructor(texts: JsonObject) {
    super();
    this.#texts = texts;
  }

  override has(name: string): boolean {
    return Object.hasOwn(this.#texts, name);
  }

  override get(name: string): OutputType | undefined {
    const known = super.get(name);
    const text = this.has(name) ? this.#texts[name] : undefined;
    if (known || typeof text !== "string") return known;
    const made = readType(text);
    this.set(name, made);
    return made;
  }
}

const known = new WeakMap<object, OutputTypes>();

/** The types in the definitions of a document, read once; none where it holds none. */
export function readOutputTypes(definitions: Readonly<JsonObject> | undefined): OutputTypes {
  const texts = objectOf(definitions?.[DEFINITION])[KEYWORD];
  if (!isObject(texts)) return new Map();
  let types = known.get(texts);
  if (!types) known.set(texts, (types = new LazyTypes(texts)));
  return types;
}

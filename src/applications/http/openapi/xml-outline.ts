// An XML body as a model can write it: the elements and attributes that its schema describes, in the order described. Short, since it
// stands in the description of an argument.
// Source: OpenAPI 3.1, XML Object; OpenAPI 3.2, nodeType.
import { type JsonObject, type JsonValue, listOf, objectOf } from "../../../lib/json.js";
import { spelled, textOf } from "./read.js";
import { definitionWay, type Refs } from "./schemas/refs.js";

/** Elements inside of elements, values and elements that are shown. */
const MAX_DEPTH = 4;
const MAX_VALUES = 20;
const MAX_ELEMENTS = 40;
/** Characters of an outline: beyond, it would not fit into a description. */
const MAX_OUTLINE = 400;
/** What a name may be; another one would be no XML. */
const NAME = /^[\p{L}_][\p{L}\p{N}_.-]*$/u;

/** A schema with what it refers to and is made of, as far as elements go. */
function elementOf(raw: JsonValue | undefined, refs: Refs): JsonObject {
  const schema = objectOf(refs.follow(raw));
  const parts = listOf(schema["allOf"]).map((part) => objectOf(refs.follow(part)));
  const members = Object.assign({}, ...parts.map((part) => objectOf(part["properties"])), schema["properties"]);
  return { ...Object.assign({}, ...parts), ...schema, ...(parts.length > 0 && { properties: members }) };
}

/** The name of an element or attribute, with its prefix; the given one where the schema has no other. */
function tagOf(schema: JsonObject, name: string): string {
  const { name: own, prefix } = objectOf(schema["xml"]);
  const local = textOf(own) ?? name;
  const tag = NAME.test(local) ? local : "element";
  return typeof prefix === "string" && NAME.test(prefix) ? `${prefix}:${tag}` : tag;
}

/** What a plain value is, in a word. */
function wordFor(schema: JsonObject): string {
  const options = listOf(schema["enum"]);
  if (options.length > 0) return options.slice(0, MAX_VALUES).map(spelled).join("|");
  return textOf(schema["format"]) ?? textOf([schema["type"]].flat()[0]) ?? "text";
}

/** What an outline is made with. */
interface Outline {
  refs: Refs;
  depth: number;
  /** Counts the elements and attributes that may follow. */
  room: { left: number };
}

/** An element with what is inside. */
function outline(raw: JsonValue | undefined, name: string, { refs, depth, room }: Outline): string {
  const schema = elementOf(raw, refs);
  const tag = tagOf(schema, name);
  if (depth > MAX_DEPTH) return `<${tag}/>`;
  const inner = { refs, depth: depth + 1, room };
  if (schema["items"] !== undefined) {
    const { wrapped, nodeType } = objectOf(schema["xml"]);
    const isWrapped = wrapped === true || nodeType === "element";
    const item = `${outline(schema["items"], isWrapped ? name : tag, inner)}…`;
    return isWrapped ? `<${tag}>${item}</${tag}>` : item;
  }
  const members = Object.entries(objectOf(schema["properties"])).filter(
    ([, one]) => objectOf(refs.follow(one))["readOnly"] !== true,
  );
  if (members.length === 0) return `<${tag}>${wordFor(schema)}</${tag}>`;
  const attributes: string[] = [];
  const elements: string[] = [];
  for (const [key, member] of members) {
    if (room.left-- <= 0) break;
    const described = elementOf(member, refs);
    const { attribute, nodeType } = objectOf(described["xml"]);
    if (nodeType === "text" || nodeType === "cdata") elements.push(wordFor(described));
    else if (attribute === true || nodeType === "attribute")
      attributes.push(` ${tagOf(described, key)}="${wordFor(described)}"`);
    else elements.push(outline(member, key, inner));
  }
  const open = `${tag}${attributes.join("")}`;
  return elements.length > 0 ? `<${open}>${elements.join("")}</${tag}>` : `<${open}/>`;
}

/** The body's example, where it is one text. */
function exampleOf({ example, examples }: JsonObject, refs: Refs): string | undefined {
  const [first] = Object.values(objectOf(examples));
  const given = textOf(example) ?? textOf(objectOf(refs.follow(first))["value"]);
  return given?.trim().startsWith("<") ? given.trim() : undefined;
}

/** What an XML body looks like, by its example or its schema; undefined where neither is short enough or there. */
export function xmlOutline(media: JsonObject, refs: Refs): string | undefined {
  const { schema } = media;
  const example = exampleOf(media, refs);
  if (example !== undefined && example.length <= MAX_OUTLINE) return example;
  const described = elementOf(schema, refs);
  if (described["properties"] === undefined && described["items"] === undefined) return undefined;
  const ref = objectOf(schema)["$ref"];
  const name = typeof ref === "string" ? (definitionWay(ref).at(-1) ?? "root") : "root";
  const text = outline(schema, name, { refs, depth: 0, room: { left: MAX_ELEMENTS } });
  return text.length <= MAX_OUTLINE ? text : `${text.slice(0, MAX_OUTLINE)}…`;
}

// Which of the media types of a request body is taken, and what it describes.
// Source: OpenAPI 3.0.3 and 3.2, Media Type Object; Considerations for file uploads; Sequential Media Types.
import { isObject, type JsonObject, type JsonValue, listOf, objectOf } from "../../../lib/json.js";
import { isJsonLines, isOfBytes } from "../description.js";
import { ImportProblem, type Warn } from "./read.js";
import type { MembersOf } from "./schemas/members.js";
import type { Refs } from "./schemas/refs.js";
import { xmlOutline } from "./xml-outline.js";

/** Which of several body types is taken, best first; the rest after them. */
const PREFERRED = [
  /^application\/json(?![\w.+-])/i,
  /^application\/(?!json-patch\+)[^;*]*\+json(?![\w.+-])/i,
  /^[^/;]+\/(?!json-patch\+)([^;*]*\+)?json(?![\w.+-])/i,
  // A list of steps, where others take the thing itself.
  /^application\/json-patch\+json(?![\w.+-])/i,
  /^application\/x-www-form-urlencoded\b/i,
  /^multipart\/form-data\b/i,
  /^multipart\//i,
  /^text\/plain\b/i,
  /^text\//i,
  /xml\b/i,
];

/** A list of a choice of a reference is as deep as files are described. */
const MAX_BYTES_DEPTH = 3;

/** What media types are read with. */
export interface MediaContext {
  refs: Refs;
  membersOf: MembersOf;
  warn: Warn;
  /** The operation, as people name it: "GET /pets". */
  where: string;
}

/** A media type that was taken. */
export interface Media {
  type: string;
  schema: JsonValue | undefined;
  encoding: JsonObject;
  /** What a body of XML looks like. */
  outline: string | undefined;
  /** A whole body, as the media type shows it. */
  example: JsonValue | undefined;
}

/** Whether a media type's bodies are made of parts. */
export function isMultipart(type: string): boolean {
  return /^multipart\//i.test(type);
}

/** Whether a media type's bodies are made of named fields. */
export function isForm(type: string): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(type) || isMultipart(type);
}

function isJson(type: string): boolean {
  return /^[^/;]+\/([^;]*\+)?json(?![\w.+-])/i.test(type);
}

/** Whether a media type's bodies are made of single values that can be arguments. */
export function isStructured(type: string): boolean {
  return isJson(type) || isForm(type);
}

type Test = (schema: JsonObject) => boolean;

/** Bytes, also those in letters: what a part of a form is better for than a text. */
const isFile: Test = (schema) => isOfBytes(schema) || schema["contentEncoding"] !== undefined;

/** Whether this is true of a value, or of what it lists or chooses from. */
function some(raw: JsonValue | undefined, refs: Refs, { test, depth = 0 }: { test: Test; depth?: number }): boolean {
  const schema = objectOf(refs.follow(raw));
  if (test(schema)) return true;
  const inner = [schema["items"], ...["oneOf", "anyOf", "allOf"].flatMap((key) => listOf(schema[key]))];
  return depth < MAX_BYTES_DEPTH && inner.some((one) => isObject(one) && some(one, refs, { test, depth: depth + 1 }));
}

/** Whether a value, or what it lists or chooses from, is bytes. */
export function takesBytes(raw: JsonValue | undefined, refs: Refs): boolean {
  return some(raw, refs, { test: isOfBytes });
}

const isStructure: Test = ({ type, properties, additionalProperties }) =>
  [type].flat().includes("object") || isObject(properties) || isObject(additionalProperties);

/** Whether a value, or what it lists or chooses from, is an object. */
export function holdsObjects(raw: JsonValue | undefined, refs: Refs): boolean {
  return some(raw, refs, { test: isStructure });
}

/** Whether an object, or a part or a choice of it, has a member that is a file. */
function hasFile(raw: JsonValue | undefined, refs: Refs, depth = 0): boolean {
  const schema = objectOf(refs.follow(raw));
  if (Object.values(objectOf(schema["properties"])).some((one) => some(one, refs, { test: isFile }))) return true;
  const parts = ["oneOf", "anyOf", "allOf"].flatMap((key) => listOf(schema[key]));
  return depth < MAX_BYTES_DEPTH && parts.some((part) => hasFile(part, refs, depth + 1));
}

/** Whether a text stands for many media types. */
const isRange = (type: string): boolean => type.includes("*");

/** The preferred of several media types. What is named comes before what is only in a range. */
function best(types: readonly string[]): string | undefined {
  const named = types.filter((type) => !isRange(type));
  for (const pattern of PREFERRED) {
    const found = named.find((type) => pattern.test(type));
    if (found !== undefined) return found;
  }
  return named[0] ?? types.find((type) => JSON_RANGE.test(type)) ?? types[0];
}

/** Ranges that JSON is in, and what else; of "text/*" and "image/*" the caller's value says more. */
const JSON_RANGE = /^(?:\*\/\*|application\/\*|application\/\*\+json)(?![\w.+-])/i;

/** The type that is sent for a range, as far as the schema tells: bytes, else JSON. */
function concrete(type: string, schema: JsonValue | undefined, refs: Refs): string {
  if (/^multipart\/\*/i.test(type)) return "multipart/form-data";
  if (!JSON_RANGE.test(type)) return type;
  const isWhole = !/json/i.test(type) && isOfBytes(objectOf(refs.follow(schema)));
  return isWhole ? "application/octet-stream" : "application/json";
}

/** Whether everything that a body may be in one type it may be in the other: its members are there, and no others are required. */
function covers(other: JsonValue | undefined, usual: JsonValue | undefined, membersOf: MembersOf): boolean {
  const [all, some] = [membersOf(other), membersOf(usual)];
  if (!all || !some) return false;
  return (
    [...some.properties.keys()].every((name) => all.properties.has(name)) &&
    [...all.required].every((name) => some.required.has(name))
  );
}

/** A body with a file goes as a form of parts where that is offered; where only the form has files, unless that would lose anything. */
function withFiles(usual: string, content: JsonObject, { refs, membersOf, warn, where }: MediaContext): string {
  const form = best(Object.keys(content).filter(isMultipart));
  if (form === undefined || form === usual) return usual;
  const schema = refs.object(content[usual])["schema"];
  if (hasFile(schema, refs)) return form;
  const parts = refs.object(content[form])["schema"];
  if (!hasFile(parts, refs)) return usual;
  if (/^multipart\/form-data\b/i.test(form) && covers(parts, schema, membersOf)) return form;
  warn(
    `${where} takes files as ${form}; its tool sends ${usual}, where other members are there or fewer are required.`,
  );
  return usual;
}

/** What a body of a stream is: the list of its items. Throws ImportProblem where such a stream cannot be written. */
function listOfItems(type: string, itemSchema: JsonValue): JsonValue {
  if (!isJsonLines(type)) throw new ImportProblem(`a body of ${type} that is described by its items cannot be written`);
  return { type: "array", items: itemSchema };
}

/** The media type that a body is sent in; undefined when there is none. Throws ImportProblem. */
export function pickMedia(content: JsonObject, context: MediaContext): Media | undefined {
  const usual = best(Object.keys(content));
  if (usual === undefined) return undefined;
  const type = withFiles(usual, content, context);
  const media = context.refs.object(content[type]);
  const { schema, itemSchema, encoding } = media;
  const described = {
    outline: /xml\b/i.test(type) ? xmlOutline(media, context.refs) : undefined,
    encoding: objectOf(encoding),
    example: media["example"] ?? objectOf(Object.values(objectOf(media["examples"]))[0])["value"],
  };
  if (media["prefixEncoding"] !== undefined || media["itemEncoding"] !== undefined)
    throw new ImportProblem(`a body of ${type} whose parts have places in place of names cannot be written`);
  const isStream = schema === undefined && itemSchema !== undefined;
  if (isStream) return { type, schema: listOfItems(type, itemSchema), ...described };
  return { type: concrete(type, schema, context.refs), schema, ...described };
}

// Request bodies: an object becomes top-level arguments where that loses nothing; lists, plain values, unions and open
// objects become one argument.
// Source: OpenAPI 3.1, Request Body, Media Type and Encoding Objects.
import { isObject, type JsonObject, type JsonValue } from "../../../lib/json.js";
import type { Arguments } from "./arguments.js";
import { listOf, objectOf, textOf, textsOf } from "./read.js";
import type { Refs } from "./refs.js";
import type { Schemas } from "./schemas.js";
import { ARGUMENT_TEXT, plain, sentences } from "./text.js";

/** Which of several body types is taken, best first; the rest after them. */
const PREFERRED = [
  /^application\/json\b/i,
  /^application\/[^;]*\+json\b/i,
  /^\*\/\*$/,
  /^application\/x-www-form-urlencoded\b/i,
  /^multipart\/form-data\b/i,
  /^multipart\//i,
  /^text\/plain\b/i,
  /^text\//i,
  /xml\b/i,
];
/** Keywords that say something about the object as a whole, which its parts could not say. */
const WHOLE = [
  "oneOf anyOf not if then else patternProperties propertyNames maxProperties",
  "dependentRequired dependentSchemas unevaluatedProperties enum const",
].flatMap((words) => words.split(" "));

/** How an argument that takes bytes is written: what the HTTP transport makes of its text. */
const BYTES_NOTE =
  "Bytes: file:/absolute/path uploads a file of the daemon's machine (only where the operator allows it), a data: URL (base64) its bytes, other text itself.";

/** A list of a choice of a reference is as deep as files are described. */
const MAX_BYTES_DEPTH = 3;

/** What bodies are read with. */
export interface BodyContext {
  refs: Refs;
  schemas: Schemas;
}

/** The body as the transport is told of it, and whether the tool takes names that it does not list. */
export interface Body {
  transport: JsonObject;
  additional: JsonValue;
  /** How many of the arguments that are its members there must be. */
  least: number;
}

/** An object's members, gathered from its `allOf` and references. */
interface Members {
  properties: Map<string, JsonValue>;
  required: Set<string>;
  additional: JsonValue | undefined;
  /** How many members there must be. */
  least: number;
}

/** The preferred of several media types. */
export function bestMedia(content: JsonObject): string | undefined {
  const types = Object.keys(content);
  for (const pattern of PREFERRED) {
    const found = types.find((type) => pattern.test(type));
    if (found !== undefined) return found;
  }
  return types[0];
}

/** Whether a media type's bodies are made of named fields. */
function isForm(type: string): boolean {
  return /^(application\/x-www-form-urlencoded|multipart\/)/i.test(type);
}

function isJson(type: string): boolean {
  return /^(application\/([^;]*\+)?json\b|\*\/\*$)/i.test(type);
}

/** A choice between one schema and null is that schema. */
function withoutNull(raw: JsonObject): JsonValue | undefined {
  for (const key of ["oneOf", "anyOf"]) {
    const parts = listOf(raw[key]).filter((part) => objectOf(part)["type"] !== "null");
    if (parts.length === 1 && raw["properties"] === undefined) return parts[0];
  }
  return undefined;
}

function leastOf(schema: JsonObject): number {
  return typeof schema["minProperties"] === "number" ? schema["minProperties"] : 0;
}

/** Whether a value, or what it lists or chooses from, is bytes: OpenAPI 3.0's `format: binary` or 3.1's `contentMediaType`. */
function takesBytes(raw: JsonValue | undefined, refs: Refs, depth = 0): boolean {
  const schema = objectOf(refs.follow(raw));
  if (schema["format"] === "binary") return true;
  if (schema["contentMediaType"] !== undefined && schema["contentEncoding"] === undefined) return true;
  const inner = [schema["items"], ...["oneOf", "anyOf", "allOf"].flatMap((key) => listOf(schema[key]))];
  return depth < MAX_BYTES_DEPTH && inner.some((one) => isObject(one) && takesBytes(one, refs, depth + 1));
}

/** The description of a member, with the note where it takes bytes. */
function noted(raw: JsonValue | undefined, refs: Refs): string {
  const said = plain(textOf(objectOf(refs.follow(raw))["description"]) ?? "", ARGUMENT_TEXT - BYTES_NOTE.length - 2);
  return sentences(said, BYTES_NOTE);
}

/** Members that are required and described nowhere: any value is taken, or what is said of members without a name. */
function undescribed({ properties, required, additional }: Members): [string, JsonValue][] {
  if (additional === false) return [];
  const schema = isObject(additional) ? additional : {};
  return [...required].filter((name) => !properties.has(name)).map((name) => [name, schema]);
}

function gather(schema: JsonValue | undefined, context: BodyContext, within: readonly string[]): Members | undefined {
  if (!isObject(schema)) return undefined;
  if (typeof schema["$ref"] === "string") {
    const ref = schema["$ref"];
    const picked = context.schemas.variants(ref);
    if (within.includes(ref) || (picked && !picked.variants.some((variant) => within.includes(variant.ref))))
      return undefined;
    return gather(context.refs.follow(schema), context, [...within, ref]);
  }
  const single = withoutNull(schema);
  if (single !== undefined) return gather(single, context, within);
  const types = [schema["type"] ?? "object"].flat();
  if (!types.includes("object") || types.some((type) => type !== "object" && type !== "null")) return undefined;
  if (WHOLE.some((key) => schema[key] !== undefined && (!Array.isArray(schema[key]) || schema[key].length > 0)))
    return undefined;
  const all: Members = {
    properties: new Map(),
    required: new Set(),
    additional: schema["additionalProperties"],
    least: leastOf(schema),
  };
  for (const part of listOf(schema["allOf"])) {
    const members = gather(part, context, within);
    if (!members) return undefined;
    merge(all, members);
  }
  merge(all, {
    properties: new Map(Object.entries(objectOf(schema["properties"]))),
    required: new Set(textsOf(schema["required"])),
    additional: undefined,
    least: 0,
  });
  return all;
}

function merge(into: Members, from: Members): void {
  for (const [name, schema] of from.properties) {
    const before = into.properties.get(name);
    const same = before === undefined || JSON.stringify(before) === JSON.stringify(schema);
    into.properties.set(name, same ? schema : { allOf: [before, schema] });
  }
  for (const name of from.required) into.required.add(name);
  into.least = Math.max(into.least, from.least);
  if (from.additional !== undefined && into.additional !== false) into.additional = from.additional;
}

/** What the encoding says, by field. */
function encodingOf(media: JsonObject): JsonObject | undefined {
  const out: [string, JsonValue][] = [];
  for (const [field, given] of Object.entries(objectOf(media["encoding"]))) {
    const { style, explode, contentType, allowReserved } = objectOf(given);
    // Kept even where they are the default: saying so turns off the JSON that a nested value is otherwise sent as.
    const kept = {
      ...(typeof style === "string" && { style }),
      ...(typeof explode === "boolean" && { explode }),
      ...(typeof contentType === "string" && { contentType }),
      ...(allowReserved === true && { allowReserved }),
    };
    if (Object.keys(kept).length > 0) out.push([field, kept]);
  }
  return out.length > 0 ? Object.fromEntries(out) : undefined;
}

function flat(
  members: Members,
  { needed, hidden, multipart }: { needed: boolean; hidden: ReadonlySet<string>; multipart: boolean },
  args: Arguments,
  { refs, schemas }: BodyContext,
): JsonObject {
  const names: [string, string][] = [];
  for (const [key, raw] of [...members.properties, ...undescribed(members)]) {
    if (hidden.has(key)) continue;
    const schema = schemas.convert(raw, args.uses);
    const description = multipart && takesBytes(raw, refs) ? noted(raw, refs) : undefined;
    const name = args.add({ place: "body", key, schema, required: needed && members.required.has(key), description });
    names.push([name, key]);
  }
  return Object.fromEntries(names);
}

/** Adds an operation's body to its arguments. Undefined when it has none. Throws ImportProblem. */
export function readBody(raw: JsonValue | undefined, args: Arguments, context: BodyContext): Body | undefined {
  const { refs, schemas } = context;
  const body = objectOf(refs.follow(raw));
  const content = objectOf(body["content"]);
  const type = bestMedia(content);
  if (type === undefined) return undefined;
  const media = objectOf(content[type]);
  const required = body["required"] === true;
  const contentType = type === "*/*" ? "application/json" : type;
  const encoding = encodingOf(media);
  const common = { contentType, required, ...(encoding && { encoding }) };
  const structured = isJson(type) || isForm(type);
  const members = structured ? gather(media["schema"], context, []) : undefined;
  if (members && (members.properties.size > 0 || members.additional === false)) {
    if (members.properties.size === 0) return undefined;
    const hidden = schemas.readOnlyNames(media["schema"]);
    const multipart = /^multipart\//i.test(type);
    const properties = flat(members, { needed: required, hidden, multipart }, args, context);
    const open = members.additional === true || isObject(members.additional);
    const additional = isObject(members.additional) ? schemas.convert(members.additional, args.uses) : open;
    return {
      transport: { ...common, properties, ...(open && { additional: true }) },
      additional,
      least: required ? members.least : 0,
    };
  }
  const converted = schemas.convert(media["schema"], args.uses);
  const binary = !/^text\/|xml\b/i.test(type) && { format: "binary" };
  const schema = structured ? converted : { type: "string", ...binary };
  const said = isObject(schema) && "description" in schema ? undefined : textOf(body["description"]);
  const description = binary !== false && !structured ? noted(body, refs) : said;
  const argument = args.add({ place: "body", key: "body", schema, required, description });
  return { transport: { ...common, argument }, additional: false, least: 0 };
}

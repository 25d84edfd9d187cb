// Request bodies: an object becomes top-level arguments where that loses nothing; lists, plain values, unions and open
// objects become one argument.
// Source: OpenAPI 3.1, Request Body, Media Type and Encoding Objects.
import { isObject, type JsonObject, type JsonValue } from "../../../lib/json.js";
import type { WrittenBody } from "../description.js";
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
/** Keywords about the object as a whole, which single members could not express. */
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
interface BodyContext {
  refs: Refs;
  schemas: Schemas;
  args: Arguments;
}

/** The body's description for the request, and what the tool's schema requires of its members together. */
interface ImportedBody {
  description: WrittenBody;
  /** What names that are not listed may hold. */
  additional: JsonValue;
  /** How many of the arguments that are its members there must be. */
  minimum: number;
}

/** An object's members, gathered from its `allOf` and references. */
interface Members {
  properties: Map<string, JsonValue>;
  required: Set<string>;
  additional: JsonValue | undefined;
  /** How many members there must be. */
  minimum: number;
}

/** The preferred of several media types. */
function bestMedia(content: JsonObject): string | undefined {
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

/** Whether a media type's bodies are made of single values that can be arguments. */
function isStructured(type: string): boolean {
  return isJson(type) || isForm(type);
}

/** A choice between one schema and null is that schema. */
function withoutNull(raw: JsonObject): JsonValue | undefined {
  for (const key of ["oneOf", "anyOf"]) {
    const parts = listOf(raw[key]).filter((part) => objectOf(part)["type"] !== "null");
    if (parts.length === 1 && raw["properties"] === undefined) return parts[0];
  }
  return undefined;
}

function minimumOf(schema: JsonObject): number {
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
function withBytesNote(raw: JsonValue | undefined, refs: Refs): string {
  const text = plain(textOf(objectOf(refs.follow(raw))["description"]) ?? "", ARGUMENT_TEXT - BYTES_NOTE.length - 2);
  return sentences(text, BYTES_NOTE);
}

/** Members that are required and described nowhere: any value is accepted, or what `additionalProperties` describes. */
function undescribed({ properties, required, additional }: Members): [string, JsonValue][] {
  if (additional === false) return [];
  const schema = isObject(additional) ? additional : {};
  return [...required].filter((name) => !properties.has(name)).map((name) => [name, schema]);
}

function gather(
  schema: JsonValue | undefined,
  context: Pick<BodyContext, "refs" | "schemas">,
  within: readonly string[],
): Members | undefined {
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
    minimum: minimumOf(schema),
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
    minimum: 0,
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
  into.minimum = Math.max(into.minimum, from.minimum);
  if (from.additional !== undefined && into.additional !== false) into.additional = from.additional;
}

/** How single fields are written, by field. */
function encodingOf(media: JsonObject): WrittenBody["encoding"] {
  const out: [string, NonNullable<WrittenBody["encoding"]>[string]][] = [];
  for (const [field, given] of Object.entries(objectOf(media["encoding"]))) {
    const { style, explode, contentType, allowReserved } = objectOf(given);
    // Kept even where they are the default: saying so turns off the JSON that a nested value is otherwise sent as.
    const kept = {
      style: typeof style === "string" ? style : undefined,
      explode: typeof explode === "boolean" ? explode : undefined,
      contentType: typeof contentType === "string" ? contentType : undefined,
      allowReserved: allowReserved === true || undefined,
    };
    if (Object.values(kept).some((value) => value !== undefined)) out.push([field, kept]);
  }
  return out.length > 0 ? Object.fromEntries(out) : undefined;
}

/** How the members of a body become arguments. */
interface MemberRules {
  /** Whether the body itself is required. */
  required: boolean;
  /** Names that only the target may write. */
  hidden: ReadonlySet<string>;
  isMultipart: boolean;
}

/** Adds each member as an argument; gives the names in the request by argument name. */
function addMembers(
  members: Members,
  { required, hidden, isMultipart }: MemberRules,
  { refs, schemas, args }: BodyContext,
): Record<string, string> {
  const names: [string, string][] = [];
  for (const [key, raw] of [...members.properties, ...undescribed(members)]) {
    if (hidden.has(key)) continue;
    const name = args.add({
      location: "body",
      key,
      schema: schemas.convert(raw, args.uses),
      required: required && members.required.has(key),
      description: isMultipart && takesBytes(raw, refs) ? withBytesNote(raw, refs) : undefined,
    });
    names.push([name, key]);
  }
  return Object.fromEntries(names);
}

/** A body that becomes one argument: a list, a plain value, a union, an open object, text or bytes. */
function addWhole(body: JsonObject, type: string, { refs, schemas, args }: BodyContext): string {
  const isText = /^text\/|xml\b/i.test(type);
  const isBinary = !isText && !isStructured(type);
  const converted = schemas.convert(objectOf(objectOf(body["content"])[type])["schema"], args.uses);
  const schema = isStructured(type) ? converted : { type: "string", ...(isBinary && { format: "binary" }) };
  const own = isObject(schema) && "description" in schema ? undefined : textOf(body["description"]);
  const description = isBinary ? withBytesNote(body, refs) : own;
  return args.add({ location: "body", key: "body", schema, required: body["required"] === true, description });
}

/** Adds an operation's body to its arguments. Undefined when it has none. Throws ImportProblem. */
export function readBody(raw: JsonValue | undefined, context: BodyContext): ImportedBody | undefined {
  const { refs, schemas, args } = context;
  const body = objectOf(refs.follow(raw));
  const content = objectOf(body["content"]);
  const type = bestMedia(content);
  if (type === undefined) return undefined;
  const media = objectOf(content[type]);
  const required = body["required"] === true;
  const contentType = type === "*/*" ? "application/json" : type;
  const encoding = encodingOf(media);
  const members = isStructured(type) ? gather(media["schema"], context, []) : undefined;
  if (!members || (members.properties.size === 0 && members.additional !== false)) {
    const argument = addWhole(body, type, context);
    return { description: { contentType, required, encoding, argument }, additional: false, minimum: 0 };
  }
  if (members.properties.size === 0) return undefined;
  const hidden = schemas.readOnlyNames(media["schema"]);
  const isMultipart = /^multipart\//i.test(type);
  const properties = addMembers(members, { required, hidden, isMultipart }, context);
  const isOpen = members.additional === true || isObject(members.additional);
  return {
    description: { contentType, required, encoding, properties, additional: isOpen || undefined },
    additional: isObject(members.additional) ? schemas.convert(members.additional, args.uses) : isOpen,
    minimum: required ? members.minimum : 0,
  };
}

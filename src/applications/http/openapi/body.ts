// Request bodies: an object becomes top-level arguments where that loses nothing; lists, plain values, unions and open
// objects become one argument.
// Source: OpenAPI 3.1, Request Body, Media Type and Encoding Objects.
import { isObject, type JsonObject, type JsonValue, listOf, objectOf } from "../../../lib/json.js";
import type { WrittenBody } from "../description.js";
import type { Arguments } from "./arguments.js";
import { type Members, type MembersOf, undescribedMembers } from "./members.js";
import { textOf } from "./read.js";
import type { Refs } from "./refs.js";
import type { Schemas } from "./schemas.js";
import { ARGUMENT_TEXT, plain, sentences } from "./text.js";
import type { Work } from "./work.js";

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
/** How an argument that takes bytes is written: what the HTTP transport makes of its text. */
const BYTES_NOTE =
  "Bytes: file:/absolute/path uploads a file of the daemon's machine (only where the operator allows it), a data: URL (base64) its bytes, other text itself.";

/** A list of a choice of a reference is as deep as files are described. */
const MAX_BYTES_DEPTH = 3;

/** What bodies are read with. */
interface BodyContext {
  refs: Refs;
  schemas: Schemas;
  work: Work;
  membersOf: MembersOf;
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

/** Whether a value, or what it lists or chooses from, is bytes: OpenAPI 3.0's `format: binary` or 3.1's `contentMediaType`. */
function takesBytes(raw: JsonValue | undefined, refs: Refs, { depth, seen } = { depth: 0, seen: new Set() }): boolean {
  const schema = objectOf(refs.follow(raw));
  if (seen.has(schema)) return false;
  seen.add(schema);
  if (schema["format"] === "binary") return true;
  if (schema["contentMediaType"] !== undefined && schema["contentEncoding"] === undefined) return true;
  const inner = [schema["items"], ...["oneOf", "anyOf", "allOf"].flatMap((key) => listOf(schema[key]))];
  return (
    depth < MAX_BYTES_DEPTH && inner.some((one) => isObject(one) && takesBytes(one, refs, { depth: depth + 1, seen }))
  );
}

/** The description of a member, with the note where it takes bytes. */
function withBytesNote(raw: JsonValue | undefined, refs: Refs): string {
  const text = plain(textOf(objectOf(refs.follow(raw))["description"]) ?? "", ARGUMENT_TEXT - BYTES_NOTE.length - 2);
  return sentences(text, BYTES_NOTE);
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
  { refs, schemas, work, args }: BodyContext,
): Record<string, string> {
  const names: [string, string][] = [];
  for (const [key, raw] of [...members.properties, ...undescribedMembers(members)]) {
    if (hidden.has(key)) continue;
    work.spend();
    const name = args.add({
      location: "body",
      key,
      schema: schemas.convert(raw, args.uses, key),
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
  const members = isStructured(type) ? context.membersOf(media["schema"]) : undefined;
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

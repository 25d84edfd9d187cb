// Request bodies: an object becomes top-level arguments where that loses nothing; lists, plain values, unions and open
// objects become one argument.
// Source: OpenAPI 3.1, Request Body, Media Type and Encoding Objects.
import { isObject, type JsonObject, type JsonValue, objectOf, textsOf } from "../../../lib/json.js";
import { isMethodOverride } from "../argument-names.js";
import { isJsonLines, type WrittenBody } from "../description.js";
import type { Arguments } from "./arguments.js";
import {
  holdsObjects,
  isForm,
  isMultipart,
  isStructured,
  type Media,
  type MediaContext,
  pickMedia,
  takesBytes,
} from "./media.js";
import { ImportProblem, INNER_STYLES, textOf } from "./read.js";
import { type Members, undescribedMembers } from "./schemas/members.js";
import { displayRef, type Refs } from "./schemas/refs.js";
import type { Schemas } from "./schemas/schemas.js";
import type { Work } from "./schemas/work.js";
import { ARGUMENT_TEXT, plain, sentences } from "./text.js";
import { xmlOutline } from "./xml-outline.js";

/** How an argument that takes bytes is written: what the HTTP transport makes of its text. */
const BYTES_NOTE =
  "Bytes: file:/absolute/path uploads a file of the daemon's machine (only where the operator allows it), a data: URL (base64) its bytes, other text itself.";

/** Characters of a form that is shown whole. */
const MAX_FORM_EXAMPLE = 300;

/** How an argument that is the text of a whole form is written. */
const FORM_NOTE = "Text, as it is sent: name=value pairs with & between them, percent-encoded.";

/** What bodies are read with. */
interface BodyContext extends MediaContext {
  schemas: Schemas;
  work: Work;
  args: Arguments;
  /** Whether the fields of a multipart body are written in a style. */
  hasStyledParts: boolean;
}

/** The body's description for the request, and what the tool's schema requires of its members together. */
interface ImportedBody {
  description: WrittenBody;
  /** What names that are not listed may hold. */
  additional: JsonValue;
  /** How many of the arguments that are its members there must be. */
  minimum: number;
  /** The arguments that are its members, where it may be left out, and those it then does not go without. */
  together?: { members: string[]; required: string[] };
}

/** The description of a member, with the note where it takes bytes. */
function withBytesNote(raw: JsonValue | undefined, refs: Refs): string {
  const text = plain(textOf(objectOf(refs.follow(raw))["description"]) ?? "", ARGUMENT_TEXT - BYTES_NOTE.length - 2);
  return sentences(text, BYTES_NOTE);
}

/** Says that the headers of a part are not sent; its Content-Type is its media type's. */
function warnOfHeaders(
  { headers }: JsonObject,
  { type, field }: { type: string; field: string },
  { refs, warn, where }: BodyContext,
): void {
  const names = Object.keys(refs.object(headers)).filter((name) => !/^content-type$/i.test(name));
  if (names.length > 0 && isMultipart(type))
    warn(`${where}: the headers of its part ${field} are not sent: ${names.join(", ")}.`);
}

/** How single fields are written, by field. */
function encodingOf({ type, encoding }: Media, context: BodyContext): WrittenBody["encoding"] {
  const { hasStyledParts } = context;
  const out: [string, NonNullable<WrittenBody["encoding"]>[string]][] = [];
  const isStyled = hasStyledParts || !isMultipart(type);
  for (const [field, given] of Object.entries(encoding)) {
    warnOfHeaders(objectOf(given), { type, field }, context);
    const { style, explode, contentType, allowReserved, [INNER_STYLES]: inner } = objectOf(given);
    // Kept even where they are the default: saying so turns off the JSON that a nested value is otherwise sent as.
    const kept = {
      style: isStyled && typeof style === "string" ? style : undefined,
      explode: isStyled && typeof explode === "boolean" ? explode : undefined,
      inner: isStyled && Array.isArray(inner) ? textsOf(inner) : undefined,
      contentType: typeof contentType === "string" ? contentType : undefined,
      allowReserved: (isStyled && allowReserved === true) || undefined,
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
  /** The media types that members are sent in, by name in the request. */
  encoding: JsonObject;
}

/** Adds each member as an argument; gives the names in the request by argument name. */
function addMembers(
  members: Members,
  { required, hidden, isMultipart, encoding }: MemberRules,
  { refs, schemas, work, args }: BodyContext,
): Record<string, string> {
  const textNote = (key: string, raw: JsonValue): string | undefined => {
    const type = textOf(objectOf(encoding[key])["contentType"]);
    const isXml = isMultipart && type !== undefined && /xml\b/i.test(type) && holdsObjects(raw, refs);
    return isXml ? `${xmlNote(type, xmlOutline({ schema: raw }, refs))}.` : undefined;
  };
  const names: [string, string][] = [];
  args.expect("body", members.properties.keys());
  for (const [key, raw] of [...members.properties, ...undescribedMembers(members)]) {
    if (hidden.has(key) || isMethodOverride(key)) continue;
    work.spend();
    const note = textNote(key, raw);
    const name = args.add({
      location: "body",
      key,
      schema: note === undefined ? schemas.convert(raw, args.uses, key) : { type: "string" },
      required: required && members.required.has(key),
      description: isMultipart && takesBytes(raw, refs) ? withBytesNote(raw, refs) : note,
    });
    names.push([name, key]);
  }
  return Object.fromEntries(names);
}

/** What a text is described by, as far as that is a plain value; whatever else it is made of, a text is what is sent. */
function textSchema(converted: JsonValue): JsonObject {
  const { format, ...schema } = objectOf(converted);
  const isPlain = [schema["type"]].flat().every((type) => /^(?:string|number|integer|boolean)$/.test(String(type)));
  if (!isPlain) return { type: "string" };
  return format === undefined || format === "binary" ? schema : { ...schema, format };
}

/** The sentence on a body of XML; what stands for a tag in a text is read back as one when the description is cut. */
function xmlNote(type: string, outline: string | undefined): string {
  const shown = outline?.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign] ?? sign);
  return `Text, as ${type}${shown === undefined ? "" : `, like ${shown}`}`;
}

/** A body that becomes one argument: a list, a plain value, a union, an open object, text or bytes. */
function addWhole(body: JsonObject, media: Media, { refs, schemas, args }: BodyContext): string {
  const { type, schema, example } = media;
  const isXml = /xml\b/i.test(type);
  const isText = isXml || /^text\//i.test(type);
  const converted = schemas.convert(schema, args.uses);
  const isLines = isJsonLines(type) && objectOf(converted)["type"] === "array";
  const isDescribed = isLines || isStructured(type);
  const isBinary = !isText && !isDescribed;
  const plainText = isBinary ? { type: "string", format: "binary" } : textSchema(converted);
  const written = isDescribed ? converted : plainText;
  const inSchema = textOf(objectOf(written)["description"]);
  const own = isXml ? (inSchema ?? textOf(body["description"])) : inSchema ? undefined : textOf(body["description"]);
  const text = isXml ? sentences(own ?? "", `${xmlNote(type, media.outline)}.`) : own;
  const isEncoded = isForm(type) && isObject(written) && [written["type"]].flat().includes("string");
  const noted = isEncoded ? sentences(text ?? "", FORM_NOTE) : text;
  const description = isBinary ? withBytesNote(body, refs) : noted;
  // The only place that says which names such a form has.
  const isShown = isEncoded && written["examples"] === undefined && typeof example === "string";
  const shown = isShown && example.length <= MAX_FORM_EXAMPLE ? { ...written, examples: [example] } : written;
  return args.add({ location: "body", key: "body", schema: shown, required: body["required"] === true, description });
}

/** The body and its media types. What is described without any is called without a body, unless something was referred to for it. */
function contentOf(
  raw: JsonValue | undefined,
  { refs, warn, where }: BodyContext,
): [body: JsonObject, content: JsonObject] {
  const body = refs.object(raw);
  const content = refs.follow(body["content"]);
  if (isObject(content) || raw === undefined || raw === null) return [body, objectOf(content)];
  const ref = objectOf(raw)["$ref"];
  if (typeof ref === "string") throw new ImportProblem(`the body ${displayRef(ref)} has no content`);
  warn(`${where} describes a body without its content; it is called without one.`);
  return [body, {}];
}

/** Keywords that tell what a value is without a type. */
const SAYS_MORE = ["properties", "allOf", "anyOf", "oneOf", "enum", "const", "format", "contentMediaType"];

/** What a form is described as: an object has names for its fields, and what may be anything can be one. */
function kindOfForm({ type, schema }: Media, refs: Refs): "object" | "anything" | "file" | "text" | "nameless" {
  const own = refs.object(isObject(schema) ? schema : {});
  const kinds = [own["type"] ?? []].flat();
  if (kinds.includes("object")) return "object";
  if (isMultipart(type) && takesBytes(own, refs)) return "file";
  if (kinds.length === 0) return SAYS_MORE.some((key) => own[key] !== undefined) ? "object" : "anything";
  return kinds.includes("string") && !isMultipart(type) ? "text" : "nameless";
}

/** A form as an object, but for one that is the text it is sent as; a file is the part `file`. Throws ImportProblem. */
function namedForm(media: Media, { refs, warn, where }: BodyContext): Media {
  const { type, schema = {} } = media;
  switch (kindOfForm(media, refs)) {
    case "anything":
      return { ...media, schema: { ...refs.object(isObject(schema) ? schema : {}), type: "object" } };
    case "file":
      warn(`${where} takes a file as ${type} without a name for its part; it is sent as the part file.`);
      return { ...media, schema: { type: "object", properties: { file: schema }, required: ["file"] } };
    case "nameless":
      throw new ImportProblem(`a body of ${type} that is no object has no names for its fields`);
    default:
      return media;
  }
}

/** The media type that a body is sent in: a form without names for its fields only where nothing else is offered. Throws ImportProblem. */
function pickNamed(content: JsonObject, context: BodyContext): Media | undefined {
  const picked = pickMedia(content, context);
  if (picked === undefined || !isForm(picked.type)) return picked;
  const others = Object.entries(content).filter(([type]) => !isForm(type));
  const isNamed = /^(?:object|anything)$/.test(kindOfForm(picked, context.refs));
  return isNamed || others.length === 0 ? namedForm(picked, context) : pickMedia(Object.fromEntries(others), context);
}

/** Adds an operation's body to its arguments. Undefined when it has none. Throws ImportProblem. */
export function readBody(raw: JsonValue | undefined, context: BodyContext): ImportedBody | undefined {
  const { schemas, args } = context;
  const [body, content] = contentOf(raw, context);
  const media = pickNamed(content, context);
  if (media === undefined) return undefined;
  const { type, schema } = media;
  const required = body["required"] === true;
  const encoding = encodingOf(media, context);
  const members = isStructured(type) ? context.membersOf(schema) : undefined;
  if (!members || (members.properties.size === 0 && members.additional !== false)) {
    const argument = addWhole(body, media, context);
    return { description: { contentType: type, required, encoding, argument }, additional: false, minimum: 0 };
  }
  if (members.properties.size === 0) return undefined;
  const hidden = schemas.readOnlyNames(schema);
  const rules = { required, hidden, isMultipart: isMultipart(type), encoding: media.encoding };
  const properties = addMembers(members, rules, context);
  const names = Object.keys(properties);
  const needed = names.filter((name) => members.required.has(properties[name] ?? ""));
  const isOpen = members.additional === true || isObject(members.additional);
  return {
    description: { contentType: type, required, encoding, properties, additional: isOpen || undefined },
    additional: isObject(members.additional) ? schemas.convert(members.additional, args.uses) : isOpen,
    minimum: required ? members.minimum : 0,
    ...(!required && needed.length > 0 && { together: { members: names, required: needed } }),
  };
}

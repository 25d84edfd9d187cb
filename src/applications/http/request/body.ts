// Arguments to a request body: JSON, form-urlencoded, multipart, text or bytes. A file is only named here, it is read when the
// call is sent, and only where the operator allows uploads by path.
import { isObject, type JsonObject, type JsonValue, objectOf, parseJson, toJson } from "../../../lib/json.js";
import { REDACTED } from "../../../lib/redact/redact.js";
import { CallError, type Target } from "../../transport.js";
import { isMethodOverride, namesMethod } from "../argument-names.js";
import { type HttpBody, type HttpFieldEncoding, isJsonLines, isJsonType, isOfBytes } from "../description.js";
import { binary, type Content } from "./content.js";
import { alternatives, argument, type HttpOperation, undescribed } from "./operation.js";
import { fieldPairs, joinPairs, type Pair, pairs, plainPairs, plainText, type Style, wellFormed } from "./styles.js";

/** One part of a multipart body. */
export interface Part {
  name: string;
  filename: string | undefined;
  contentType: string | undefined;
  /** How its text stands for bytes: "base64". */
  transferEncoding: string | undefined;
  content: Content;
}

/** A body ready to be sent; `preview` is the same as a person reads it. */
export interface RequestBody {
  contentType: string;
  content: Content | { parts: Part[] };
  preview: JsonValue;
}

type Field = readonly [name: string, value: JsonValue];

const FORM_TYPE = "application/x-www-form-urlencoded";
/** A binary body shows only its beginning. */
const PREVIEW_CHARS = 200;
/** What a field's values may be: alone, in a list or in a union. */
function valuesOf(schema: JsonValue | undefined, defs: JsonObject): JsonObject[] {
  const all = alternatives(schema, defs);
  return [...all, ...all.flatMap((one) => alternatives(one["items"], defs))];
}

/** A text that can only mean a file, where nothing says what a part holds. */
const PLAINLY_FILE = /^data:[\w.+/-]*(?:;[^;,]*)?;base64,/i;

/** Whether a field takes bytes. */
function takesBytes(schema: JsonValue | undefined, defs: JsonObject): boolean {
  return valuesOf(schema, defs).some(isOfBytes);
}

/** The fields of an object body, in the order given: described ones by their names in the request, then the others where they are allowed. */
function fieldsOf(body: HttpBody, operation: HttpOperation, args: JsonObject): Field[] {
  const fields: Field[] = [];
  for (const [name, field] of body.properties) {
    const value = argument(args, name);
    if (value !== undefined) fields.push([field, value]);
  }
  if (body.additional) {
    const taken = new Set(fields.map(([field]) => field));
    fields.push(...undescribed(args, operation).filter(([name]) => !taken.has(name)));
  }
  return fields.filter(([field]) => !isMethodOverride(field));
}

/** How a field is written by its `encoding`; undefined where that says nothing of its style. */
function styleOf(key: string, encoding: HttpFieldEncoding | undefined): Style | undefined {
  const { style = "form", explode = style === "form" || style === "deepObject", allowReserved, inner } = encoding ?? {};
  if (encoding?.style === undefined && encoding?.explode === undefined && inner === undefined) return undefined;
  return { key, style, explode, allowReserved: allowReserved ?? false, inner };
}

/** Whether a text is an object or a list of JSON already, as some describe a field of it. */
function isJsonText(text: string): boolean {
  try {
    return /^\s*[{[]/.test(text) && typeof parseJson(text) === "object";
  } catch {
    return false;
  }
}

/** A value as JSON; a text that is an object or a list of it already stays as it is. */
function jsonText(value: JsonValue): string {
  return typeof value === "string" && isJsonText(value) ? value : toJson(value);
}

/** The pairs of one form field. */
function formPairs([name, value]: Field, encoding: HttpFieldEncoding | undefined): Pair[] {
  const given = styleOf(name, encoding);
  if (given) return pairs(given, value);
  const isJson = /^(?:object|string)$/.test(typeof value) && value !== null && isJsonType(encoding?.contentType ?? "");
  return fieldPairs(name, isJson ? jsonText(value) : value, encoding?.allowReserved);
}

/** How the values of one field become parts. */
interface PartOptions {
  takesBytes: boolean;
  /** By the description's `encoding`, else by the schema. */
  type: string | undefined;
  /** Whether that is one of several. */
  isChoice: boolean;
  transferEncoding: string | undefined;
  target: Target;
}

function createPart(name: string, value: JsonValue, options: PartOptions): Part {
  const { takesBytes, type, isChoice, transferEncoding, target } = options;
  if (typeof value === "string" && takesBytes) {
    const content = binary(value, target);
    const filename = "file" in content ? (content.file.split(/[\\/]/).pop() ?? name) : name;
    const known = isChoice ? (content.ofName ?? type) : (type ?? content.ofName);
    const contentType = content.type ?? known ?? "application/octet-stream";
    return { name, filename, contentType, transferEncoding: undefined, content };
  }
  const structured = typeof value === "object";
  if (structured && type !== undefined && !isJsonType(type) && !/^text\//i.test(type))
    throw new CallError(`the part ${name} is ${type}; send it as one text`);
  const isJson = structured || (typeof value === "string" && type !== undefined && isJsonType(type));
  const plain = (): string => (typeof value === "string" ? value : plainText(value, name));
  const text = wellFormed(isJson ? jsonText(value) : plain());
  const implied = structured ? "application/json" : transferEncoding && "application/octet-stream";
  return { name, filename: undefined, contentType: type ?? implied, transferEncoding, content: { bytes: text } };
}

/** The files of one field, each with a name of its own: some servers keep one file for each name. */
function withDistinctNames(parts: Part[]): Part[] {
  if (parts.length < 2) return parts;
  const taken = new Set<string>();
  return parts.map((part, i) => {
    if (part.filename === undefined) return part;
    const [, base = "", extension = ""] = /^(.+?)(\.[^.]*)?$/s.exec(part.filename) ?? [];
    let filename = "file" in part.content ? part.filename : `${part.filename}-${i + 1}`;
    for (let round = 2; taken.has(filename); round++) filename = `${base}-${round}${extension}`;
    taken.add(filename);
    return { ...part, filename };
  });
}

/** The fields' schemas by their names in the request. */
function fieldSchemas(body: HttpBody, operation: HttpOperation): Map<string, JsonValue | undefined> {
  if (body.argument === undefined)
    return new Map([...body.properties].map(([name, field]) => [field, operation.properties[name]]));
  const whole = alternatives(operation.properties[body.argument], operation.defs);
  return new Map(whole.flatMap((one) => Object.entries(objectOf(one["properties"]))));
}

/** What a body is made of. */
interface BodyContext {
  body: HttpBody;
  operation: HttpOperation;
  target: Target;
}

/** A keyword of a field's schema, where it is a text. */
function keywordOf(key: string, schema: JsonValue | undefined, { defs }: HttpOperation): string | undefined {
  return valuesOf(schema, defs)
    .map((one) => one[key])
    .find((value) => typeof value === "string");
}

/** Whether an undescribed part is a file, by its value or the first of its values. */
function isPlainlyFile(value: JsonValue, { allowFiles }: Target): boolean {
  const [first] = [value].flat();
  return typeof first === "string" && (PLAINLY_FILE.test(first) || (allowFiles && /^file:\//.test(first)));
}

function createParts(fields: Field[], { body, operation, target }: BodyContext): Part[] {
  const schemas = fieldSchemas(body, operation);
  return fields.flatMap(([name, value]) => {
    if (value === null) return [];
    const schema = schemas.get(name);
    const encoding = body.encoding.get(name);
    const type = encoding?.contentType ?? keywordOf("contentMediaType", schema, operation);
    const options: PartOptions = {
      takesBytes: schemas.has(name) ? takesBytes(schema, operation.defs) : isPlainlyFile(value, target),
      type: type?.includes("*") ? undefined : type,
      isChoice: encoding?.isChoice ?? false,
      transferEncoding: keywordOf("contentEncoding", schema, operation),
      target,
    };
    const style = options.takesBytes ? undefined : styleOf(name, encoding);
    if (style)
      return plainPairs(style, value).map(([key, text]) => createPart(key, text, { ...options, type: undefined }));
    return withDistinctNames((Array.isArray(value) ? value : [value]).map((one) => createPart(name, one, options)));
  });
}

function objectBody(args: JsonObject, context: BodyContext): RequestBody | undefined {
  const { body, operation } = context;
  const whole = body.argument === undefined ? undefined : argument(args, body.argument);
  if (body.argument !== undefined && !isObject(whole ?? {}))
    throw new CallError(`${body.argument} must be an object; its fields are the body of the request`);
  const fields = isObject(whole) ? Object.entries(withoutOverrides(whole)) : fieldsOf(body, operation, args);
  if (fields.length === 0 && !body.required && whole === undefined) return undefined;
  const contentType = body.contentType + body.typeParameters;
  const preview = Object.fromEntries(fields);
  if (body.contentType.startsWith("multipart/"))
    return { contentType, content: { parts: createParts(fields, context) }, preview };
  if (body.contentType === FORM_TYPE) {
    const list = fields.flatMap((field) => formPairs(field, body.encoding.get(field[0])));
    return { contentType, content: { bytes: joinPairs(list) }, preview };
  }
  return { contentType, content: { bytes: toJson(preview) }, preview };
}

const withoutOverrides = (fields: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !isMethodOverride(name)));

/** What is sent for a range that JSON is in: that, unless it is bytes. Newer documents name what is sent. */
function concreteType({ contentType, argument: name }: HttpBody, { properties, defs }: HttpOperation): string {
  if (contentType === "") return "application/json";
  if (!/^(?:\*|application)\/\*(?:\+json)?$/.test(contentType)) return contentType;
  const isWhole = contentType === "application/*" && name !== undefined && takesBytes(properties[name], defs);
  return isWhole ? contentType : "application/json";
}

const isForm = (type: string): boolean => type === FORM_TYPE || type.startsWith("multipart/");
const isText = (type: string): boolean =>
  /^text\/|[/+](xml|yaml|x-yaml|graphql|x-ndjson|jsonl|javascript|csv)$/.test(type);

/** Values one after another; in a JSON text sequence each after a record separator. Source: RFC 7464. */
function jsonLines(contentType: string, values: JsonValue[]): string {
  const before = contentType.endsWith("json-seq") ? "\u001e" : "";
  return values.map((value) => `${before}${toJson(value)}\n`).join("");
}

/** Ranges of which bytes without a type of their own are no member. */
const OF_ONE_KIND = /^(?:audio|font|image|model|video)\/\*/;

/** A body that is one argument of any JSON type. */
function wholeBody({ contentType, typeParameters }: HttpBody, value: JsonValue, target: Target): RequestBody {
  const whole = contentType + typeParameters;
  if (isJsonLines(contentType) && Array.isArray(value))
    return { contentType: whole, content: { bytes: jsonLines(contentType, value) }, preview: value };
  if (isJsonType(contentType)) {
    const sent = isObject(value) ? withoutOverrides(value) : value;
    return { contentType: whole, content: { bytes: toJson(sent) }, preview: sent };
  }
  if (contentType === FORM_TYPE) {
    const text = wellFormed(plainText(value, "the form"));
    if (namesMethod(text))
      throw new CallError("the form names another method for the request, which no argument may set");
    return { contentType: whole, content: { bytes: text }, preview: value };
  }
  if (isText(contentType)) {
    if (typeof value === "object" && value !== null && !contentType.startsWith("text/"))
      throw new CallError(`the body is ${contentType}; send it as one text`);
    const text = wellFormed(typeof value === "object" ? toJson(value) : String(value));
    const type = contentType.includes("*") ? "text/plain" : whole;
    return { contentType: `${type}; charset=utf-8`, content: { bytes: text }, preview: value };
  }
  if (typeof value !== "string")
    throw new CallError(`the body is ${contentType}; send it as one text, a data: URL or file:PATH`);
  const content = binary(value, target);
  // A media range such as image/* is what may be sent, not what was sent.
  const known = content.type ?? content.ofName;
  const type = contentType.includes("*") ? (known ?? "application/octet-stream") : whole;
  // What stands for a secret, where the request is displayed, tells no type.
  if (known === undefined && value !== REDACTED && OF_ONE_KIND.test(contentType))
    throw new CallError(
      `the body is ${contentType}, and which one is not known; write a data: URL with its type, such as data:${contentType.replace("*", "TYPE")};base64,…`,
    );
  return {
    contentType: type,
    content,
    preview: value.length > PREVIEW_CHARS ? `${value.slice(0, PREVIEW_CHARS)}…` : value,
  };
}

/**
 * The body of a call, undefined when it has none. Throws CallError when a required body is missing or cannot be written in the
 * operation's content type.
 */
export function bodyOf(operation: HttpOperation, args: JsonObject, target: Target): RequestBody | undefined {
  if (!operation.body) return undefined;
  const body = { ...operation.body, contentType: concreteType(operation.body, operation) };
  const value = body.argument === undefined ? undefined : argument(args, body.argument);
  const isFormText = body.contentType === FORM_TYPE && typeof value === "string";
  if (body.argument !== undefined && (!isForm(body.contentType) || isFormText)) {
    if (value !== undefined) return wholeBody(body, value, target);
    if (body.required) throw new CallError(`${body.argument} is missing; it is the body of the request`);
    return undefined;
  }
  if (!isForm(body.contentType) && !isJsonType(body.contentType))
    throw new CallError(
      `${operation.name} cannot be called: a ${body.contentType} body cannot be made from single fields`,
    );
  return objectBody(args, { body, operation, target });
}

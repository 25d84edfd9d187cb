// Arguments to a request body: JSON, form-urlencoded, multipart, text or bytes. A file is only named here, it is read when the
// call is sent, and only where the operator allows uploads by path.
import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { isObject, type JsonObject, type JsonValue, objectOf, toJson } from "../../../lib/json.js";
import { CallError, type Target } from "../../transport.js";
import type { HttpBody, HttpFieldEncoding } from "../description.js";
import { alternatives, argument, type HttpOperation, undescribed } from "./operation.js";
import { joinPairs, type Pair, pairs, plainText, wellFormed } from "./styles.js";
import { isMethodOverride } from "./url.js";

/** Bytes that are there, or a file that is read when the call is sent. */
export type Content = { bytes: string | Buffer } | { file: string };

/** One part of a multipart body. */
export interface Part {
  name: string;
  filename: string | undefined;
  contentType: string | undefined;
  content: Content;
}

/** A body ready to be sent; `preview` is the same as a person reads it. */
export interface RequestBody {
  contentType: string;
  content: Content | { parts: Part[] };
  preview: JsonValue;
}

type Field = readonly [name: string, value: JsonValue];

/** A binary body shows only its beginning. */
const PREVIEW_CHARS = 200;
const DATA_URL = /^data:([^;,]*)(?:;[^;,]*)*?(;base64)?,(.*)$/s;
const FILE = /^file:(?:\/\/)?/;
/** No path is longer on any system. */
const MAX_PATH_CHARS = 4096;

function namesFile(text: string): boolean {
  if (text.length > MAX_PATH_CHARS || text.includes("\0") || !isAbsolute(text)) return false;
  try {
    return statSync(text, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

/** Whether a field takes bytes: OpenAPI 3.0's `format: binary` or 3.1's `contentMediaType`, alone, in a list or in a union. */
function takesBytes(schema: JsonValue | undefined, defs: JsonObject): boolean {
  const all = alternatives(schema, defs);
  return [...all, ...all.flatMap((one) => alternatives(one["items"], defs))].some(
    (one) =>
      one["format"] === "binary" || (one["contentMediaType"] !== undefined && one["contentEncoding"] === undefined),
  );
}

/** Text where bytes are taken: `file:PATH` where uploads are allowed, a `data:` URL, or the bytes of the text itself. */
function binary(text: string, target: Target): Content & { type?: string | undefined } {
  if (FILE.test(text)) {
    if (!target.allowFiles)
      throw new CallError(
        'uploading a file by its path is off; "target": {"allow_files": true} in config.json allows it',
      );
    return { file: text.replace(FILE, "") };
  }
  // Neither read silently nor sent as the content: the caller must say what was meant.
  if (target.allowFiles && namesFile(text))
    throw new CallError(`${text} is a file of this machine; write file:${text} to upload it`);
  const [, type, base64, data] = DATA_URL.exec(text) ?? [];
  if (data === undefined) return { bytes: wellFormed(text) };
  try {
    const bytes = base64 ? Buffer.from(data, "base64") : Buffer.from(decodeURIComponent(data));
    return { bytes, type: type || undefined };
  } catch (cause) {
    throw new CallError("a data: URL does not decode", { cause });
  }
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

/** One form field. Without an `encoding` lists of plain values repeat the name and nested ones use brackets, as form parsers read them. */
function formPairs([name, value]: Field, encoding: HttpFieldEncoding | undefined): Pair[] {
  const allowReserved = encoding?.allowReserved ?? false;
  const style = { key: name, style: "form", explode: true, allowReserved };
  if (encoding?.style !== undefined || encoding?.explode !== undefined) {
    const named = encoding.style ?? "form";
    return pairs(
      { ...style, style: named, explode: encoding.explode ?? (named === "form" || named === "deepObject") },
      value,
    );
  }
  if (typeof value !== "object" || value === null) return pairs(style, value);
  if (encoding?.contentType?.includes("json")) return pairs(style, toJson(value));
  const flat = Array.isArray(value) && value.every((item) => typeof item !== "object");
  return pairs(flat ? style : { ...style, style: "deepObject" }, value);
}

/** How the values of one field become parts. */
interface PartOptions {
  takesBytes: boolean;
  /** By the description's `encoding`. */
  type: string | undefined;
  target: Target;
}

function createPart(name: string, value: JsonValue, { takesBytes, type, target }: PartOptions): Part {
  if (typeof value === "string" && takesBytes) {
    const content = binary(value, target);
    const filename = "file" in content ? (content.file.split(/[\\/]/).pop() ?? name) : name;
    const contentType = ("type" in content ? content.type : undefined) ?? type ?? "application/octet-stream";
    return { name, filename, contentType, content };
  }
  const structured = typeof value === "object";
  const text = wellFormed(structured ? toJson(value) : typeof value === "string" ? value : plainText(value, name));
  return {
    name,
    filename: undefined,
    contentType: type ?? (structured ? "application/json" : undefined),
    content: { bytes: text },
  };
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

function createParts(fields: Field[], { body, operation, target }: BodyContext): Part[] {
  const schemas = fieldSchemas(body, operation);
  return fields.flatMap(([name, value]) => {
    if (value === null) return [];
    const type = body.encoding.get(name)?.contentType;
    const options: PartOptions = {
      takesBytes: takesBytes(schemas.get(name), operation.defs),
      type: type === "*/*" ? undefined : type,
      target,
    };
    return (Array.isArray(value) ? value : [value]).map((one) => createPart(name, one, options));
  });
}

function objectBody(args: JsonObject, context: BodyContext): RequestBody | undefined {
  const { body, operation } = context;
  const whole = body.argument === undefined ? undefined : argument(args, body.argument);
  if (body.argument !== undefined && !isObject(whole ?? {}))
    throw new CallError(`${body.argument} must be an object; its fields are the body of the request`);
  const fields = isObject(whole)
    ? Object.entries(whole).filter(([name]) => !isMethodOverride(name))
    : fieldsOf(body, operation, args);
  if (fields.length === 0 && !body.required && whole === undefined) return undefined;
  const { contentType } = body;
  const preview = Object.fromEntries(fields);
  if (contentType.startsWith("multipart/"))
    return { contentType, content: { parts: createParts(fields, context) }, preview };
  if (contentType === "application/x-www-form-urlencoded") {
    const list = fields.flatMap((field) => formPairs(field, body.encoding.get(field[0])));
    return { contentType, content: { bytes: joinPairs(list) }, preview };
  }
  return { contentType, content: { bytes: toJson(preview) }, preview };
}

const isJsonType = (type: string): boolean => /[/+]json$/.test(type);
const isForm = (type: string): boolean => type === "application/x-www-form-urlencoded" || type.startsWith("multipart/");
const isText = (type: string): boolean =>
  /^text\/|[/+](xml|yaml|x-yaml|graphql|x-ndjson|jsonl|javascript|csv)$/.test(type);

/** A body that is one argument of any JSON type. */
function wholeBody(contentType: string, value: JsonValue, target: Target): RequestBody {
  if (isJsonType(contentType)) return { contentType, content: { bytes: toJson(value) }, preview: value };
  if (isText(contentType)) {
    if (typeof value === "object" && value !== null && !contentType.startsWith("text/"))
      throw new CallError(`the body is ${contentType}; send it as one text`);
    const text = wellFormed(typeof value === "object" ? toJson(value) : String(value));
    const type = contentType.includes("*") ? "text/plain" : contentType;
    return { contentType: `${type}; charset=utf-8`, content: { bytes: text }, preview: value };
  }
  if (typeof value !== "string")
    throw new CallError(`the body is ${contentType}; send it as one text, a data: URL or file:PATH`);
  const content = binary(value, target);
  // A media range such as image/* is what may be sent, not what was sent.
  const type = contentType.includes("*")
    ? ("type" in content && content.type) || "application/octet-stream"
    : contentType;
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
  const range = operation.body.contentType;
  const body =
    range === "*/*" || range === "" ? { ...operation.body, contentType: "application/json" } : operation.body;
  if (body.argument !== undefined && !isForm(body.contentType)) {
    const value = argument(args, body.argument);
    if (value !== undefined) return wholeBody(body.contentType, value, target);
    if (body.required) throw new CallError(`${body.argument} is missing; it is the body of the request`);
    return undefined;
  }
  if (!isForm(body.contentType) && !isJsonType(body.contentType))
    throw new CallError(
      `${operation.name} cannot be called: a ${body.contentType} body cannot be made from single fields`,
    );
  return objectBody(args, { body, operation, target });
}

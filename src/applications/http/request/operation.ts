// An action's transport description, read once: path pieces, parameters, body, security. The description comes from a file,
// so every field is checked; what is missing gets OpenAPI's default. Knows nothing of arguments or of the target.

import type { Action } from "../../../domain/schema-document.js";
import { isObject, type JsonObject, type JsonValue } from "../../../lib/json.js";
import { referred } from "../../../lib/json-pointer.js";

export type Place = "path" | "query" | "header" | "cookie";

/** One argument that becomes part of the URL, a header or a cookie. */
export interface Parameter {
  /** Property name among the tool's arguments. */
  name: string;
  in: Place;
  /** Name on the wire. */
  key: string;
  style: string;
  explode: boolean;
  allowReserved: boolean;
  /** Serialised as JSON first (OpenAPI's `content` parameters). */
  asJson: boolean;
  /** JSON types the tool's schema admits; empty when it names none. */
  types: readonly string[];
}

/** How one field of a form body is written. */
export interface FieldEncoding {
  style: string | undefined;
  explode: boolean | undefined;
  allowReserved: boolean;
  contentType: string | undefined;
}

export interface BodyDescription {
  /** Lower case, without parameters. */
  contentType: string;
  required: boolean;
  /** Argument name to field name on the wire. */
  properties: ReadonlyMap<string, string>;
  /** The one argument that is the whole body. */
  argument: string | undefined;
  encoding: ReadonlyMap<string, FieldEncoding>;
  /** Arguments nobody describes go into the body under their own names. */
  additional: boolean;
}

/** A transport description, checked. */
export interface Operation {
  /** The action's name, for messages. */
  name: string;
  method: string;
  /** The path cut at its placeholders: text and placeholder keys in turn. */
  pieces: readonly ({ text: string } | { key: string })[];
  /** A query string that is part of the path itself, "" mostly. */
  fixedQuery: string;
  server: string | undefined;
  path: ReadonlyMap<string, Parameter>;
  /** Query, header and cookie parameters, in document order. */
  parameters: readonly Parameter[];
  body: BodyDescription | undefined;
  accept: string;
  /** OpenAPI security alternatives; undefined when the document says nothing about security. */
  security: readonly JsonObject[] | undefined;
  /** Where arguments go that nobody describes. */
  rest: "query" | "none";
  /** Every argument name that has a place. */
  known: ReadonlySet<string>;
  /** JSON Schemas of the arguments, and what they refer to. */
  properties: JsonObject;
  defs: JsonObject;
}

const DEFAULT_STYLE: Record<Place, string> = { path: "simple", query: "form", header: "simple", cookie: "form" };
const DEFAULT_ACCEPT = "application/json, text/*;q=0.9, */*;q=0.8";
const BODILESS = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"]);
const METHOD = /^[A-Z]{1,16}$/;

const text = (value: JsonValue | undefined): string | undefined => (typeof value === "string" ? value : undefined);
const flag = (value: JsonValue | undefined): boolean | undefined => (typeof value === "boolean" ? value : undefined);

/** A schema with its `$ref` looked up among the tool's own `$defs`; one step, cycles are the caller's to bound. */
function followed(schema: JsonValue | undefined, defs: JsonObject): JsonObject {
  if (!isObject(schema)) return {};
  const target = referred(schema, { $defs: defs });
  return isObject(target) ? target : schema;
}

/** Deeper unions than this are not looked into; it also ends cycles of references. */
const MAX_LOOK = 4;

/** A schema and the alternatives of its unions, references looked up. */
export function alternatives(schema: JsonValue | undefined, defs: JsonObject, depth = 0): JsonObject[] {
  const own = followed(schema, defs);
  if (depth === MAX_LOOK) return [own];
  const unions = [own["anyOf"], own["oneOf"], own["$ref"] === undefined ? undefined : [own]];
  return [
    own,
    ...unions.flatMap((one) => (Array.isArray(one) ? one.flatMap((o) => alternatives(o, defs, depth + 1)) : [])),
  ];
}

/** The types a JSON Schema names outright. */
function typesOf(schema: JsonValue | undefined, defs: JsonObject): string[] {
  const types = alternatives(schema, defs).flatMap((one) => (Array.isArray(one["type"]) ? one["type"] : [one["type"]]));
  return types.filter((type): type is string => typeof type === "string");
}

function readParameter(raw: JsonValue, properties: JsonObject, defs: JsonObject): Parameter {
  if (!isObject(raw)) throw new Error("a parameter is not an object");
  const key = text(raw["key"]) ?? text(raw["name"]);
  const place = raw["in"];
  if (!key || (place !== "path" && place !== "query" && place !== "header" && place !== "cookie"))
    throw new Error("a parameter needs a key and a place: path, query, header or cookie");
  const name = text(raw["name"]) ?? key;
  const style = text(raw["style"]) ?? DEFAULT_STYLE[place];
  return {
    name,
    in: place,
    key,
    style,
    explode: flag(raw["explode"]) ?? (style === "form" || style === "deepObject"),
    allowReserved: raw["allowReserved"] === true,
    asJson: typeof raw["content"] === "string",
    types: typesOf(properties[name], defs),
  };
}

function readEncoding(raw: JsonValue | undefined): Map<string, FieldEncoding> {
  const read = (one: JsonObject): FieldEncoding => ({
    style: text(one["style"]),
    explode: flag(one["explode"]),
    allowReserved: one["allowReserved"] === true,
    contentType: text(one["contentType"])?.split(",")[0]?.trim(),
  });
  return new Map(
    Object.entries(isObject(raw) ? raw : {}).map(([field, one]) => [field, read(isObject(one) ? one : {})]),
  );
}

function readBody(raw: JsonObject): BodyDescription {
  const properties = Object.entries(isObject(raw["properties"]) ? raw["properties"] : {});
  return {
    contentType: (text(raw["contentType"]) ?? "application/json").split(";")[0]?.trim().toLowerCase() ?? "",
    required: raw["required"] === true,
    properties: new Map(properties.map(([name, field]) => [name, text(field) ?? name])),
    argument: text(raw["argument"]),
    encoding: readEncoding(raw["encoding"]),
    additional: raw["additional"] === true,
  };
}

/** Cuts a path template at `{name}`; a fragment is not part of a request and is left out. */
function cutPath(template: string): Pick<Operation, "pieces" | "fixedQuery"> {
  const [path = "", query = ""] = (template.split("#")[0] ?? "").split(/\?(.*)/s);
  const pieces = path.split(/\{([^{}]+)\}/).map((part, i) => (i % 2 === 1 ? { key: part } : { text: part }));
  return { pieces, fixedQuery: query };
}

/** A document written by hand may name no parameters: placeholders are path parameters, the rest goes where the method has room. */
function impliedParameters(pieces: Operation["pieces"]): JsonValue[] {
  return pieces.flatMap((piece) => ("key" in piece ? [{ name: piece.key, key: piece.key, in: "path" }] : []));
}

function readOperation(action: Action): Operation {
  const raw = action.transport;
  const method = (text(raw["method"]) ?? "GET").toUpperCase();
  const template = text(raw["path"]);
  if (!METHOD.test(method) || method === "CONNECT") throw new Error(`the method ${method} cannot be sent`);
  if (template === undefined) throw new Error("it names no path");
  const properties = isObject(action.parameters["properties"]) ? action.parameters["properties"] : {};
  const defs = isObject(action.parameters["$defs"]) ? action.parameters["$defs"] : {};
  const { pieces, fixedQuery } = cutPath(template);
  const implied = !Array.isArray(raw["parameters"]);
  const listed = Array.isArray(raw["parameters"]) ? raw["parameters"] : impliedParameters(pieces);
  const parameters = listed.map((one) => readParameter(one, properties, defs));
  const hasBody = isObject(raw["body"]);
  const impliedBody = implied && !hasBody && !BODILESS.has(method);
  const body = isObject(raw["body"]) ? readBody(raw["body"]) : impliedBody ? readBody({ additional: true }) : undefined;
  const known = new Set(parameters.map((one) => one.name));
  for (const name of body?.properties.keys() ?? []) known.add(name);
  if (body?.argument !== undefined) known.add(body.argument);
  return {
    name: action.name,
    method,
    pieces,
    fixedQuery,
    server: text(raw["server"]),
    path: new Map(parameters.filter((one) => one.in === "path").map((one) => [one.key, one])),
    parameters: parameters.filter((one) => one.in !== "path"),
    body,
    accept: text(raw["accept"]) ?? DEFAULT_ACCEPT,
    security: Array.isArray(raw["security"]) ? raw["security"].filter(isObject) : undefined,
    rest: implied && !hasBody && !impliedBody ? "query" : "none",
    known,
    properties,
    defs,
  };
}

const read = new WeakMap<object, Operation>();

/** The operation of an action, read once per action. Throws Error naming what the description lacks. */
export function operationOf(action: Action): Operation {
  let operation = read.get(action);
  if (!operation) read.set(action, (operation = readOperation(action)));
  return operation;
}

/** An argument by name; never an inherited property, never `__proto__`. Undefined when it was not given. */
export function argument(args: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(args, name) && name !== "__proto__" ? args[name] : undefined;
}

/** Arguments that no parameter and no body field describes. */
export function undescribed(args: JsonObject, operation: Operation): [string, JsonValue][] {
  return Object.entries(args).filter(([name]) => !operation.known.has(name) && name !== "__proto__");
}

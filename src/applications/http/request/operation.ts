// An action made ready for requests, once: its HTTP description read, the path cut at its placeholders, parameters sorted by
// where they go, types looked up in the tool's schema. Knows nothing of arguments or of the target.
import { selfContained } from "../../../domain/definitions.js";
import type { Action } from "../../../domain/schema-document.js";
import { isObject, type JsonObject, type JsonValue, listOf, objectOf } from "../../../lib/json.js";
import { referred } from "../../../lib/json-pointer.js";
import { CallError } from "../../transport.js";
import { type HttpBody, HttpDescription, type HttpParameter, OPEN_BODY, pathParameter } from "../description.js";
import { SAFE_METHODS } from "../implied.js";

/** One argument that becomes part of the URL, a header or a cookie. */
export interface RequestParameter extends HttpParameter {
  /** JSON types the tool's schema admits; empty when it names none. */
  types: readonly string[];
}

/** An action as requests are made from it. */
export interface HttpOperation {
  /** The action's name, for messages. */
  name: string;
  method: string;
  /** Whether a request that got no answer has changed nothing either. */
  isSafe: boolean;
  /** The path cut at its placeholders: text and placeholder keys in turn. */
  pieces: readonly ({ text: string } | { key: string })[];
  /** A query string that is part of the path itself, "" mostly. */
  fixedQuery: string;
  server: string | undefined;
  path: ReadonlyMap<string, RequestParameter>;
  /** Query, header and cookie parameters, in document order. */
  parameters: readonly RequestParameter[];
  body: HttpBody | undefined;
  accept: string;
  /** OpenAPI security alternatives; undefined when the document says nothing about security. */
  security: readonly JsonObject[] | undefined;
  /** Where arguments go that are not described. */
  rest: "query" | "none";
  /** Every argument name that is described. */
  known: ReadonlySet<string>;
  /** JSON Schemas of the arguments, and what they refer to. */
  properties: JsonObject;
  defs: JsonObject;
}

/** Methods whose undescribed arguments go into the query: their requests have no body. */
const BODILESS = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"]);

/** Deeper unions than this are not looked into; it also ends cycles of references. */
const MAX_UNION_DEPTH = 4;
/** Alternatives of one argument that are looked at; real unions have a few dozen. */
const MAX_ALTERNATIVES = 1000;

/** A schema and the alternatives of its unions, each once, references looked up among the tool's own `$defs`. */
export function alternatives(schema: JsonValue | undefined, defs: JsonObject): JsonObject[] {
  const found = new Set<JsonObject>();
  const add = (one: JsonValue | undefined, depth: number): void => {
    const target = referred(one, { $defs: defs });
    const own = isObject(target) ? target : objectOf(one);
    if (found.has(own) || found.size >= MAX_ALTERNATIVES) return;
    found.add(own);
    if (depth === MAX_UNION_DEPTH) return;
    const unions = [own["anyOf"], own["oneOf"], own["$ref"] === undefined ? undefined : [own]];
    for (const branch of unions.flatMap(listOf)) add(branch, depth + 1);
  };
  add(schema, 0);
  return [...found];
}

/** The types a JSON Schema names outright. */
function typesOf(schema: JsonValue | undefined, defs: JsonObject): string[] {
  const types = alternatives(schema, defs).flatMap((one) => (Array.isArray(one["type"]) ? one["type"] : [one["type"]]));
  return types.filter((type): type is string => typeof type === "string");
}

/** Cuts a path template at `{name}`; a fragment is not part of a request and is left out. */
function splitPath(template: string): Pick<HttpOperation, "pieces" | "fixedQuery"> {
  const [path = "", query = ""] = (template.split("#")[0] ?? "").split(/\?(.*)/s);
  const pieces = path.split(/\{([^{}]+)\}/).map((part, i) => (i % 2 === 1 ? { key: part } : { text: part }));
  return { pieces, fixedQuery: query };
}

function readDescription({ transport }: Action): HttpDescription {
  const read = HttpDescription.safeParse(transport);
  if (!read.success) throw new Error(read.error.issues[0]?.message ?? "its description cannot be used");
  return read.data;
}

/** A document written by hand may list no parameters: placeholders are path parameters. */
function impliedParameters(pieces: HttpOperation["pieces"]): HttpParameter[] {
  return pieces.flatMap((piece) => ("key" in piece ? [pathParameter(piece.key)] : []));
}

function createOperation(action: Action): HttpOperation {
  const description = readDescription(action);
  const { method, server, accept, security } = description;
  const isSafe = description.isSafe ?? SAFE_METHODS.has(method);
  const { properties: given, $defs } = selfContained(action);
  const properties = objectOf(given);
  const defs = objectOf($defs);
  const { pieces, fixedQuery } = splitPath(description.path);
  const isImplied = description.parameters === undefined && description.body === undefined;
  const body = description.body ?? (isImplied && !BODILESS.has(method) ? OPEN_BODY : undefined);
  const listed = description.parameters ?? impliedParameters(pieces);
  const parameters = listed.map((one) => ({ ...one, types: typesOf(properties[one.name], defs) }));
  const known = new Set([...parameters.map((one) => one.name), ...(body?.properties.keys() ?? [])]);
  if (body?.argument !== undefined) known.add(body.argument);
  return {
    name: action.name,
    method,
    isSafe,
    pieces,
    fixedQuery,
    server,
    path: new Map(parameters.filter((one) => one.in === "path").map((one) => [one.key, one])),
    parameters: parameters.filter((one) => one.in !== "path"),
    body,
    accept,
    security,
    rest: isImplied && body === undefined ? "query" : "none",
    known,
    properties,
    defs,
  };
}

const operations = new WeakMap<Action, HttpOperation>();

/** The operation of an action, read once per action. Throws Error naming what the description lacks. */
export function operationOf(action: Action): HttpOperation {
  let operation = operations.get(action);
  if (!operation) operations.set(action, (operation = createOperation(action)));
  return operation;
}

/** Refuses the name that many applications take for the prototype of what they read. Throws CallError. */
export function checkNames(args: JsonObject): void {
  if (Object.hasOwn(args, "__proto__")) throw new CallError("no argument can be called __proto__; nothing was sent");
}

/** An argument by name; never an inherited property. Undefined when it was not given. */
export function argument(args: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(args, name) ? args[name] : undefined;
}

/** Arguments that no parameter and no body field describes. */
export function undescribed(args: JsonObject, operation: HttpOperation): [string, JsonValue][] {
  return Object.entries(args).filter(([name]) => !operation.known.has(name));
}

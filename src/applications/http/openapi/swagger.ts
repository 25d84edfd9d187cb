// Swagger 2.0 to OpenAPI 3.0, as far as the import reads a description: servers, security, schemas, paths. Pure; what cannot be
// looked up stays a reference, so that the operation that needs it is reported.
// Source: Swagger 2.0 specification; OpenAPI 3.0.3 specification.
import { isObject, type JsonObject, type JsonValue, listOf, objectOf, textsOf, toJson } from "../../../lib/json.js";
import { contentOf, FILES, ImportProblem, textOf } from "./read.js";
import { createRefs } from "./schemas/refs.js";
import type { Work } from "./schemas/work.js";
import { convertParameter, isBodyParameter, requestBodyOf } from "./swagger-parameters.js";

/** The root's field under which the paths stay as they were, because references may lead into them. */
const PATHS = "x-agentd-swagger-paths";
const METHODS = new Set(["get", "put", "post", "delete", "options", "head", "patch"]);
const FLOWS = new Map([
  ["application", "clientCredentials"],
  ["accessCode", "authorizationCode"],
]);
/** What Swagger 2.0 has no keyword for, under the names many generators use. */
const EXTENSIONS = new Map([
  ["x-anyOf", "anyOf"],
  ["x-oneOf", "oneOf"],
  ["x-not", "not"],
]);

/** Gives what a value refers to; the value itself when that cannot be looked up. */
type Follow = (value: JsonValue | undefined) => JsonValue | undefined;

/** Media types of one operation that are looked at; they stand in each of its responses. */
const MAX_TYPES = 100;

/** What all operations share. */
interface Context {
  root: JsonObject;
  follow: Follow;
  /** An object with what stands beside its reference; the value itself when that cannot be looked up. */
  merged(value: JsonValue | undefined): JsonObject;
  work: Work;
  item(raw: JsonObject): JsonObject;
  mediaTypes(key: "consumes" | "produces", operation: JsonObject): readonly string[];
  response(raw: JsonObject, produces: readonly string[]): JsonObject;
}

function movedRef(ref: string): string {
  return ref.replace(/^#\/definitions\//, "#/components/schemas/").replace(/^#\/paths\//, `#/${PATHS}/`);
}

/** Lists under `items` are no tuples, which Swagger does not know: they are met as what an item may be. */
function itemsOf(alternatives: JsonValue[]): JsonValue {
  return alternatives.length > 1 ? { anyOf: alternatives } : (alternatives[0] ?? {});
}

/** A copy in the words of OpenAPI 3, whose references lead to where their targets will be; data in it stays as it is. */
function translated(value: JsonValue, named = false): JsonValue {
  if (Array.isArray(value)) return value.map((item) => translated(item));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, raw]): [string, JsonValue] => {
    if (key === "$ref" && typeof raw === "string") return [key, movedRef(raw)];
    if (named) return [key, translated(raw)];
    const keyword = EXTENSIONS.get(key) ?? key;
    const content = contentOf(keyword);
    if (content === "data") return [key, raw];
    const inner = translated(raw, content === "names");
    const isList = key === "items" && Array.isArray(inner) && inner.every(isObject);
    return [keyword, isList ? itemsOf(inner) : inner];
  });
  return Object.fromEntries(members);
}

/** The root's extensions: references lead into some of them, such as the one that holds the other files. */
function translatedExtensions(root: JsonObject): JsonObject {
  const extensions = Object.entries(root).filter(([key]) => key.startsWith("x-"));
  return Object.fromEntries(extensions.map(([key, raw]) => [key, translated(raw, key === FILES)]));
}

/** The document's servers, one for each scheme; the first one that speaks HTTP is used. */
function serversOf({ host, basePath, schemes }: JsonObject): JsonObject[] {
  const path = (textOf(basePath) ?? "").replace(/\/$/, "");
  const name = textOf(host);
  if (name === undefined) return path === "" ? [] : [{ url: path }];
  const prefixes = Array.isArray(schemes) ? textsOf(schemes).map((scheme) => `${scheme}:`) : [""];
  return prefixes.map((prefix) => ({ url: `${prefix}//${name}${path}` }));
}

/** The servers of an operation that none of the document's schemes reaches. */
function ownServersOf(operation: JsonObject, root: JsonObject): JsonObject[] {
  const { schemes } = operation;
  if (!Array.isArray(schemes) || textsOf(schemes).some((scheme) => textsOf(root["schemes"]).includes(scheme)))
    return [];
  return textOf(root["host"]) === undefined ? [] : serversOf({ ...root, schemes });
}

function convertSecurity(raw: JsonValue): JsonValue {
  const scheme = objectOf(raw);
  if (scheme["type"] === "basic") return { ...scheme, type: "http", scheme: "basic" };
  const { flow, authorizationUrl, tokenUrl, scopes, ...rest } = scheme;
  if (scheme["type"] !== "oauth2" || typeof flow !== "string") return scheme;
  const urls = Object.entries({ authorizationUrl, tokenUrl }).filter(([, url]) => typeof url === "string");
  const converted = { ...Object.fromEntries(urls), scopes: objectOf(scopes) } as JsonObject;
  return { ...rest, flows: { [FLOWS.get(flow) ?? flow]: converted } };
}

/** A response with its schema under every media type it may come in; examples may name more of them. */
function convertResponse(response: JsonObject, produces: readonly string[]): JsonObject {
  const { schema, examples, ...rest } = response;
  const types = produces.length > 0 ? produces : ["*/*"];
  const described = schema === undefined ? [] : types.map((type) => [type, { schema }]);
  const exampleTypes = Object.keys(objectOf(examples)).filter((type) => schema === undefined || !types.includes(type));
  return { ...rest, content: Object.fromEntries([...described, ...exampleTypes.map((type) => [type, {}])]) };
}

/** What the operations of a document share, each made once. */
function createContext({ root, follow, merged, work }: Pick<Context, "root" | "follow" | "merged" | "work">): Context {
  const items = new Map<JsonObject, JsonObject>();
  const types = new Map<JsonValue | undefined, readonly string[]>();
  const responses = new Map<JsonObject, Map<readonly string[], JsonObject>>();
  const context: Context = {
    root,
    follow,
    merged,
    work,
    item(raw) {
      let converted = items.get(raw);
      if (!converted) items.set(raw, (converted = convertItem(raw, context)));
      return converted;
    },
    // Of the operation, or those of the document. Some write a single one as a text.
    mediaTypes(key, operation) {
      const given = operation[key] ?? root[key];
      let found = types.get(given);
      if (!found) {
        found = [...new Set(textsOf(typeof given === "string" ? [given] : given))].slice(0, MAX_TYPES);
        types.set(given, found);
      }
      return found;
    },
    response(raw, produces) {
      const known = responses.get(raw) ?? new Map<readonly string[], JsonObject>();
      responses.set(raw, known);
      let converted = known.get(produces);
      if (!converted) known.set(produces, (converted = convertResponse(raw, produces)));
      return converted;
    },
  };
  return context;
}

function convertOperation(raw: JsonValue, shared: JsonValue[], context: Context): JsonObject {
  const { root, follow, merged } = context;
  const operation = merged(raw);
  const { consumes: _, produces: __, schemes: ___, parameters, responses, ...rest } = operation;
  const list = follow(parameters);
  // What leads nowhere stays as it is, so that it is reported.
  if (operation["$ref"] !== undefined || isObject(list)) return operation;
  const own = listOf(list).map((one) => follow(one) ?? one);
  const keyOf = (one: JsonObject): string => toJson([one["name"], one["in"]]);
  const overrides = new Set(own.map((one) => keyOf(objectOf(one))));
  const inherited = shared.map(objectOf).filter((one) => isBodyParameter(one) && !overrides.has(keyOf(one)));
  const bodyParameters = [...inherited, ...own.map(objectOf).filter(isBodyParameter)];
  const requestBody = requestBodyOf(bodyParameters, context.mediaTypes("consumes", operation));
  const servers = ownServersOf(operation, root);
  const produces = context.mediaTypes("produces", operation);
  const answers = Object.entries(merged(responses)).map(([code, response]) => [
    code,
    context.response(objectOf(follow(response)), produces),
  ]);
  return {
    ...rest,
    parameters: own.filter((one) => !isBodyParameter(objectOf(one))).map(convertParameter),
    ...(requestBody && { requestBody }),
    ...(servers.length > 0 && { servers }),
    responses: Object.fromEntries(answers),
  };
}

function convertPath(given: JsonValue, context: Context): JsonValue {
  context.work.begin();
  // Siblings of a path's reference count too, as in OpenAPI 3. What leads nowhere stays as it is.
  const item = context.merged(given);
  return item["$ref"] === undefined ? context.item(item) : given;
}

function convertItem(item: JsonObject, context: Context): JsonObject {
  const list = context.follow(item["parameters"]);
  if (isObject(list)) return item;
  const shared = listOf(list).map((one) => context.follow(one) ?? one);
  const members = Object.entries(item).flatMap(([key, value]): [string, JsonValue][] => {
    if (key === "parameters")
      return [[key, shared.filter((one) => !isBodyParameter(objectOf(one))).map(convertParameter)]];
    return [[key, METHODS.has(key) ? convertOperation(value, shared, context) : value]];
  });
  return Object.fromEntries(members);
}

/** A description to be upgraded. */
interface SwaggerInput {
  source: JsonObject;
  /** Addresses outside it, with the reason each is not here. */
  refused: ReadonlyMap<string, string>;
  /** Counts references: all of them together, whichever operation they are in. */
  work: Work;
}

/** The description as OpenAPI 3.0. */
export function upgradeSwagger({ source, refused, work }: SwaggerInput): JsonObject {
  const { definitions, securityDefinitions, paths, ...rest } = objectOf(translated(source));
  const root: JsonObject = {
    ...rest,
    ...translatedExtensions(source),
    openapi: "3.0.0",
    servers: serversOf(rest),
    components: { schemas: objectOf(definitions), securitySchemes: {} },
    // References that were data until something referred to the place they stand in lead here still.
    definitions: objectOf(definitions),
    [PATHS]: objectOf(paths),
  };
  const refs = createRefs({ root, refused, work });
  const orItself = <T>(value: T, find: () => T): T => {
    try {
      return find();
    } catch (error) {
      if (!(error instanceof ImportProblem)) throw error;
      return value;
    }
  };
  const follow: Follow = (value) => orItself(value, () => refs.follow(value));
  const merged = (value: JsonValue | undefined): JsonObject => orItself(objectOf(value), () => refs.merged(value));
  const context = createContext({ root, follow, merged, work });
  const converted = Object.entries(merged(paths)).map(([path, item]) => [path, convertPath(item, context)]);
  const schemes = Object.entries(merged(securityDefinitions)).map(([name, raw]) => [
    name,
    convertSecurity(merged(raw)),
  ]);
  const components = { ...objectOf(root["components"]), securitySchemes: Object.fromEntries(schemes) };
  return { ...root, components, paths: Object.fromEntries(converted) };
}

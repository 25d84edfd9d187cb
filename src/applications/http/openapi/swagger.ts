// Swagger 2.0 to OpenAPI 3.0, as far as the import reads a description: servers, security, schemas, paths. Pure; what cannot be
// looked up stays a reference, so that the operation that needs it is reported.
// Source: Swagger 2.0 specification; OpenAPI 3.0.3 specification.
import { isObject, type JsonObject, type JsonValue, listOf, objectOf, textsOf, toJson } from "../../../lib/json.js";
import { contentOf, ImportProblem, textOf } from "./read.js";
import { createRefs } from "./refs.js";
import { convertParameter, isBodyParameter, requestBodyOf } from "./swagger-parameters.js";
import type { Work } from "./work.js";

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
  return Object.fromEntries(extensions.map(([key, raw]) => [key, translated(raw)]));
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
function createContext(root: JsonObject, follow: Follow, work: Work): Context {
  const items = new Map<JsonObject, JsonObject>();
  const types = new Map<JsonValue | undefined, readonly string[]>();
  const responses = new Map<JsonObject, Map<readonly string[], JsonObject>>();
  const context: Context = {
    root,
    follow,
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
  const { root, follow } = context;
  const { consumes: _, produces: __, schemes: ___, parameters, responses, ...rest } = objectOf(raw);
  const operation = objectOf(raw);
  const own = listOf(parameters).map((one) => follow(one) ?? one);
  const keyOf = (one: JsonObject): string => toJson([one["name"], one["in"]]);
  const overrides = new Set(own.map((one) => keyOf(objectOf(one))));
  const inherited = shared.map(objectOf).filter((one) => isBodyParameter(one) && !overrides.has(keyOf(one)));
  const bodyParameters = [...inherited, ...own.map(objectOf).filter(isBodyParameter)];
  const requestBody = requestBodyOf(bodyParameters, context.mediaTypes("consumes", operation));
  const servers = ownServersOf(operation, root);
  const produces = context.mediaTypes("produces", operation);
  const answers = Object.entries(objectOf(responses)).map(([code, response]) => [
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
  const target = context.follow(given);
  if (objectOf(given)["$ref"] !== undefined && target === given) return given;
  // Siblings of a path's reference count too, as in OpenAPI 3.
  if (isObject(target) && Object.keys(objectOf(given)).length === 1) return context.item(target);
  return convertItem({ ...objectOf(target), ...objectOf(given) }, context);
}

function convertItem(item: JsonObject, context: Context): JsonObject {
  const shared = listOf(item["parameters"]).map((one) => context.follow(one) ?? one);
  const members = Object.entries(item).flatMap(([key, value]): [string, JsonValue][] => {
    if (key === "$ref") return [];
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
  const { swagger: _, definitions, securityDefinitions, paths, ...rest } = objectOf(translated(source));
  const schemes = Object.entries(objectOf(securityDefinitions)).map(([name, raw]) => [name, convertSecurity(raw)]);
  const root: JsonObject = {
    ...rest,
    ...translatedExtensions(source),
    openapi: "3.0.0",
    servers: serversOf(rest),
    components: { schemas: objectOf(definitions), securitySchemes: Object.fromEntries(schemes) },
    [PATHS]: objectOf(paths),
  };
  const refs = createRefs({ root, refused, work });
  const follow: Follow = (value) => {
    try {
      return refs.follow(value);
    } catch (error) {
      if (!(error instanceof ImportProblem)) throw error;
      return value;
    }
  };
  const context = createContext(root, follow, work);
  const converted = Object.entries(objectOf(paths)).map(([path, item]) => [path, convertPath(item, context)]);
  return { ...root, paths: Object.fromEntries(converted) };
}

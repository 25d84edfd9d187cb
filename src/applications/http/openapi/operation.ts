// One operation of a description becomes one action of a schema document, or is refused with a reason.
// Source: docs/reference.md, "Schema document"; OpenAPI 3.1, Operation Object.
import { type JsonObject, type JsonValue, objectOf, textsOf } from "../../../lib/json.js";
import { referenceNames } from "../../../lib/json-pointer.js";
import { namesMethod } from "../argument-names.js";
import type { WrittenHttpDescription } from "../description.js";
import { createArguments } from "./arguments.js";
import { readBody } from "./body.js";
import { foreignName } from "./names/tool-names.js";
import { placeOf, readParameters } from "./parameters.js";
import {
  hasStyledParts,
  ImportProblem,
  operationTitle,
  type PathOperation,
  spelled,
  textOf,
  type Warn,
  withoutUndefined,
} from "./read.js";
import { readResponse, type SuccessResponse } from "./responses.js";
import { safetyOf, verbOf } from "./safety/classify.js";
import type { MembersOf } from "./schemas/members.js";
import type { Refs } from "./schemas/refs.js";
import type { Schemas } from "./schemas/schemas.js";
import type { Work } from "./schemas/work.js";
import { pickServer, relativeTo } from "./servers.js";
import { INNER_TEXT, plain, sentences, TOOL_TEXT } from "./text.js";

/** Why no tool is made of a method, or undefined when one is. */
function methodProblem(method: string): string | undefined {
  if (method === "trace") return "TRACE sends the request back, credentials and all";
  if (method.toUpperCase() === "CONNECT") return "CONNECT opens a tunnel, which no tool can use";
  if (/^[a-zA-Z]{1,16}$/.test(method)) return undefined;
  return `the method ${method} cannot be sent: it is not written in up to 16 letters`;
}

/** What every operation of one description is read with. */
export interface Description {
  root: JsonObject;
  /** The address it was read from. */
  url: URL;
  refs: Refs;
  work: Work;
  schemas: Schemas;
  membersOf: MembersOf;
  warn: Warn;
  /** The description's own server, whatever the operator configured. */
  server: string | undefined;
}

/** Why a path cannot be put behind a base address, or undefined when it can. */
function pathProblem(path: string): string | undefined {
  if (!path.startsWith("/") || path.startsWith("//")) return "its path does not begin with one slash";
  if (/[\\\s\p{Cc}]/u.test(path)) return "its path holds a backslash, a space or a control character";
  if (/[{]/.test(path.split(/[?#]/).slice(1).join(""))) return "its path has a placeholder in a query or a fragment";
  if (path.split("/").some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) return "its path holds . or ..";
  if (namesMethod(path.split(/[?#]/)[1] ?? "")) return "its path names another method for the request";
  return undefined;
}

function description(described: PathOperation, response: SuccessResponse): string {
  const { method, path, operation, item } = described;
  const summary = plain(textOf(operation["summary"]) ?? textOf(item["summary"]) ?? "", TOOL_TEXT);
  const details = plain(textOf(operation["description"]) ?? textOf(item["description"]) ?? "", TOOL_TEXT);
  const words = sentences(summary, details) || operationTitle(described);
  const returns = response.hint && !/\breturns?\b/i.test(words) ? sentences(words, `Returns: ${response.hint}`) : words;
  const all = operation["deprecated"] === true ? `Deprecated. ${returns}` : returns;
  // First, because descriptions are cut at their end.
  const id = plain(foreignName({ operationId: textOf(operation["operationId"]), method, path }) ?? "", INNER_TEXT);
  return plain(all.includes(id) ? all : `(${id}) ${all}`, TOOL_TEXT);
}

/** Ways to sign in to one operation; real ones have a handful. */
const MAX_ALTERNATIVES = 100;

/** A scheme named by an address and not by what it is called. */
const ADDRESS = /^#\/|\/\/|^\.{0,2}\/|\.(?:json|ya?ml)(?:#|$)/i;

const knownSecurity = new WeakMap<JsonValue[], JsonObject[]>();

/** The name of the scheme that a requirement names by its address (OpenAPI 3.2); the name itself where it is one. */
function schemeNamed(name: string, known: JsonObject): string {
  if (Object.hasOwn(known, name)) return name;
  const [kind, section, local] = referenceNames(name);
  return kind === "components" && section === "securitySchemes" && local !== undefined && name.startsWith("#/")
    ? local
    : name;
}

/** The description's security schemes. */
function schemesOf({ root, refs }: Pick<Description, "root" | "refs">): JsonObject {
  return refs.object(refs.object(root["components"])["securitySchemes"]);
}

/**
 * The security requirements of one operation, as alternatives; undefined when the description has none. Throws ImportProblem where
 * each of them needs a scheme that is described elsewhere.
 */
function security(operation: JsonObject, { root, refs }: Description): JsonObject[] | undefined {
  const given = operation["security"] ?? root["security"];
  if (!Array.isArray(given)) return undefined;
  let alternatives = knownSecurity.get(given);
  if (!alternatives) {
    const known = schemesOf({ root, refs });
    const read = given
      .slice(0, MAX_ALTERNATIVES)
      .map((one) =>
        Object.fromEntries(
          Object.entries(objectOf(one)).map(([name, scopes]) => [schemeNamed(name, known), textsOf(scopes)]),
        ),
      );
    const elsewhere = (one: JsonObject): string | undefined =>
      Object.keys(one).find((name) => ADDRESS.test(name) && !Object.hasOwn(known, name));
    alternatives = read.filter((one) => elsewhere(one) === undefined);
    const [first] = read;
    if (first && alternatives.length === 0)
      throw new ImportProblem(`needs the security scheme ${elsewhere(first)}, which is not part of the description`);
    knownSecurity.set(given, alternatives);
  }
  return alternatives;
}

const knownPlaces = new WeakMap<JsonObject[], ReadonlySet<string>>();

/** Where the API keys go that an operation may need: they are configured, and no arguments. */
function apiKeyPlaces(alternatives: JsonObject[] = [], from: Description): ReadonlySet<string> {
  let places = knownPlaces.get(alternatives);
  if (!places) {
    const names = new Set(alternatives.flatMap((one) => Object.keys(one)));
    const known = names.size > 0 ? schemesOf(from) : {};
    places = new Set([...names].flatMap((name) => apiKeyPlace(known[name], from)));
    knownPlaces.set(alternatives, places);
  }
  return places;
}

function apiKeyPlace(scheme: JsonValue | undefined, { refs }: Description): string[] {
  try {
    const { type, in: location, name } = refs.object(scheme);
    return type === "apiKey" ? [placeOf(spelled(location), spelled(name))] : [];
  } catch (error) {
    // The report on the schemes says so.
    if (error instanceof ImportProblem) return [];
    throw error;
  }
}

/** The server of one operation where it is not the description's. */
function ownServer(described: PathOperation, { url, server, warn }: Description): string | undefined {
  const { operation, item } = described;
  const given = operation["servers"] ?? item["servers"];
  if (!Array.isArray(given) || given.length === 0) return undefined;
  const own = relativeTo(pickServer(given, url), server);
  if (own?.startsWith("http"))
    warn(
      `${operationTitle(described)} is served by ${new URL(own).origin}: as long as that is not where calls go, each of it is refused. Import the description once more as an application of its own for it, with --name and --base-url ${own}.`,
    );
  return own;
}

/** Reads one operation, all but its name. Throws ImportProblem with the reason when no tool can be made of it. */
export function readOperation(described: PathOperation, from: Description): JsonObject {
  const { method, path, item, operation } = described;
  const { root, refs, work, schemas, membersOf, warn } = from;
  const where = operationTitle(described);
  const problem = pathProblem(path) ?? methodProblem(method);
  if (problem) throw new ImportProblem(problem);
  const args = createArguments();
  const lists = [item["parameters"], operation["parameters"]];
  const alternatives = security(operation, from);
  const credentials = apiKeyPlaces(alternatives, from);
  const parameters = readParameters({ path, lists }, args, {
    refs,
    schemas,
    membersOf,
    work,
    credentials,
    warn,
    where,
  });
  const hasStyles = hasStyledParts(root);
  const context = { refs, schemas, work, membersOf, args, warn, where, hasStyledParts: hasStyles };
  const body = method === "head" ? undefined : readBody(operation["requestBody"], context);
  const response = readResponse(operation["responses"], { refs, warn, where });
  schemas.require(args.uses);
  const transport: Omit<WrittenHttpDescription, "security"> = {
    kind: "http",
    method: described.isAdditional ? method : method.toUpperCase(),
    path,
    server: ownServer(described, from),
    parameters,
    body: body?.description,
    accept: response.accept,
  };
  const tags = textsOf(operation["tags"]);
  const judged = safetyOf(described, response, warn);
  return {
    // Comes when all operations are read.
    name: "",
    description: description(described, response),
    verb: verbOf(described, response, judged.safety),
    ...judged,
    ...(tags.length > 0 && { tags }),
    ...(response.returns.length > 0 && { returns: response.returns }),
    parameters: args.toSchema(body),
    transport: { ...withoutUndefined(transport), ...(alternatives && { security: alternatives }) },
  };
}

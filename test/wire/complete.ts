// Whether a tool has all that its operation takes: what the description says (source.ts) against where the tool's arguments go.
import type { Action } from "../../src/domain/schema-document.js";
import { listOf, objectOf } from "../../src/lib/json.js";
import type { SourceOperation, SourceParameter } from "./source.js";

/** Parameters that no tool has: OpenAPI ignores the first three, and the rest would speak for the daemon (docs/threats.md, F10, G11). */
const NOT_TAKEN =
  /^(header (accept|content-type|authorization|host|cookie|connection|content-length|date|origin|x-http-method(-override)?|x-forwarded-.*)|query _method)$/i;

/** Whether no argument can hold a parameter: a path without its placeholder has no place for it. */
export function isLeftOut({ location, name }: Pick<SourceParameter, "location" | "name">, path: string): boolean {
  return NOT_TAKEN.test(`${location} ${name}`) || (location === "path" && !path.includes(`{${name}}`));
}

/** Whether two media types are the same, without their parameters; "*" is any. */
export function isSameType(a: string, b: string): boolean {
  const bare = (type: string): string => (type.split(";")[0] ?? "").trim().toLowerCase();
  const isOfRange =
    /^(\*|application)\/\*(\+json)?$/.test(bare(a)) && /^application\/(json|octet-stream)$/.test(bare(b));
  return a === "*" || bare(a) === bare(b) || isOfRange;
}

/** What of an operation its tool has no argument for, as sentences. */
export function lostOf(operation: SourceOperation, action: Action): string[] {
  const { parameters: single, queryString, bodies, path, method } = operation;
  const inQuery = (queryString?.members ?? []).map((name) => ({ location: "query", name }));
  const parameters = [...single, ...inQuery];
  const properties = objectOf(action.parameters["properties"]);
  const written = listOf(action.transport["parameters"]).map(objectOf);
  const lost = parameters
    .filter((one) => !isLeftOut(one, path))
    .filter(({ location, name }) => {
      const same = (key: string): boolean =>
        key === name || (location === "header" && key.toLowerCase() === name.toLowerCase());
      const to = written.find((one) => one["in"] === location && same(String(one["key"])));
      return !to || !Object.hasOwn(properties, String(to["name"]));
    })
    .map(({ location, name }) => `the tool has no argument for ${name} in the ${location}`);
  if (bodies.length === 0 || method === "head") return lost;
  const body = objectOf(action.transport["body"]);
  const described = bodies.filter(({ contentType }) => isSameType(contentType, String(body["contentType"] ?? "")));
  if (action.transport["body"] === undefined)
    return bodies.some(({ members }) => members) ? [...lost, "the tool has no body"] : lost;
  if (described.length === 0) return [...lost, `the tool's body is ${body["contentType"]}, which is not described`];
  if (typeof body["argument"] === "string")
    return Object.hasOwn(properties, body["argument"]) ? lost : [...lost, "the tool has no argument for its body"];
  const keys = new Set(
    Object.entries(objectOf(body["properties"])).flatMap(([name, key]) =>
      Object.hasOwn(properties, name) ? [String(key)] : [],
    ),
  );
  const members = [...new Set(described.flatMap((one) => one.members ?? []))];
  return [
    ...lost,
    ...members.filter((name) => !keys.has(name)).map((name) => `the tool has no argument for ${name} in the body`),
  ];
}

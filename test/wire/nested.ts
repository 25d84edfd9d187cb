// Whether a tool's schema says what the source says, at every depth: both are read as facts by place, however references, parts
// and choices are arranged. A member, a value of an enum, a limit or a part that was lost on the way is a fact that is missing.
import { selfContained } from "../../src/domain/definitions.js";
import type { Action } from "../../src/domain/schema-document.js";
import { isObject, type JsonObject, type JsonValue, listOf, objectOf } from "../../src/lib/json.js";
import { isSameType } from "./complete.js";
import type { SourceOperation } from "./source.js";

/** A schema, and what its references `#/$defs/NAME` lead to. */
export interface Described {
  schema: JsonValue;
  definitions: Readonly<JsonObject>;
}

const LIMITS = [
  ..."minimum maximum exclusiveMinimum exclusiveMaximum multipleOf pattern format uniqueItems".split(" "),
  ..."minLength maxLength minItems maxItems minProperties maxProperties contentMediaType contentEncoding".split(" "),
];
const SAME_VALUE = ["allOf", "anyOf", "oneOf"];
const SAME_VALUE_ONE = ["then", "else", "if", "not"];

/** A number that a double cannot hold limits nothing that is sure. */
const isUnsure = (value: JsonValue): boolean =>
  typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value);

/** All schemas that describe the same value. */
function flattened(schemas: readonly JsonValue[], definitions: Readonly<JsonObject>): Set<JsonObject> {
  const found = new Set<JsonObject>();
  const queue = [...schemas];
  for (let schema = queue.pop(); schema !== undefined; schema = queue.pop()) {
    if (!isObject(schema) || found.has(schema)) continue;
    found.add(schema);
    const ref = /^#\/\$defs\/([^/]+)$/.exec(String(schema["$ref"] ?? ""))?.[1];
    if (ref !== undefined) queue.push(definitions[ref] ?? {});
    else if (typeof schema["$ref"] === "string") queue.push(deep(schema["$ref"], definitions));
    queue.push(
      ...SAME_VALUE.flatMap((key) => listOf(schema[key])),
      ...SAME_VALUE_ONE.map((key) => schema[key] ?? false),
    );
  }
  return found;
}

/** A member of a definition. */
function deep(ref: string, definitions: Readonly<JsonObject>): JsonValue {
  let node: JsonValue = definitions;
  for (const step of ref.split("/").slice(2))
    node = objectOf(node)[decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")] ?? {};
  return node;
}

/** What schemas of one value say of the value itself. */
function factsOf(schemas: ReadonlySet<JsonObject>): Set<string> {
  const facts = new Set<string>();
  for (const schema of schemas) {
    for (const type of [schema["type"] ?? []].flat()) if (type !== "null") facts.add(`type ${type}`);
    for (const value of [...listOf(schema["enum"]), ...(schema["const"] === undefined ? [] : [schema["const"]])])
      if (value !== null) facts.add(`value ${JSON.stringify(value)}`);
    for (const name of listOf(schema["required"])) facts.add(`required ${name}`);
    for (const key of LIMITS) {
      const value = schema[key];
      if (value !== undefined && value !== false && !isUnsure(value)) facts.add(`${key} ${JSON.stringify(value)}`);
    }
    if (schema["additionalProperties"] === false) facts.add("no other members");
  }
  return facts;
}

/** The schemas of what is inside a value, by where. */
function insideOf(schemas: ReadonlySet<JsonObject>): Map<string, JsonValue[]> {
  const inside = new Map<string, JsonValue[]>();
  const add = (where: string, schema: JsonValue): void =>
    void inside.set(where, [...(inside.get(where) ?? []), schema]);
  for (const schema of schemas) {
    for (const [name, one] of Object.entries(objectOf(schema["properties"]))) add(`.${name}`, one);
    for (const [name, one] of Object.entries(objectOf(schema["patternProperties"]))) add(`./${name}/`, one);
    if (isObject(schema["additionalProperties"])) add(".*", schema["additionalProperties"]);
    if (isObject(schema["items"])) add("[]", schema["items"]);
    for (const [at, one] of listOf(schema["prefixItems"]).entries()) add(`[${at}]`, one);
  }
  return inside;
}

/** The members of an object and of all its parts, with the names that are required. */
function membersOf({ schema, definitions }: Described): {
  members: Map<string, JsonValue[]>;
  required: Set<JsonValue>;
} {
  const schemas = flattened([schema], definitions);
  const members = [...insideOf(schemas)].flatMap(([where, all]): [string, JsonValue[]][] =>
    /^\.(?!\*$|\/)/.test(where) ? [[where.slice(1), all]] : [],
  );
  return { members: new Map(members), required: new Set([...schemas].flatMap((one) => listOf(one["required"]))) };
}

/** Compares the schemas of one description with those of its tools; equal pairs are compared once. */
export class Comparison {
  private readonly numbers = new WeakMap<JsonObject, number>();
  private count = 0;
  private readonly done = new Set<string>();

  private key(schemas: ReadonlySet<JsonObject>): string {
    const ids = [...schemas].map((one) => {
      const known = this.numbers.get(one) ?? ++this.count;
      this.numbers.set(one, known);
      return known;
    });
    return ids.sort((a, b) => a - b).join(" ");
  }

  /** What differs, as sentences that begin with `where`. */
  differences(source: Described, tool: Described, where: string): string[] {
    const found: string[] = [];
    const queue: [source: JsonValue[], tool: JsonValue[], where: string][] = [[[source.schema], [tool.schema], where]];
    for (let next = queue.pop(); next; next = queue.pop()) {
      const [given, made, at] = next;
      const [ours, theirs] = [flattened(given, source.definitions), flattened(made, tool.definitions)];
      const key = `${this.key(ours)}/${this.key(theirs)}`;
      if (this.done.has(key)) continue;
      this.done.add(key);
      const [said, has] = [factsOf(ours), factsOf(theirs)];
      for (const fact of said) if (!has.has(fact)) found.push(`${at}: the tool does not say ${fact}`);
      for (const fact of has)
        if (!said.has(fact)) found.push(`${at}: the tool says ${fact}, which the description does not`);
      const [inside, kept] = [insideOf(ours), insideOf(theirs)];
      for (const [name, schemas] of inside) {
        const counterpart = kept.get(name);
        if (counterpart) queue.push([schemas, counterpart, at + name]);
        else found.push(`${at}: the tool has no ${name}`);
      }
      for (const name of kept.keys())
        if (!inside.has(name)) found.push(`${at}: the tool has ${name}, which is not described`);
    }
    return found;
  }
}

/** What the tool of an operation says otherwise than its description, at any depth. */
export function differencesOf(
  { operation, definitions }: { operation: SourceOperation; definitions: JsonObject },
  action: Action,
  comparison: Comparison,
): string[] {
  const title = `${operation.method.toUpperCase()} ${operation.path}`;
  const { transport } = action;
  const { $defs = {}, ...parameters } = selfContained(action);
  const tool = (name: string): Described => ({
    schema: objectOf(parameters["properties"])[name] ?? {},
    definitions: objectOf($defs),
  });
  const isRequired = (name: string): boolean => listOf(parameters["required"]).includes(name);
  const found: string[] = [];
  const compare = (schema: JsonValue, required: boolean, { name, where }: { name: string; where: string }): void => {
    found.push(...comparison.differences({ schema, definitions }, tool(name), `${title}: ${where}`));
    if (isRequired(name) !== required) found.push(`${title}: ${where} is ${required ? "no longer" : "now"} required`);
  };
  for (const one of operation.parameters) {
    const same = (key: string): boolean => key.toLowerCase() === one.name.toLowerCase();
    const to = listOf(transport["parameters"])
      .map(objectOf)
      .find((other) => other["in"] === one.location && same(String(other["key"])));
    if (to) compare(one.schema, one.required, { name: String(to["name"]), where: `${one.location} ${one.name}` });
  }
  if (operation.queryString) {
    const { schema, required: isSent } = operation.queryString;
    const { members, required } = membersOf({ schema, definitions });
    for (const [key, schemas] of members) {
      const to = listOf(transport["parameters"])
        .map(objectOf)
        .find((one) => one["in"] === "query" && one["key"] === key);
      const where = `query string.${key}`;
      if (to) compare({ allOf: schemas }, isSent && required.has(key), { name: String(to["name"]), where });
    }
  }
  const written = objectOf(transport["body"]);
  const type = String(written["contentType"]);
  const body = operation.bodies.find((one) => isSameType(one.contentType, type));
  if (!body || !/json|\*\/\*|x-www-form-urlencoded|^multipart\//i.test(type)) return found;
  if (typeof written["argument"] === "string") {
    compare(body.schema, body.required, { name: written["argument"], where: "body" });
    return found;
  }
  const { members, required } = membersOf({ schema: body.schema, definitions });
  for (const [name, key] of Object.entries(objectOf(written["properties"]))) {
    const schemas = members.get(String(key));
    if (schemas)
      compare({ allOf: schemas }, body.required && required.has(String(key)), { name, where: `body.${key}` });
    else if (!required.has(String(key)))
      found.push(`${title}: the tool has ${key} in the body, which is not described`);
    members.delete(String(key));
  }
  for (const key of members.keys()) if (key !== ".*") found.push(`${title}: the tool has no ${key} in the body`);
  return found;
}

// A call made from the description alone: values from the source operation's own schemas, each under the argument name that the
// documented rule gives it. Source: docs/reference.md, "Importing a description".
import { selfContained } from "../../src/domain/definitions.js";
import type { Action } from "../../src/domain/schema-document.js";
import { isObject, type JsonObject, type JsonValue, listOf, objectOf } from "../../src/lib/json.js";
import { isLeftOut, isSameType } from "./complete.js";
import { type Extent, generate } from "./generate.js";
import type { SourceBody, SourceOperation } from "./source.js";
import { PLAIN, RESERVED_ESCAPED, SPACELESS } from "./strings.js";

/** A call: values by "LOCATION NAME", "querystring" and "body" as the source says, and the same as arguments of the tool. */
export interface SourceCall {
  values: JsonObject;
  arguments: JsonObject;
  body: SourceBody | undefined;
}

/** What comparisons are called in an argument's name, of a date and of anything else. */
const WORDS: [sign: RegExp, words: string[]][] = [
  [/>=|≥/g, ["_gte_", "_from_"]],
  [/<=|≤/g, ["_lte_", "_until_"]],
  [/!=|<>|≠|!/g, ["_not_"]],
  [/</g, ["_lt_", "_before_"]],
  [/>/g, ["_gt_", "_after_"]],
  [/[~≈]/g, ["_like_"]],
  [/%/g, ["_percent_"]],
  [/\+/g, ["_plus_"]],
];
const MAX_NAME = 64;

/** A body's members are one level further away than those of arguments. */
const LEVELS = 5;

/** The names that the rule allows for a name in the request. */
function allowedNames(location: string, key: string): (name: string) => boolean {
  const spelled = WORDS.reduce<string[]>(
    (all, [sign, words]) => words.flatMap((word) => all.map((one) => one.replace(sign, word))),
    [key],
  );
  const bases = spelled.map((one) =>
    /^[\w.-]{1,64}$/.test(key)
      ? key
      : one
          .normalize("NFKD")
          .replace(/\p{M}/gu, "")
          .replace(/[^a-zA-Z0-9_-]+/g, "_")
          .replace(/__+/g, "_")
          .replace(/^_+|_+$/g, ""),
  );
  return (name) =>
    bases.some(
      (base) =>
        name === base ||
        (key.endsWith("[]") && name === `${base}_list`) ||
        name === `${location}_${base}`.slice(0, MAX_NAME) ||
        // Cut to length, or numbered: of such a name the beginning is known.
        (name.length <= MAX_NAME &&
          (base.length > MAX_NAME || /_\d+$/.test(name)) &&
          name.slice(0, 20) === `${base}`.slice(0, 20)) ||
        (base === "" && name.startsWith(`${location}_`)),
    );
}

/** The schema that values of a body are made for: what is neither JSON nor a form is a text. */
function bodySchema({ schema }: SourceBody, contentType: string): JsonValue {
  return /json|\*\/\*|x-www-form-urlencoded|^multipart\//i.test(contentType) ? schema : { type: "string" };
}

/** The body that the tool sends, as the source describes it; undefined when it sends none. */
function bodyOf({ bodies }: SourceOperation, transport: JsonObject): SourceBody | undefined {
  const type = String(objectOf(transport["body"])["contentType"] ?? "");
  // A type that is named comes before a range that it is in.
  return (
    bodies.find(({ contentType }) => contentType === type) ?? bodies.find((one) => isSameType(one.contentType, type))
  );
}

/** Where the source's values go among the arguments; a name that the rule does not allow is a reason. */
function named(values: JsonObject, operation: SourceOperation, { transport }: Action): JsonObject | string {
  const args: [string, JsonValue][] = [];
  const parameters = listOf(transport["parameters"]).map(objectOf);
  for (const { location, name } of operation.parameters) {
    const value = values[`${location} ${name}`];
    if (value === undefined) continue;
    const same = (key: string): boolean =>
      key === name || (location === "header" && key.toLowerCase() === name.toLowerCase());
    const to = parameters.find((one) => one["in"] === location && same(String(one["key"])));
    if (!to) return `the tool does not send ${name} in the ${location}`;
    if (!allowedNames(location, name)(String(to["name"]))) return `the argument for ${name} is called ${to["name"]}`;
    args.push([String(to["name"]), value]);
  }
  for (const [name, value] of Object.entries(objectOf(values["querystring"]))) {
    const to = parameters.find((one) => one["in"] === "query" && one["key"] === name);
    if (!to) return `the tool does not send ${name} of the query string`;
    args.push([String(to["name"]), value]);
  }
  const body = objectOf(transport["body"]);
  if (values["body"] === undefined) return Object.fromEntries(args);
  if (typeof body["argument"] === "string") return Object.fromEntries([...args, [body["argument"], values["body"]]]);
  const names = new Map(Object.entries(objectOf(body["properties"])).map(([name, key]) => [String(key), name]));
  for (const [key, value] of Object.entries(objectOf(values["body"]))) {
    const name = names.get(key) ?? key;
    if (!names.has(key) && body["additional"] !== true) return `the tool does not send ${key} in the body`;
    if (!allowedNames("body", key)(name)) return `the argument for ${key} is called ${name}`;
    args.push([name, value]);
  }
  return Object.fromEntries(args);
}

/** Makes a call of an operation, or says why none can be made. `definitions` is what the source's schemas refer to. */
export function callFromSource(
  operation: SourceOperation,
  { action, definitions }: { action: Action; definitions: JsonObject },
  extent: Extent,
): SourceCall | { reason: string } {
  const { transport } = action;
  const body = transport["body"] === undefined ? undefined : bodyOf(operation, transport);
  const sent = operation.parameters.filter((one) => !isLeftOut(one, operation.path));
  const title = (one: { location: string; name: string }): string => `${one.location} ${one.name}`;
  const schemas: [string, JsonValue][] = sent.map((one) => [title(one), one.schema]);
  const contentType = String(objectOf(transport["body"])["contentType"]);
  const { queryString } = operation;
  if (queryString) schemas.push(["querystring", queryString.schema]);
  if (body) schemas.push(["body", bodySchema(body, contentType)]);
  const required = sent.filter((one) => one.required).map(title);
  if (queryString?.required) required.push("querystring");
  if (body?.required) required.push("body");
  const parameters: JsonObject = { type: "object", properties: Object.fromEntries(schemas), required };
  const samples = new Map<string, string>();
  for (const one of sent) {
    if (one.location === "header") samples.set(title(one), PLAIN);
    if (one.allowReserved) samples.set(title(one), RESERVED_ESCAPED);
    if (one.style === "spaceDelimited") samples.set(title(one), SPACELESS);
  }
  for (const [name, one] of Object.entries({ querystring: queryString, body })) {
    const fields = Object.values(one?.encoding ?? {}).map(objectOf);
    if (fields.some((field) => field["allowReserved"] === true)) samples.set(name, RESERVED_ESCAPED);
    if (fields.some((field) => field["style"] === "spaceDelimited")) samples.set(name, SPACELESS);
  }
  const made = generate(selfContained({ parameters, definitions }), extent, {
    samples,
    texts: new Set([...sent.map(title), ...(queryString ? ["querystring"] : [])]),
    levels: LEVELS,
  });
  if ("reason" in made) return { reason: `from the description: ${made.reason}` };
  const values = made.arguments;
  // A body that is neither required nor holds anything is none.
  const { body: sentBody } = values;
  if (body?.required === false && isObject(sentBody) && Object.keys(sentBody).length === 0) delete values["body"];
  const args = named(values, operation, action);
  if (typeof args === "string") return { reason: args };
  return { values, arguments: args, body };
}

// Path, query, header and cookie parameters of one operation: what the model fills in, and how each value is written.
// Source: OpenAPI 3.1, Parameter Object; RFC 9110 for the headers that are nobody's to choose.
import { isObject, type JsonObject, type JsonValue } from "../../../lib/json.js";
import type { Arguments, Place } from "./arguments.js";
import { ImportProblem, listOf, objectOf, textOf, type Warn } from "./read.js";
import type { Refs } from "./refs.js";
import type { Schemas } from "./schemas.js";

const PLACES = new Set(["path", "query", "header", "cookie"]);
const DEFAULT_STYLE: Record<string, string> = { path: "simple", query: "form", header: "simple", cookie: "form" };
/** The first three are ignored by OpenAPI's own rule; the rest would let an argument speak for the daemon or the proxy. */
const NOT_HEADERS =
  /^(accept|content-type|authorization|host|cookie|connection|content-length|content-encoding|transfer-encoding|te|trailer|upgrade|expect|keep-alive|forwarded|x-http-method(-override)?|x-method-override|proxy-.*|x-forwarded-.*)$/i;
const OVERRIDES = /^_method$/i;

/** What parameters are read with. */
export interface ParameterContext {
  refs: Refs;
  schemas: Schemas;
  warn: Warn;
  /** The operation, as people name it: "GET /pets". */
  where: string;
}

/** The operation's parameters over those of its path, each looked up, one for each place and name. */
function gather(lists: (JsonValue | undefined)[], { refs }: ParameterContext): JsonObject[] {
  const found = new Map<string, JsonObject>();
  for (const list of lists)
    for (const item of listOf(list)) {
      const parameter = refs.follow(item);
      if (!isObject(parameter) || textOf(parameter["name"]) === undefined)
        throw new ImportProblem("a parameter has no name");
      const place = String(parameter["in"]);
      if (!PLACES.has(place)) throw new ImportProblem(`the parameter ${parameter["name"]} is in "${place}"`);
      const name = String(parameter["name"]);
      found.set(`${place} ${place === "header" ? name.toLowerCase() : name}`, parameter);
    }
  return [...found.values()];
}

function isIgnored(parameter: JsonObject): boolean {
  const name = String(parameter["name"]);
  return parameter["in"] === "header" ? NOT_HEADERS.test(name) : parameter["in"] === "query" && OVERRIDES.test(name);
}

/** How the value is written, as far as it differs from what OpenAPI takes for granted. */
function writing(parameter: JsonObject): JsonObject {
  const usual = DEFAULT_STYLE[String(parameter["in"])] ?? "form";
  const style = textOf(parameter["style"]) ?? usual;
  const explode = typeof parameter["explode"] === "boolean" ? parameter["explode"] : style === "form";
  return {
    ...(style !== usual && { style }),
    ...(explode !== (style === "form") && { explode }),
    ...(parameter["allowReserved"] === true && { allowReserved: true }),
  };
}

function add(parameter: JsonObject, args: Arguments, { schemas }: ParameterContext): JsonObject {
  const [contentType, media] = Object.entries(objectOf(parameter["content"]))[0] ?? [];
  const raw = contentType === undefined ? parameter["schema"] : objectOf(media)["schema"];
  const key = String(parameter["name"]);
  const place = String(parameter["in"]) as Place;
  const converted = schemas.convert(raw, args.uses);
  const { example, deprecated } = parameter;
  const noted =
    isObject(converted) && !("examples" in converted) && (typeof example === "string" || typeof example === "number");
  const schema = noted && String(example).length <= 100 ? { ...converted, examples: [example] } : converted;
  const name = args.add({
    place,
    key,
    schema: deprecated === true && isObject(schema) ? { ...schema, deprecated: true } : schema,
    required: place === "path" || parameter["required"] === true,
    description: textOf(parameter["description"]),
  });
  return { name, in: place, key, ...writing(parameter), ...(contentType !== undefined && { content: contentType }) };
}

/**
 * Adds an operation's parameters to its arguments; gives the transport's description of them.
 * What the path's template names but nobody declares is added as a text. Throws ImportProblem.
 */
export function readParameters(
  path: string,
  lists: (JsonValue | undefined)[],
  args: Arguments,
  context: ParameterContext,
): JsonObject[] {
  const all = gather(lists, context);
  const order = ["path", "query", "header", "cookie"];
  const sorted = order.flatMap((place) => all.filter((parameter) => parameter["in"] === place));
  const template = [...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? "");
  const missing = template.filter((name) => !all.some((one) => one["in"] === "path" && one["name"] === name));
  const out: JsonObject[] = [];
  for (const key of new Set(missing)) {
    context.warn(`${context.where} does not declare its path parameter ${key}; it is taken as a text.`);
    out.push({ name: args.add({ place: "path", key, schema: { type: "string" }, required: true }), in: "path", key });
  }
  for (const parameter of sorted) {
    if (isIgnored(parameter)) continue;
    if (parameter["in"] === "path" && !template.includes(String(parameter["name"])))
      context.warn(`${context.where} declares a path parameter ${parameter["name"]} that its path does not have.`);
    else out.push(add(parameter, args, context));
  }
  return out;
}

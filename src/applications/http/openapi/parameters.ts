// Path, query, header and cookie parameters of one operation: what the model fills in, and how each value is written.
// Source: OpenAPI 3.1, Parameter Object.
import { isObject, type JsonObject, type JsonValue, listOf, objectOf, textsOf } from "../../../lib/json.js";
import { isArgumentHeader, isIgnoredHeader, isMethodOverride } from "../argument-names.js";
import { DEFAULT_STYLE, type ParameterLocation, type WrittenParameter } from "../description.js";
import type { Arguments } from "./arguments.js";
import { holdsObjects } from "./media.js";
import { squash } from "./names/english.js";
import { ImportProblem, INNER_STYLES, spelled, textOf, type Warn } from "./read.js";
import type { MembersOf } from "./schemas/members.js";
import { displayRef, type Refs } from "./schemas/refs.js";
import type { Schemas } from "./schemas/schemas.js";
import type { Work } from "./schemas/work.js";
import { MAX_EXAMPLE } from "./text.js";

/** What parameters are read with. */
interface ParameterContext {
  refs: Refs;
  schemas: Schemas;
  membersOf: MembersOf;
  work: Work;
  /** Places of the operation's API keys, which are configured. */
  credentials: ReadonlySet<string>;
  warn: Warn;
  /** The operation, as people name it: "GET /pets". */
  where: string;
}

/** A parameter that has a name and a known location. */
interface DescribedParameter {
  name: string;
  location: ParameterLocation;
  raw: JsonObject;
}

/** Where a value goes, as one text. Names of headers are the same in capitals. */
export function placeOf(location: string, name: string): string {
  return `${location} ${location === "header" ? name.toLowerCase() : name}`;
}

const isLocation = (text: string): text is ParameterLocation => Object.hasOwn(DEFAULT_STYLE, text);

/** A parameter without a name, by what refers to it. */
function titleOf(item: JsonValue): string {
  const ref = objectOf(item)["$ref"];
  return typeof ref === "string" ? `the parameter ${displayRef(ref)}` : "a parameter";
}

/** A member of a form as a query parameter: without a style, nested values are JSON where that is said, and else have names in brackets. */
function ofMember(schema: JsonValue, encoding: JsonObject, refs: Refs): JsonObject {
  const { style, explode, allowReserved, contentType } = encoding;
  const isPlain = style !== undefined || explode !== undefined || !holdsObjects(schema, refs);
  const type = textOf(contentType);
  if (!isPlain && type?.includes("json")) return { content: { [type]: { schema } } };
  return {
    schema,
    style: style ?? (isPlain ? "form" : "deepObject"),
    ...(explode !== undefined && { explode }),
    ...(allowReserved === true && { allowReserved }),
  };
}

const FORM = /^application\/x-www-form-urlencoded\b/i;

/**
 * A query string that is described as a whole (OpenAPI 3.2): of a form each member is a query parameter, and any other one is one value.
 * Throws ImportProblem.
 */
function ofQueryString(name: string, raw: JsonObject, context: ParameterContext): DescribedParameter[] {
  const { refs, schemas, membersOf } = context;
  const [type = "", given] = Object.entries(objectOf(refs.follow(raw["content"])))[0] ?? [];
  const { schema, encoding } = refs.object(given);
  if (type === "") throw new ImportProblem(`the query string ${name} has no content`);
  if (!FORM.test(type)) return [{ name, location: "querystring", raw }];
  const members = membersOf(schema);
  if (!members) throw new ImportProblem(`the query string ${name} is a form without plain members`);
  const hidden = schemas.readOnlyNames(schema);
  return [...members.properties].flatMap(([key, member]): DescribedParameter[] => {
    const required = raw["required"] === true && members.required.has(key);
    const written = ofMember(member, objectOf(objectOf(encoding)[key]), refs);
    return hidden.has(key) ? [] : [{ name: key, location: "query", raw: { ...written, required } }];
  });
}

/** The operation's parameters over those of its path, each looked up, one for each location and name. */
function gather(lists: (JsonValue | undefined)[], context: ParameterContext): DescribedParameter[] {
  const { refs } = context;
  const found = new Map<string, DescribedParameter>();
  for (const item of lists.flatMap((list) => listOf(refs.follow(list)))) {
    const raw = refs.object(item);
    const name = textOf(raw["name"]);
    if (name === undefined) throw new ImportProblem(`${titleOf(item)} has no name`);
    const location = spelled(raw["in"]);
    if (location === "querystring") {
      for (const one of ofQueryString(name, raw, context)) found.set(placeOf(one.location, one.name), one);
      continue;
    }
    if (!isLocation(location)) throw new ImportProblem(`the parameter ${name} is in "${location}"`);
    found.set(placeOf(location, name), { name, location, raw });
  }
  const all = [...found.values()];
  const whole = all.find((one) => one.location === "querystring");
  if (whole && all.some((one) => one !== whole && /^query/.test(one.location)))
    throw new ImportProblem(`the query string ${whole.name} stands beside other parameters of the query`);
  return all;
}

/** Whether a parameter is left out: what OpenAPI ignores, credentials, and, with a warning, what no argument may set. */
function isLeftOut({ name, location }: DescribedParameter, { credentials, warn }: ParameterContext): boolean {
  const isHeader = location === "header";
  if (credentials.has(placeOf(location, name)) || (isHeader && isIgnoredHeader(name))) return true;
  const isAllowed = isHeader ? isArgumentHeader(name) : location !== "query" || !isMethodOverride(name);
  if (isAllowed) return false;
  const words = isHeader ? `header ${name}` : `query parameter ${name}`;
  warn(
    `The ${words} is not for an argument to set, so no tool takes it; what every call is to send goes into the headers of the application in config.json.`,
  );
  return true;
}

/** How the value is written, as far as it differs from what OpenAPI takes for granted. */
function serialisation({ location, raw }: DescribedParameter): Partial<WrittenParameter> {
  const usual = DEFAULT_STYLE[location];
  const style = textOf(raw["style"]) ?? usual;
  const isExploded = style === "form" || style === "cookie";
  const explode = typeof raw["explode"] === "boolean" ? raw["explode"] : isExploded;
  const inner = textsOf(raw[INNER_STYLES]);
  return {
    style: style === usual ? undefined : style,
    explode: explode === isExploded ? undefined : explode,
    inner: inner.length > 0 ? inner : undefined,
    allowReserved: raw["allowReserved"] === true || undefined,
  };
}

const known = new WeakMap<JsonObject, JsonValue>();

/** The schema with what the parameter itself says of the value. The same one for the same parameter. */
function schemaOf(raw: JsonObject, converted: JsonValue): JsonValue {
  const before = known.get(raw);
  if (before !== undefined) return before;
  const { example, deprecated } = raw;
  const isShort = (typeof example === "string" || typeof example === "number") && String(example).length <= MAX_EXAMPLE;
  const takesExample = isShort && isObject(converted) && !("examples" in converted);
  const schema = takesExample ? { ...converted, examples: [example] } : converted;
  const made = deprecated === true && isObject(schema) ? { ...schema, deprecated: true } : schema;
  known.set(raw, made);
  return made;
}

function add(
  parameter: DescribedParameter,
  args: Arguments,
  { refs, schemas, work }: ParameterContext,
): WrittenParameter {
  const { name: key, location, raw } = parameter;
  work.spend();
  const [contentType, media] = Object.entries(objectOf(refs.follow(raw["content"])))[0] ?? [];
  const described = contentType === undefined ? raw["schema"] : refs.object(media)["schema"];
  const converted = schemas.convert(described, args.uses);
  const name = args.add({
    location,
    key,
    schema: schemaOf(raw, converted),
    required: location === "path" || raw["required"] === true,
    description: textOf(raw["description"]),
  });
  return { name, in: location, key, ...serialisation(parameter), content: contentType };
}

/** The names in a path's placeholders. */
function placeholders(path: string): string[] {
  return [...path.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? "");
}

/** The parameter that is meant for a placeholder which none is declared for; undefined where it may be any or none. */
function meantFor(hole: string, holes: number, all: readonly DescribedParameter[]): DescribedParameter | undefined {
  const spare = all.filter(({ location }) => location === "path");
  const alike = spare.filter(({ name }) => squash(name) === squash(hole));
  if (alike.length === 1) return alike[0];
  if (holes === 1 && spare.length === 1) return spare[0];
  return all.find(({ location, name }) => location === "query" && name === hole);
}

/** The parameters, with each that was meant for a placeholder of the path in its place. */
function placed(
  all: readonly DescribedParameter[],
  template: ReadonlySet<string>,
  { warn, where }: ParameterContext,
): DescribedParameter[] {
  const declared = new Set(all.filter(({ location }) => location === "path").map(({ name }) => name));
  const holes = [...template].filter((name) => !declared.has(name));
  let rest = all.filter(({ location, name }) => location !== "path" || !template.has(name));
  const moved = holes.flatMap((hole): DescribedParameter[] => {
    const meant = meantFor(hole, holes.length, rest);
    if (!meant) return [];
    const { name, location, raw } = meant;
    rest = rest.filter((one) => one !== meant);
    warn(`${where} declares its path parameter ${hole} as ${location === "path" ? name : `one of the ${location}`}.`);
    const { style: _, explode: __, ...plainly } = raw;
    return [{ name: hole, location: "path", raw: location === "path" ? raw : plainly }];
  });
  return [...all.filter((one) => one.location === "path" && template.has(one.name)), ...moved, ...rest];
}

/** An operation's path, and its lists of parameters: those of the path item first. */
interface ParameterLists {
  path: string;
  lists: (JsonValue | undefined)[];
}

/**
 * Adds an operation's parameters to its arguments; gives their description for the request.
 * What the path's template names but the description does not is added as a text. Throws ImportProblem.
 */
export function readParameters(
  { path, lists }: ParameterLists,
  args: Arguments,
  context: ParameterContext,
): WrittenParameter[] {
  const template = new Set(placeholders(path));
  const all = placed(gather(lists, context), template, context);
  const sorted = Object.keys(DEFAULT_STYLE).flatMap((location) => all.filter((one) => one.location === location));
  const declared = new Set(all.filter(({ location }) => location === "path").map(({ name }) => name));
  const out: WrittenParameter[] = [];
  for (const key of template) {
    if (declared.has(key)) continue;
    context.warn(`${context.where} does not declare its path parameter ${key}; it is taken as a text.`);
    const name = args.add({ location: "path", key, schema: { type: "string" }, required: true });
    out.push({ name, in: "path", key });
  }
  for (const { location, name } of sorted) args.expect(location, [name]);
  for (const parameter of sorted) {
    if (isLeftOut(parameter, context)) continue;
    if (parameter.location === "path" && !template.has(parameter.name))
      context.warn(`${context.where} declares a path parameter ${parameter.name} that its path does not have.`);
    else out.push(add(parameter, args, context));
  }
  return out;
}

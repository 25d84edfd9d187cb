// Values for a schema, an operation's in its description or a tool's: the same ones in every run, and judged by Ajv before anyone sees them.
// Cycles end where nothing more is required; a union is tried branch by branch until the whole fits.
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { isObject, type JsonObject, type JsonValue, listOf, objectOf } from "../../src/lib/json.js";
import { referred } from "../../src/lib/json-pointer.js";
import { merged, Unfit } from "./merge.js";
import { stringFor, TRICKY } from "./strings.js";

/** `required`: nothing that may be left out. `everything`: all optional arguments too, lists of two, a few levels deep. */
export type Extent = "required" | "everything";

/** The search took too long; no other branch is tried. */
class Exhausted extends Error {}

/** Levels below the values at which optional members are still filled in. */
const OPTIONAL_DEPTH = 4;
/** Levels at which a value is given up as never ending. */
const MAX_DEPTH = 24;
/** Values in one set of arguments; then only what is required is added, and at the second number the search is given up. */
const MAX_VALUES = 1500;
const MAX_TRIED = 30_000;
/** Choices tried for one union; the second half with required members only. */
const BRANCHES = 10;
const SPARSE = { extent: "required" as const };
/** Other choices of union branches that are tried when the first do not fit together. */
const ATTEMPTS = 24;

const ajv = new Ajv2020({
  strict: false,
  logger: false,
  validateSchema: false,
  addUsedSchema: false,
  allErrors: false,
  // Each schema judges a handful of values: its optimising passes cost more than they save.
  code: { optimize: false },
});
formats.default(ajv, { mode: "fast" });

const numberOf = (value: JsonValue | undefined, otherwise: number): number =>
  typeof value === "number" ? value : otherwise;

/** Picks union branches for one attempt: the first ones at first, then others in a fixed order. */
function createChoices(attempt: number): (count: number) => number {
  let state = attempt * 2_654_435_761;
  return (count) => {
    if (attempt === 0) return 0;
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0;
    return state % count;
  };
}

interface Making {
  defs: JsonObject;
  extent: Extent;
  /** Levels at which optional members are still filled in. */
  levels: number;
  choose: (count: number) => number;
  /** Values made so far. */
  made: { count: number };
  /** The text that an argument is made of where its location does not allow every character, and the one in use. */
  samples: ReadonlyMap<string, string>;
  sample: string;
  /** Arguments that go where everything is text, and whether this is inside one. */
  texts: ReadonlySet<string>;
  text: boolean;
  fits: (schema: JsonObject, value: JsonValue) => boolean;
}

function resolvedType(raw: JsonValue, making: Making): JsonValue | undefined {
  const schema = objectOf(raw);
  const target = typeof schema["$ref"] === "string" ? referred(schema, { $defs: making.defs }) : schema;
  const { type, enum: options, pattern } = objectOf(target);
  return options === undefined && pattern === undefined ? type : undefined;
}

/** The schema with its references and `allOf` taken in, and one branch of each union. */
function resolved(raw: JsonValue, making: Making, steps = 0): JsonObject {
  if (raw === false || steps > 40) throw new Unfit("no value fits");
  if (!isObject(raw)) return {};
  const { $ref, allOf, anyOf, oneOf, ...own } = raw;
  let out: JsonObject = own;
  if (typeof $ref === "string") {
    const target = referred(raw, { $defs: making.defs });
    if (target === undefined) throw new Unfit(`${$ref} points nowhere`);
    out = merged(resolved(target, making, steps + 1), out);
  }
  for (const part of listOf(allOf)) out = merged(out, resolved(part, making, steps + 1));
  for (const union of [listOf(oneOf), listOf(anyOf)]) {
    if (union.length === 0) continue;
    // Null is the least informative; it is chosen only where there is no other branch.
    const informative = union.filter((branch) => objectOf(branch)["type"] !== "null");
    const branches = informative.length > 0 ? informative : union;
    // Where everything is text, "12" is no sure sign of a number: the branch of texts is.
    const texts = making.text ? branches.findIndex((one) => resolvedType(one, making) === "string") : -1;
    const chosen = making.choose(branches.length);
    const branch = branches[chosen === 0 && texts >= 0 ? texts : chosen];
    if (branch !== undefined) out = merged(out, resolved(branch, making, steps + 1));
  }
  return out;
}

function typeOf(schema: JsonObject): string {
  const types = [schema["type"] ?? []].flat().filter((type) => type !== "null");
  if (typeof types[0] === "string") return types[0];
  if ([schema["type"]].flat().includes("null")) return "null";
  if (schema["properties"] || schema["required"] || schema["additionalProperties"]) return "object";
  if (schema["items"] || schema["prefixItems"]) return "array";
  return schema["minimum"] === undefined && schema["maximum"] === undefined ? "string" : "number";
}

function numberFor(schema: JsonObject, nth: number): number {
  const integer = [schema["type"]].flat().includes("integer");
  const step = numberOf(schema["multipleOf"], integer ? 1 : 0.5);
  const above = numberOf(schema["exclusiveMinimum"], Number.NEGATIVE_INFINITY);
  const below = numberOf(schema["exclusiveMaximum"], Number.POSITIVE_INFINITY);
  const low = Math.max(numberOf(schema["minimum"], Number.NEGATIVE_INFINITY), above);
  const high = Math.min(numberOf(schema["maximum"], Number.POSITIVE_INFINITY), below);
  const start = Number.isFinite(low) ? Math.max(low, Math.min(12, high)) : Math.min(12, high);
  let value = Math.ceil(start / step) * step + nth * step;
  if (value <= above) value += step;
  if (value > high || value >= below) value = Math.floor(Math.min(high, below) / step) * step;
  if (value >= below) value -= step;
  return value;
}

function arrayFor(schema: JsonObject, making: Making, depth: number): JsonValue[] {
  const max = numberOf(schema["maxItems"], Number.POSITIVE_INFINITY);
  // An empty list has no form in a query or a form body, so that one item is the least.
  const wanted = making.extent === "everything" && depth <= making.levels ? 2 : 1;
  const count = Math.min(Math.max(wanted, numberOf(schema["minItems"], 0)), max);
  const tuple = listOf(schema["prefixItems"]);
  const out: JsonValue[] = [];
  for (let i = 0; i < Math.max(count, Math.min(tuple.length, max)); i++) {
    const item = tuple[i] ?? schema["items"] ?? {};
    try {
      const value = valueFor(item, making, depth + 1, i);
      const again = schema["uniqueItems"] === true && out.some((one) => JSON.stringify(one) === JSON.stringify(value));
      if (!again) out.push(value);
    } catch (error) {
      if (!(error instanceof Unfit) || i < numberOf(schema["minItems"], 0)) throw error;
      return out;
    }
  }
  return out;
}

function objectFor(schema: JsonObject, making: Making, depth: number): JsonObject {
  const properties = objectOf(schema["properties"]);
  const required = new Set(listOf(schema["required"]).map(String));
  const rest = schema["additionalProperties"];
  const roomy = making.extent === "everything" && depth <= making.levels && making.made.count < MAX_VALUES;
  const out: [string, JsonValue][] = [];
  const max = numberOf(schema["maxProperties"], Number.POSITIVE_INFINITY);
  const add = (name: string, inner: JsonValue): void => {
    if (inner === false && !required.has(name)) return;
    try {
      const { samples, texts } = making;
      const here = depth === 0 ? { ...making, sample: samples.get(name) ?? TRICKY, text: texts.has(name) } : making;
      out.push([name, valueFor(inner, here, depth + 1, 0)]);
    } catch (error) {
      if (!(error instanceof Unfit) || required.has(name)) throw error;
    }
  };
  for (const name of required) add(name, properties[name] ?? (isObject(rest) ? rest : {}));
  const optional = Object.entries(properties).filter(([name]) => !required.has(name));
  for (const [name, inner] of optional) if (roomy && out.length < max) add(name, inner);
  // An empty object has no form in a query or a form body either.
  const least = Math.max(numberOf(schema["minProperties"], 0), depth > 0 && depth <= making.levels ? 1 : 0);
  for (const [name, inner] of optional) if (!roomy && out.length < Math.min(least, max)) add(name, inner);
  // Names beyond those described only where they are invited: strict calls take no others.
  const invited = rest !== undefined || Object.keys(properties).length === 0;
  const open = (invited && optional.length === 0) || out.length < numberOf(schema["minProperties"], 0);
  if (rest !== false && open && depth > 0 && (roomy || out.length < least))
    for (let i = 1; i <= Math.max(1, least - out.length) && out.length < max; i++)
      add(`key_${i}`, isObject(rest) ? rest : {});
  return Object.fromEntries(out);
}

function plainFor(schema: JsonObject, making: Making, depth: number, nth: number): JsonValue {
  switch (typeOf(schema)) {
    case "object":
      return objectFor(schema, making, depth);
    case "array":
      return arrayFor(schema, making, depth);
    case "integer":
    case "number":
      return numberFor(schema, nth);
    case "boolean":
      return nth % 2 === 0;
    case "null":
      return null;
    default:
      return stringFor(schema, nth, making.sample);
  }
}

function isDoubtful(raw: JsonValue, making: Making, steps = 0): boolean {
  if (!isObject(raw) || steps > 10) return false;
  if (listOf(raw["oneOf"]).length > 1 || raw["not"] !== undefined) return true;
  const { $ref } = raw;
  const target = typeof $ref === "string" ? referred({ $ref }, { $defs: making.defs }) : undefined;
  return [target ?? false, ...listOf(raw["allOf"])].some((part) => isDoubtful(part, making, steps + 1));
}

/** What a schema lists; undefined when it lists nothing. Null and "" are taken only where nothing else is listed. */
function enumFor(schema: JsonObject, nth: number): JsonValue | undefined {
  if (schema["const"] !== undefined) return schema["const"];
  if (!Array.isArray(schema["enum"])) return undefined;
  const all = schema["enum"];
  const informative = all.filter((one) => one !== null && one !== "");
  const options = informative.length > 0 ? informative : all;
  const value = options[nth % (options.length || 1)];
  if (value === undefined) throw new Unfit("its enum is empty");
  return value;
}

function valueFor(raw: JsonValue, making: Making, depth: number, nth: number): JsonValue {
  if (depth > MAX_DEPTH) throw new Unfit("it never ends");
  if (++making.made.count > MAX_TRIED) throw new Exhausted("the search took too long");
  // A union whose branches overlap, or what must not fit, is only known to fit after Ajv has checked it.
  const doubtful = isDoubtful(raw, making);
  let reason = "no branch fits";
  for (let attempt = 0; attempt < BRANCHES; attempt++) {
    let choices = 0;
    const pick = attempt === 0 ? making.choose : createChoices(attempt % (BRANCHES / 2));
    const choose = (count: number): number => {
      if (count > 1) choices++;
      return pick(count);
    };
    // Branches that only list what is required exclude each other; all optional members at once would fit several.
    const sparse = doubtful && attempt >= BRANCHES / 2;
    const here = { ...making, choose };
    try {
      const schema = resolved(raw, here);
      // Inside, other choices are made anew: what is counted is whether there is one here.
      const value =
        enumFor(schema, nth) ?? plainFor(schema, { ...making, choose: pick, ...(sparse && SPARSE) }, depth, nth);
      if (!doubtful || making.fits(raw as JsonObject, value)) return value;
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      reason = error.message;
    }
    if (choices === 0 && !doubtful) break;
  }
  throw new Unfit(reason);
}

/**
 * Arguments that fit the schema, or why none were found. `samples` holds the texts for arguments that do not allow every
 * character, `texts` names those that go where everything is text.
 */
export function generate(
  parameters: JsonObject,
  extent: Extent,
  { samples, texts, levels = OPTIONAL_DEPTH }: Pick<Making, "samples" | "texts"> & { levels?: number },
): { arguments: JsonObject } | { reason: string } {
  const defs = objectOf(parameters["$defs"]);
  let validate: ValidateFunction;
  const known = new Map<JsonObject, ValidateFunction>();
  const fits = (schema: JsonObject, value: JsonValue): boolean => {
    let check = known.get(schema);
    if (!check) known.set(schema, (check = ajv.compile({ ...schema, $defs: defs })));
    return check(value);
  };
  try {
    validate = ajv.compile(parameters);
  } catch (error) {
    return { reason: `Ajv cannot compile the tool's schema: ${(error as Error).message}` };
  }
  let reason = "";
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      const making: Making = {
        defs,
        extent,
        levels,
        choose: createChoices(attempt),
        made: { count: 0 },
        samples,
        sample: TRICKY,
        texts,
        text: false,
        fits,
      };
      const { $defs: _, ...own } = parameters;
      const args = objectFor(resolved(own, making), making, 0);
      if (validate(args)) return { arguments: args };
      const [error] = validate.errors ?? [];
      reason = `${error?.instancePath} ${error?.message}`;
    } catch (error) {
      if (error instanceof Exhausted) return { reason: error.message };
      if (!(error instanceof Unfit)) throw error;
      reason = error.message;
    }
  }
  return { reason: `no fitting arguments found: ${reason}` };
}

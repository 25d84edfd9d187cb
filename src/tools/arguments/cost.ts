// What a check costs at most, before it is made: in steps of some 10 ns, found from the schema and the arguments together. Assumes
// that every alternative is tried and every pattern matches, so that the check itself never takes more. Pure; knows no validator.
import { hasValue, isObject, type JsonObject, type JsonValue, listOf, objectOf } from "../../lib/json.js";
import { referred } from "../../lib/json-pointer.js";
import { patternCost, patternOf } from "./pattern.js";

/** What checking a value against one schema takes. Everything that may apply counts as if it did. */
interface Plan {
  /** For any value. */
  steps: number;
  /** For each key or item of the value. */
  perEntry: number;
  /** For each character of a text. */
  perCharacter: number;
  /** For each character of a key. */
  perKeyCharacter: number;
  /** For each pair of items, and of characters. */
  perPair: number;
  /** Schemas of the same value. */
  beside: Plan[];
  /** Schemas of each key. */
  keys: Plan[];
  /** Schemas of one property. */
  properties: Map<string, Plan>;
  /** Schemas of any property or item. */
  inside: Plan[];
}

/** Values in JSON that a schema compiled in place may consist of: a millisecond for some ten, and more for each in a large one. */
const MAX_SCHEMA_VALUES = 600;
/** Characters of its names and texts, names counted for each value below them: the code says of each of those where it stands. */
const MAX_SCHEMA_CHARACTERS = 128 * 1024;
/** Instructions that its patterns may come to: a millisecond for some fifty. */
const MAX_PATTERNS = 5_000;
/** Steps of one check: a few milliseconds. */
const MAX_STEPS = 200_000;
/** Values that arguments checked in place may consist of: where they are converted, each is copied three times. */
const MAX_VALUES = 5_000;
/** Schemas within schemas along one way through the arguments: more would be close to the end of the stack. */
const MAX_DEPTH = 1_000;

/** A call of a generated function, its keywords and the error it may end with. */
const SCHEMA = 30;
/** A key or item that is looked at. */
const ENTRY = 5;
/** Telling a key from a name. */
const NAME = 0.2;
/** Matching one character with one instruction. */
const INSTRUCTION = 10;
/** Formats are regular expressions that look at a character once, or a few times. */
const FORMAT = 1;
const LENGTH = 0.25;
/** The format whose regular expression may look at a character once for each other one. */
const SLOW_FORMAT = "url";
/** Characters of a text that are compared in a step. */
const COMPARED = 64;
/** A number or boolean may be converted into a text of so many characters. */
const SCALAR_CHARACTERS = 25;

const BESIDE = ["not", "if", "then", "else"];
const LISTS_BESIDE = ["allOf", "anyOf", "oneOf"];
const MAPS_BESIDE = ["dependentSchemas", "dependencies"];
const INSIDE = ["items", "contains", "additionalProperties", "unevaluatedProperties", "unevaluatedItems"];
/** References that lead to a place which depends on the way to them. */
const DYNAMIC = ["$dynamicRef", "$recursiveRef"];

/** Steps to compare a value with a whole other one: its values, and its characters. Stops soon after `most`. */
function comparisonCost(value: JsonValue, most: number): number {
  if (typeof value === "string") return 1 + value.length / COMPARED;
  if (typeof value !== "object" || value === null) return 1;
  let cost = 1;
  for (const key in value) {
    cost += key.length / COMPARED + comparisonCost((value as JsonObject)[key] ?? null, most - cost);
    if (cost > most) break;
  }
  return cost;
}

/** Builds the plans of one schema, each once: what is recursive becomes a ring of them. */
class Planner {
  /** Left of `MAX_PATTERNS`; below zero there is no plan. */
  instructions = MAX_PATTERNS;
  private readonly root: JsonObject;
  private readonly plans = new Map<JsonObject, Plan>();
  private readonly sizes = new Map<string, number>();

  constructor(root: JsonObject) {
    this.root = root;
  }

  plan(schema: JsonValue | undefined): Plan[] {
    if (!isObject(schema)) return [];
    let plan = this.plans.get(schema);
    if (!plan) {
      plan = {
        steps: SCHEMA,
        perEntry: ENTRY,
        perCharacter: 0,
        perKeyCharacter: 0,
        perPair: 0,
        beside: [],
        keys: [],
        properties: new Map(),
        inside: [],
      };
      this.plans.set(schema, plan);
      this.countKeywords(schema, plan);
      this.addSchemas(schema, plan);
    }
    return [plan];
  }

  private countKeywords(schema: JsonObject, plan: Plan): void {
    if (DYNAMIC.some((key) => Object.hasOwn(schema, key))) plan.steps = Number.POSITIVE_INFINITY;
    for (const key of ["dependentRequired", "dependencies"])
      for (const needed of Object.values(objectOf(schema[key]))) plan.steps += 1 + listOf(needed).length;
    const names = Object.keys(objectOf(schema["properties"])).length;
    plan.steps += names + listOf(schema["required"]).length;
    // Whether a key is none of them.
    plan.perEntry += names * NAME;
    for (const value of [schema["const"] ?? null, ...listOf(schema["enum"])]) {
      plan.steps += comparisonCost(value, MAX_STEPS);
      // Comparing two objects begins with a list of the keys of both.
      if (typeof value === "object" && value !== null) plan.perEntry += 1;
    }
    if (typeof schema["pattern"] === "string") plan.perCharacter += INSTRUCTION * this.sizeOfPattern(schema["pattern"]);
    for (const pattern of Object.keys(objectOf(schema["patternProperties"]))) {
      plan.perEntry += ENTRY;
      plan.perKeyCharacter += INSTRUCTION * this.sizeOfPattern(pattern);
    }
    const { format } = schema;
    if (format !== undefined) plan.perCharacter += FORMAT;
    if (schema["minLength"] !== undefined || schema["maxLength"] !== undefined) plan.perCharacter += LENGTH;
    if (schema["uniqueItems"] === true || format === SLOW_FORMAT) plan.perPair = 1;
  }

  private addSchemas(schema: JsonObject, plan: Plan): void {
    const beside = [
      ...BESIDE.map((key) => schema[key]),
      ...LISTS_BESIDE.flatMap((key) => listOf(schema[key])),
      ...MAPS_BESIDE.flatMap((key) => Object.values(objectOf(schema[key]))),
    ];
    const inside = [
      ...INSIDE.map((key) => schema[key]),
      ...listOf(schema["prefixItems"]),
      ...Object.values(objectOf(schema["patternProperties"])),
    ];
    plan.beside = [...beside, ...this.target(schema, plan)].flatMap((one) => this.plan(one));
    plan.inside = inside.flatMap((one) => this.plan(one));
    plan.keys = this.plan(schema["propertyNames"]);
    for (const [name, property] of Object.entries(objectOf(schema["properties"])))
      for (const one of this.plan(property)) plan.properties.set(name, one);
  }

  /** What a schema refers to. Where that cannot be said for certain, its plan costs more than there is. */
  private target(schema: JsonObject, plan: Plan): JsonValue[] {
    const ref = schema["$ref"];
    if (ref === undefined) return [];
    // Percent signs are decoded once here, and maybe twice elsewhere.
    const target = String(ref).includes("%") ? undefined : referred(schema, this.root);
    if (target !== undefined) return [target];
    plan.steps = Number.POSITIVE_INFINITY;
    return [];
  }

  private sizeOfPattern(text: string): number {
    let size = this.sizes.get(text);
    if (size === undefined) {
      this.instructions -= patternCost(text);
      size = this.instructions < 0 ? Number.POSITIVE_INFINITY : patternOf(text).size;
      this.sizes.set(text, size);
    }
    return size;
  }
}

/** One check, counted. */
class Count {
  left = MAX_STEPS;

  /** Counts a value; false as soon as there are no steps left. */
  spend(plan: Plan, value: JsonValue, depth: number): boolean {
    this.left -= plan.steps;
    if (depth > MAX_DEPTH || !(this.left >= 0)) return false;
    if (typeof value === "object" && value !== null) {
      if (!this.spendInside(plan, value, depth + 1)) return false;
    } else this.spendText(plan, typeof value === "string" ? value.length : SCALAR_CHARACTERS);
    return this.spendAll(plan.beside, value, depth + 1);
  }

  private spendAll(plans: readonly Plan[], value: JsonValue, depth: number): boolean {
    for (const plan of plans) if (!this.spend(plan, value, depth)) return false;
    return this.left >= 0;
  }

  private spendText(plan: Plan, characters: number): void {
    this.left -= plan.perCharacter * characters + plan.perPair * characters ** 2;
  }

  private spendInside(plan: Plan, value: JsonObject | JsonValue[], depth: number): boolean {
    const { perEntry, perKeyCharacter, perPair, keys, properties, inside } = plan;
    if (Array.isArray(value)) {
      this.left -= perEntry * value.length;
      if (perPair > 0) this.left -= perPair * value.length * comparisonCost(value, this.left);
      if (inside.length > 0) for (const item of value) if (!this.spendAll(inside, item, depth)) return false;
      return this.left >= 0;
    }
    for (const key in value) {
      this.left -= perEntry + perKeyCharacter * key.length;
      if (!this.spendAll(keys, key, depth)) return false;
      const property = properties.get(key);
      if (property && !this.spend(property, value[key] as JsonValue, depth)) return false;
      if (!this.spendAll(inside, value[key] as JsonValue, depth)) return false;
    }
    return this.left >= 0;
  }
}

/** Whether a value consists of more than so many; looks at no more than that. */
function hasMoreValues(value: JsonValue, most: number): boolean {
  let left = most;
  return hasValue(value, () => --left < 0);
}

/** Whether a schema has more characters than so many, those of a name counted for each value below it. */
function hasMoreCharacters(schema: JsonObject, most: number): boolean {
  let left = most;
  const valuesIn = (value: JsonValue): number => {
    if (typeof value === "string") left -= value.length;
    if (typeof value !== "object" || value === null) return 1;
    let values = 1;
    for (const [key, inner] of Object.entries(value)) {
      const below = valuesIn(inner);
      left -= key.length * below;
      values += below;
    }
    return values;
  };
  valuesIn(schema);
  return left < 0;
}

/** Whether a part of a schema has a URI of its own: references in it, and through it, lead elsewhere than `referred` finds. */
const isIdentified = (value: JsonValue): boolean => isObject(value) && typeof value["$id"] === "string";

/**
 * A function that says whether checking arguments against this schema is cheap, and whatever it takes to find that out is cheap, too.
 * Undefined when nothing is proven of the schema, or compiling it or a pattern in it is not cheap. The schema is self-contained.
 */
export function cheapChecks(schema: JsonObject): ((args: JsonObject) => boolean) | undefined {
  if (hasMoreValues(schema, MAX_SCHEMA_VALUES) || hasMoreCharacters(schema, MAX_SCHEMA_CHARACTERS)) return undefined;
  if (hasValue(schema, isIdentified)) return undefined;
  const planner = new Planner(schema);
  const [plan] = planner.plan(schema);
  if (!plan || planner.instructions < 0) return undefined;
  return (args) => new Count().spend(plan, args, 0) && !hasMoreValues(args, MAX_VALUES);
}

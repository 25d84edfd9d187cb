// Are these the arguments the tool takes? One compiled check per action, made at its first call.
// Ajv is loaded at the first call too: a daemon that only starts should not pay for it.
import type { Ajv2020, ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import { isObject, type JsonObject, type JsonValue } from "./json.js";
import type { Action } from "./schema.js";

/** The arguments ready to be sent, or why they can't be. */
export type Checked = { kind: "fit"; arguments: JsonObject } | { kind: "unfit"; reason: string };

interface Checks {
  coercing: WeakMap<Action, ValidateFunction>;
  exact: WeakMap<Action, ValidateFunction>;
  coercingAjv: Ajv2020;
  exactAjv: Ajv2020;
}

let checks: Promise<Checks> | undefined;

/** Patterns come with the description, so they run in linear time (RE2); one that RE2 cannot express is not enforced. */
async function load(): Promise<Checks> {
  const [{ Ajv2020 }, formats, { RE2JS }] = await Promise.all([
    import("ajv/dist/2020.js"),
    import("ajv-formats"),
    import("re2js"),
  ]);
  // Ajv tells patterns apart by their text: without a toString of its own each would pass for the first.
  const linear = (pattern: string): { test(text: string): boolean; toString(): string } => {
    const named = { toString: () => pattern };
    try {
      const compiled = RE2JS.compile(pattern);
      return { test: (text) => compiled.matcher(text).find(), ...named };
    } catch {
      return { test: () => true, ...named };
    }
  };
  const regExp = Object.assign(linear, { code: "linear" });
  const make = (coerceTypes: boolean): Ajv2020 => {
    const ajv = new Ajv2020({
      strict: false,
      logger: false,
      coerceTypes,
      validateSchema: false,
      addUsedSchema: false,
      unicodeRegExp: true,
      code: { regExp: regExp as never },
    });
    formats.default.default(ajv, { mode: "fast" });
    return ajv;
  };
  return { coercing: new WeakMap(), exact: new WeakMap(), coercingAjv: make(true), exactAjv: make(false) };
}

function validator(kinds: Checks, action: Action, strict: boolean): ValidateFunction {
  const cache = strict ? kinds.exact : kinds.coercing;
  let validate = cache.get(action);
  if (!validate) {
    validate = (strict ? kinds.exactAjv : kinds.coercingAjv).compile(action.parameters);
    cache.set(action, validate);
  }
  return validate;
}

/** A copy that Ajv can judge: bigints as numbers. */
function forAjv(value: JsonValue): JsonValue {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(forAjv);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, forAjv(inner)]));
}

/** Puts every digit back that judging or coercing rounded away. */
function restore(original: JsonValue | undefined, judged: JsonValue): JsonValue {
  if (typeof original === "bigint") return original;
  if (typeof judged === "number" && !Number.isSafeInteger(judged) && typeof original === "string")
    return /^-?\d+$/.test(original) ? BigInt(original) : judged;
  if (Array.isArray(judged))
    return judged.map((item, i) => restore(Array.isArray(original) ? original[i] : undefined, item));
  if (!isObject(judged)) return judged;
  const source = isObject(original) ? original : {};
  return Object.fromEntries(Object.entries(judged).map(([key, inner]) => [key, restore(source[key], inner)]));
}

function sentence(error: ErrorObject | undefined): string {
  if (!error) return "the arguments do not fit the tool's schema";
  const where = error.instancePath ? error.instancePath.slice(1).replaceAll("/", ".") : "";
  const allowed =
    isObject(error.params) && Array.isArray(error.params["allowedValues"]) ? error.params["allowedValues"] : [];
  const what = `${error.message ?? "does not fit"}${allowed.length > 0 ? `: ${allowed.slice(0, 20).join(", ")}` : ""}`;
  return where ? `${where} ${what}` : what;
}

/** Argument names the tool does not know; empty for a tool that takes any. */
function unknownNames(action: Action, args: JsonObject): string[] {
  const { properties, additionalProperties } = action.parameters;
  if (!isObject(properties) || additionalProperties === true || isObject(additionalProperties)) return [];
  return Object.keys(args).filter((name) => !Object.hasOwn(properties, name));
}

/**
 * Checks a call's arguments against the action's schema. Outside strict, "5" may stand for 5; in strict nothing is coerced.
 * Unknown names are refused in both, so that a misspelt field is never silently left out. Never throws.
 */
export async function checkArguments(action: Action, args: JsonObject, strict: boolean): Promise<Checked> {
  const unknown = unknownNames(action, args);
  if (unknown.length > 0) {
    const known = Object.keys(isObject(action.parameters["properties"]) ? action.parameters["properties"] : {});
    return {
      kind: "unfit",
      reason: `unknown argument ${unknown.join(", ")}; ${action.name} takes ${known.join(", ") || "none"}`,
    };
  }
  checks ??= load();
  let validate: ValidateFunction;
  try {
    validate = validator(await checks, action, strict);
  } catch (error) {
    return {
      kind: "unfit",
      reason: `the schema of ${action.name} cannot be used: ${error instanceof Error ? error.message : error}`,
    };
  }
  const judged = forAjv(args) as JsonObject;
  if (!validate(judged)) return { kind: "unfit", reason: sentence(validate.errors?.[0]) };
  return { kind: "fit", arguments: restore(args, judged) as JsonObject };
}

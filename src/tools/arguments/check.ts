// Are these the arguments the tool takes? One compiled check per action, made at its first call.
// Ajv is loaded at the first call too: a daemon that only starts should not pay for it.
import type { Ajv2020, ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import { selfContained } from "../../domain/definitions.js";
import { messageOf } from "../../domain/error.js";
import type { Action } from "../../domain/schema-document.js";
import { isObject, type JsonObject, type JsonValue } from "../../lib/json.js";
import { fromPointer, valueAt } from "../../lib/json-pointer.js";
import { losslessConversions } from "./coercion.js";
import { refuseUnknownNames } from "./no-unknown-names.js";

/** The arguments ready to be sent, or why they can't be. */
type CheckedArguments = { kind: "valid"; arguments: JsonObject } | { kind: "invalid"; reason: string };

/** Judges as the schema says, with every object complete, or converting values on the way. */
type Strictness = "exact" | "complete" | "converting";

interface Compiler {
  ajv: Ajv2020;
  compiled: WeakMap<Action, ValidateFunction>;
}
type Checks = Record<Strictness, Compiler>;

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
  const make = (coerceTypes: boolean): Compiler => {
    const ajv = new Ajv2020({
      strict: false,
      logger: false,
      coerceTypes,
      validateSchema: false,
      addUsedSchema: false,
      unicodeRegExp: true,
      // Its optimising passes take longer than they save in the few calls an action gets.
      code: { regExp: regExp as never, optimize: false },
    });
    formats.default.default(ajv, { mode: "fast" });
    return { ajv, compiled: new WeakMap() };
  };
  return { exact: make(false), complete: make(false), converting: make(true) };
}

function validator(checks: Checks, strictness: Strictness, action: Action): ValidateFunction {
  const { ajv, compiled } = checks[strictness];
  let validate = compiled.get(action);
  if (!validate) {
    const schema = compilable(selfContained(action)) as JsonObject;
    validate = ajv.compile(strictness === "complete" ? refuseUnknownNames(schema) : schema);
    compiled.set(action, validate);
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

/** A schema that Ajv can compile: its numbers as doubles; a bound that no double comes near bounds nothing and is left out. */
function compilable(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(compilable);
  if (!isObject(schema)) return forAjv(schema);
  const members = Object.entries(schema).map(([key, inner]) => [key, compilable(inner)] as const);
  return Object.fromEntries(members.filter(([, inner]) => typeof inner !== "number" || Number.isFinite(inner)));
}

/** Whether a number stands somewhere that JSON cannot write: it would leave as null. */
function holdsInfinity(value: JsonValue): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  return typeof value === "object" && value !== null && Object.values(value).some(holdsInfinity);
}

function sentence(error: ErrorObject | undefined, args: JsonObject): string {
  if (!error) return "the arguments do not fit the tool's schema";
  const where = error.instancePath ? error.instancePath.slice(1).replaceAll("/", ".") : "";
  const unknown = isObject(error.params) ? error.params["unevaluatedProperty"] : undefined;
  if (typeof unknown === "string") return `${where && `${where}: `}unknown name ${unknown}`;
  const allowed =
    isObject(error.params) && Array.isArray(error.params["allowedValues"]) ? error.params["allowedValues"] : [];
  // Models write null for "no value", which is a value to the target.
  const hint =
    error.keyword === "type" && valueAt(args, fromPointer(error.instancePath)) === null
      ? ", not null; leave out what has no value"
      : "";
  const list = allowed.length > 0 ? `: ${allowed.slice(0, 20).join(", ")}` : "";
  const what = `${error.message ?? "does not fit"}${list}${hint}`;
  return where ? `${where} ${what}` : what;
}

/** Argument names the tool does not know; empty for a tool that takes any. */
function unknownNames(action: Action, args: JsonObject): string[] {
  const { properties, additionalProperties } = action.parameters;
  if (!isObject(properties) || additionalProperties === true || isObject(additionalProperties)) return [];
  return Object.keys(args).filter((name) => !Object.hasOwn(properties, name));
}

function validated(
  checks: Checks,
  action: Action,
  { args, strict }: { args: JsonObject; strict: boolean },
): CheckedArguments {
  if (holdsInfinity(args)) return { kind: "invalid", reason: "a number is too large to be sent" };
  const exact = validator(checks, strict ? "complete" : "exact", action);
  if (exact(forAjv(args))) return { kind: "valid", arguments: args };
  if (!strict) {
    const converting = validator(checks, "converting", action);
    const converted = forAjv(args) as JsonObject;
    if (!converting(converted)) return { kind: "invalid", reason: sentence(converting.errors?.[0], args) };
    const lossless = losslessConversions(args, converted) as JsonObject;
    if (exact(forAjv(lossless))) return { kind: "valid", arguments: lossless };
  }
  return { kind: "invalid", reason: sentence(exact.errors?.[0], args) };
}

/**
 * Checks a call's arguments against the action's schema. What fits stays as it is. Of the rest, outside strict, "5" may stand
 * for 5 and 5 for "5"; null and booleans never stand for anything else. In strict nothing is converted.
 * Unknown names are refused in both, so that a misspelt field is never silently left out. Never throws.
 */
export async function checkArguments(action: Action, args: JsonObject, strict: boolean): Promise<CheckedArguments> {
  const unknown = unknownNames(action, args);
  if (unknown.length > 0) {
    const known = Object.keys(isObject(action.parameters["properties"]) ? action.parameters["properties"] : {});
    return {
      kind: "invalid",
      reason: `unknown argument ${unknown.join(", ")}; ${action.name} takes ${known.join(", ") || "none"}`,
    };
  }
  checks ??= load();
  try {
    return validated(await checks, action, { args, strict });
  } catch (error) {
    return { kind: "invalid", reason: `the schema of ${action.name} cannot be used: ${messageOf(error)}` };
  }
}

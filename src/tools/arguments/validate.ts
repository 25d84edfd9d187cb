// Arguments against a schema: what fits, what fits once it is converted, and a sentence for what does not. One compiled check per
// schema and strictness, made when it is first asked for. Takes as long as the schema makes it: check.ts decides where it runs.
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { ArgumentFault } from "../../domain/argument-fault.js";
import { messageOf } from "../../domain/error.js";
import { hasValue, isObject, type JsonObject, type JsonValue, toJson } from "../../lib/json.js";
import { losslessConversions } from "./coercion.js";
import { complaint, toFaults, unknownNameOf } from "./faults.js";
import { formatWarnings, withoutFormats } from "./formats.js";
import { exactMultipleOf, rememberOriginal } from "./multiple-of.js";
import { refuseUnknownNames } from "./no-unknown-names.js";
import { patternOf } from "./pattern.js";

/** The arguments ready to be sent, with what is doubtful about them, or why they can't be. */
export type CheckedArguments =
  | { kind: "valid"; arguments: JsonObject; warnings?: string[] }
  | { kind: "invalid"; reason: string; faults?: ArgumentFault[] };

/**
 * Judges as the schema says, with every object complete, listing every error, or without formats: as given, and converting values on
 * the way. `completeFaults` and `looseFaults` list every error of "complete" and "converting".
 */
type Strictness = "exact" | "complete" | "listing" | "loose" | "converting" | "completeFaults" | "looseFaults";

/** Characters of arguments, as JSON, of which every fault is listed: as many as a person could have typed. */
const MAX_LISTED_ARGUMENTS = 32 * 1024;

// Ajv tells patterns apart by their text: without a toString of its own each would pass for the first.
const linear = (text: string): { test(value: string): boolean; toString(): string } => ({
  test: patternOf(text).test,
  toString: () => text,
});

function createAjv(own: { coerceTypes?: boolean; allErrors?: boolean; validateFormats?: boolean } = {}): Ajv2020 {
  const ajv = new Ajv2020({
    ...own,
    strict: false,
    logger: false,
    validateSchema: false,
    addUsedSchema: false,
    unicodeRegExp: true,
    // An argument may be called constructor or toString, which every object inherits.
    ownProperties: true,
    // What is referred to is compiled once, not once for each reference.
    inlineRefs: false,
    // Its optimising passes take longer than they save in the few calls an action gets.
    code: { regExp: Object.assign(linear, { code: "linear" }) as never, optimize: false },
  });
  formats.default(ajv, { mode: "fast" });
  ajv.removeKeyword("multipleOf").addKeyword(exactMultipleOf);
  return ajv;
}

const exactly = createAjv();
const listing = createAjv({ allErrors: true });
const validators: Record<Strictness, Ajv2020> = {
  exact: exactly,
  complete: exactly,
  listing,
  loose: createAjv({ validateFormats: false }),
  converting: createAjv({ validateFormats: false, coerceTypes: true }),
  completeFaults: listing,
  looseFaults: createAjv({ validateFormats: false, coerceTypes: true, allErrors: true }),
};
const compiled: Record<Strictness, WeakMap<JsonObject, ValidateFunction>> = {
  exact: new WeakMap(),
  complete: new WeakMap(),
  listing: new WeakMap(),
  loose: new WeakMap(),
  converting: new WeakMap(),
  completeFaults: new WeakMap(),
  looseFaults: new WeakMap(),
};

/** The schema as it is judged. */
function judgedSchema(strictness: Strictness, schema: JsonObject): JsonObject {
  switch (strictness) {
    case "complete":
    case "completeFaults":
      return refuseUnknownNames(schema);
    case "loose":
    case "converting":
    case "looseFaults":
      return withoutFormats(schema) ?? schema;
    default:
      return schema;
  }
}

/** The name of a schema that has none. */
const UNNAMED = "https://schema.invalid/";

function validator(strictness: Strictness, schema: JsonObject): ValidateFunction {
  let validate = compiled[strictness].get(schema);
  if (!validate) {
    // Only with a name can it refer to itself as a whole.
    const judged = { $id: UNNAMED, ...judgedSchema(strictness, compilable(schema) as JsonObject) };
    const ajv = validators[strictness];
    validate = ajv.compile(judged);
    // Ajv would keep it for ever, also when the document has been replaced.
    ajv.removeSchema(judged);
    // Such a function returns a promise, whatever the arguments are.
    if ("$async" in validate) throw new Error("it is asynchronous");
    compiled[strictness].set(schema, validate);
  }
  return validate;
}

/** A copy that Ajv can judge, and change: bigints as numbers. */
function copyForAjv(value: JsonValue): JsonValue {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return rememberOriginal(value.map(copyForAjv), value);
  if (!isObject(value)) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyForAjv(inner)]));
  return rememberOriginal(copy, value);
}

/** Keywords whose values are numbers. */
const BOUND = /^(?:exclusiveM(?:ax|in)imum|m(?:ax|in)(?:imum|Length|Items|Properties|Contains)|multipleOf)$/;

/** Whether a bound is one that no double comes near: it bounds nothing. Such numbers are read as their text. */
const isBoundless = (key: string, value: JsonValue): boolean =>
  typeof value === "number" ? !Number.isFinite(value) : typeof value === "string" && BOUND.test(key);

/** A schema that Ajv can compile: its numbers as doubles, without bounds that bound nothing. */
function compilable(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(compilable);
  if (!isObject(schema)) return copyForAjv(schema);
  const members = Object.entries(schema).map(([key, inner]) => [key, compilable(inner)] as const);
  return Object.fromEntries(members.filter(([key, inner]) => !isBoundless(key, inner)));
}

const isBigInt = (value: JsonValue): boolean => typeof value === "bigint";
/** Of a number that JSON cannot write: it would leave as null. */
const isInfinite = (value: JsonValue): boolean => typeof value === "number" && !Number.isFinite(value);

/** Whether a function that changes nothing takes the value. */
function fits(validate: ValidateFunction, value: JsonObject): boolean {
  return validate(hasValue(value, isBigInt) ? copyForAjv(value) : value);
}

function sentence(error: ErrorObject | undefined, args: JsonObject): string {
  if (!error) return "the arguments do not fit the tool's schema";
  const where = error.instancePath ? error.instancePath.slice(1).replaceAll("/", ".") : "";
  const unknown = unknownNameOf(error);
  if (unknown !== undefined) return `${where && `${where}: `}unknown name ${unknown}`;
  const what = complaint(error, args);
  return where ? `${where} ${what}` : what;
}

/** Why arguments are refused. It may be as long as they are: it is cut once what is secret in it has been redacted. */
export function invalid(reason: string, faults: ArgumentFault[] = []): CheckedArguments {
  return faults.length > 0 ? { kind: "invalid", reason, faults } : { kind: "invalid", reason };
}

/** Arguments refused for this error, with every fault where they are no longer than what a person types. */
function unfit(
  error: ErrorObject | undefined,
  { schema, arguments: args, strict }: { schema: JsonObject; arguments: JsonObject; strict: boolean },
): CheckedArguments {
  const reason = sentence(error, args);
  if (toJson(args).length > MAX_LISTED_ARGUMENTS) return invalid(reason);
  const list = validator(strict ? "completeFaults" : "looseFaults", schema);
  const isFit = list(copyForAjv(args));
  const errors = isFit ? error && [error] : list.errors;
  return invalid(reason, toFaults(errors ?? [], args));
}

function validated(schema: JsonObject, args: JsonObject, strict: boolean): CheckedArguments {
  if (hasValue(args, isInfinite)) return invalid("a number is too large to be sent");
  const exact = validator(strict ? "complete" : "exact", schema);
  if (fits(exact, args)) return { kind: "valid", arguments: args };
  const refused = { schema, arguments: args, strict };
  if (strict) return unfit(exact.errors?.[0], refused);
  const loose = validator("loose", schema);
  if (fits(loose, args)) return withWarnings(schema, args);
  const convert = validator("converting", schema);
  const converted = copyForAjv(args) as JsonObject;
  if (!convert(converted)) return unfit(convert.errors?.[0], refused);
  const lossless = losslessConversions(args, converted) as JsonObject;
  if (fits(loose, lossless)) return withWarnings(schema, lossless);
  return unfit(loose.errors?.[0], refused);
}

/** Arguments that fit but for their formats, with a warning for each that they do not have. */
function withWarnings(schema: JsonObject, args: JsonObject): CheckedArguments {
  const list = validator("listing", schema);
  if (fits(list, args)) return { kind: "valid", arguments: args };
  return { kind: "valid", arguments: args, warnings: formatWarnings(list.errors ?? []) };
}

/** Checks arguments against a self-contained schema; what makes no sense as a schema refuses them all. Never throws. */
export function validateArguments(schema: JsonObject, args: JsonObject, strict: boolean): CheckedArguments {
  try {
    return validated(schema, args, strict);
  } catch (error) {
    return invalid(`the schema of the tool cannot be used: ${messageOf(error)}`);
  }
}

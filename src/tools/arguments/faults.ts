// The errors of a check as faults, each at its place in the arguments. One for each place: a value that fits none of several schemas has
// an error for each of them, and the first one says most.
import type { ErrorObject } from "ajv/dist/2020.js";
import type { ArgumentFault } from "../../domain/argument-fault.js";
import { type JsonObject, listOf, objectOf } from "../../lib/json.js";
import { fromPointer, toPointer, valueAt } from "../../lib/json-pointer.js";

/** Faults of one call: more do not fit on a screen. */
const MAX_FAULTS = 20;
/** Characters of a message: a schema may list thousands of values. */
const MAX_MESSAGE = 300;
/** Characters of a pointer: a name may be as long as the arguments. */
const MAX_POINTER = 500;
/** Allowed values that a message lists. */
const MAX_LISTED = 20;

/** The errors that only say that none, or not one, of several schemas fits. */
const SUMMARIES: readonly string[] = ["anyOf", "oneOf", "if"];

/** What an error says of the value at its place. */
export function complaint(error: ErrorObject, args: JsonObject): string {
  const allowed = listOf(objectOf(error.params)["allowedValues"]);
  // Models write null for "no value", which is a value to the target.
  const hint =
    error.keyword === "type" && valueAt(args, fromPointer(error.instancePath)) === null
      ? ", not null; leave out what has no value"
      : "";
  const listed = allowed.length > 0 ? `: ${allowed.slice(0, MAX_LISTED).map(String).join(", ")}` : "";
  return `${error.message ?? "does not fit"}${listed}${hint}`;
}

/** The name that an error is about, where its schema does not know it. */
export function unknownNameOf({ params }: ErrorObject): string | undefined {
  const { unevaluatedProperty, additionalProperty } = objectOf(params);
  const name = unevaluatedProperty ?? additionalProperty;
  return typeof name === "string" ? name : undefined;
}

function toFault(error: ErrorObject, args: JsonObject): ArgumentFault {
  const at = (name: string): string => error.instancePath + toPointer([name]);
  const unknown = unknownNameOf(error);
  if (unknown !== undefined) return { pointer: at(unknown), message: "is not a known name" };
  const missing = objectOf(error.params)["missingProperty"];
  if (typeof missing === "string") return { pointer: at(missing), message: "is required" };
  return { pointer: error.instancePath, message: complaint(error, args) };
}

/** Whether an error only asks for the null that an optional value may be. */
const asksForNull = ({ keyword, params }: ErrorObject): boolean =>
  keyword === "type" && objectOf(params)["type"] === "null";

/** The first fault of each place. */
export function toFaults(errors: readonly ErrorObject[], args: JsonObject): ArgumentFault[] {
  const said = errors.filter((error) => !SUMMARIES.includes(error.keyword) && !asksForNull(error));
  const faults = new Map<string, ArgumentFault>();
  for (const error of said.length > 0 ? said : errors) {
    const { pointer, message } = toFault(error, args);
    if (pointer.length > MAX_POINTER || faults.has(pointer)) continue;
    faults.set(pointer, { pointer, message: message.slice(0, MAX_MESSAGE).toWellFormed() });
    if (faults.size === MAX_FAULTS) break;
  }
  return [...faults.values()];
}

/** Arguments that a tool does not know, as faults. */
export function unknownFaults(names: readonly string[]): ArgumentFault[] {
  const pointers = names.slice(0, MAX_FAULTS).map((name) => toPointer([name]));
  return pointers
    .filter(({ length }) => length <= MAX_POINTER)
    .map((pointer) => ({ pointer, message: "is not a known name" }));
}

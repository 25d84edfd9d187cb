// An event of Google's stream before the package reads it: arguments stand in it as JSON values, any number of calls at once.
// Long integers would be rounded, the package takes a good part of a millisecond for each call, and it leaves out without a word a
// call of which a field has another type than it knows.
import { isObject, type JsonObject, type JsonValue, objectOf, parseJson, toJson } from "../../lib/json.js";
import { MAX_CALLS } from "../provider.js";
import { encodeBigIntegersIn } from "./big-integers.js";

const CALL = '"functionCall"';

/** A call without fields of another type than the package knows; a name that is no text becomes "", which is no tool's. */
function withKnownTypes(call: JsonObject): JsonObject {
  const { id, name, partialArgs, willContinue, ...rest } = call;
  // Neither a name nor arguments: a piece of a call that comes in pieces, or its end.
  const isPiece = (name ?? rest["args"] ?? undefined) === undefined;
  return {
    ...rest,
    ...(typeof id === "string" && { id }),
    ...(!isPiece && { name: typeof name === "string" ? name : "" }),
    ...(Array.isArray(partialArgs) && { partialArgs }),
    ...(typeof willContinue === "boolean" && { willContinue }),
  };
}

/** A part of an answer whose call, if it has one, the package reads. */
function readable(part: JsonValue): JsonValue {
  if (!isObject(part) || (part["functionCall"] ?? undefined) === undefined) return part;
  const { functionCall, thoughtSignature, ...rest } = part;
  const call = isObject(functionCall) ? functionCall : { name: "" };
  const signature = typeof thoughtSignature === "string" && { thoughtSignature };
  return { ...rest, ...signature, functionCall: withKnownTypes(call) };
}

/** An event with calls that the package reads, at most one more than are made. */
function withReadableCalls(value: JsonValue): JsonValue {
  const candidates = isObject(value) && Array.isArray(value["candidates"]) ? value["candidates"] : [];
  for (const candidate of candidates) {
    const content = isObject(candidate) ? objectOf(candidate["content"]) : {};
    const { parts } = content;
    let calls = 0;
    if (!Array.isArray(parts)) continue;
    content["parts"] = parts
      .filter((part) => !isObject(part) || !part["functionCall"] || ++calls <= MAX_CALLS + 1)
      .map(readable);
  }
  return value;
}

/** The data of an event with its calls as the package reads them, and its long integers as prefixed strings. Throws SyntaxError. */
export function toGoogleEvent(data: string): string {
  return encodeBigIntegersIn(data.includes(CALL) ? toJson(withReadableCalls(parseJson(data))) : data);
}

// An event of Google's stream before the package reads it: arguments stand in it as JSON values, any number of calls at once.
// Long integers would be rounded, the package takes a good part of a millisecond for each call, and it leaves out without a word a
// call of which a field has another type than it knows.
import {
  isObject,
  type JsonObject,
  type JsonValue,
  jsonOrText,
  listOf,
  objectOf,
  stringOf,
  toJson,
} from "../../lib/json.js";
import { MAX_CALLS } from "../provider.js";
import { encodeBigIntegersIn } from "./big-integers.js";
import type { EventFilter } from "./fetch.js";

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

/** The parts of an answer, with at most one more call than are made. */
function readableParts(parts: JsonValue[]): JsonValue[] {
  let calls = 0;
  return parts.filter((part) => !isObject(part) || !part["functionCall"] || ++calls <= MAX_CALLS + 1).map(readable);
}

/** The first answer: the packages do not ask for more, and read the others as more of it. */
function firstCandidate(candidates: JsonValue | undefined): JsonObject[] {
  const first = listOf(candidates).find((one) => isObject(one) && (one["index"] ?? 0) === 0);
  if (!isObject(first)) return [];
  const { content, finishReason } = first;
  const { parts } = objectOf(content);
  return [
    {
      ...(Array.isArray(parts) && { content: { parts: readableParts(parts) } }),
      ...(typeof finishReason === "string" && { finishReason }),
    },
  ];
}

/** An event of what a reply is made of: the package ends a turn at any other part of it that it knows in another form. */
function toReadable({ candidates, usageMetadata, promptFeedback, error }: JsonObject): JsonObject {
  if (isObject(error)) {
    const { code, message, status } = error;
    return { error: { code: Number(code) || null, message: stringOf(message), status: stringOf(status) } };
  }
  const { blockReason } = objectOf(promptFeedback);
  const counts = Object.entries(objectOf(usageMetadata)).filter(
    ([name, count]) => name.endsWith("TokenCount") && typeof count === "number",
  );
  return {
    candidates: firstCandidate(candidates),
    ...(counts.length > 0 && { usageMetadata: Object.fromEntries(counts) }),
    ...(typeof blockReason === "string" && { promptFeedback: { blockReason } }),
  };
}

/** The filter for one stream: arguments as the package reads them, and their long integers as prefixed strings. */
export function createGoogleEvents(): EventFilter {
  let isComplete = false;
  return {
    event(data) {
      const event = jsonOrText(data);
      if (!isObject(event)) return [data];
      const read = toReadable(event);
      isComplete ||= listOf(read["candidates"]).some((one) => "finishReason" in objectOf(one));
      return [encodeBigIntegersIn(toJson(read))];
    },
    isComplete: () => isComplete,
  };
}

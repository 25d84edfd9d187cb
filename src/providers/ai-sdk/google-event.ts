// An event of Google's stream before the package reads it: arguments stand in it as JSON values, any number of calls at once.
// Long integers would be rounded, and the package takes a good part of a millisecond for each call.
import { isObject, type JsonValue, parseJson, toJson } from "../../lib/json.js";
import { MAX_CALLS } from "../provider.js";
import { encodeBigIntegersIn } from "./big-integers.js";

const CALL = '"functionCall"';

function withoutSurplus(value: JsonValue): JsonValue {
  const candidates = isObject(value) && Array.isArray(value["candidates"]) ? value["candidates"] : [];
  for (const candidate of candidates) {
    const content = isObject(candidate) && isObject(candidate["content"]) ? candidate["content"] : {};
    const { parts } = content;
    let calls = 0;
    if (Array.isArray(parts))
      content["parts"] = parts.filter((part) => !isObject(part) || !part["functionCall"] || ++calls <= MAX_CALLS + 1);
  }
  return value;
}

/** The data of an event with its long integers as prefixed strings, and at most one call more than are made. Throws SyntaxError. */
export function toGoogleEvent(data: string): string {
  const isMany = data.split(CALL, MAX_CALLS + 3).length > MAX_CALLS + 2;
  return encodeBigIntegersIn(isMany ? toJson(withoutSurplus(parseJson(data))) : data);
}

// Two schemas that one value has to fit, as one schema: how an allOf is turned into something that values can be made for.
import { isObject, type JsonObject, type JsonValue, listOf, objectOf } from "../../src/lib/json.js";

/** No value fits here: it would never end, or the schema takes nothing. */
export class Unfit extends Error {}

/** Two schemas of the same value as one; what cannot be expressed in one is left to Ajv to find. Throws Unfit when nothing is of both types. */
export function merged(a: JsonObject, b: JsonObject): JsonObject {
  const out: JsonObject = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const before = out[key];
    if (before === undefined) out[key] = value;
    else if (key === "properties") out[key] = mergedProperties(objectOf(before), objectOf(value));
    else if (key === "required") out[key] = [...new Set([...listOf(before), ...listOf(value)])];
    else if (key === "type") out[key] = commonTypes([before].flat(), [value].flat());
    else if (key === "enum") out[key] = listOf(before).filter((one) => listOf(value).includes(one));
    else if (key === "allOf") out[key] = [...listOf(before), ...listOf(value)];
    else if (key === "anyOf" || key === "oneOf") out["allOf"] = [...listOf(out["allOf"]), { [key]: value }];
    else if (key === "items" && isObject(before) && isObject(value)) out[key] = { allOf: [before, value] };
    else if (/^(min|exclusiveMin)/.test(key)) out[key] = Math.max(Number(before), Number(value));
    else if (/^(max|exclusiveMax)/.test(key)) out[key] = Math.min(Number(before), Number(value));
    else if (key === "additionalProperties" && before === false) out[key] = false;
    else out[key] = value;
  }
  // A part that forbids others forbids them in all.
  const closed = [a, b]
    .filter((part) => part["additionalProperties"] === false)
    .map((part) => objectOf(part["properties"]));
  const properties = Object.entries(objectOf(out["properties"]));
  if (closed.length > 0 && properties.length > 0)
    out["properties"] = Object.fromEntries(
      properties.filter(([name]) => closed.every((part) => Object.hasOwn(part, name))),
    );
  return out;
}

function mergedProperties(a: JsonObject, b: JsonObject): JsonObject {
  const out: JsonObject = { ...a };
  for (const [name, schema] of Object.entries(b)) {
    const before = out[name];
    const both = before !== undefined && JSON.stringify(before) !== JSON.stringify(schema);
    out[name] = both ? { allOf: [before, schema] } : schema;
  }
  return out;
}

function commonTypes(a: JsonValue[], b: JsonValue[]): JsonValue {
  const both = a.filter((type) => b.includes(type) || (type === "integer" && b.includes("number")));
  if (both.length === 0 && a.includes("number") && b.includes("integer")) return "integer";
  if (both.length === 0) throw new Unfit(`nothing is both ${a.join(" or ")} and ${b.join(" or ")}`);
  return both.length === 1 ? (both[0] ?? "null") : both;
}

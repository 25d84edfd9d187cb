// Values that a JSON Schema takes, made from the schema: with every member or with the required ones only.
import { isObject, type JsonObject, type JsonValue, listOf, objectOf, textsOf } from "../../src/lib/json.js";

const BY_FORMAT: Readonly<Record<string, string>> = {
  "date-time": "2026-11-21T09:30:00Z",
  date: "2026-11-21",
  uuid: "6f2c1f0e-7d0b-4a52-9c53-0d3f7c1b9a11",
  uri: "https://example.org/",
  email: "ada@example.org",
  ipv4: "127.0.0.1",
  ipv6: "::1",
};

/** Levels of objects that are filled with more than they need. */
const FILLED = 4;

/** A value of a schema; `definitions` is what it refers to. `pick` chooses among alternatives: 0 is the first. */
export function schemaValue(
  schema: JsonObject,
  definitions: JsonObject,
  { whole, depth = 0, pick = 0 }: { whole: boolean; depth?: number; pick?: number },
): JsonValue {
  const next = { whole, depth: depth + 1, pick };
  const ref = schema["$ref"];
  if (typeof ref === "string")
    return schemaValue(objectOf(definitions[ref.replace("#/$defs/", "")]), definitions, next);
  const either = listOf(schema["anyOf"]);
  if (either.length > 0) return schemaValue(objectOf(either[pick % either.length]), definitions, next);
  if (Array.isArray(schema["enum"])) return schema["enum"][pick % schema["enum"].length] ?? null;
  const types = [schema["type"] ?? "string"].flat();
  switch (types[pick % types.length]) {
    case "null":
      return null;
    case "boolean":
      return true;
    case "integer":
      return Number(schema["minimum"] ?? 1);
    case "number":
      return 1.5;
    case "array":
      return depth > FILLED ? [] : [schemaValue(objectOf(schema["items"]), definitions, next)];
    case "object": {
      const properties = Object.entries(objectOf(schema["properties"])).filter(([, inner]) => isObject(inner));
      const required = new Set(textsOf(schema["required"]));
      const isOneOf = schema["maxProperties"] === 1;
      const flat = properties.filter(([, inner]) => depth <= FILLED || !("$ref" in objectOf(inner)));
      const chosen = isOneOf
        ? flat.slice(pick % flat.length).slice(0, 1)
        : properties.filter(([name]) => required.has(name) || (whole && depth < FILLED));
      return Object.fromEntries(chosen.map(([name, inner]) => [name, schemaValue(objectOf(inner), definitions, next)]));
    }
    default: {
      const format = BY_FORMAT[String(schema["format"])];
      return format ?? listOf(schema["examples"])[0] ?? "text";
    }
  }
}

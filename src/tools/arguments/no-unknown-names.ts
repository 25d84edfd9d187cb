// A schema in which every described object is complete: a name that nothing describes does not fit, at any depth. For strict
// mode. The parts of a composition (allOf, anyOf, oneOf, $ref) stay open, because each knows only some of the names; the place
// where they meet is closed. Source: JSON Schema 2020-12, section 11.3 (unevaluatedProperties).
import { isObject, type JsonObject, type JsonValue, listOf, objectOf, textsOf } from "../../lib/json.js";
import { referred } from "../../lib/json-pointer.js";

/** Keywords whose schemas stand for a value inside of the value: those are closed. */
const LISTS_INSIDE = ["prefixItems"];
const MAPS_INSIDE = ["properties", "patternProperties"];
const ONES_INSIDE = ["items", "additionalProperties", "unevaluatedItems", "unevaluatedProperties"];
/** Keywords whose schemas describe the same value: parts of a whole. `if` and `not` are left as they are: closing them changes what they ask. */
const ALTERNATIVES = ["anyOf", "oneOf"];
const ONES_BESIDE = ["then", "else"];
const MAPS_BESIDE = ["dependentSchemas", "$defs", "definitions"];

/** One reading of a document: the names each schema describes, its parts' included, and those that two parts describe together. */
class Names {
  /** An object that two parts describe has more names than either knows: it stays open. */
  readonly shared = new Set<string>();
  private readonly known = new Map<JsonObject, Set<string>>();
  private readonly root: JsonObject;

  constructor(root: JsonObject) {
    this.root = root;
  }

  /** Of a schema and its parts. A schema that is one of its own parts adds nothing. */
  of(schema: JsonValue | undefined): ReadonlySet<string> {
    if (!isObject(schema)) return new Set();
    const known = this.known.get(schema);
    if (known) return known;
    const names = new Set<string>();
    this.known.set(schema, names);
    const together = [
      Object.keys(objectOf(schema["properties"])),
      this.of(referred(schema, this.root)),
      ...listOf(schema["allOf"]).map((part) => this.of(part)),
      ...ALTERNATIVES.map((key) => new Set(listOf(schema[key]).flatMap((part) => [...this.of(part)]))),
      ...ONES_BESIDE.map((key) => this.of(schema[key])),
      ...Object.values(objectOf(schema["dependentSchemas"])).map((part) => this.of(part)),
    ];
    for (const part of together)
      for (const name of part) {
        if (names.has(name)) this.shared.add(name);
        names.add(name);
      }
    return names;
  }

  /** What a schema and its parts require: such a name may be sent, whether anything describes it or not. */
  requiredBy(schema: JsonValue | undefined, seen = new Set<JsonObject>()): string[] {
    if (!isObject(schema) || seen.has(schema)) return [];
    seen.add(schema);
    const parts = [
      referred(schema, this.root),
      ...["allOf", ...ALTERNATIVES].flatMap((key) => listOf(schema[key])),
      ...ONES_BESIDE.map((key) => schema[key]),
      ...Object.values(objectOf(schema["dependentSchemas"])),
    ];
    return [...textsOf(schema["required"]), ...parts.flatMap((part) => this.requiredBy(part, seen))];
  }

  /** Reads every schema there is, so that `shared` is whole. */
  readAll(value: JsonValue): void {
    this.of(value);
    if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) this.readAll(inner);
  }
}

/** Whether an alternative takes objects of any names. */
function isAnyObject(schema: JsonValue): boolean {
  if (!isObject(schema)) return schema === true;
  const { type } = schema;
  if (type === undefined)
    return Object.keys(schema).every((key) => /^(title|description|default|examples?)$/.test(key));
  return (type === "object" || listOf(type).includes("object")) && schema["required"] === undefined;
}

/** A copy of a self-contained schema that refuses names nothing describes; where it says something of other names, that holds. */
export function refuseUnknownNames(root: JsonObject): JsonObject {
  const names = new Names(root);
  names.readAll(root);
  const map = (value: JsonValue, change: (one: JsonValue, key: string) => JsonValue): JsonValue =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(one, key)])) : value;
  const alternative = (one: JsonValue): JsonValue => {
    if (names.of(one).size > 0 || !isAnyObject(one)) return part(one);
    return isObject(one) ? { additionalProperties: true, ...one } : { additionalProperties: true };
  };
  /** A schema whose inner values are closed and which itself is not. */
  const part = (schema: JsonValue): JsonValue =>
    map(schema, (value, key) => {
      if (LISTS_INSIDE.includes(key)) return listOf(value).map(whole);
      if (MAPS_INSIDE.includes(key))
        return map(value, (one, name) => (names.shared.has(name) ? part(one) : whole(one)));
      if (ONES_INSIDE.includes(key)) return whole(value);
      if (key === "allOf") return listOf(value).map(part);
      if (ALTERNATIVES.includes(key)) return listOf(value).map(alternative);
      if (ONES_BESIDE.includes(key)) return part(value);
      return MAPS_BESIDE.includes(key) ? map(value, part) : value;
    });
  const whole = (schema: JsonValue): JsonValue => {
    const described = names.of(schema);
    if (!isObject(schema) || described.size === 0) return part(schema);
    const closed: JsonObject = { unevaluatedProperties: false, ...(part(schema) as JsonObject) };
    const others = names.requiredBy(schema).filter((name) => !described.has(name));
    if (others.length === 0) return closed;
    const any = Object.fromEntries(others.map((name) => [name, true]));
    return { ...closed, properties: { ...objectOf(closed["properties"]), ...any } };
  };
  return whole(root) as JsonObject;
}

// The members of an object schema as a search reads them: its own, those of what it refers to, and those of what it is put
// together of. Knows nothing of what a member means.
import { definitionName, definitionOf } from "../../domain/definitions.js";
import { isObject, type JsonObject, type JsonValue, objectOf } from "../../lib/json.js";

/** Schemas that are looked at for the members of one object: the many variants of a large one say little of what it is. */
const MAX_SCHEMAS = 12;
const PARTS = ["allOf", "anyOf", "oneOf"] as const;

/** What a schema refers to within `root`; undefined where it refers to nothing there. */
function referred({ $ref }: JsonObject, root: JsonObject): JsonValue | undefined {
  const name = definitionName($ref);
  return name === undefined ? undefined : definitionOf({ parameters: root }, name);
}

/** A schema with what it refers to in place of the reference. */
function resolved(schema: JsonObject, root: JsonObject): JsonObject {
  if (schema["$ref"] === undefined) return schema;
  const { $ref: _, ...beside } = schema;
  return { ...objectOf(referred(schema, root)), ...beside };
}

/** A member by its name, with its schema. */
type Member = [name: string, schema: JsonObject];

/** What a schema refers to and is put together of, the first of each. */
function partsOf(schema: JsonObject, root: JsonObject): JsonValue[] {
  const definition = referred(schema, root);
  const parts = PARTS.flatMap((key) => {
    const list = schema[key];
    return Array.isArray(list) ? list.slice(0, MAX_SCHEMAS) : [];
  });
  return definition === undefined ? parts : [definition, ...parts];
}

/**
 * The members of `schema` by their names, each with its schema; references lead into the `$defs` of `root`. Every schema is looked
 * at once, so that circles end.
 */
export function schemaMembers(schema: JsonObject, root: JsonObject): Member[] {
  const own = ownMembers(schema, root);
  // Most schemas are nothing but their members.
  if (!isPutTogether(schema)) return own;
  const out = [...own];
  const seen = new Set<JsonValue>([schema]);
  const open = partsOf(schema, root);
  for (let at = 0; at < open.length && seen.size < MAX_SCHEMAS; at++) {
    const one = open[at];
    if (!isObject(one) || seen.has(one)) continue;
    seen.add(one);
    for (const member of ownMembers(one, root)) out.push(member);
    open.push(...partsOf(one, root));
  }
  return out;
}

const NONE: Member[] = [];

function ownMembers({ properties }: JsonObject, root: JsonObject): Member[] {
  if (!isObject(properties)) return NONE;
  return Object.entries(properties).map(([name, member]) => [name, isObject(member) ? resolved(member, root) : {}]);
}

function isPutTogether(schema: JsonObject): boolean {
  for (const key of PARTS) if (schema[key] !== undefined) return true;
  return schema["$ref"] !== undefined;
}

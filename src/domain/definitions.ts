// The definitions that schemas share: those of a schema itself, and those that stand once at the root of a schema document. Says
// which of them a schema reaches and makes it self-contained, without copying what is shared. Pure; a definition is looked at once.
import { isObject, type JsonObject, type JsonValue, objectOf, toJson } from "../lib/json.js";
import { referenceNames } from "../lib/json-pointer.js";

/** A schema whose references `#/$defs/NAME` lead to its own `$defs`, else to `definitions`. */
export interface SharingSchema {
  parameters: JsonObject;
  definitions?: Readonly<JsonObject> | undefined;
}

const REFERENCES = new Set(["$ref", "$dynamicRef"]);

/** The name of the definition that a reference leads into; undefined when it leads elsewhere. */
export function definitionName(ref: JsonValue | undefined): string | undefined {
  if (typeof ref !== "string" || !ref.startsWith("#/")) return undefined;
  const [section, name] = referenceNames(ref);
  return section === "$defs" ? name : undefined;
}

function collectNames(value: JsonValue, found: Set<string>): Set<string> {
  if (Array.isArray(value)) for (const item of value) collectNames(item, found);
  else if (isObject(value))
    for (const [key, inner] of Object.entries(value)) {
      const name = REFERENCES.has(key) ? definitionName(inner) : undefined;
      if (name !== undefined) found.add(name);
      else collectNames(inner, found);
    }
  return found;
}

const sizes = new WeakMap<JsonObject | JsonValue[], number>();
const names = new WeakMap<JsonObject, readonly string[]>();

/** Characters of a schema's JSON, or of another value's, without what it refers to. */
export function sizeOf(schema: JsonValue | undefined): number {
  if (typeof schema !== "object" || schema === null) return toJson(schema).length;
  let size = sizes.get(schema);
  if (size === undefined) sizes.set(schema, (size = toJson(schema).length));
  return size;
}

/** The names of the definitions a schema refers to, each once. */
export function namesIn(schema: JsonValue | undefined): readonly string[] {
  if (!isObject(schema)) return [];
  let found = names.get(schema);
  if (!found) names.set(schema, (found = [...collectNames(schema, new Set())]));
  return found;
}

/** The definition of a name: the schema's own, else the shared one. */
export function definitionOf({ parameters, definitions = {} }: SharingSchema, name: string): JsonValue | undefined {
  const own = parameters["$defs"];
  if (isObject(own) && Object.hasOwn(own, name)) return own[name];
  return Object.hasOwn(definitions, name) ? definitions[name] : undefined;
}

/** The shared definitions a schema reaches; undefined as soon as they and the schema take more than `maxSize` characters of JSON. */
function reached(schema: SharingSchema, maxSize: number): Map<string, JsonValue> | undefined {
  const { parameters } = schema;
  const found = new Map<string, JsonValue>();
  const own = objectOf(parameters["$defs"]);
  let size = sizeOf(parameters);
  const open = [...namesIn(parameters)];
  for (let name = open.pop(); name !== undefined && size <= maxSize; name = open.pop()) {
    const definition = definitionOf(schema, name);
    if (definition === undefined || found.has(name) || Object.hasOwn(own, name)) continue;
    found.set(name, definition);
    size += sizeOf(definition) + name.length;
    for (const next of namesIn(definition)) open.push(next);
  }
  return size <= maxSize ? found : undefined;
}

/**
 * The schema with every definition it reaches in its own `$defs`. What is shared is referred to and not copied: the result must
 * not be changed.
 */
export function selfContained(schema: SharingSchema): JsonObject {
  const { parameters, definitions } = schema;
  const shared = definitions && reached(schema, Number.POSITIVE_INFINITY);
  if (!shared?.size) return parameters;
  const own = objectOf(parameters["$defs"]);
  return { ...parameters, $defs: { ...own, ...Object.fromEntries(shared) } };
}

/** Whether the JSON of the self-contained schema takes more characters than this; stops counting there. */
export function isLargerThan(schema: SharingSchema, maxSize: number): boolean {
  return reached(schema, maxSize) === undefined;
}

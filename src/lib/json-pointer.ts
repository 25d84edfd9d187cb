// JSON Pointers (RFC 6901): a place inside a JSON value as a text, and the references inside one document that are written
// with them (`$ref`: "#/$defs/pet"). Text and values in, names and values out; nothing throws.
import { isObject, type JsonObject, type JsonValue } from "./json.js";
import { percentDecoded } from "./url.js";

const decodeName = (name: string): string =>
  name.includes("~") ? name.replaceAll("~1", "/").replaceAll("~0", "~") : name;
const encodeName = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1");

/** Keys and indexes as a JSON Pointer. */
export function toPointer(path: readonly string[]): string {
  return path.map((name) => `/${encodeName(name)}`).join("");
}

/** A JSON Pointer as keys and indexes. Models also write it without the first slash, with a "#" before it, or "/" for the whole. */
export function fromPointer(pointer: string): string[] {
  const bare = pointer.replace(/^#?\/?/, "");
  return bare === "" ? [] : bare.split("/").map(decodeName);
}

/** The names on a local reference's way: "#/a/b~1c" gives ["a", "b/c"]. A URI fragment, so percent-encoding is undone, too. */
export function referenceNames(ref: string): string[] {
  return ref
    .replace(/^#\/?/, "")
    .split("/")
    .map((name) => decodeName(percentDecoded(name)));
}

/** The value at keys and indexes, undefined when there is none. */
export function valueAt(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  let current = value;
  for (const key of path) {
    if (Array.isArray(current)) current = /^\d+$/.test(key) ? current[Number(key)] : undefined;
    else if (isObject(current) && Object.hasOwn(current, key)) current = current[key];
    else return undefined;
  }
  return current;
}

/** What a schema's `$ref` into `root` points at, one step; undefined when it has none, when it leads elsewhere or to nothing. */
export function referred(schema: JsonValue | undefined, root: JsonObject): JsonValue | undefined {
  const ref = isObject(schema) ? schema["$ref"] : undefined;
  if (ref === "#") return root;
  return typeof ref === "string" && ref.startsWith("#/") ? valueAt(root, referenceNames(ref)) : undefined;
}

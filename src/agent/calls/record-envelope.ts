// Records that an application answers in an envelope: where in the answer the record itself stands. Pure.
// Source: https://jsonapi.org/format/#document-top-level
import { isObject, type JsonObject, type JsonValue, objectOf } from "../../lib/json.js";

/** Members that hold a record. */
const ENVELOPES = new Set(["data", "item", "result", "record", "payload"]);
/** Members that stand beside it, and are not of the record. */
const BESIDE: ReadonlySet<string> = new Set([
  ...(["meta", "links", "_links", "jsonapi", "included", "success", "ok", "status", "status_code"] as const),
  ...(["code", "message", "error", "errors"] as const),
]);

/** Where the record stands, member by member; empty for one without an envelope, or where it is not plain that there is one. */
export function envelopeOf(value: JsonObject): string[] {
  const [name = "", ...others] = Object.keys(value).filter((one) => !BESIDE.has(one));
  const inner = value[name];
  if (others.length > 0 || !ENVELOPES.has(name) || !isObject(inner)) return [];
  const { type, attributes } = inner;
  return typeof type === "string" && isObject(attributes) ? [name, "attributes"] : [name];
}

/** What stands there; undefined where that is no object. */
export function inEnvelope(value: JsonObject, path: readonly string[]): JsonObject | undefined {
  let found: JsonValue = value;
  for (const name of path) {
    found = objectOf(found)[name] ?? null;
    if (!isObject(found)) return undefined;
  }
  return found;
}

/** The answer with another record in its place. */
export function withRecord(value: JsonObject, path: readonly string[], record: JsonObject): JsonObject {
  const [name, ...rest] = path;
  return name === undefined ? record : { ...value, [name]: withRecord(objectOf(value[name]), rest, record) };
}

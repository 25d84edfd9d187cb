// What a change over HTTP would make of the record it is about, as far as its method and its body say it: an effect to show before anyone
// says yes, and what must still be so when it is made. Pure; watch-record.ts reads the record.
// Source: docs/reference.md, "Effects"; RFC 7396 (merge patch)
import { createHash } from "node:crypto";
import type { Preview } from "../../applications/transport.js";
import type { Effect } from "../../domain/effect.js";
import type { Action } from "../../domain/schema-document.js";
import { canonicalJson, isObject, type JsonObject, type JsonValue, objectOf } from "../../lib/json.js";
import { envelopeOf, inEnvelope, withRecord } from "./record-envelope.js";
import { recordEffect, recordKey, recordUndo } from "./record-images.js";

/** A call that changes a record. */
interface RecordCall {
  action: Action;
  /** As it is made. */
  arguments: JsonObject;
}

const bodyDescription = ({ transport }: Action): JsonObject => objectOf(transport["body"]);
const methodOf = ({ transport }: Action): string => String(transport["method"]).toUpperCase();
const contentTypeOf = (action: Action): string =>
  String(bodyDescription(action)["contentType"] ?? "application/json").toLowerCase();

/** The body as it is sent, where it is a JSON object of fields. */
function bodyOf({ action, arguments: args }: RecordCall): JsonObject | undefined {
  const { properties, argument } = bodyDescription(action);
  const type = contentTypeOf(action);
  if (!/\bjson\b/.test(type) || type.includes("json-patch")) return undefined;
  if (argument !== undefined) {
    const whole = args[String(argument)];
    return isObject(whole) ? whole : undefined;
  }
  if (!isObject(properties)) return undefined;
  const given = Object.entries(properties).filter(([name]) => Object.hasOwn(args, name));
  return Object.fromEntries(given.map(([name, field]) => [String(field ?? name), args[name] ?? null]));
}

/** The fields that a body can set where a record stands in it; undefined where the description does not say. */
function settableFields(action: Action, path: readonly string[] = []): string[] | undefined {
  const { properties, argument } = bodyDescription(action);
  const parameters = objectOf(action.parameters["properties"]);
  const fieldOf = ([name, field]: [string, JsonValue | undefined]) => [String(field ?? name), parameters[name] ?? {}];
  let schema =
    argument === undefined
      ? isObject(properties) && {
          properties: Object.fromEntries(Object.entries(properties).map(fieldOf)) as JsonObject,
        }
      : objectOf(parameters[String(argument)]);
  for (const name of path) schema = schema && objectOf(objectOf(schema["properties"])[name]);
  return schema && isObject(schema["properties"]) ? Object.keys(schema["properties"]) : undefined;
}

function merged(before: JsonObject, patch: JsonObject): JsonObject {
  const after: JsonObject = { ...before };
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete after[name];
    else after[name] = isObject(value) ? merged(objectOf(after[name]), value) : value;
  }
  return after;
}

/** What a call makes of a record. */
interface Changed {
  after: JsonObject;
  /** What this says something of. */
  fields: string[];
  /** Set when only what is sent is known: the rest may stay or go. */
  isPart?: boolean;
}

/** The record after the call; undefined where its body does not tell. `path` is where the record stands in an answer. */
function afterOf(call: RecordCall, before: JsonObject, path: readonly string[]): Changed | undefined {
  const { action } = call;
  const sent = bodyOf(call);
  const own = sent && inEnvelope(sent, path);
  const body = own ?? sent;
  // A body of other names has another form than the record.
  if (!body || !Object.keys(body).some((name) => Object.hasOwn(before, name))) return undefined;
  const names = Object.keys(body);
  if (methodOf(action) === "PATCH") {
    const after = contentTypeOf(action).includes("merge-patch") ? merged(before, body) : { ...before, ...body };
    return { after, fields: names };
  }
  const all = settableFields(action, own ? path : []);
  if (!all) return { after: { ...before, ...body }, fields: names, isPart: true };
  const settable = new Set(all);
  const left = Object.entries(before).filter(([name]) => !settable.has(name));
  return { after: { ...Object.fromEntries(left), ...body }, fields: [...new Set([...all, ...names])] };
}

/** Of a record only what a body sends: of the rest it is not known what becomes of it. */
function sentPart(effect: Effect, { arguments: args, action }: RecordCall, path: readonly string[]): Effect {
  const sent = bodyOf({ arguments: args, action }) ?? {};
  const names = new Set(Object.keys(inEnvelope(sent, path) ?? sent));
  const part = (record: JsonObject | null): JsonObject | null =>
    record && Object.fromEntries(Object.entries(record).filter(([name]) => names.has(name)));
  const changes = effect.changes.map((one) => ({ ...one, before: part(one.before), after: part(one.after) }));
  return { ...effect, changes };
}

/** The fields of a record that its application lets be set: others, such as counters, change by themselves. */
function ownFields({ action }: RecordCall, before: JsonObject, actions: readonly Action[]): string[] {
  const { application, transport } = action;
  const siblings = actions.filter(
    (one) =>
      one.application === application &&
      one.transport["path"] === transport["path"] &&
      one.transport["server"] === transport["server"] &&
      ["PUT", "PATCH"].includes(methodOf(one)),
  );
  const settable = new Set(siblings.flatMap((one) => settableFields(one) ?? []));
  const own = Object.keys(before).filter((name) => settable.has(name));
  return own.length > 0 ? own : Object.keys(before);
}

/** What a change would do to a record that was read at a time; undefined where nothing says it. Nothing of it is redacted. */
export function recordPreview(
  call: RecordCall,
  { before, readAt }: { before: JsonObject; readAt: Date },
  actions: readonly Action[],
): Preview | undefined {
  const { action } = call;
  const isDeletion = methodOf(action) === "DELETE";
  const path = envelopeOf(before);
  const record = inEnvelope(before, path) ?? before;
  const changed = isDeletion ? undefined : afterOf(call, record, path);
  if (!isDeletion && !changed) return undefined;
  const after = changed ? withRecord(before, path, changed.after) : null;
  const fields = changed?.fields ?? ownFields(call, record, actions);
  const compared = Object.fromEntries(fields.map((name) => [name, record[name] ?? null]));
  const key = recordKey(action, call.arguments) ?? {};
  const whole = recordEffect(action, { key, before, after });
  const effect = changed?.isPart ? sentPart(whole, call, path) : whole;
  const note = changed?.isPart
    ? "what becomes of the fields that are not sent is not known"
    : "what else the application changes with it is not known";
  return {
    effect: { ...effect, note, read_at: readAt.toISOString() },
    fingerprint: createHash("sha256").update(canonicalJson(compared)).digest("hex"),
    undo: after ? recordUndo(action, { key, before, after }) : "impossible",
  };
}

/** What a change would do whose record was shown and is not there any more: a PUT makes it anew, of anything else only the application knows. */
export function absentPreview(call: RecordCall, readAt: Date): Preview {
  const { action } = call;
  const body = methodOf(action) === "PUT" ? bodyOf(call) : undefined;
  const key = recordKey(action, call.arguments) ?? {};
  const changes = body ? recordEffect(action, { key, before: null, after: body }).changes : [];
  const note = "the record is not there any more; what the application makes of this call is not known";
  return {
    effect: { changes, complete: false, note, read_at: readAt.toISOString() },
    fingerprint: "absent",
    undo: "impossible",
  };
}

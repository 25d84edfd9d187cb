// Records of an application reached over HTTP, before and after a change: read by the read-only tool of the same path, where the
// description declares one. Pure; who sends the reads is watch-record.ts.
// Source: docs/reference.md, "Undo".
import type { Effect } from "../../domain/effect.js";
import type { Action } from "../../domain/schema-document.js";
import type { ForeseenUndo } from "../../domain/undo-state.js";
import { canonicalJson, isObject, type JsonObject, listOf, objectOf, textsOf } from "../../lib/json.js";
import { envelopeOf, inEnvelope } from "./record-envelope.js";

const CHANGES = new Set(["PUT", "PATCH", "DELETE"]);

/** A tool that reads what another changes. */
export interface ImageReader {
  action: Action;
  /** Its arguments, for the record that the change is about. */
  arguments: JsonObject;
}

/** A record that was changed. */
interface ChangedRecord {
  /** By the placeholders of the path. */
  key: JsonObject;
  before: JsonObject;
  after: JsonObject;
}

/** What undoing a change of a record needs. */
export interface RecordImages extends ChangedRecord {
  tool: string;
}

const methodOf = ({ transport }: Action): string => String(transport["method"] ?? "GET").toUpperCase();

/** Names of arguments by the placeholders of the path that they fill. */
function pathArguments({ transport }: Action): Map<string, string> {
  const described = listOf(transport["parameters"]).filter(isObject);
  const placeholders = [...String(transport["path"]).matchAll(/\{([^{}]+)\}/g)].map(([, key = ""]) => key);
  return new Map(
    placeholders.map((key) => {
      const found = described.find((one) => one["in"] === "path" && (one["key"] ?? one["name"]) === key);
      return [key, String(found?.["name"] ?? key)];
    }),
  );
}

/** The placeholders of the path with their values in a call; undefined when one is missing. */
export function recordKey(action: Action, args: JsonObject): JsonObject | undefined {
  const key: JsonObject = {};
  for (const [placeholder, name] of pathArguments(action)) {
    const value = args[name];
    if (value === undefined || value === null || !Object.hasOwn(args, name)) return undefined;
    key[placeholder] = value;
  }
  return key;
}

/** The declared read-only tool that reads the record which a call of this action is about. */
export function readerOf(action: Action, args: JsonObject, actions: readonly Action[]): ImageReader | undefined {
  const { transport, application } = action;
  if (transport.kind !== "http" || !CHANGES.has(methodOf(action))) return undefined;
  const key = recordKey(action, args);
  if (!key || Object.keys(key).length === 0) return undefined;
  const reads = (one: Action): boolean =>
    one.application === application &&
    one.transport.kind === "http" &&
    one.transport["path"] === transport["path"] &&
    one.transport["server"] === transport["server"] &&
    methodOf(one) === "GET" &&
    one.safety === "read_only" &&
    one.provenance !== "inferred" &&
    (one.permission === undefined || one.permission.is === "allow");
  const reader = actions.find(reads);
  if (!reader) return undefined;
  const own = [...pathArguments(reader)].map(([placeholder, name]) => [name, key[placeholder] ?? null] as const);
  const given = Object.fromEntries(own);
  const isEnough = textsOf(reader.parameters["required"]).every((name) => Object.hasOwn(given, name));
  return isEnough ? { action: reader, arguments: given } : undefined;
}

const differing = (before: JsonObject, after: JsonObject): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => canonicalJson(before[name]) !== canonicalJson(after[name]),
  );

/** Arguments by the fields of the body that they set; undefined where the body is no JSON object of single fields. */
function settable({ transport }: Action): Map<string, string> | undefined {
  const { contentType = "application/json", properties, argument } = objectOf(transport["body"]);
  if (argument !== undefined || !isObject(properties) || !/\bjson\b/.test(String(contentType))) return undefined;
  return new Map(Object.entries(properties).map(([name, field]) => [String(field ?? name), name]));
}

/** The call that sets a record back, and the fields it cannot set; undefined where the application has no such call. */
export function restoringCall(
  action: Action,
  { key, before, after }: ChangedRecord,
): { arguments: JsonObject; fields: string[]; left: string[] } | undefined {
  const names = settable(action);
  const method = methodOf(action);
  if (!names || method === "DELETE") return undefined;
  const changed = differing(before, after);
  const isSettable = (field: string): boolean => names.has(field) && Object.hasOwn(before, field);
  const fields = method === "PATCH" ? changed.filter(isSettable) : Object.keys(before).filter(isSettable);
  if (!changed.some(isSettable)) return undefined;
  const own = [...pathArguments(action)].map(([placeholder, name]) => [name, key[placeholder] ?? null]);
  const set = fields.map((field) => [names.get(field) ?? field, before[field] ?? null]);
  const args = Object.fromEntries([...own, ...set]) as JsonObject;
  const isWhole = textsOf(action.parameters["required"]).every((name) => Object.hasOwn(args, name));
  return isWhole ? { arguments: args, fields, left: changed.filter((field) => !isSettable(field)) } : undefined;
}

/** Whether a change of a record can be undone. */
export function recordUndo(action: Action, images: ChangedRecord): ForeseenUndo {
  const call = restoringCall(action, images);
  if (!call) return "impossible";
  return call.left.length > 0 ? "partial" : "possible";
}

/** What is known of a change of one record. */
export function recordEffect(
  { resource }: Action,
  { key, before, after }: { key: JsonObject; before: JsonObject | null; after: JsonObject | null },
): Effect {
  const note = "what else the application changed with it is not known";
  const path = envelopeOf(before ?? after ?? {});
  const opened = (value: JsonObject | null): JsonObject | null => value && (inEnvelope(value, path) ?? value);
  return { changes: [{ resource, key, before: opened(before), after: opened(after) }], complete: false, note };
}

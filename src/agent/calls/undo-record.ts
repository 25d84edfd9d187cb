// Takes back a change of a record over HTTP: the record is read, compared with what the change left, and set to what it was by the call
// that changed it, with If-Match where the application names its states.
// Source: docs/reference.md, "Undo".
import { createHash } from "node:crypto";
import type {
  ExecuteOptions,
  Outcome,
  PreparedCall,
  Preview,
  Target,
  Transport,
} from "../../applications/transport.js";
import type { HistoryEntry } from "../../domain/record.js";
import type { Action } from "../../domain/schema-document.js";
import { canonicalJson, isObject, type JsonObject, objectOf } from "../../lib/json.js";
import type { PrepareContext } from "../context.js";
import { readRecord } from "./read-record.js";
import { type RecordImages, readerOf, recordEffect, restoringCall } from "./record-images.js";

/** What reads are called by in the history that belong to an undo. */
const CLIENT = "undo";

type Current = { record: JsonObject; etag: string | undefined };

function failure(code: string, message: string, details: JsonObject = {}): { outcome: Outcome } {
  return { outcome: { status: "error", value: { error: code, message, ...details } } };
}

/** The images as they were kept; undefined when they cannot be used. */
function imagesOf(kept: JsonObject): RecordImages | undefined {
  const { tool, key, before, after } = kept;
  if (typeof tool !== "string" || !isObject(key) || !isObject(before) || !isObject(after)) return undefined;
  return { tool, key, before, after };
}

/**
 * A transport for the one call that undoes the change of `entry`; undefined when the application has no such call any more. Unless it
 * `mayRead`, nothing is read to show what it would do.
 */
export function recordUndoTransport(
  { entry, action, images: kept }: { entry: HistoryEntry; action: Action; images: JsonObject },
  { inner, mayRead }: { inner: Transport; mayRead: boolean },
  { catalogue, store, redactor }: PrepareContext,
): Transport | undefined {
  const images = imagesOf(kept);
  const call = images && action.name === images.tool ? restoringCall(action, images) : undefined;
  const reader = call && readerOf(action, call.arguments, catalogue.actions);
  if (!images || !call || !reader) return undefined;
  const { signal } = new AbortController();
  const asked = { ...entry, provider: "", model: "", client: CLIENT, asked_by: "" };
  const current = async (target: Target): Promise<Current | { outcome: Outcome }> => {
    const found = await readRecord(reader, asked, { store, redactor, signal, transport: inner, target });
    if (!found || found === "absent")
      return failure("conflict", "the record cannot be read any more, so that it is not as the call left it");
    const names = Object.keys({ ...images.after, ...found.value });
    const differs = names.filter((name) => canonicalJson(found.value[name]) !== canonicalJson(images.after[name]));
    const message = "the record is not as the call left it; nothing was undone";
    return differs.length > 0 ? failure("conflict", message, { differs }) : { record: found.value, etag: found.etag };
  };
  const restored = (record: JsonObject): JsonObject => ({
    ...record,
    ...Object.fromEntries(call.fields.map((field) => [field, images.before[field] ?? null])),
  });
  const previewOf = (record: JsonObject): Preview => ({
    effect: recordEffect(action, { key: images.key, before: record, after: restored(record) }),
    fingerprint: createHash("sha256").update(canonicalJson(record)).digest("hex"),
    undo: "impossible",
  });
  const preview = async (_prepared: PreparedCall, target: Target): Promise<Preview | { outcome: Outcome }> => {
    const now = await current(target);
    return "outcome" in now ? now : previewOf(now.record);
  };
  return {
    kind: inner.kind,
    prepare: inner.prepare,
    prepareUndo: (_action, _images, target): PreparedCall =>
      inner.prepare(action, { sent: call.arguments, shown: call.arguments }, target),
    ...(mayRead && { preview }),
    async execute(prepared, target, { expected, keep }: ExecuteOptions = {}) {
      const now = await current(target);
      if ("outcome" in now) return now.outcome;
      const foreseen = previewOf(now.record);
      if (expected !== undefined && expected !== foreseen.fingerprint)
        return { ...failure("changed", "the record is not the one that was shown").outcome, changed: foreseen };
      const outcome = await inner.execute(prepared, target, { ifMatch: now.etag });
      const code = objectOf(outcome.value)["error"];
      if (code === "http_412")
        return failure("conflict", "the record was changed while it was undone; nothing was undone").outcome;
      if (outcome.status === "ok") await keep?.({ effect: foreseen.effect, undo: "impossible" });
      // What cannot be set is as the change left it: such an undo is not called one.
      return outcome.status === "ok" && call.left.length > 0 ? { status: "ok", value: { left: call.left } } : outcome;
    },
  };
}

// Reads one record of an application for a change of it: a call of the daemon's own accord, with a history row like any other.
import type { Target, Transport } from "../../applications/transport.js";
import { messageOf } from "../../domain/error.js";
import type { HistoryEntry } from "../../domain/record.js";
import { isObject, type JsonObject, type JsonValue, objectOf, toJson } from "../../lib/json.js";
import { forRecord, toResult } from "../../results/result.js";
import type { SendContext } from "../context.js";
import { unlessShutdown } from "../state/shutdown.js";
import type { ImageReader } from "./record-images.js";
import { redactArguments, resultRedactor } from "./redact-arguments.js";

/** A change does not wait longer for it. */
const READ_MS = 5_000;
/** A longer record is not kept. */
const MAX_RECORD_CHARS = 1024 * 1024;

/** Whose call it is read for: the row of that. */
export type ReadFor = Pick<
  HistoryEntry,
  "session_id" | "call_id" | "policy" | "provider" | "model" | "client" | "asked_by"
>;

/** A record as it is, unredacted. */
interface FoundRecord {
  value: JsonObject;
  /** The application's name for this state of it; missing without a strong one. */
  etag: string | undefined;
}

interface ReadContext extends Pick<SendContext, "store" | "redactor" | "signal" | "stop"> {
  transport: Transport;
  target: Target;
}

/** Errors of an answer that says that there is no such record. */
const ABSENT: readonly JsonValue[] = ["http_404", "http_410"];

/**
 * Reads a record; "absent" when the application says that there is none, undefined when it cannot be read, or the answer is none. Its
 * row says why. Throws when the row cannot be written.
 */
export async function readRecord(
  { action, arguments: args }: ImageReader,
  { session_id, call_id, policy, provider, model, client, asked_by }: ReadFor,
  { store, redactor, signal, stop, transport, target }: ReadContext,
): Promise<FoundRecord | "absent" | undefined> {
  const shown = redactArguments(args, action, redactor);
  const prepared = transport.prepare(action, { sent: args, shown }, target);
  const { application, name: tool, safety } = action;
  const asked = { session_id, turn_id: "", call_id, policy, provider, model, client, asked_by };
  const request = prepared.request && redactor.known(prepared.request);
  const rowId = await store.beginCall({ ...asked, application, tool, arguments: shown, safety, request });
  const short = { ...target, timeoutMs: Math.min(target.timeoutMs, READ_MS) };
  const start = performance.now();
  const complete = (status: "ok" | "error", value: JsonValue): Promise<boolean> => {
    const own = resultRedactor({ sent: args, shown }, redactor);
    const duration_ms = Math.round(performance.now() - start);
    return store.completeCall(rowId, { status, result: forRecord(toResult(own.value(value))), duration_ms });
  };
  try {
    const { status, value, rows, etag } = await unlessShutdown(transport.execute(prepared, short, { stop }), signal);
    await rows?.close();
    await complete(status, value);
    if (status === "error" && ABSENT.includes(objectOf(value)["error"] ?? null)) return "absent";
    const isRecord = status === "ok" && !rows && isObject(value) && toJson(value).length <= MAX_RECORD_CHARS;
    return isRecord ? { value, etag } : undefined;
  } catch (error) {
    await complete("error", { error: "transport_failed", message: messageOf(error) });
    return undefined;
  }
}

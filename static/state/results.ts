// Large results, which lists leave out: each is loaded when it is opened.
import type { HistoryEntry, TranscriptTurn } from "../../src/domain/record.js";
import { isObject, type JsonValue } from "../../src/lib/json.js";
import { resultIn } from "../turn/transcript.js";
import { requestJson, requestList } from "./api.js";
import type { RowSource } from "./row-source.js";

/** A result that was loaded. */
export interface LoadedResult {
  /** All of it; of a list that has a source, its first rows. */
  value: JsonValue;
  /** Where all rows are, when the value has only the first of them. */
  source?: RowSource | undefined;
  /** The fields around the rows, for those who want them. */
  loadRest?: (() => Promise<JsonValue>) | undefined;
}

async function requestRow(history_id: number, parameters = ""): Promise<HistoryEntry> {
  const rows = await requestList<HistoryEntry>(`/history?before=${history_id + 1}&limit=1${parameters}`, "history");
  const row = rows.find((one) => one.id === history_id);
  if (row === undefined) throw new Error("This row is no longer in the history.");
  return row;
}

/** Bytes up to which the answer of a failed call is loaded with its row: the reason stands in it, perhaps beside a stack trace. */
const MAX_FAILURE_BYTES = 256 * 1024;

/** A history row; a large result of a call that succeeded is left out. Throws ApiError, and Error when the row is not kept any more. */
export async function loadRow(history_id: number): Promise<HistoryEntry> {
  const row = await requestRow(history_id, "&results=small");
  const { status, result_bytes = 0, effect_bytes } = row;
  const isFailure = status === "error" && result_bytes > 0 && result_bytes <= MAX_FAILURE_BYTES;
  // There is no other way to a large effect.
  return effect_bytes === undefined && !isFailure ? row : requestRow(history_id);
}

/** A history row once the list of its result is kept whole, where it is. Throws as loadRow does. */
export async function loadKeptRow(history_id: number): Promise<HistoryEntry> {
  // The answer waits until the list is written.
  await requestJson(`/-/results/${history_id}?limit=1`);
  return requestRow(history_id, "&results=small");
}

/** The fields around the list of a result that is kept whole. Throws as loadRow does. */
async function loadAround(history_id: number): Promise<JsonValue> {
  const { result } = await requestRow(history_id);
  return isObject(result) && result["truncated"] === true ? (result["rest"] ?? null) : null;
}

/** The result of a history row: of a long list the first rows, and where the others are. Throws as loadRow does. */
export async function loadRowResult(history_id: number): Promise<LoadedResult> {
  const { openKept } = await import("./row-source.js");
  const { path, value, source } = await openKept(history_id);
  if (source === undefined && path === "") return { value };
  if (source === undefined || source.total === 0) return { value: (await requestRow(history_id)).result };
  if (path === "") return { value, source };
  const row = await requestRow(history_id, "&results=small");
  // What is around a list matters more than its length, unless the list is longer than its row.
  if (row.kept === undefined) return { value: (await requestRow(history_id)).result };
  return { value, source, loadRest: () => loadAround(history_id) };
}

/** What the model received of a call whose row is not known here. Throws ApiError, and Error when the session has no such call. */
export async function loadTranscriptResult(session: string, turn_id: string, call_id: string): Promise<JsonValue> {
  const turns = await requestList<TranscriptTurn>(`/-/sessions/${encodeURIComponent(session)}`, "turns");
  const result = resultIn(turns, turn_id, call_id);
  if (result === undefined) throw new Error("This result is no longer in the session.");
  return result;
}

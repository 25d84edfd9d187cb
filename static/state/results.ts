// Large results, which lists leave out: each is loaded when it is opened.
import type { HistoryEntry, TranscriptTurn } from "../../src/domain/record.js";
import type { JsonValue } from "../../src/lib/json.js";
import { resultIn } from "../turn/transcript.js";
import { requestList } from "./api.js";

/** A history row with all that lists leave out. Throws ApiError, and Error when the row is not kept any more. */
export async function loadRow(history_id: number): Promise<HistoryEntry> {
  const rows = await requestList<HistoryEntry>(`/history?before=${history_id + 1}&limit=1`, "history");
  const row = rows.find((one) => one.id === history_id);
  if (row === undefined) throw new Error("This row is no longer in the history.");
  return row;
}

/** The result of a history row. Throws as loadRow does. */
export async function loadRowResult(history_id: number): Promise<JsonValue> {
  return (await loadRow(history_id)).result;
}

/** What the model received of a call whose row is not known here. Throws ApiError, and Error when the session has no such call. */
export async function loadTranscriptResult(session: string, turn_id: string, call_id: string): Promise<JsonValue> {
  const turns = await requestList<TranscriptTurn>(`/-/sessions/${encodeURIComponent(session)}`, "turns");
  const result = resultIn(turns, turn_id, call_id);
  if (result === undefined) throw new Error("This result is no longer in the session.");
  return result;
}

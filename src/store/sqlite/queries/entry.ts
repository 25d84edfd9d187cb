// A history row as it goes over the wire, from its columns.
import type { Effect } from "../../../domain/effect.js";
import { OPEN_POLICY, type Policy } from "../../../domain/policy.js";
import { type HistoryEntry, MAX_SMALL_RESULT_BYTES } from "../../../domain/record.js";
import type { UndoState } from "../../../domain/undo-state.js";
import { type JsonObject, type JsonValue, objectOf, parseJson } from "../../../lib/json.js";
import type { HistoryRow } from "../tables.js";
import type { RowFiles } from "./kept-results.js";

/** A JSON column. A corrupted one reads as null, so that it does not hide the other rows; `verify` names it. */
export function fromColumn(text: string | null): JsonValue {
  try {
    return text === null ? null : parseJson(text);
  } catch {
    return null;
  }
}

/** A JSON column that holds an object; a corrupted one reads as an empty one. */
export function toObject(text: string): JsonObject {
  return objectOf(fromColumn(text));
}

/** A policy column. */
export function toPolicy(text: string): Policy {
  return { ...OPEN_POLICY, ...toObject(text) };
}

/** How a result begins that the row has only a part of; no other is looked up. */
const SHORTENED = '{"truncated":true';

/** A row as its query gives it: the sizes are of what was not read. */
type ReadRow = HistoryRow & { result_bytes?: number | null; effect_bytes?: number | null };

/** The part of a row that can be seen of what it did; `effect_bytes` are those of an effect that was not read. */
function effectFields(row: ReadRow, files: RowFiles): { effect?: Effect; effect_bytes?: number; undo?: UndoState } {
  const fields: ReturnType<typeof effectFields> = {};
  if (row.effect !== null) fields.effect = toObject(row.effect) as unknown as Effect;
  if (typeof row.effect_bytes === "number" && row.effect_bytes > MAX_SMALL_RESULT_BYTES)
    fields.effect_bytes = row.effect_bytes;
  if (row.status !== "ok" || row.safety === "read_only") return fields;
  const isPossible =
    row.undone_by === null && row.undo !== null && row.undo !== "impossible" && files.hasImages(row.id);
  fields.undo = row.undone_by !== null ? "done" : isPossible ? (row.undo ?? "impossible") : "impossible";
  return fields;
}

/** A row as it goes over the wire; `files` are those beside the record. */
export function toEntry(row: ReadRow, files: RowFiles): HistoryEntry {
  const omitted = typeof row.result_bytes === "number" && row.result_bytes > MAX_SMALL_RESULT_BYTES;
  const entry: HistoryEntry = {
    id: row.id,
    ts: row.ts,
    session_id: row.session_id,
    turn_id: row.turn_id,
    call_id: row.call_id,
    application: row.application,
    tool: row.tool,
    arguments: toObject(row.arguments),
    result: fromColumn(row.result),
    status: row.status,
    duration_ms: row.duration_ms,
    safety: row.safety,
    policy: toPolicy(row.policy),
    request: row.request === null ? null : toObject(row.request),
    provider: row.provider,
    model: row.model,
    client: row.client,
    asked_by: row.asked_by,
  };
  if (omitted) entry.result_bytes = row.result_bytes ?? 0;
  const kept = omitted || row.result?.startsWith(SHORTENED) ? files.keptOf(row.id) : undefined;
  if (kept) entry.kept = kept;
  return Object.assign(entry, effectFields(row, files));
}

// A recorded call as a line for a person.
import type { HistoryEntry } from "../../domain/record.js";
import { toJson } from "../../lib/json.js";
import { oneLine } from "./table.js";

const MAX_ARGUMENT_CHARS = 60;

export const HEADINGS = ["ID", "TIME", "STATUS", "TOOL", "TOOK", "ARGUMENTS"] as const;

/** The cells under HEADINGS. */
export function entryCells(entry: HistoryEntry): string[] {
  const took = entry.duration_ms === null ? "" : `${Math.round(entry.duration_ms)} ms`;
  const args = oneLine(toJson(entry.arguments), MAX_ARGUMENT_CHARS);
  return [String(entry.id), oneLine(entry.ts), entry.status, oneLine(entry.tool), took, args];
}

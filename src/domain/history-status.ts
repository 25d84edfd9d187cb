// What can become of a call. Loads nothing else, because the web UI loads it.

/** Every status of a history row. Source: docs/reference.md, "History". */
export const HISTORY_STATUSES = [
  "ok",
  "error",
  "blocked",
  "denied",
  "dry_run",
  "held",
  "pending",
  "interrupted",
] as const;
export type HistoryStatus = (typeof HISTORY_STATUSES)[number];

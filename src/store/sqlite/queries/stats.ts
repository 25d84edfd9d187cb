// How large the record is, read from indexes and the header of the file; no row is visited.
import type { Database } from "better-sqlite3";
import type { RecordStats } from "../../../domain/record.js";

/** Completed rows are numbered without gaps and deleted from the lowest number up; the others are few. */
const COUNT_ROWS = `
  SELECT (SELECT coalesce(max(seq), 0) FROM history WHERE seq IS NOT NULL)
       - (SELECT coalesce(min(seq) - 1, 0) FROM history WHERE seq IS NOT NULL)
       + (SELECT count(*) FROM history WHERE status IN ('held', 'pending'))`;

/** Rows of the history and bytes of the file. */
export function recordStats(db: Database): RecordStats {
  const pages = db.pragma("page_count", { simple: true }) as number;
  const pageBytes = db.pragma("page_size", { simple: true }) as number;
  return { historyRows: db.prepare(COUNT_ROWS).pluck().get() as number, fileBytes: pages * pageBytes };
}

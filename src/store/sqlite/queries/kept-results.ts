// Which results are kept whole: a row for each, written once its file is there. The oldest leave when all together are too many bytes,
// and each leaves with its history row.
import type { Database } from "better-sqlite3";
import type { KeptResult } from "../../../domain/record.js";
import type { ResultFiles } from "../../results.js";

interface KeptRow extends Omit<KeptResult, "truncated"> {
  history_id: number;
  truncated: number;
}

/** The table of kept results, synchronously. */
export interface KeptResultQueries {
  of(id: number): KeptResult | undefined;
  /** False when its history row is gone. */
  add(id: number, kept: KeptResult): boolean;
  /** Forgets rows: those without a history row or a file, and the oldest beyond so many bytes. Returns the ids. */
  forget(has: (id: number) => boolean, allBytes: number): number[];
}

/** The kept results of a database that is open and migrated. */
export function createKeptResultQueries(db: Database): KeptResultQueries {
  const one = db.prepare("SELECT * FROM kept_results WHERE history_id = ?");
  const all = db.prepare(
    `SELECT history_id, bytes, EXISTS (SELECT 1 FROM history WHERE id = history_id) AS has_row
     FROM kept_results ORDER BY history_id DESC`,
  );
  const remove = db.prepare("DELETE FROM kept_results WHERE history_id = ?");
  const insert = db.prepare(
    `INSERT OR REPLACE INTO kept_results (history_id, path, items, bytes, truncated, created_at)
     SELECT @id, @path, @items, @bytes, @truncated, @now WHERE EXISTS (SELECT 1 FROM history WHERE id = @id)`,
  );
  return {
    of(id) {
      const row = one.get(id) as KeptRow | undefined;
      return row && { path: row.path, items: row.items, bytes: row.bytes, truncated: row.truncated === 1 };
    },
    add: (id, kept) =>
      insert.run({ ...kept, id, truncated: kept.truncated ? 1 : 0, now: new Date().toISOString() }).changes === 1,
    forget(has, allBytes) {
      let bytes = 0;
      const gone = (all.all() as { history_id: number; bytes: number; has_row: number }[])
        .filter((row) => row.has_row === 0 || !has(row.history_id) || (bytes += row.bytes) > allBytes)
        .map(({ history_id }) => history_id);
      for (const id of gone) remove.run(id);
      return gone;
    },
  };
}

/** What of a row stands in files beside the record. */
export interface RowFiles {
  /** Whether undoing it is still possible. */
  hasImages(id: number): boolean;
  /** The whole list of its result; undefined where that is not kept. */
  keptOf(id: number): KeptResult | undefined;
}

/** The files of an open record. */
export function createRowFiles(db: Database, hasImages: (id: number) => boolean, results: ResultFiles): RowFiles {
  const { of } = createKeptResultQueries(db);
  return { hasImages, keptOf: (id) => (results.has(id) ? of(id) : undefined) };
}

/** Of rows whose files are of no interest. */
export const NO_FILES: RowFiles = { hasImages: () => false, keptOf: () => undefined };

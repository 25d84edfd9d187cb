// An open record, recovered from what an earlier daemon left.
import { hintFor } from "../../data-dir/sqlite-failure.js";
import { messageOf, StartError } from "../../domain/error.js";
import { openImages } from "../images.js";
import { openResultFiles } from "../results.js";
import { openDatabaseFile } from "./open.js";
import { takeOwnership } from "./owner.js";
import { createQueries, type Queries } from "./queries.js";
import { recover } from "./recover.js";

/** An open record. */
export interface OpenRecord extends Queries {
  file: string;
}

/**
 * Opens the record in `dir`, whose lock the caller holds, and recovers it. Throws StartError, naming the file and what
 * to do, and leaves nothing open.
 */
export function openRecord(dir: string, bootId: string, onWarning: (message: string) => void): OpenRecord {
  const { db, file } = openDatabaseFile(dir, onWarning);
  try {
    const queries = createQueries(db, bootId, { images: openImages(dir), results: openResultFiles(dir) });
    const lost = db
      .transaction(() => {
        takeOwnership(db);
        const found = recover(queries);
        queries.history.saveEnd();
        return found;
      })
      .immediate();
    if (lost.calls > 0 || lost.turns > 0)
      onWarning(`the last run left ${lost.calls} call(s) and ${lost.turns} turn(s) unfinished; they read interrupted`);
    return { ...queries, file };
  } catch (error) {
    db.close();
    throw new StartError(`cannot use ${file}: ${messageOf(error)}. ${hintFor(error)}`, { cause: error });
  }
}

// An open record, recovered from what an earlier daemon left.
import { hintFor } from "../../data-dir/sqlite-failure.js";
import { messageOf, StartError } from "../../domain/error.js";
import { counted } from "../../lib/plural.js";
import { openImages } from "../images.js";
import { openResultFiles } from "../results.js";
import { openDatabaseFile } from "./open.js";
import { takeOwnership } from "./owner.js";
import { createQueries, type Queries } from "./queries/queries.js";
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
    const unfinished = [
      ...(lost.calls > 0 ? [counted(lost.calls, "call")] : []),
      ...(lost.turns > 0 ? [counted(lost.turns, "turn")] : []),
    ];
    if (unfinished.length > 0)
      onWarning(`the last run left ${unfinished.join(" and ")} unfinished, on record as interrupted`);
    return { ...queries, file };
  } catch (error) {
    db.close();
    throw new StartError(`cannot use ${file}: ${messageOf(error)}. ${hintFor(error)}`, { cause: error });
  }
}

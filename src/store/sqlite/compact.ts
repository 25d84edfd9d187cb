// `agentd vacuum`: rewrites the record without the space of deleted rows, once and for all for a file of a version that could not
// give it back. The caller holds the directory's lock, so that nothing writes meanwhile; who reads is not held up.
import fs from "node:fs";
import { hintFor } from "../../data-dir/sqlite-failure.js";
import { messageOf, StartError } from "../../domain/error.js";
import { openDatabaseFile } from "./open.js";
import { rewrite } from "./vacuum.js";

/** Bytes of the file before and after. */
interface Compacted {
  before: number;
  after: number;
}

/** Rewrites the record in `dir`. Throws StartError, naming the file and what to do; the record is as it was then. */
export function rewriteRecord(dir: string, onWarning: (message: string) => void): Compacted {
  const { db, file } = openDatabaseFile(dir, onWarning);
  try {
    const before = fs.statSync(file).size;
    rewrite(db);
    return { before, after: fs.statSync(file).size };
  } catch (error) {
    throw new StartError(`cannot rewrite ${file}: ${messageOf(error)}. It is as it was. ${hintFor(error)}`, {
      cause: error,
    });
  } finally {
    db.close();
  }
}

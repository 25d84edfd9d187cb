// The list of a result, or the picture, that is longer than its row: kept whole beside the record while the turn goes on.
// Source: docs/reference.md, "Whole results"
import { isPictureDescription, PICTURE_PATH } from "../../domain/picture.js";
import { objectOf } from "../../lib/json.js";
import { RECORD_LIMIT, type Result } from "../../results/result.js";
import { type ListToKeep, listIn, type Rows } from "../../results/rows.js";
import type { Store } from "../../store/store.js";

/** Items written between two other things the daemon does. */
const BATCH = 200;

/** The same rows for two readers: they are let go when both have closed. */
function shareRows(rows: Rows): { rows: Rows; release(): void } {
  let readers = 2;
  const release = async (): Promise<void> => {
    if (--readers === 0) await rows.close();
  };
  let closed: Promise<void> | undefined;
  const { path, count, bytes, truncated } = rows;
  const shared: Rows = {
    path,
    count,
    bytes,
    truncated,
    read: (from) => rows.read(from),
    close: () => (closed ??= release()),
  };
  return { rows: shared, release: () => void release() };
}

/** Characters of a picture in one line of its file. */
const PIECE = 64 * 1024;

/** The `data` of a picture in pieces. */
function pictureToKeep(data: string): ListToKeep {
  return {
    path: PICTURE_PATH,
    truncated: false,
    async *read() {
      for (let at = 0; at < data.length; at += PIECE) yield [data.slice(at, at + PIECE)];
    },
  };
}

/** The list a result in memory is about, or the picture that it is. */
function listToKeep({ value }: Result): ListToKeep | undefined {
  if (isPictureDescription(value)) {
    const data = objectOf(value)["data"];
    return typeof data === "string" ? pictureToKeep(data) : undefined;
  }
  const found = listIn(value);
  if (!found) return undefined;
  const { path, list } = found;
  return {
    path,
    truncated: false,
    async *read() {
      for (let at = 0; at < list.length; at += BATCH) yield list.slice(at, at + BATCH);
    },
  };
}

/** Keeps what the row does not have room for; the result to go on with, whose rows may be closed at any time. */
export function keepWhole(result: Result, rowId: number, store: Pick<Store, "keepResult">): Result {
  const { rows, json } = result;
  if (rows) {
    const shared = shareRows(rows);
    const { path, truncated } = rows;
    void store.keepResult(rowId, { path, truncated, read: () => rows.read() }).finally(shared.release);
    return { ...result, rows: shared.rows };
  }
  const list = json.length > RECORD_LIMIT ? listToKeep(result) : undefined;
  if (list) void store.keepResult(rowId, list);
  return result;
}

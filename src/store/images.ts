// What undoing a call needs, one file for each history row, beside the record: it holds rows of an application as they are, secrets
// included, so it is nobody's but the account's, and is never served. A file that is gone means that its call cannot be undone.
import fs from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { writeAtomically } from "../data-dir/atomic-file.js";
import { IMAGES_FOLDER, makeDirectories } from "../data-dir/directory.js";
import { isObject, type JsonObject, parseJson, toJson } from "../lib/json.js";

const NAME = /^\d{1,15}\.json$/;
const PARTIAL = /^\d{1,15}\.json\.partial-/;
/** None is being written for so long. */
const PARTIAL_MS = 60_000;

/** The images of a data directory. */
export interface ImageFiles {
  has(id: number): boolean;
  /** Undefined when there are none, or none that were written for the row of this time. */
  read(id: number, ts: string): JsonObject | undefined;
  /** On the disk when it resolves. */
  write(id: number, ts: string, images: JsonObject): Promise<void>;
  remove(id: number): void;
  /** Deletes those of rows that do not need them any more, and what a crash left of one that was being written. */
  sweep(needed: (ids: readonly number[]) => ReadonlySet<number>): void;
}

/** The images beside the record in `dir`. */
export function openImages(dir: string): ImageFiles {
  const folder = path.join(dir, IMAGES_FOLDER);
  const fileOf = (id: number): string => path.join(folder, `${id}.json`);
  return {
    has: (id) => fs.existsSync(fileOf(id)),
    read(id, ts) {
      try {
        const found = parseJson(fs.readFileSync(fileOf(id), "utf8"), Number.POSITIVE_INFINITY);
        // The file may be another record's, whose rows have the same numbers.
        if (!isObject(found) || found["history_id"] !== id || found["ts"] !== ts) return undefined;
        return isObject(found["images"]) ? found["images"] : undefined;
      } catch {
        return undefined;
      }
    },
    async write(id, ts, images) {
      makeDirectories(folder);
      const text = toJson({ history_id: id, ts, images });
      await writeAtomically(fileOf(id), (partial) => writeFile(partial, text, { flush: true }), {
        replace: true,
        durable: true,
      });
    },
    remove: (id) => fs.rmSync(fileOf(id), { force: true }),
    sweep(needed) {
      if (!fs.existsSync(folder)) return;
      const names = fs.readdirSync(folder);
      const ids = names.flatMap((name) => (NAME.test(name) ? [Number.parseInt(name, 10)] : []));
      const kept = needed(ids);
      for (const id of ids) if (!kept.has(id)) fs.rmSync(fileOf(id), { force: true });
      for (const name of names.filter((one) => PARTIAL.test(one))) {
        const file = path.join(folder, name);
        const age = Date.now() - (fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
        if (Math.abs(age) > PARTIAL_MS) fs.rmSync(file, { force: true });
      }
    },
  };
}

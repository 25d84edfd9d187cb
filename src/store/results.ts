// Results that are kept whole, one file for each history row, beside the record: a line that names the row, then one JSON text a line.
// What is in them is redacted like the record. A file appears when it is complete; its row in the record is written after it.
import fs from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import path from "node:path";
import { writeAtomically } from "../data-dir/atomic-file.js";
import { makeDirectories, RESULTS_FOLDER } from "../data-dir/directory.js";
import type { KeptResult } from "../domain/record.js";
import { isObject, type JsonValue, parseJson, toJson } from "../lib/json.js";
import { fromPointer } from "../lib/json-pointer.js";
import { indexLines, type LineIndex, pickRows, readJsonLines } from "../results/row-file.js";
import type { ListToKeep, Rows } from "../results/rows.js";

const NAME = /^\d{1,15}\.ndjson$/;
const PARTIAL = /^\d{1,15}\.ndjson\.partial-/;
/** Few writes for many small rows. */
const WRITE_BLOCK = 256 * 1024;
/** The line that names a row is shorter. */
const MAX_HEAD = 256;
/** Files whose lines are remembered, so that a page deep in one is read directly. */
const MAX_INDEXES = 8;

/** The row a file is of; `ts` because another record's rows have the same numbers. */
interface ResultRow {
  id: number;
  ts: string;
}

/** What was written. */
type WrittenRows = Pick<KeptResult, "items" | "bytes" | "truncated">;

/** What a store does with results that are longer than their rows. */
export interface ResultStore {
  /**
   * Keeps the whole list of a row's result, beside other work; resolves when it is kept, or is not. Never rejects. `close` waits for it,
   * and so does `keptRows`.
   */
  keepResult(id: number, list: ListToKeep): Promise<void>;
  /** The kept list of a row, to be closed; undefined when there is none. */
  keptRows(id: number): Promise<Rows | undefined>;
}

/** The kept results of a data directory. */
export interface ResultFiles {
  has(id: number): boolean;
  /** Undefined when there is none, or none of this row. */
  open(row: ResultRow, kept: KeptResult): Promise<Rows | undefined>;
  /** On the disk when it resolves, whole or up to `maxBytes`. Throws the signal's reason, and what the file system throws. */
  write(
    row: ResultRow,
    batches: AsyncIterable<readonly JsonValue[]>,
    limits: { maxBytes: number; signal: AbortSignal },
  ): Promise<WrittenRows>;
  remove(id: number): void;
  /** Deletes those of no row, and what a crash left; not those being written. */
  sweep(isKept: (id: number) => boolean): void;
}

const headOf = ({ id, ts }: ResultRow): string => `${toJson({ history_id: id, ts })}\n`;

/** Where the rows begin; undefined for the file of another row. */
async function rowsBegin(file: FileHandle, { id, ts }: ResultRow): Promise<number | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_HEAD), 0, MAX_HEAD, 0);
  const end = buffer.subarray(0, bytesRead).indexOf(10);
  try {
    const head = parseJson(buffer.toString("utf8", 0, end));
    return isObject(head) && head["history_id"] === id && head["ts"] === ts ? end + 1 : undefined;
  } catch {
    return undefined;
  }
}

/** Writes rows as lines, as many as fit. */
async function writeRows(
  file: FileHandle,
  batches: AsyncIterable<readonly JsonValue[]>,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<WrittenRows> {
  let [items, bytes, truncated] = [0, 0, false];
  let lines: string[] = [];
  let waiting = 0;
  const flush = async (): Promise<void> => {
    if (lines.length > 0) await file.appendFile(lines.join(""));
    lines = [];
    waiting = 0;
  };
  for await (const batch of batches) {
    signal.throwIfAborted();
    for (const row of batch) {
      const line = `${toJson(row)}\n`;
      const size = Buffer.byteLength(line);
      truncated ||= bytes + size > maxBytes;
      if (truncated) break;
      items++;
      bytes += size;
      lines.push(line);
      if ((waiting += size) >= WRITE_BLOCK) await flush();
    }
    if (truncated) break;
  }
  await flush();
  return { items, bytes, truncated };
}

/** The results beside the record in `dir`. */
export function openResultFiles(dir: string): ResultFiles {
  const folder = path.join(dir, RESULTS_FOLDER);
  const fileOf = (id: number): string => path.join(folder, `${id}.ndjson`);
  const indexes = new Map<string, Promise<LineIndex>>();
  const writing = new Set<number>();
  const indexOf = (key: string, find: () => Promise<LineIndex>): Promise<LineIndex> => {
    const index = indexes.get(key) ?? find();
    indexes.delete(key);
    indexes.set(key, index);
    index.catch(() => indexes.delete(key));
    for (const oldest of indexes.keys()) if (indexes.size > MAX_INDEXES) indexes.delete(oldest);
    return index;
  };
  return {
    has: (id) => fs.existsSync(fileOf(id)),
    async open(row, { path: pointer, items, bytes, truncated }) {
      const file = await open(fileOf(row.id), fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW).catch(() => undefined);
      const start = file && (await rowsBegin(file, row));
      if (!file || start === undefined) {
        await file?.close();
        return undefined;
      }
      const range = { start, end: start + bytes };
      const index = () => indexOf(`${row.id} ${row.ts}`, () => indexLines(file, range, items));
      return {
        path: fromPointer(pointer),
        count: items,
        bytes,
        truncated,
        async *read(from = 0) {
          if (from === 0) return yield* readJsonLines(file, range, 0);
          const { stride, starts } = await index();
          const begin = starts[Math.floor(from / stride)];
          if (begin !== undefined) yield* readJsonLines(file, { start: begin, end: range.end }, from % stride);
        },
        pick: async (positions) => pickRows(file, await index(), positions),
        close: () => file.close().catch(() => {}),
      };
    },
    async write(row, batches, limits) {
      makeDirectories(folder);
      writing.add(row.id);
      let written: WrittenRows = { items: 0, bytes: 0, truncated: false };
      const fill = async (partial: string): Promise<void> => {
        const file = await open(partial, "a", 0o600);
        try {
          await file.appendFile(headOf(row));
          written = await writeRows(file, batches, limits);
          await file.sync();
        } finally {
          await file.close();
        }
      };
      try {
        await writeAtomically(fileOf(row.id), fill, { replace: true, durable: true });
      } finally {
        writing.delete(row.id);
      }
      return written;
    },
    remove: (id) => fs.rmSync(fileOf(id), { force: true }),
    sweep(isKept) {
      if (!fs.existsSync(folder)) return;
      for (const name of fs.readdirSync(folder)) {
        const id = Number.parseInt(name, 10);
        const isOurs = NAME.test(name) || PARTIAL.test(name);
        if (isOurs && !writing.has(id) && (PARTIAL.test(name) || !isKept(id)))
          fs.rmSync(path.join(folder, name), { force: true });
      }
    },
  };
}

// Rows too many for memory, in a file: one JSON text a line, written once, read as often as wanted. The file has no name any
// more once it is open, so that nothing is left behind even when the daemon is killed; only its owner could ever open it.
import { randomUUID } from "node:crypto";
import { open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { readJsonLines } from "./row-file.js";
import type { Rows } from "./rows.js";

/** What a spool does not know of its rows. */
type RowFacts = Pick<Rows, "path" | "count" | "bytes" | "truncated">;

/** A file being filled. */
export interface Spool {
  write(bytes: Buffer): Promise<void>;
  /** The rows written so far: `count` lines in the first `bytes` bytes. Nothing is written any more. */
  rows(facts: RowFacts): Rows;
  /** Never throws. */
  close(): Promise<void>;
}

/** Few writes for many small pieces. */
const WRITE_BLOCK = 128 * 1024;
/** Opens a new file in a folder. Throws when the folder cannot be written. */
export async function openSpool(folder: string): Promise<Spool> {
  const name = join(folder, `.rows-${randomUUID()}`);
  const file = await open(name, "wx+", 0o600);
  await unlink(name);
  // One block for all writes: what is allocated for each packet again is soon more than the rows of a small answer.
  let block = Buffer.allocUnsafe(WRITE_BLOCK);
  let filled = 0;
  let closed: Promise<void> | undefined;
  const flush = async (): Promise<void> => {
    if (filled > 0) await file.appendFile(block.subarray(0, filled));
    filled = 0;
  };
  const close = (): Promise<void> => (closed ??= file.close().catch(() => {}));
  return {
    async write(bytes) {
      for (let at = 0; at < bytes.length; ) {
        const copied = bytes.copy(block, filled, at);
        at += copied;
        filled += copied;
        if (filled === WRITE_BLOCK) await flush();
      }
    },
    rows: (facts) => ({
      ...facts,
      async *read(from = 0) {
        await flush();
        block = Buffer.alloc(0);
        yield* readJsonLines(file, { start: 0, end: facts.bytes }, from);
      },
      close,
    }),
    close,
  };
}

// `agentd history export`: every row as it is when it begins, oldest first, one JSON object a line, in pieces that never
// take more memory than the longest result.
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { writeWhole } from "../../data-dir/atomic-file.js";
import { messageOf, StartError } from "../../domain/error.js";
import type { HistoryFilter, Reader } from "../../store/sqlite/reader.js";
import { openSettled } from "../client/record.js";
import { onInterrupt } from "../terminal/interrupt.js";
import { say } from "../terminal/output.js";
import { jsonLine } from "../terminal/render.js";

function* lines(reader: Reader, filter: HistoryFilter, onRows: (count: number) => void): Generator<string, void, void> {
  for (const piece of reader.scan(filter)) {
    onRows(piece.length);
    yield piece.map((entry) => `${jsonLine(entry)}\n`).join("");
  }
}

/** To stdout. A reader that has had enough is no failure worth a word, but it did not get everything. */
async function toStdout(text: Readable): Promise<number> {
  try {
    await pipeline(text, process.stdout, { end: false });
    return 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EPIPE") return 1;
    if (error instanceof StartError) throw error;
    throw new StartError(`cannot write to stdout: ${messageOf(error)}. Is the disk full?`, { cause: error });
  }
}

/** Writes the history to `file`, which appears only when it is whole, or to stdout. Returns the exit code. */
export async function exportHistory(dir: string, filter: HistoryFilter, file: string | undefined): Promise<number> {
  const reader = await openSettled(dir);
  let rows = 0;
  const text = Readable.from(
    lines(reader, filter, (count) => {
      rows += count;
    }),
    { highWaterMark: 1 },
  );
  try {
    if (file === undefined) return await reader.atOnce(() => toStdout(text));
    const stop = new AbortController();
    const release = onInterrupt(() => stop.abort());
    const { signal } = stop;
    const fill = (partial: string) => pipeline(text, createWriteStream(partial, { flush: true }), { signal });
    await reader.atOnce(() => writeWhole(file, "the export", fill, signal)).finally(release);
    say(`${rows} rows written to ${file}`);
    return 0;
  } finally {
    reader.close();
  }
}

// `agentd history export`: every row as it is when it begins, oldest first, one JSON object a line, in pieces that never
// take more memory than the longest result.
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { writeNewFile } from "../../data-dir/atomic-file.js";
import { openRecoveredReader } from "../../open.js";
import type { HistoryFilter, RecordReader } from "../../store/reader.js";
import { onInterrupt } from "../terminal/interrupt.js";
import { jsonText, printPieces, say, warn } from "../terminal/output.js";

async function* lines(
  reader: RecordReader,
  filter: HistoryFilter,
  onRows: (count: number) => void,
): AsyncGenerator<string, void, void> {
  for await (const piece of reader.scan(filter)) {
    onRows(piece.length);
    yield piece.map((entry) => `${jsonText(entry)}\n`).join("");
  }
}

/** Writes the history to `file`, which appears only when it is whole, or to stdout. Returns the exit code. */
export async function exportHistory(dir: string, filter: HistoryFilter, file: string | undefined): Promise<number> {
  const reader = await openRecoveredReader(dir, warn);
  let rows = 0;
  const text = Readable.from(
    lines(reader, filter, (count) => {
      rows += count;
    }),
    { highWaterMark: 1 },
  );
  try {
    if (file === undefined) return await reader.inSnapshot(() => printPieces(text));
    const stop = new AbortController();
    const release = onInterrupt(() => stop.abort());
    const { signal } = stop;
    const fill = (partial: string) => pipeline(text, createWriteStream(partial, { flush: true }), { signal });
    await reader.inSnapshot(() => writeNewFile(file, fill, { what: "the export", signal })).finally(release);
    say(`${rows} rows written to ${file}`);
    return 0;
  } finally {
    await reader.close();
  }
}

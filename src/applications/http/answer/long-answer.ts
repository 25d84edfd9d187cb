// An answer too long for memory that is made of rows: they go to a file while they arrive, what surrounds them and the first
// of them stay in memory. Anything else too long is left to the cap in memory.
import { listOf } from "../../../lib/json.js";
import { valueAt } from "../../../lib/json-pointer.js";
import { openSpool, type Spool } from "../../../results/spool.js";
import type { Outcome } from "../../transport.js";
import type { HttpAnswer, Overflow, PacketSink } from "../http-client.js";
import { createCsvSplitter } from "./csv.js";
import { createLineSplitter } from "./json-lines.js";
import { createListSplitter } from "./json-list.js";
import { isJson, isUtf8, mediaTypeOf, rowFormatOf } from "./media-type.js";
import type { RowSplitter } from "./row-splitter.js";

/** What events and the history keep of a result anyway; an answer up to this length is handled in memory. */
const IN_MEMORY = 1024 * 1024;
/** Decompressed bytes that are read, and bytes of rows that are set aside: five times the longest answer one can reasonably ask for; disks are not endless. */
const MAX_ROW_BYTES = 256 * 1024 * 1024;
/** More rows than this are not read, however short they are: going through them takes seconds of a processor. */
const MAX_ROWS = 5_000_000;
/** No person and no model reads further; and every row costs time to read, however short it is. */
const MAX_FIRST_ROWS = 20_000;
/** One row; it is read whole. */
const MAX_ROW = 8 * 1024 * 1024;

/** The file for the rows cannot be written. */
export class SpoolError extends Error {}

/** A long answer in the making; one for a call. */
export interface LongAnswer extends Overflow {
  /** The outcome once the answer has ended; undefined when its rows were not set aside. */
  outcome(): Promise<Outcome> | undefined;
  /** Forgets everything. */
  discard(): Promise<void>;
}

interface Parts {
  splitter: RowSplitter;
  spool: Spool;
  /** Bytes that arrived, and bytes of lines that were made of them. */
  read: number;
  written: number;
  /** Rows that stay in memory as well. */
  first: number;
  /** Whether the answer went on when no more of it was wanted. */
  stopped: boolean;
}

function isTooMuch({ splitter, read, written }: Parts): boolean {
  return Math.max(read, written) > MAX_ROW_BYTES || written - splitter.end > MAX_ROW || splitter.count > MAX_ROWS;
}

async function write(parts: Parts, lines: Buffer): Promise<void> {
  await parts.spool.write(lines).catch((cause: Error) => {
    throw new SpoolError(cause.message, { cause });
  });
  parts.written += lines.length;
  if (parts.first === 0 || parts.written <= IN_MEMORY) parts.first = Math.min(parts.splitter.count, MAX_FIRST_ROWS);
}

async function outcomeOf(parts: Parts): Promise<Outcome> {
  const { splitter, spool, stopped } = parts;
  if (!stopped) for (const lines of splitter.finish()) await write(parts, lines);
  const { value, path, isWhole } = splitter.around();
  const rows = spool.rows({ path, count: splitter.count, bytes: splitter.end, truncated: stopped || !isWhole });
  const first = listOf(valueAt(value, path));
  for await (const batch of rows.read()) {
    for (const row of batch) if (first.length < parts.first) first.push(row);
    if (first.length >= parts.first) break;
  }
  return { status: "ok", value, rows };
}

/** What makes rows of an answer that begins like this, and where they start; undefined when it is not made of rows. */
function splitterFor({ headers, bytes }: HttpAnswer): { splitter: RowSplitter; start: number } | undefined {
  const media = mediaTypeOf(headers["content-type"] ?? "");
  const format = rowFormatOf(media.type);
  const inUtf8 = isUtf8(media.charset);
  // No text in UTF-8 holds a NUL, whatever it calls itself.
  if (format && inUtf8 && bytes.includes(0)) return undefined;
  if (format === "csv" || format === "tsv") return { splitter: createCsvSplitter(bytes, media), start: 0 };
  if (!inUtf8) return undefined;
  if (format) return createLineSplitter(bytes, format);
  return media.type === "" || isJson(media.type) ? createListSplitter(bytes) : undefined;
}

/** Takes over an answer to a call when it gets long; the rows go to a file in `folder`. */
export function createLongAnswer(folder: string): LongAnswer {
  let parts: Parts | undefined;

  const sinkFor = (own: Parts): PacketSink => ({
    async write(packet) {
      if (own.stopped) return false;
      own.read += packet.length;
      for (const lines of own.splitter.cut(packet)) {
        await write(own, lines);
        if (isTooMuch(own)) break;
      }
      own.stopped = own.splitter.isOver || isTooMuch(own);
      return !own.stopped;
    },
  });

  const take = async (beginning: HttpAnswer): Promise<PacketSink | undefined> => {
    const { status, bytes } = beginning;
    const found = status >= 200 && status < 300 ? splitterFor(beginning) : undefined;
    // Without space on disk the answer is cut as any other.
    const spool = found && (await openSpool(folder).catch(() => undefined));
    if (!found || !spool) return undefined;
    const { splitter, start } = found;
    parts = { splitter, spool, read: 0, written: 0, first: 0, stopped: false };
    const sink = sinkFor(parts);
    await sink.write(bytes.subarray(start));
    if (splitter.count > 0 && !splitter.isOver) return sink;
    // Not even its beginning is what its type names.
    parts = undefined;
    await spool.close();
    return undefined;
  };

  return {
    afterBytes: IN_MEMORY,
    take,
    outcome: () => parts && outcomeOf(parts),
    discard: async () => parts?.spool.close(),
  };
}

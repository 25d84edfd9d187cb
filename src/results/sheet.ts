// Rows as a spreadsheet (XLSX), made in a thread of its own, one at a time. Source: docs/reference.md, "Results as files"
import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { AppError } from "../domain/error.js";
import type { ResultColumn } from "../domain/result-query.js";
import type { JsonValue } from "../lib/json.js";
import { startThread } from "../lib/thread.js";
import { fieldReader } from "./row-filter.js";
import { type SheetCell, sheetCell, textCell } from "./sheet-cells.js";
import type { SheetHead } from "./sheet-thread.js";

/** Rows of a sheet, without its head. A spreadsheet holds 1,048,575; the whole sheet is in memory while it is written. */
const MAX_ROWS = 200_000;
const MAX_CELLS = 1_000_000;
const MAX_CHARS = 20_000_000;
const MAX_COLUMNS = 16_384;
/** Memory of the thread, in MiB. It ends when it takes more. */
const HEAP_MIB = 768;

const FORMATS: Partial<Record<NonNullable<ResultColumn["format"]>, string>> = {
  date: "yyyy-mm-dd",
  "date-time": "yyyy-mm-dd hh:mm:ss",
};

const tooMuch = (what: string): AppError =>
  new AppError(
    "invalid_query",
    `${what} are too much for a spreadsheet: filter them, name fewer fields, or take format=csv, which has no such limit.`,
  );

/** What a sheet is made of. */
interface SheetRows {
  columns: readonly string[];
  /** What their values are like; columns of nothing but dates hold dates. */
  profile: readonly ResultColumn[];
  /** How many rows there are. */
  count: number;
  rows: AsyncIterable<readonly JsonValue[]>;
}

/** The last sheet that is being written; the next one waits for it. */
let last: Promise<unknown> = Promise.resolve();

function formatOf(column: ResultColumn | undefined): string | null {
  const isText =
    column !== undefined && Object.keys(column.types).every((type) => type === "string" || type === "null");
  return (isText && column.format && FORMATS[column.format]) || null;
}

/** Sends the rows to the thread, within the bounds of memory. Throws AppError invalid_query beyond them. */
async function sendRows(
  thread: Worker,
  { columns, rows }: SheetRows,
  formats: readonly (string | null)[],
): Promise<void> {
  const readers = columns.map((name, at) => ({ read: fieldReader(name), isDate: Boolean(formats[at]) }));
  let chars = 0;
  for await (const batch of rows) {
    const cells = batch.map((row): SheetCell[] => readers.map(({ read, isDate }) => sheetCell(read(row), isDate)));
    for (const row of cells) for (const cell of row) if (typeof cell === "string") chars += cell.length;
    if (chars > MAX_CHARS) throw tooMuch(`More than ${MAX_CHARS} characters`);
    thread.postMessage(cells);
  }
  thread.postMessage(null);
}

async function writeNow(sheet: SheetRows, signal: AbortSignal): Promise<Uint8Array> {
  signal.throwIfAborted();
  const { columns, profile } = sheet;
  const byName = new Map(profile.map((column) => [column.name, column]));
  const head: SheetHead = {
    columns: columns.map(textCell),
    formats: columns.map((name) => formatOf(byName.get(name))),
  };
  const thread = startThread("results/sheet-thread", {
    workerData: head,
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
  });
  const ended = new AbortController();
  try {
    const bytes = once(thread, "message", { signal: AbortSignal.any([signal, ended.signal]) });
    // It ends before it has answered when it fails, and then the rows are of no use.
    await Promise.race([bytes, sendRows(thread, sheet, head.formats)]);
    return (await bytes)[0] as Uint8Array;
  } catch (error) {
    signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY") throw tooMuch("These rows");
    throw error;
  } finally {
    ended.abort();
    await thread.terminate();
  }
}

/** The bytes of a spreadsheet. Throws AppError invalid_query when the rows are too many, and the signal's reason. */
export async function writeSheet(sheet: SheetRows, signal: AbortSignal): Promise<Uint8Array> {
  const { columns, count } = sheet;
  if (count > MAX_ROWS) throw tooMuch(`${count} rows`);
  if (columns.length > MAX_COLUMNS) throw tooMuch(`${columns.length} columns`);
  if (count * columns.length > MAX_CELLS) throw tooMuch(`${count * columns.length} cells`);
  const written = last.then(() => writeNow(sheet, signal));
  last = written.catch(() => {});
  return written;
}

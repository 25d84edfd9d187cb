// Rows in a file, one JSON text a line: gone through in order, a block at a time, and read at single places by where lines begin.
import type { FileHandle } from "node:fs/promises";
import { type JsonValue, jsonOrText } from "../lib/json.js";

/** What is read, and parsed, between two other things the daemon does. */
const READ_BLOCK = 32 * 1024;
/** What is looked through for the ends of lines in one go. */
const INDEX_BLOCK = 256 * 1024;
/** Beginnings of lines that are remembered: of more lines every second one, or third. */
const MAX_STARTS = 1_000_000;
/** Rows read side by side. */
const PARALLEL = 32;
/** Bytes of rows that are in memory for one reader, or a single longer row. */
const MAX_PICK_BYTES = 1024 * 1024;
const NEWLINE = 10;

/** A part of a file. */
interface ByteRange {
  start: number;
  end: number;
}

/** The lines of a part but the first `skip`, parsed, a block at a time. */
export async function* readJsonLines(
  file: FileHandle,
  { start, end }: ByteRange,
  skip: number,
): AsyncGenerator<JsonValue[], void, void> {
  const block = Buffer.allocUnsafe(READ_BLOCK);
  let rest: Buffer[] = [];
  let toSkip = skip;
  const take = (piece: Buffer): JsonValue[] => {
    if (toSkip-- > 0) {
      rest = [];
      return [];
    }
    const line = rest.length > 0 ? Buffer.concat([...rest, piece]) : piece;
    rest = [];
    // One bad row is no reason to lose the others.
    return [jsonOrText(line.toString("utf8"))];
  };
  for (let at = start; at < end; ) {
    const { bytesRead } = await file.read(block, 0, Math.min(READ_BLOCK, end - at), at);
    if (bytesRead === 0) break;
    at += bytesRead;
    const batch: JsonValue[] = [];
    let from = 0;
    const read = block.subarray(0, bytesRead);
    for (let to = read.indexOf(NEWLINE); to >= 0; to = read.indexOf(NEWLINE, from)) {
      batch.push(...take(read.subarray(from, to)));
      from = to + 1;
    }
    // Copied, because the next read overwrites the block.
    if (from < bytesRead) rest.push(Buffer.from(read.subarray(from)));
    if (batch.length > 0) yield batch;
  }
  if (rest.length > 0) yield take(Buffer.alloc(0));
}

/** Where the lines of a part begin: of every `stride`th one. */
export interface LineIndex {
  stride: number;
  starts: Float64Array;
  end: number;
}

/** Finds where `count` lines begin, without parsing them. */
export async function indexLines(file: FileHandle, { start, end }: ByteRange, count: number): Promise<LineIndex> {
  const stride = Math.max(1, Math.ceil(count / MAX_STARTS));
  const starts = new Float64Array(Math.ceil(count / stride));
  const block = Buffer.allocUnsafe(INDEX_BLOCK);
  let line = 0;
  const begin = (offset: number): void => {
    if (line % stride === 0 && line / stride < starts.length) starts[line / stride] = offset;
    line++;
  };
  begin(start);
  for (let at = start; at < end; ) {
    const { bytesRead } = await file.read(block, 0, Math.min(INDEX_BLOCK, end - at), at);
    if (bytesRead === 0) break;
    const read = block.subarray(0, bytesRead);
    for (let to = read.indexOf(NEWLINE); to >= 0; to = read.indexOf(NEWLINE, to + 1)) begin(at + to + 1);
    at += bytesRead;
  }
  return { stride, starts, end };
}

async function readRow(file: FileHandle, { stride, starts, end }: LineIndex, position: number): Promise<JsonValue> {
  const place = Math.floor(position / stride);
  const start = starts[place];
  if (start === undefined) return null;
  const length = (starts[place + 1] ?? end) - start;
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, start);
  let from = 0;
  for (let toSkip = position % stride; toSkip > 0; toSkip--) from = buffer.indexOf(NEWLINE, from) + 1;
  const to = buffer.indexOf(NEWLINE, from);
  return jsonOrText(buffer.toString("utf8", from, to < 0 ? bytesRead : to));
}

/** What a row takes at most. */
function bytesOf({ stride, starts, end }: LineIndex, position: number): number {
  const place = Math.floor(position / stride);
  return (starts[place + 1] ?? end) - (starts[place] ?? end);
}

/** The first of these positions whose rows fit into memory together: one at least. */
function fitting(index: LineIndex, positions: readonly number[]): readonly number[] {
  let bytes = 0;
  const over = positions.findIndex((position, at) => (bytes += bytesOf(index, position)) > MAX_PICK_BYTES && at > 0);
  return over < 0 ? positions : positions.slice(0, over);
}

/** The rows at these positions, in their order, or the first of them where all are too long. */
export async function pickRows(file: FileHandle, index: LineIndex, positions: readonly number[]): Promise<JsonValue[]> {
  const rows: JsonValue[] = [];
  const fit = fitting(index, positions);
  for (let at = 0; at < fit.length; at += PARALLEL)
    rows.push(...(await Promise.all(fit.slice(at, at + PARALLEL).map((position) => readRow(file, index, position)))));
  return rows;
}

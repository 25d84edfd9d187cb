// Comma-separated values (RFC 4180) and tab-separated ones as rows: objects by the names in the first line. Every cell stays the
// text it is, because a guess would lose the zeros of 007 and the digits of long numbers. The parser is loaded for them only.
import { finished } from "node:stream/promises";
import { TextDecoder } from "node:util";
import { type JsonObject, toJson } from "../../json.js";
import type { Cutter } from "./cutter.js";
import { isUtf8, type MediaType, rowFormatOf } from "./media-type.js";

/** A table with more columns is none that anybody reads. */
const MAX_COLUMNS = 10_000;
/** One row, quoted line breaks and empty lines before it included: the parser holds all of it. */
const MAX_ROW = 1024 * 1024;
/** What is parsed between two other things the daemon does. */
const BLOCK = 64 * 1024;
/** Rows repeat their names, so a short answer may become a very long one: then it stays text. */
const MAX_CHARS = 16 * 1024 * 1024;

/** Reads a table piece by piece. Where it is broken both throw Error, behind the rows that were not. */
interface Table {
  /** The rows that are complete with these bytes, some at a time. */
  push(bytes: Buffer): AsyncGenerator<JsonObject[]>;
  end(): AsyncGenerator<JsonObject[]>;
}

/** Gives each column a name of its own: the one in the first line, else its number. */
function createNames(line: readonly string[]): (column: number) => string {
  const names: string[] = [];
  const uses = new Map<string, number>();
  const add = (column: number): void => {
    const wanted = line[column]?.trim() || `column_${column + 1}`;
    let name = wanted;
    // Counted on from the last one, because a line may hold one name very often.
    let n = uses.get(wanted) ?? 0;
    while (uses.has(name)) name = `${wanted}_${++n}`;
    uses.set(name, 1).set(wanted, Math.max(n, 1));
    names.push(name);
  };
  for (const column of line.keys()) add(column);
  return (column) => {
    while (names.length <= column) add(names.length);
    return names[column] ?? "";
  };
}

/** Some write semicolons or tabs and call it comma-separated; the first line tells. */
function delimiterOf(beginning: Buffer, type: string): string {
  if (rowFormatOf(type) === "tsv") return "\t";
  const line = /[^\r\n]+/.exec(beginning.toString("latin1", 0, BLOCK))?.[0] ?? "";
  const unquoted = line.replaceAll(/"[^"]*"/g, "");
  return [",", ";", "\t"].find((one) => unquoted.includes(one)) ?? ",";
}

function decoderFor(charset: string): TextDecoder | undefined {
  if (isUtf8(charset)) return undefined;
  try {
    return new TextDecoder(charset);
  } catch {
    return undefined;
  }
}

async function openTable(beginning: Buffer, { type, charset, hasNames }: MediaType): Promise<Table> {
  const { parse } = await import("csv-parse");
  const decoder = decoderFor(charset);
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(beginning, type),
    // Tab-separated values know no quotes.
    quote: rowFormatOf(type) === "tsv" ? null : '"',
    record_delimiter: ["\r\n", "\n"],
    relax_column_count: true,
    skip_empty_lines: true,
    // Taken here, because what waits in the stream is lost when the table breaks behind it.
    on_record: (cells: string[]) => {
      if (cells.length > MAX_COLUMNS) throw new Error(`a row of ${cells.length} columns`);
      lines.push(cells);
      return null;
    },
  });
  let nameOf = hasNames ? undefined : createNames([]);
  let lines: string[][] = [];
  let waiting = 0;
  // Whoever writes is told of an error as well.
  parser.on("error", () => {}).resume();

  const taken = (): JsonObject[] => {
    const rows: JsonObject[] = [];
    for (const cells of lines) {
      const names = nameOf;
      if (names) rows.push(Object.fromEntries(cells.map((cell, column) => [names(column), cell])));
      else nameOf = createNames(cells);
    }
    if (lines.length > 0) waiting = 0;
    lines = [];
    return rows;
  };
  const write = (bytes: Buffer | string): Promise<Error | null | undefined> =>
    new Promise((resolve) => parser.write(bytes, resolve));

  return {
    async *push(bytes) {
      for (let at = 0; at < bytes.length; at += BLOCK) {
        const block = bytes.subarray(at, at + BLOCK);
        const broken = await write(decoder ? decoder.decode(block, { stream: true }) : block);
        waiting += block.length;
        yield taken();
        if (broken) throw broken;
        if (waiting > MAX_ROW) throw new Error("a row that does not end");
      }
    },
    async *end() {
      parser.end(decoder?.decode());
      const broken = await finished(parser).then(
        () => undefined,
        (error: Error) => error,
      );
      yield taken();
      if (broken) throw broken;
    },
  };
}

/** The rows of a short answer. Throws Error when it is broken, when no row is in it, or when they are too long for memory. */
export async function parseCsv(bytes: Buffer, media: MediaType): Promise<JsonObject[]> {
  const table = await openTable(bytes, media);
  const rows: JsonObject[] = [];
  let chars = 0;
  for (const part of [table.push(bytes), table.end()])
    for await (const some of part)
      for (const row of some) {
        chars += toJson(row).length;
        if (chars > MAX_CHARS) throw new Error("too long for memory");
        rows.push(row);
      }
  // Names alone are shown as they are, or nobody would see them.
  if (rows.length === 0) throw new Error("no rows");
  return rows;
}

/** A cutter for a long answer that begins like this; where it breaks, its rows end. */
export async function createCsvCutter(beginning: Buffer, media: MediaType): Promise<Cutter> {
  const table = await openTable(beginning, media);
  const state = { count: 0, end: 0, isOver: false };

  function* linesOf(rows: readonly JsonObject[]): Generator<Buffer> {
    for (let at = 0; at < rows.length; ) {
      let text = "";
      for (; at < rows.length && text.length < BLOCK; at++) {
        text += `${toJson(rows[at])}\n`;
        state.count++;
      }
      const bytes = Buffer.from(text);
      state.end += bytes.length;
      yield bytes;
    }
  }

  async function* linesFrom(table: AsyncGenerator<JsonObject[]>): AsyncGenerator<Buffer> {
    try {
      for await (const rows of table) yield* linesOf(rows);
    } catch {
      state.isOver = true;
    }
  }

  return Object.assign(state, {
    cut: (packet: Buffer) => linesFrom(table.push(packet)),
    finish: () => linesFrom(table.end()),
    around: () => ({ value: [], path: [], isWhole: !state.isOver }),
  });
}

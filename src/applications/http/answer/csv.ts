// Comma-separated values (RFC 4180) and tab-separated ones as rows: objects by the names in the first line. Every cell stays the
// text it is, because a guess would lose the zeros of 007 and the digits of long numbers.
import { setImmediate } from "node:timers/promises";
import { TextDecoder } from "node:util";
import { type JsonObject, toJson } from "../../../lib/json.js";
import { createCsvTokenizer } from "./csv-tokenizer.js";
import { type MediaType, rowFormatOf } from "./media-type.js";
import type { RowSplitter } from "./row-splitter.js";

/** What is parsed, or written, between two other things the daemon does. */
const BLOCK = 64 * 1024;
/** Rows repeat their names, so a short answer may become a very long one: then it stays text. */
const MAX_CHARS = 16 * 1024 * 1024;

/** Reads a table piece by piece. Where it is broken both throw Error, behind the rows that were not. */
interface Table {
  /** The rows that are complete with these bytes. */
  push(bytes: Buffer): Generator<JsonObject>;
  end(): Generator<JsonObject>;
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

function decoderFor(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset || "utf-8");
  } catch {
    return new TextDecoder();
  }
}

/** Some files called comma-separated hold semicolons or tabs; the first line decides. */
function delimiterOf(beginning: Buffer, { type, charset }: MediaType): string {
  if (rowFormatOf(type) === "tsv") return "\t";
  const line = /[^\r\n]+/.exec(decoderFor(charset).decode(beginning.subarray(0, BLOCK)))?.[0] ?? "";
  const unquoted = line.replaceAll(/"[^"]*"/g, "");
  return [",", ";", "\t"].find((one) => unquoted.includes(one)) ?? ",";
}

function openTable(beginning: Buffer, media: MediaType): Table {
  // Tab-separated values know no quotes.
  const tokenizer = createCsvTokenizer(delimiterOf(beginning, media), rowFormatOf(media.type) !== "tsv");
  const decoder = decoderFor(media.charset);
  let nameOf = media.hasNames ? undefined : createNames([]);

  function* rowsOf(lines: Iterable<string[]>): Generator<JsonObject> {
    for (const line of lines) {
      const names = nameOf;
      if (names) yield Object.fromEntries(line.map((cell, column) => [names(column), cell]));
      else nameOf = createNames(line);
    }
  }
  return {
    push: (bytes) => rowsOf(tokenizer.push(decoder.decode(bytes, { stream: true }))),
    *end() {
      yield* rowsOf(tokenizer.push(decoder.decode()));
      yield* rowsOf(tokenizer.end());
    },
  };
}

/** The rows of a short answer. Throws Error when it is broken, when no row is in it, or when they are too long for memory. */
export async function parseCsv(bytes: Buffer, media: MediaType): Promise<JsonObject[]> {
  const table = openTable(bytes, media);
  const rows: JsonObject[] = [];
  let chars = 0;
  const keep = (some: Iterable<JsonObject>): void => {
    for (const row of some) {
      chars += toJson(row).length;
      if (chars > MAX_CHARS) throw new Error("too long for memory");
      rows.push(row);
    }
  };
  for (let at = 0; at < bytes.length; at += BLOCK) {
    keep(table.push(bytes.subarray(at, at + BLOCK)));
    if (at + BLOCK < bytes.length) await setImmediate();
  }
  keep(table.end());
  // A line of names alone stays text: as rows it would be an empty list.
  if (rows.length === 0) throw new Error("no rows");
  return rows;
}

/** A splitter for a long answer that begins like this; where it breaks, its rows end. */
export function createCsvSplitter(beginning: Buffer, media: MediaType): RowSplitter {
  const table = openTable(beginning, media);
  const state = { count: 0, end: 0, isOver: false };
  let text = "";

  const written = (): Buffer => {
    const bytes = Buffer.from(text);
    state.end += bytes.length;
    text = "";
    return bytes;
  };
  function* linesOf(rows: Iterable<JsonObject>): Generator<Buffer> {
    try {
      for (const row of rows) {
        text += `${toJson(row)}\n`;
        state.count++;
        if (text.length >= BLOCK) yield written();
      }
    } catch {
      state.isOver = true;
    }
    yield written();
  }

  return Object.assign(state, {
    cut: (packet: Buffer) => linesOf(table.push(packet)),
    finish: () => linesOf(table.end()),
    around: () => ({ value: [], path: [], isWhole: !state.isOver }),
  });
}

// JSON texts one after the other: one a line, as ndjson and JSON Lines have them, or each behind a record separator (RFC 7464).
// Bytes are never changed, so no number is ever rounded.
import type { JsonValue } from "../../../lib/json.js";
import { parseOutsideJson } from "../../../lib/outside-json.js";
import type { RowFormat } from "./media-type.js";
import type { RowSplitter } from "./row-splitter.js";

const TAB = 9;
const NEWLINE = 10;
const RETURN = 13;
const SEPARATOR = 30;
const BLANK = 32;
const BOM = Buffer.from("\ufeff");

type LineFormat = Extract<RowFormat, "lines" | "sequence">;

/** A number or a word that nothing ends may be the beginning of another one. Source: RFC 7464, section 2.4. */
function mayBeCut(text: string): boolean {
  return /[^\s"\]}]$/.test(text);
}

/** The rows of a whole text; empty lines are none. Throws SyntaxError when one of them is not JSON. */
export function parseLines(
  text: string,
  format: LineFormat,
  parse: (text: string) => JsonValue = parseOutsideJson,
): JsonValue[] {
  const pieces = text.split(format === "lines" ? "\n" : "\x1e").filter((piece) => /[^ \t\r\n]/.test(piece));
  return pieces.map((piece) => {
    if (format === "sequence" && mayBeCut(piece)) throw new SyntaxError("a JSON text that may not be whole");
    return parse(piece);
  });
}

function createLines(separator: number): RowSplitter {
  let before = 0;
  let isFilled = false;
  const state = { count: 0, end: 0, isOver: false };
  return Object.assign(state, {
    /** In place: empty lines go, and a line end inside of a row becomes a blank. */
    *cut(packet: Buffer) {
      let to = 0;
      for (let i = 0; i < packet.length; i++) {
        const byte = packet[i] ?? 0;
        if (byte === separator) {
          if (!isFilled) continue;
          isFilled = false;
          packet[to++] = NEWLINE;
          state.count++;
          state.end = before + to;
        } else if (byte !== NEWLINE && byte !== RETURN && byte !== BLANK && byte !== TAB) {
          isFilled = true;
          packet[to++] = byte;
        } else if (isFilled) packet[to++] = byte === TAB ? TAB : BLANK;
      }
      before += to;
      yield packet.subarray(0, to);
    },
    finish() {
      if (isFilled) state.count++;
      if (isFilled) state.end = before;
      return [];
    },
    around: () => ({ value: [], path: [], isWhole: true }),
  });
}

/**
 * A splitter for an answer in UTF-8 that begins like this, and where its rows start; undefined when not even its first rows are
 * JSON. A later one that is not is a row of text: no reason to lose the others.
 */
export function createLineSplitter(
  beginning: Buffer,
  format: LineFormat,
): { splitter: RowSplitter; start: number } | undefined {
  const separator = format === "lines" ? NEWLINE : SEPARATOR;
  const start = beginning.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
  const whole = beginning.toString("utf8", start, Math.max(start, beginning.lastIndexOf(separator)));
  try {
    // Only looked at, so digits may get lost: keeping them costs twenty times as much.
    return parseLines(whole, format, (text) => JSON.parse(text)).length > 0
      ? { splitter: createLines(separator), start }
      : undefined;
  } catch {
    return undefined;
  }
}

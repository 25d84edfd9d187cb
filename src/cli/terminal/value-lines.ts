// A value whole, as indented lines below what it belongs to: rows, text, or JSON. Pure.
import { visible, visibleJson } from "../../lib/invisible-characters.js";
import { type JsonValue, toJson } from "../../lib/json.js";
import { type Span, span, wrapLine } from "./spans.js";
import { objectLines, rowsIn, wholeRows } from "./whole-rows.js";

/** Stands before every line. */
export const INDENT = "  ";

const indented = (lines: readonly Span[][]): Span[][] =>
  lines.map((line) => (line.length === 0 ? [] : [span(INDENT), ...line]));

/** A value as JSON; its lines are as long as they are, to be copied. */
export function jsonLines(value: JsonValue): Span[][] {
  return visibleJson(toJson(value, 2))
    .split("\n")
    .map((line) => [span(INDENT + line, "code")]);
}

/** A value: rows where it is a list of them, text where it is text, else JSON. */
export function valueLines(value: JsonValue, width: number): Span[][] {
  const room = width - INDENT.length;
  if (typeof value === "string")
    return indented(
      visible(value)
        .split("\n")
        .flatMap((line) => wrapLine([span(line)], room)),
    );
  const found = rowsIn(value);
  if (!found) return jsonLines(value);
  const beside = objectLines(found.beside, room);
  return indented([...wholeRows(found.rows, room), ...(beside.length > 0 ? [[], ...beside] : [])]);
}

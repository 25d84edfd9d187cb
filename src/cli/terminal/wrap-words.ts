// Plain text broken between its words. Pure; the text was made visible before.
import { widthOf } from "./spans.js";

/** A line as rows of at most `width` columns, each indented as the first; a longer word, such as an address, stays whole, to be copied. */
function wrapped(line: string, width: number): string {
  if (widthOf(line) <= width) return line;
  const indent = /^ */.exec(line)?.[0] ?? "";
  const rows: string[] = [];
  let row = "";
  let gap = "";
  for (const piece of line.slice(indent.length).split(/( +)/)) {
    if (piece.startsWith(" ")) gap = piece;
    else if (row === "") row = indent + piece;
    else if (widthOf(row + gap + piece) <= width) row += gap + piece;
    else {
      rows.push(row);
      row = indent + piece;
    }
  }
  return [...rows, row].join("\n");
}

/** Lines broken between their words where they are wider than `width` columns. */
export function wrapWords(text: string, width: number): string {
  return text
    .split("\n")
    .map((line) => wrapped(line, width))
    .join("\n");
}

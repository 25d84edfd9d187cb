// A draft as rows of a terminal, and where its cursor stands among them. Pure.
import { visible } from "../../../lib/invisible-characters.js";
import { widthOf } from "../spans.js";
import type { Draft } from "./draft.js";

/** What stands before the first row, and before each other. */
const PROMPT = "> ";
const MORE = "  ";

/** Rows and the cursor's place, from 0. */
export interface DraftRows {
  rows: string[];
  row: number;
  column: number;
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
/** Tabs and characters that would act on the terminal, as they are displayed. */
const shownAs = (character: string): string => visible(character).replaceAll("\t", "    ");

/** The rows of a draft on a terminal of so many columns, at most `most` of them: those around the cursor. */
export function draftRows({ text, at }: Draft, columns: number, most: number): DraftRows {
  const rows = [PROMPT];
  let width = PROMPT.length;
  let cursor = { row: 0, column: width };
  const begin = (): void => {
    rows.push(MORE);
    width = MORE.length;
  };
  for (const { segment, index } of segmenter.segment(text)) {
    const isBreak = segment === "\n" || segment === "\r\n";
    const shown = isBreak ? "" : shownAs(segment);
    const own = widthOf(shown);
    // The last column stays free, for the cursor.
    if (!isBreak && width + own >= columns) begin();
    if (index <= at) cursor = { row: rows.length - 1, column: width };
    if (isBreak) begin();
    else {
      rows[rows.length - 1] += shown;
      width += own;
    }
    if (index + segment.length <= at) cursor = { row: rows.length - 1, column: width };
  }
  const from = Math.max(0, Math.min(cursor.row - most + 1, rows.length - most));
  return { rows: rows.slice(from, from + most), row: cursor.row - from, column: cursor.column };
}

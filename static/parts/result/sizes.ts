// The sizes of a table's lines and columns and of a tree's lines in pixels: larger where the pointer is a finger, and where the menus of columns are
// always displayed. The style sheet has the same.
import type { Column } from "../../values/column.js";

/** A character of a cell and of a head, and what is around both, to make a width of pixels from one of characters. */
const CHARACTER = 7.6;
const HEAD_CHARACTER = 8.4;
const PADDING = 24;
/** A longer name is cut off rather than making its column wider. */
const MAX_NAME_LENGTH = 22;

const FINE = { row: 33, head: 34, menu: 36, treeLine: 22 };
const COARSE = { row: 45, head: 45, menu: 51, treeLine: 44 };
const coarse = matchMedia("(pointer: coarse)");
const withMenus = matchMedia("(pointer: coarse), (width < 52rem)");

/** The heights of a row and of the head of a table, and of a line of a tree. */
export function lineHeights(): { row: number; head: number; treeLine: number } {
  return coarse.matches ? COARSE : FINE;
}

/** The width that suits a column. */
export function columnWidth({ name, width }: Column): number {
  const content = Math.round(width * CHARACTER + PADDING);
  if (!withMenus.matches) return content;
  const { menu } = coarse.matches ? COARSE : FINE;
  const head = Math.min(name.length, MAX_NAME_LENGTH) * HEAD_CHARACTER + PADDING / 2 + menu;
  return Math.max(content, Math.ceil(head));
}

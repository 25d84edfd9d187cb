// Markdown as a tree, and the whole of it as text for a terminal. Loaded where something is rendered only.
import type { RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { visible } from "../../../lib/invisible-characters.js";
import type { Look } from "../look.js";
import { paint } from "../spans.js";
import { blockLines } from "./blocks.js";

/** Text of one parse: a longer one takes the parser, and a table of it the screen, for too long. */
const MAX_PARSED_CHARS = 256 * 1024;

/** Lists and quotes inside one another in one line, and cells of a row, that take the parser seconds, or its stack. */
const TOO_MANY_MARKS = /^(?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){30}/m;
const TOO_MANY_CELLS = /^(?:[^\n|]*\|){300}/m;

/** Emphasis and brackets: the parser compares each with those before it, as far up as the last blank line. */
const MARK = /\*+|_+|~+|[[\]]/g;
const BLANK_LINE = /\n[ \t]*\n/;
/** Comparisons of one parse: some tenths of a second. */
const MAX_COMPARISONS = 4_000_000;

function isTooHard(text: string): boolean {
  if (TOO_MANY_MARKS.test(text) || TOO_MANY_CELLS.test(text)) return true;
  const comparisons = text.split(BLANK_LINE).map((part) => (part.match(MARK)?.length ?? 0) ** 2);
  return comparisons.reduce((sum, more) => sum + more, 0) > MAX_COMPARISONS;
}

/** A text as one block that is displayed as it was written. */
function asWritten(text: string): RootContent[] {
  const start = { line: 1, column: 1, offset: 0 };
  return text.trim() === ""
    ? []
    : [{ type: "html", value: text.trimEnd(), position: { start, end: { ...start, offset: text.length } } }];
}

/** The blocks of a text, each with where it ends in the text. Never throws: a text that is too much for the parser is one block. */
export function parseBlocks(text: string): RootContent[] {
  if (isTooHard(text)) return asWritten(text);
  try {
    return fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }).children;
  } catch {
    return asWritten(text);
  }
}

/** Blocks as painted lines, with an empty line between two of them. */
export function paintBlocks(blocks: readonly RootContent[], look: Look): string[] {
  return blocks.flatMap((block, at) => [
    ...(at > 0 ? [""] : []),
    ...blockLines(block, look).map((line) => paint(line, look.styled)),
  ]);
}

/** A whole text as it is displayed, line breaks included; one that is too long as it was written. */
export function renderMarkdown(text: string, look: Look): string {
  const shown = visible(text);
  if (shown.length > MAX_PARSED_CHARS) return shown.endsWith("\n") ? shown : `${shown}\n`;
  return paintBlocks(parseBlocks(shown), look)
    .map((line) => `${line}\n`)
    .join("");
}

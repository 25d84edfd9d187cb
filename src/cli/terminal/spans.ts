// Lines of styled text: cut, padded and wrapped by the columns that their characters take, then painted. Pure.
// Whoever makes a span has made its text visible before.
import stringWidth from "string-width";

/** What a terminal can do to a text. */
export type Mark = "bold" | "dim" | "italic" | "underline" | "strike" | "code" | "good" | "bad";

/** Text with one set of marks, without line breaks. */
export interface Span {
  text: string;
  marks: readonly Mark[];
}

/** Source: ECMA-48, "SGR". */
const CODES: Readonly<Record<Mark, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  strike: [9, 29],
  code: [36, 39],
  good: [32, 39],
  bad: [31, 39],
};

const PLAIN = /^[\x20-\x7e]*$/;

/** Columns that a text takes. */
export const widthOf = (text: string): number => (PLAIN.test(text) ? text.length : stringWidth(text));

/** Columns that a line takes. */
export const lineWidth = (line: readonly Span[]): number => line.reduce((sum, { text }) => sum + widthOf(text), 0);

/** One span. */
export const span = (text: string, ...marks: Mark[]): Span => ({ text, marks });

/** A line with its marks as escape sequences, or without them. */
export function paint(line: readonly Span[], styled: boolean): string {
  if (!styled) return line.map(({ text }) => text).join("");
  return line
    .map(({ text, marks }) => {
      if (marks.length === 0 || text === "") return text;
      const on = marks.map((mark) => `\u001b[${CODES[mark][0]}m`).join("");
      const off = marks.map((mark) => `\u001b[${CODES[mark][1]}m`).reverse();
      return on + text + off.join("");
    })
    .join("");
}

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The characters of a text as a reader counts them. */
function graphemes(text: string): string[] {
  return PLAIN.test(text) ? [...text] : Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** The beginning of a text that fits, with an ellipsis where something was cut. */
export function cutToWidth(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = "";
  let taken = 0;
  for (const one of graphemes(text)) {
    taken += widthOf(one);
    if (taken > width - 1) break;
    kept += one;
  }
  return `${kept}…`;
}

/** The beginning of a line that fits. */
export function cutLine(line: readonly Span[], width: number): Span[] {
  if (lineWidth(line) <= width) return [...line];
  const kept: Span[] = [];
  let left = width;
  for (const { text, marks } of line) {
    const own = widthOf(text);
    // What fills the line has something behind it: the ellipsis takes its last column.
    if (own >= left) {
      kept.push({ text: cutToWidth(own === left ? `${text} ` : text, left), marks });
      break;
    }
    kept.push({ text, marks });
    left -= own;
  }
  return kept;
}

/** A piece that no line break goes through: spaces, a word, or one character of a script that is written without spaces. */
interface Piece extends Span {
  isSpace: boolean;
  width: number;
}

const SPACES = /( +)/;
const isWide = (text: string): boolean => !PLAIN.test(text) && graphemes(text).some((one) => widthOf(one) > 1);

function piecesOf(line: readonly Span[]): Piece[] {
  return line.flatMap(({ text, marks }) =>
    text.split(SPACES).flatMap((word): Piece[] => {
      if (word === "") return [];
      const parts = isWide(word) ? graphemes(word) : [word];
      return parts.map((part) => ({ text: part, marks, isSpace: part.startsWith(" "), width: widthOf(part) }));
    }),
  );
}

/** Pieces as words: those that stand together without a space or a wide character between them must not be torn apart. */
function wordsOf(pieces: readonly Piece[]): Piece[][] {
  const words: Piece[][] = [];
  let isOpen = false;
  for (const piece of pieces) {
    const stands = piece.isSpace || (piece.width > 1 && graphemes(piece.text).length === 1);
    const last = words.at(-1);
    if (isOpen && !stands && last) last.push(piece);
    else words.push([piece]);
    isOpen = !stands;
  }
  return words;
}

/** A word that is wider than a line, cut into pieces that are not. */
function splitWord(word: readonly Piece[], width: number): Piece[][] {
  const parts: Piece[][] = [[]];
  let taken = 0;
  for (const { text, marks } of word)
    for (const one of graphemes(text)) {
      const own = widthOf(one);
      if (taken + own > width && taken > 0) {
        parts.push([]);
        taken = 0;
      }
      parts.at(-1)?.push({ text: one, marks, isSpace: false, width: own });
      taken += own;
    }
  return parts;
}

/** A line as lines of at most `width` columns; spaces at a break are dropped. Always one line at least. */
export function wrapLine(line: readonly Span[], width: number): Span[][] {
  if (lineWidth(line) <= width) return [[...line]];
  const lines: Span[][] = [[]];
  let taken = 0;
  const widthOfWord = (word: readonly Piece[]): number => word.reduce((sum, piece) => sum + piece.width, 0);
  const place = (word: readonly Piece[]): void => {
    const own = widthOfWord(word);
    if (taken + own > width && taken > 0) {
      lines.push([]);
      taken = 0;
      if (word[0]?.isSpace) return;
    }
    if (taken === 0 && lines.length > 1 && word[0]?.isSpace) return;
    lines.at(-1)?.push(...word.map(({ text, marks }) => ({ text, marks })));
    taken += own;
  };
  for (const word of wordsOf(piecesOf(line)))
    if (widthOfWord(word) > width) for (const part of splitWord(word, width)) place(part);
    else place(word);
  return lines.map(trimEnd);
}

/** A line without the spaces at its end. */
function trimEnd(line: readonly Span[]): Span[] {
  const kept = [...line];
  while (kept.length > 0 && /^ *$/.test(kept.at(-1)?.text ?? "x")) kept.pop();
  return kept;
}

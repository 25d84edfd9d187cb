// A prompt that is being typed: its text, where the cursor is in it, and what keys do to both. Pure.
import type { KeyName } from "./keys.js";

/** Text and cursor; `at` is a position between two characters of the text. */
export interface Draft {
  text: string;
  at: number;
}

export const EMPTY_DRAFT: Draft = { text: "", at: 0 };

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** The position one character before, or behind, the cursor, as a reader counts characters. */
function step({ text, at }: Draft, direction: 1 | -1): number {
  if (direction > 0) {
    const [next] = segmenter.segment(text.slice(at));
    return at + (next?.segment.length ?? 0);
  }
  // A character is no longer than this, but for those that nobody types.
  const from = Math.max(0, at - 64);
  const last = Array.from(segmenter.segment(text.slice(from, at))).at(-1);
  return at - (last?.segment.length ?? 0);
}

const lineStart = ({ text, at }: Draft): number => text.lastIndexOf("\n", at - 1) + 1;

function lineEnd({ text, at }: Draft): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

const wordStart = ({ text, at }: Draft): number => at - (/[^\s]*\s*$/.exec(text.slice(0, at))?.[0].length ?? 0);
const wordEnd = ({ text, at }: Draft): number => at + (/^\s*[^\s]*/.exec(text.slice(at))?.[0].length ?? 0);

/** The text between two positions replaced, with the cursor behind it. */
export function replaced({ text }: Draft, [from, to]: readonly [number, number], by = ""): Draft {
  return { text: text.slice(0, from) + by + text.slice(to), at: from + by.length };
}

/** Text put in at the cursor. */
export const inserted = (draft: Draft, text: string): Draft => replaced(draft, [draft.at, draft.at], text);

/** The cursor a line above or below; undefined where there is none. */
function vertical(draft: Draft, direction: 1 | -1): Draft | undefined {
  const { text } = draft;
  const start = lineStart(draft);
  const column = draft.at - start;
  if (direction < 0) {
    if (start === 0) return undefined;
    const above = lineStart({ text, at: start - 1 });
    return { text, at: Math.min(above + column, start - 1) };
  }
  const end = lineEnd(draft);
  if (end === text.length) return undefined;
  return { text, at: Math.min(end + 1 + column, lineEnd({ text, at: end + 1 })) };
}

/** The text that a key took out of a draft by a word or more at once; undefined for any other key. */
export function erasedBy(key: KeyName, before: Draft, after: Draft): string | undefined {
  if (!/^erase-/.test(key)) return undefined;
  return before.text.slice(after.at, after.at + before.text.length - after.text.length);
}

/** What a key makes of a draft; undefined for one that does nothing to it. */
export function edited(draft: Draft, key: KeyName): Draft | undefined {
  const { text, at } = draft;
  const moved = (to: number): Draft => ({ text, at: to });
  switch (key) {
    case "newline":
      return inserted(draft, "\n");
    case "backspace":
      return replaced(draft, [step(draft, -1), at]);
    case "delete":
    case "end-of-input":
      return replaced(draft, [at, step(draft, 1)]);
    case "left":
      return moved(step(draft, -1));
    case "right":
      return moved(step(draft, 1));
    case "up":
      return vertical(draft, -1);
    case "down":
      return vertical(draft, 1);
    case "home":
      return moved(lineStart(draft));
    case "end":
      return moved(lineEnd(draft));
    case "word-left":
      return moved(wordStart(draft));
    case "word-right":
      return moved(wordEnd(draft));
    case "erase-word":
      return replaced(draft, [wordStart(draft), at]);
    case "erase-next-word":
      return replaced(draft, [at, wordEnd(draft)]);
    case "erase-before":
      return replaced(draft, [lineStart(draft), at]);
    case "erase-after":
      return replaced(draft, [at, lineEnd(draft)]);
    default:
      return undefined;
  }
}

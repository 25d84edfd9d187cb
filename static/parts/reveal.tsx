// Characters that hide or reorder text (controls, bidirectional overrides, zero-width, tags, lone surrogates), made visible.
// What a person approves must read as what will be sent. The joiner and the selector inside an emoji stay as they are.
import { codePoint, DECEPTIVE, jsonEscape } from "../../src/lib/invisible-characters.js";
import { type JsonValue, toJson } from "../../src/lib/json.js";
import { LongText } from "./long-text.js";

/**
 * A value as indented JSON in which every hidden character is a \u escape; still JSON for the same value. It stays on one
 * line when that line is no longer than `maxOneLine` characters.
 */
export function escapedJson(value: JsonValue, maxOneLine = 0): string {
  const short = toJson(value);
  const text = short.length <= maxOneLine ? short : toJson(value, 2);
  return text.replace(DECEPTIVE, (character) => (character === "\n" ? character : jsonEscape(character)));
}

/** A longer text shows them as escapes: each would be an element of its own. */
const MAX_LENGTH = 4000;

/** How the ends of lines are displayed: as the hidden characters they are, as a quiet mark on one line, or as ends of lines. */
export type LineEnds = "code" | "mark" | "break";

const LINE_MARK = "↵";

/** An end of a line or a tab as it is displayed; undefined for a character that is revealed. */
function lineEnd(character: string, lines: LineEnds): string | undefined {
  if (lines === "code") return undefined;
  if (character === "\t") return " ";
  if (character === "\n") return lines === "break" ? character : LINE_MARK;
  return undefined;
}

/** A text with each hidden character replaced by its code point. For what a person approves, `lines` must be "code". */
export function Revealed({ text: whole, lines = "code" }: { text: string; lines?: LineEnds }) {
  const text = lines === "code" ? whole : whole.replaceAll("\r\n", "\n");
  const kind = lines === "break" ? "revealed revealed-lines" : "revealed";
  if (text.length > MAX_LENGTH)
    return (
      <bdi class={kind}>
        <LongText text={text.replace(DECEPTIVE, (character) => lineEnd(character, lines) ?? jsonEscape(character))} />
      </bdi>
    );
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(DECEPTIVE)) {
    const end = lineEnd(match[0], lines);
    const name = `U+${codePoint(match[0]).toUpperCase().padStart(4, "0")}`;
    const isMark = end === LINE_MARK;
    const part = isMark ? <span class="line-mark">{end}</span> : (end ?? <span class="hidden-char">{name}</span>);
    parts.push(text.slice(from, match.index), part);
    from = match.index + match[0].length;
  }
  parts.push(text.slice(from));
  return <bdi class={kind}>{parts}</bdi>;
}

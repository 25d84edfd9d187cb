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

/** A text with each hidden character replaced by its code point. */
export function Revealed({ text }: { text: string }) {
  if (text.length > MAX_LENGTH)
    return (
      <bdi class="revealed">
        <LongText text={text.replace(DECEPTIVE, jsonEscape)} />
      </bdi>
    );
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(DECEPTIVE)) {
    const name = `U+${codePoint(match[0]).toUpperCase().padStart(4, "0")}`;
    parts.push(text.slice(from, match.index), <span class="hidden-char">{name}</span>);
    from = match.index + match[0].length;
  }
  parts.push(text.slice(from));
  return <bdi class="revealed">{parts}</bdi>;
}

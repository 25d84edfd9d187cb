// Characters that hide or reorder text (controls, bidirectional overrides, zero-width, tags, lone surrogates), made visible.
// What a person approves must read as what will be sent. The joiner and the selector inside an emoji are left alone. Source: Unicode TR 36 and TR 39 on invisible characters.
import type { JsonValue } from "../src/json.js";
import { toJson } from "../src/json.js";

const HIDDEN =
  /(?<!\p{Extended_Pictographic})\ufe0f|(?<!\p{Extended_Pictographic}\ufe0f?)\u200d|(?!\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|[\u2000-\u200a\u2800\u3164]|\u00a0|\u034f|\u115f|\u1160|\u17b4|\u17b5|[\u180b-\u180f]|\uffa0|[\ufe00-\ufe0e]|[\u{e0100}-\u{e01ef}]/gu;

function codePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, i) => character.charCodeAt(i).toString(16).padStart(4, "0"))
    .map((hex) => `\\u${hex}`)
    .join("");
}

/**
 * A value as indented JSON in which every hidden character is a \u escape; still JSON for the same value. It stays on one
 * line when that line is no longer than `oneLine` characters.
 */
export function plainJson(value: JsonValue, oneLine = 0): string {
  const short = toJson(value);
  const text = short.length <= oneLine ? short : toJson(value, 2);
  return text.replace(HIDDEN, (character) => (character === "\n" ? character : escaped(character)));
}

/** A text with each hidden character shown as its code point. */
export function Revealed({ text }: { text: string }) {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(HIDDEN)) {
    parts.push(text.slice(from, match.index), <span class="hidden-char">{codePoint(match[0])}</span>);
    from = match.index + match[0].length;
  }
  parts.push(text.slice(from));
  return <bdi class="revealed">{parts}</bdi>;
}

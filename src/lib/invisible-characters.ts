// Untrusted text made safe to display: characters that act on a terminal, reorder text or cannot be seen are printed as their
// code points, so that a person reads exactly what is there. Source: Unicode TR 36 and TR 39.

/** Controls but tab and newline, formats, lone surrogates, line separators, fillers; not the joiner inside an emoji. */
const HIDDEN = String.raw`(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?)\u200d|(?![\t\n\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0]`;

/** Characters that look like a space or like nothing: other spaces, variation selectors but an emoji's own, unassigned ones. */
const LOOKALIKE = String.raw`(?![ \u3000])\p{Zs}|[\u2800\p{Co}\p{Cn}\ufe00-\ufe0e\u{e0100}-\u{e01ef}]|(?<!\p{Extended_Pictographic})\ufe0f(?!\u20e3)`;

const hidden = new RegExp(HIDDEN, "gu");

/** Text with nothing to look for, as most of it is; told in a tenth of the time. */
const PLAIN = /^[\t\n\x20-\x7e]*$/;

/**
 * Every character that may make a text read as another one, tab and newline too: for what a person compares by eye before
 * approving a call. Global; match with it, or replace.
 */
export const DECEPTIVE = new RegExp(`${HIDDEN}|${LOOKALIKE}|[\\t\\n]`, "gu");

/** The code point of a character, in hexadecimal. */
export function codePoint(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16);
}

/** A character as its code point: `\u{1b}`. */
export function escapeCodePoint(character: string): string {
  return `\\u{${codePoint(character).padStart(2, "0")}}`;
}

/** A character as JSON escapes it: `\u202e`, two of them where it takes two. */
export function jsonEscape(character: string): string {
  const unit = (at: number): string => character.charCodeAt(at).toString(16).padStart(4, "0");
  return Array.from({ length: character.length }, (_, at) => `\\u${unit(at)}`).join("");
}

/** The same text with every character that would act on a terminal or is invisible printed as its code point. */
export function visible(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll("\r\n", "\n").replace(hidden, escapeCodePoint);
}

/** Characters that display a text in another order than it has; those that only embed a direction belong to several languages. */
const OVERRIDES = /[\u202d\u202e]/g;

/** The same text with every override of its direction printed as its code point: for prose, where joiners and marks belong. */
export function inItsOrder(text: string): string {
  return text.replace(OVERRIDES, escapeCodePoint);
}

/** A JSON text with the same characters escaped; it means what it meant. */
export function visibleJson(json: string): string {
  return PLAIN.test(json) ? json : json.replace(hidden, jsonEscape);
}

// Untrusted text made safe to display: characters that act on a terminal, reorder text or cannot be seen are printed as their
// code points, so that a person reads exactly what is there. Source: Unicode TR 36 and TR 39.

/** Controls but tab and newline, formats but the joiner, lone surrogates, line separators, fillers. */
const UNSEEN = String.raw`(?![\t\n\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0]`;
const EMOJI = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}]\ufe0f?`;
/** All of them, and joiners but those inside an emoji. */
const HIDDEN = String.raw`(?<!${EMOJI})\u200d|${UNSEEN}`;

/** Characters that look like a space or like nothing: other spaces, variation selectors but an emoji's own, unassigned ones. */
const LOOKALIKE = String.raw`(?![ \u3000])\p{Zs}|[\u2800\p{Co}\p{Cn}\ufe00-\ufe0e\u{e0100}-\u{e01ef}]|(?<!\p{Extended_Pictographic})\ufe0f(?!\u20e3)`;

/** Scripts whose letters are joined: there a joiner between two of them is spelling, as in Persian plurals and Indic conjuncts. */
const JOINED =
  "Arab Syrc Nkoo Mand Mong Adlm Rohg Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Mymr Khmr Tibt Java Bali";
const SCRIPTS = JOINED.replaceAll(/\S+ ?/g, (script) => String.raw`\p{sc=${script.trim()}}`);
/** Emphasis of Markdown may stand between: it is gone when the text is displayed. */
const EMPHASIS = "[*_]{0,3}";
const LETTER = String.raw`${EMPHASIS}(?=\p{L})[${SCRIPTS}]`;
/** What a joiner may stand behind. Source: RFC 5892, appendices A.1 and A.2, for all letters of these scripts alike. */
const JOINING = String.raw`(?=\p{L})[${SCRIPTS}]\p{M}{0,8}${EMPHASIS}`;
const UNSEEN_BUT_JOINERS = String.raw`(?!\u200c)${UNSEEN}`;

const hidden = new RegExp(
  String.raw`(?<!${EMOJI}|${JOINING})\u200d|(?<!${JOINING})\u200c|\u200c(?!${LETTER})|${UNSEEN_BUT_JOINERS}`,
  "gu",
);
/** The same in a part of a text, whose neighbours are not known. */
const hiddenInPart = new RegExp(
  String.raw`(?<!${EMOJI}|${JOINING}|^)\u200d|^\u200d(?!${LETTER}|\p{Extended_Pictographic})|(?<!${JOINING}|^)\u200c|^\u200c(?!${LETTER})|\u200c(?!${LETTER}|$)|${UNSEEN_BUT_JOINERS}`,
  "gu",
);
const hiddenInJson = new RegExp(HIDDEN, "gu");

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

/** The same text with every character that would act on a terminal or is invisible printed as its code point, but joiners that are spelling. */
export function visible(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll("\r\n", "\n").replace(hidden, escapeCodePoint);
}

/** The same for a part of a text that was judged whole before. */
export function visiblePart(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll("\r\n", "\n").replace(hiddenInPart, escapeCodePoint);
}

/** What cannot be judged before the next character is there: half of one, a joiner, the half of a line end. */
const UNDECIDED = /(?:\u200c|\u200d|\r){0,2}[\ud800-\udbff]?$/;
/** An emoji or a letter with its marks, before what comes next. */
const CONTEXT_CHARS = 20;

/** A text that comes in pieces, made visible as a whole would be. */
interface VisiblePieces {
  /** What can be shown by now. */
  push(piece: string): string;
  /** What is left; the next piece begins another text. */
  end(): string;
}

/** Makes a text visible that comes in pieces. */
export function createVisiblePieces(): VisiblePieces {
  let context = "";
  let held = "";
  const show = (text: string): string => {
    const whole = context + text;
    const shown = visible(whole).slice(visible(context).length);
    // Never half of a character.
    context = whole.slice(-CONTEXT_CHARS).replace(/^[\udc00-\udfff]/, "");
    return shown;
  };
  return {
    push(piece) {
      const text = held + piece;
      held = UNDECIDED.exec(text)?.[0] ?? "";
      return show(text.slice(0, text.length - held.length));
    },
    end() {
      const shown = show(held);
      context = "";
      held = "";
      return shown;
    },
  };
}

/** Characters that display a text in another order than it has; those that only embed a direction belong to several languages. */
const OVERRIDES = /[\u202d\u202e]/g;

/** The same text with every override of its direction printed as its code point: for prose, where joiners and marks belong. */
export function inItsOrder(text: string): string {
  return text.replace(OVERRIDES, escapeCodePoint);
}

/** A JSON text with the same characters escaped; it means what it meant. */
export function visibleJson(json: string): string {
  return PLAIN.test(json) ? json : json.replace(hiddenInJson, jsonEscape);
}

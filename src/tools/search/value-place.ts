// Where a text says a value and not what it is asked about: "a product named Depot", "rename item 2 to Depot". What stands there
// may be called like an application or a tool, and names none.

/** A stretch of a text. */
interface Place {
  start: number;
  end: number;
}

/** Quoted words are values. */
const QUOTED =
  /"[^"\n]*"|“[^”\n]*”|«[^»\n]*»|`[^`\n]*`|(?<![\p{L}\p{N}])'[^'\n]*'(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])‘[^’\n]*’(?![\p{L}\p{N}])/gu;

/** A text with blanks in place of what stands in quotes. */
export function withoutQuoted(text: string): string {
  return text.replace(QUOTED, (quoted) => " ".repeat(quoted.length));
}

/** How much of the text before a place is read: the work for a text of nothing but names stays bounded. */
const LOOK_BACK = 160;

/** The other words of a value: "a product named Old Depot", but not "a product named Lamp in Depot". */
const WORDS = String.raw`(?:(?!(?:in|inside|within|into|on|of|at|for|from|to|as|with|via|using|by|and|or|where|whose)\b)[^\s,;:!?]+\s+)*`;
const SETS = String.raw`\b(?:rename|retitle|relabel|change|set(?!\s+up\b)|update|edit|modify|replace|assign)\b`;
const COMPARES = String.raw`(?:is|be|becomes?|equals?|equal\s+to|contains?|like|matches|(?:starts?|begins?)\s+with)`;

/** What stands before a value. */
const BEFORE: readonly RegExp[] = [
  new RegExp(String.raw`\b(?:named|called|titled|entitled)\s+${WORDS}$`, "i"),
  /(?:\b(?:name|title|as)\s+(?:the\s+)?|=\s*|:\s*)$/i,
  new RegExp(String.raw`${SETS}.*\bto\s+${WORDS}$`, "i"),
  /\breplace\b.*\bwith\s+(?:the\s+)?$/i,
  new RegExp(
    String.raw`\b(?:whose|where|which|that|must|should|name|title|label|status)\b[^,]*\b${COMPARES}\s+(?:the\s+)?$`,
    "i",
  ),
  /\b(?:containing|matching)\s+$/i,
  /\b(?:search|look)\b.*\bfor\s+$/i,
];
const SETS_FROM = new RegExp(String.raw`${SETS}.*\bfrom\s+$`, "i");

/** Whether what stands at a place of the text is a value. */
export function isValuePlace(text: string, { start, end }: Place): boolean {
  const before =
    text
      .slice(Math.max(0, start - LOOK_BACK), start)
      .split(/[.!?;]\s|\n/)
      .at(-1) ?? "";
  if (BEFORE.some((pattern) => pattern.test(before))) return true;
  return SETS_FROM.test(before) && /^\s+to\b/i.test(text.slice(end, end + LOOK_BACK));
}

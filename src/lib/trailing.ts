// The end of a text that is nobody's to choose.

/** The text without this character at its end, however often it stands there. The expression /x+$/ takes the square of a long row of them. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}

// Texts that are looked for with LIKE in columns of JSON: as JSON has them, and in the spellings that LIKE tells apart. Pure.

/** The pattern of a text anywhere, with a backslash as its escape. JSON has no NUL, at which a pattern would end. */
export function likePattern(text: string): string {
  const written = JSON.stringify(text).slice(1, -1);
  return `%${written.replace(/[\\%_]/g, "\\$&")}%`;
}

/** A text as it can stand in the record: LIKE folds the case of ASCII alone. */
export function spellings(text: string): string[] {
  const lower = text.toLowerCase();
  return [...new Set([text, lower, text.toUpperCase(), lower.charAt(0).toUpperCase() + lower.slice(1)])].filter(
    (one, index) => index === 0 || /[^\0-\x7f]/.test(one),
  );
}

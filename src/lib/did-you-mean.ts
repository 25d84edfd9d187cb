// The known word closest to a misspelt one, for messages that refuse a name.
import { closestMatch } from "leven";

/** Two mistakes (a swap counts as two), more in long words; half the letters wrong is another word, and so is another letter. */
function maxMistakes(word: string): number {
  if (word.length === 1) return 0;
  return word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 2.5));
}

/**
 * The known word closest to `word`, or undefined when none is within `limit` mistakes (the default grows with the word's
 * length). `-`, `_` and case do not count as mistakes.
 */
export function closestWord(word: string, known: readonly string[], limit?: number): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[-_]/g, "");
  const target = plain(word);
  const match = closestMatch(target, known.map(plain), { maxDistance: limit ?? maxMistakes(target) });
  return match === undefined ? undefined : known.find((candidate) => plain(candidate) === match);
}

/** ` Did you mean X?` with a leading space, or "" when no known word is close. */
export function didYouMean(word: string, known: readonly string[]): string {
  const match = closestWord(word, known);
  return match === undefined ? "" : ` Did you mean ${match}?`;
}

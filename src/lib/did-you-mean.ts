// What somebody probably meant: the known word closest to a misspelt one, for messages that refuse a name.
import { closestMatch } from "leven";

/** Two slips (a swap counts as two), more in long words; half the letters wrong is another word. */
function furthest(word: string): number {
  return word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 2.5));
}

/**
 * The known word nearest to `word`, or undefined when none is within `most` mistakes (by default as many as fit the word's
 * length). `-`, `_` and case do not count as mistakes.
 */
export function nearest(word: string, known: readonly string[], most?: number): string | undefined {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[-_]/g, "");
  const target = plain(word);
  const match = closestMatch(target, known.map(plain), { maxDistance: most ?? furthest(target) });
  return match === undefined ? undefined : known.find((candidate) => plain(candidate) === match);
}

/** ` Did you mean X?` with a leading space, or "" when nothing is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const match = nearest(word, known);
  return match === undefined ? "" : ` Did you mean ${match}?`;
}

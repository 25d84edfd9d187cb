// Whether a text has the words that were typed, each from its beginning, with at most one letter wrong in a longer one. Pure.
import { wordsOf } from "../../src/lib/name-words.js";

/** In a shorter word one wrong letter makes another word. */
const MIN_TYPO = 4;

/** Whether two words differ by one letter that is missing, added, another, or swapped with its neighbour. */
function isOneOff(word: string, other: string): boolean {
  let at = 0;
  while (at < word.length && word[at] === other[at]) at++;
  const [left, right] = [word.slice(at), other.slice(at)];
  return (
    left.slice(1) === right ||
    left === right.slice(1) ||
    left.slice(1) === right.slice(1) ||
    (left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2))
  );
}

function isNear(word: string, other: string): boolean {
  if (other.startsWith(word)) return true;
  // What was typed may be the beginning of a word, with a letter too many or too few.
  return word.length >= MIN_TYPO && [-1, 0, 1].some((by) => isOneOff(word, other.slice(0, word.length + by)));
}

/** Whether each word of `typed` is in a text, or nearly. */
export function hasNearWords(text: string, typed: string): boolean {
  const words = wordsOf(text);
  return wordsOf(typed).every((one) => words.some((other) => isNear(one, other)));
}

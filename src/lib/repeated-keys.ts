// Keys that stand twice in one object of a JSON text. JSON.parse takes the last of them without a word.
import { parse } from "lossless-json";

/** A key that stands twice in the same object, and where the second one begins in the text. */
export interface Repeated {
  key: string;
  at: number;
}

/** Keys that are named in a sentence. */
const MAX_NAMED = 5;

/** The keys of a JSON text that stand twice with different values. The text is one that JSON.parse takes. */
export function repeatedKeys(text: string): Repeated[] {
  const repeated: Repeated[] = [];
  parse(text, null, {
    onDuplicateKey({ key, position, newValue }) {
      repeated.push({ key, at: position });
      return newValue;
    },
  });
  return repeated;
}

/** Such as "confirm (line 3), port (line 9)", for the text they were found in. */
export function namedWithLines(repeated: readonly Repeated[], text: string): string {
  const lineOf = (at: number): number => text.slice(0, at).split("\n").length;
  const named = repeated.slice(0, MAX_NAMED).map(({ key, at }) => `${key} (line ${lineOf(at)})`);
  return named.join(", ") + (repeated.length > MAX_NAMED ? ` and ${repeated.length - MAX_NAMED} more` : "");
}

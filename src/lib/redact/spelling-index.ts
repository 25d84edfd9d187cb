// Where a text holds any of many words, exactly or in either case. The time it takes hardly depends on how many there are: pairs
// of characters that no word begins with are skipped over. A regular expression of all words is a hundred times slower for long
// ones, and beyond some size V8 compiles none. Source: S. Wu and U. Manber, "A fast algorithm for multi-pattern searching", 1994.

/** No word may be shorter. The longer it is, the more is skipped at once. */
export const SHORTEST_WORD = 6;

/** A stretch of a text. */
export type Range = readonly [start: number, end: number];

/** What is looked for. Words in hexadecimal are in lower case and match either. */
export interface Words {
  exact: readonly string[];
  hex: readonly string[];
}

const PAIRS = 0x10000;
/** The same number for a pair in upper and in lower case. */
const pairAt = (text: string, at: number): number =>
  (((text.charCodeAt(at - 1) | 0x20) & 0xff) << 8) | ((text.charCodeAt(at) | 0x20) & 0xff);

const keyAt = (text: string, at: number): string => text.slice(at, at + SHORTEST_WORD).toLowerCase();

/** Words ready to be looked for. */
export class SpellingIndex {
  /** By how they begin. */
  private readonly exact = new Map<string, string[]>();
  private readonly hex = new Map<string, string[]>();
  /** By the pair of characters that ends a window: how far the window may move without passing the beginning of a word. */
  private readonly skips = new Uint8Array(PAIRS).fill(SHORTEST_WORD - 1);

  constructor({ exact, hex }: Words) {
    for (const [to, words] of [[this.exact, exact] as const, [this.hex, hex] as const])
      for (const word of words) {
        const key = keyAt(word, 0);
        to.set(key, [...(to.get(key) ?? []), word]);
        for (let i = 1; i < SHORTEST_WORD; i++) {
          const pair = pairAt(word, i);
          this.skips[pair] = Math.min(this.skips[pair] ?? 0, SHORTEST_WORD - 1 - i);
        }
      }
  }

  /** Where words are, in order of their beginnings; of several that begin in one place the longest. They may overlap. */
  find(text: string): Range[] {
    const found: Range[] = [];
    for (let range = this.next(text, 0); range; range = this.next(text, range[0] + 1)) found.push(range);
    return found;
  }

  /** The first word that begins at `from` or later. */
  next(text: string, from: number): Range | undefined {
    const { skips } = this;
    for (let at = from + SHORTEST_WORD - 1; at < text.length; ) {
      const skip = skips[pairAt(text, at)] ?? 0;
      if (skip > 0) at += skip;
      else {
        const start = ++at - SHORTEST_WORD;
        const length = this.lengthAt(text, start);
        if (length > 0) return [start, start + length];
      }
    }
    return undefined;
  }

  private lengthAt(text: string, start: number): number {
    const key = keyAt(text, start);
    let length = 0;
    for (const word of this.exact.get(key) ?? [])
      if (word.length > length && text.startsWith(word, start)) length = word.length;
    for (const word of this.hex.get(key) ?? [])
      if (word.length > length && text.slice(start, start + word.length).toLowerCase() === word) length = word.length;
    return length;
  }
}

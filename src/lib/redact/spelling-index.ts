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

/** Words that begin alike. */
interface Alike {
  /** By their length, the longest first. */
  byLength: Map<number, Set<string>>;
  /** How those begin that are longer than that: many addresses begin with https://, and few with more of a word. */
  longBeginnings: Set<string>;
}
const LONG = 16;

/**
 * Characters of words that a text is compared with, for each of its own: a text of bad faith begins like a word at every place.
 * Ordinary ones take less than one.
 */
const MAX_COMPARED = 16;

/** By how they begin. */
function byBeginning(words: readonly string[]): Map<string, Alike> {
  const found = new Map<string, Alike>();
  // The longest come first, and so do their lengths.
  for (const word of words.toSorted((a, b) => b.length - a.length)) {
    const key = keyAt(word, 0);
    const alike: Alike = found.get(key) ?? { byLength: new Map(), longBeginnings: new Set() };
    found.set(key, alike);
    const { byLength, longBeginnings } = alike;
    byLength.set(word.length, (byLength.get(word.length) ?? new Set()).add(word));
    if (word.length > LONG) longBeginnings.add(word.slice(0, LONG));
  }
  return found;
}

/** Words ready to be looked for. */
export class SpellingIndex {
  private readonly exact: Map<string, Alike>;
  private readonly hex: Map<string, Alike>;
  /** By the pair of characters that ends a window: how far the window may move without passing the beginning of a word. */
  private readonly skips = new Uint8Array(PAIRS).fill(SHORTEST_WORD - 1);
  /** Characters that may still be compared in the text that is searched. */
  private left = 0;

  constructor({ exact, hex }: Words) {
    this.exact = byBeginning(exact);
    this.hex = byBeginning(hex);
    for (const words of [exact, hex])
      for (const word of words)
        for (let i = 1; i < SHORTEST_WORD; i++) {
          const pair = pairAt(word, i);
          this.skips[pair] = Math.min(this.skips[pair] ?? 0, SHORTEST_WORD - 1 - i);
        }
  }

  /**
   * Where words are, in order of their beginnings; of several that begin in one place the longest. They may overlap. A text that takes
   * too long to compare is one whole range.
   */
  find(text: string): Range[] {
    const found: Range[] = [];
    this.left = MAX_COMPARED * text.length;
    for (let range = this.next(text, 0); range; range = this.next(text, range[0] + 1)) {
      if (this.left < 0) return [[0, text.length]];
      found.push(range);
    }
    return found;
  }

  /** Whether there is a word; also in a text that takes too long to compare. */
  has(text: string): boolean {
    this.left = MAX_COMPARED * text.length;
    return this.next(text, 0) !== undefined;
  }

  /** The first word that begins at `from` or later; the rest of the text once there was too much to compare. */
  private next(text: string, from: number): Range | undefined {
    const { skips } = this;
    for (let at = from + SHORTEST_WORD - 1; at < text.length; ) {
      const skip = skips[pairAt(text, at)] ?? 0;
      if (skip > 0) at += skip;
      else {
        const start = ++at - SHORTEST_WORD;
        const length = this.lengthAt(text, start);
        if (this.left < 0) return [start, text.length];
        if (length > 0) return [start, start + length];
      }
    }
    return undefined;
  }

  private lengthAt(text: string, start: number): number {
    const key = keyAt(text, start);
    const [exact, hex] = [this.exact.get(key), this.hex.get(key)];
    const most = text.length - start;
    return Math.max(
      exact ? this.longest(exact, most, (length) => text.slice(start, start + length)) : 0,
      hex ? this.longest(hex, most, (length) => text.slice(start, start + length).toLowerCase()) : 0,
    );
  }

  /** How long the longest of some words is that is there; 0 when none is, or there was too much to compare. */
  private longest({ byLength, longBeginnings }: Alike, most: number, piece: (length: number) => string): number {
    if (longBeginnings.size > 0) this.left -= LONG;
    const canBeLong = longBeginnings.size > 0 && longBeginnings.has(piece(LONG));
    for (const [length, words] of byLength) {
      if (length > most || (length > LONG && !canBeLong)) continue;
      this.left -= length;
      if (this.left < 0) return 0;
      if (words.has(piece(length))) return length;
    }
    return 0;
  }
}

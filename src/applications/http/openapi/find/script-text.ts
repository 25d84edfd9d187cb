// The characters of a script, one token after another: names, numbers, blanks, and what is skipped because it means nothing here.
// Counts its steps, so that no script takes longer than its length is worth.
// Source: ECMAScript, "Lexical Grammar".

/** Characters that may be looked at for each of the script: those that are skipped are looked at twice. */
const STEPS_PER_CHARACTER = 8;
const MIN_STEPS = 10_000;

export const NAME = /[\p{L}\p{Nl}$_\p{Mn}\p{Mc}\p{Nd}\p{Pc}]+/uy;
export const NUMBER = /-?(?:0x[\da-f]+|\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)/iy;
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", v: "\v", 0: "\0" };
const OPENING = "([{";
const CLOSING = ")]}";

/** More steps than the script is worth. */
export class TooLong extends Error {}

/** A script and a position in it. */
export class ScriptText {
  readonly source: string;
  at = 0;
  #steps: number;

  constructor(source: string) {
    this.source = source;
    this.#steps = MIN_STEPS + STEPS_PER_CHARACTER * source.length;
  }

  peek(): string {
    return this.source[this.at] ?? "";
  }

  advance(count: number): void {
    this.at += count;
    this.#steps -= Math.max(1, count);
    if (this.#steps < 0) throw new TooLong();
  }

  match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const text = pattern.exec(this.source)?.[0];
    if (text) this.advance(text.length);
    return text;
  }

  skipBlanks(): void {
    for (;;) {
      this.match(/\s+/y);
      if (this.source.startsWith("//", this.at)) this.#skipPast("\n");
      else if (this.source.startsWith("/*", this.at)) this.#skipPast("*/");
      else return;
    }
  }

  #skipPast(text: string): void {
    const end = this.source.indexOf(text, this.at + 2);
    this.advance((end < 0 ? this.source.length : end + text.length) - this.at);
  }

  /** One token that means nothing here: a text, a regular expression, or a character. */
  skipToken(): void {
    const character = this.peek();
    if (`"'\``.includes(character) && character !== "") this.#skipText();
    else if (character === "/" && this.#mayBeRegExp()) this.#regExp();
    else this.advance(1);
  }

  /** To the end of a text, whatever stands in it. */
  #skipText(): void {
    const quote = this.peek();
    this.advance(1);
    for (let character = this.peek(); character !== "" && character !== quote; character = this.peek()) {
      if (quote !== "`" && character === "\n") return;
      if (quote === "`" && this.source.startsWith("${", this.at)) {
        this.advance(2);
        this.skipTo("}");
      }
      this.advance(this.peek() === "\\" ? 2 : 1);
    }
    this.advance(1);
  }

  /** To the end of a regular expression, or of its line. */
  #regExp(): void {
    let inClass = false;
    this.advance(1);
    for (let character = this.peek(); character !== "" && character !== "\n"; character = this.peek()) {
      this.advance(character === "\\" ? 2 : 1);
      if (character === "[") inClass = true;
      else if (character === "]") inClass = false;
      else if (character === "/" && !inClass) return;
    }
  }

  #mayBeRegExp(): boolean {
    let before = this.at - 1;
    while (before >= 0 && /\s/.test(this.source[before] ?? "")) before--;
    return before < 0 || "(,=:[!&|?{};".includes(this.source[before] ?? "");
  }

  /** A name, or names joined by dots. */
  path(): string | undefined {
    const start = this.at;
    if (/\d/.test(this.peek()) || this.match(NAME) === undefined) return undefined;
    while (this.peek() === "." || this.source.startsWith("?.", this.at)) {
      const back = this.at;
      this.advance(this.peek() === "." ? 1 : 2);
      if (this.match(NAME) === undefined) {
        this.at = back;
        break;
      }
    }
    return this.source.slice(start, this.at).replaceAll("?.", ".");
  }

  escape(): string {
    const code = this.match(/\\(?:u\{[\da-f]{1,6}\}|u[\da-f]{4}|x[\da-f]{2})/iy);
    if (code !== undefined) {
      const point = Number.parseInt(
        code.replaceAll(/[^\da-f]/gi, (c) => (c === "x" || c === "u" ? "" : "")),
        16,
      );
      return point <= 0x10ffff ? String.fromCodePoint(point) : "";
    }
    this.advance(1);
    const character = this.peek();
    this.advance(1);
    return character === "\n" ? "" : (ESCAPES[character] ?? character);
  }

  /** Skips to one of these characters outside of texts and brackets. A value that goes on behind what was understood is not known. */
  skipTo(ends: string): void {
    for (let depth = 0; this.at < this.source.length; ) {
      this.skipBlanks();
      const character = this.peek();
      if (depth === 0 && ends.includes(character)) return;
      if (character !== "" && OPENING.includes(character)) depth++;
      // Brackets that do not fit: whatever this is, it ends here.
      else if (character !== "" && CLOSING.includes(character) && --depth < 0) return;
      this.skipToken();
    }
  }
}

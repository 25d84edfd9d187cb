// A prompt, read once: its words with their places and stems, and the values in it.
import { isStopWord, stem } from "../../rank/terms.js";
import { findValues, type Value } from "./values.js";

/** One word of a prompt. */
export interface Token {
  word: string;
  term: string;
  start: number;
  end: number;
}

/** A prompt, read. */
export interface PromptText {
  text: string;
  tokens: Token[];
  values: Value[];
  /** Stems of every word. */
  terms: ReadonlySet<string>;
  today: string;
}

const WORD = /[\p{L}\p{N}]+(?:['’]\p{L}+)?/gu;

/** Reads a prompt. `today` is an ISO date. */
export function readPrompt(text: string, today: string): PromptText {
  const tokens: Token[] = [];
  for (const match of text.matchAll(WORD))
    for (const part of match[0].matchAll(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{N}'’]+|[^\p{Lu}\p{Ll}]+/gu)) {
      const word = part[0].toLowerCase().replace(/['’]s?$/, "");
      const start = match.index + part.index;
      tokens.push({ word, term: stem(word), start, end: start + part[0].length });
    }
  return { text, tokens, values: findValues(text, today), terms: new Set(tokens.map(({ term }) => term)), today };
}

/** The words that say what is wanted: no stop words, nothing inside a quoted value. */
export function contentTokens(prompt: PromptText): Token[] {
  const literal = prompt.values.filter(({ kind }) => kind !== "name");
  return prompt.tokens.filter(
    ({ word, start }) => !isStopWord(word) && !literal.some((value) => start >= value.start && start < value.end),
  );
}

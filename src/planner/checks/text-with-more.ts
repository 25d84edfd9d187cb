// Whether a text without quotes may hold more than the text: where the record is, or another field with its value.

import type { Tool } from "../../domain/tool.js";
import { isStopWord, stem } from "../../tools/search/terms.js";
import type { Candidate } from "../match/candidates.js";
import type { Entity } from "../prompt/entities.js";
import type { PromptText, Token } from "../prompt/prompt.js";
import { resourceNoun } from "../resource-noun.js";
import { pathNames, type Slot, slotsOf } from "../slots/slot.js";

const RELATION = /^(?:in|on|of|for|from|at|to)$/;
const DETERMINER = /^(?:the|a|an|my|our)$/;

/** Whether a text stands in quotes, or behind a sign: then all of it is the text. */
function isMarked({ start }: Entity, { text }: PromptText): boolean {
  return /["“'‘`«]$|[:=]\s*$/.test(text.slice(0, start));
}

/** "in project web": the noun of a record of the application behind a preposition, with a word that says which. */
function placesIt(at: number, tokens: readonly Token[], nouns: ReadonlySet<string>): boolean {
  if (!RELATION.test(tokens[at]?.word ?? "")) return false;
  const noun = DETERMINER.test(tokens[at + 1]?.word ?? "") ? at + 2 : at + 1;
  const which = tokens[noun + 1];
  return nouns.has(tokens[noun]?.term ?? "") && which !== undefined && !isStopWord(which.word);
}

/** "room 2B", "public": the name of a field that has no value, with one behind it, or of a switch at the end. */
function namesField(at: number, tokens: readonly Token[], open: readonly Slot[]): boolean {
  const token = tokens[at];
  if (!token || at === 0) return false;
  const next = tokens[at + 1];
  const named = open.filter(({ label }) => label.length === 1 && label[0] === token.term);
  return named.some(({ type }) =>
    type === "boolean" ? next === undefined : next !== undefined && !isStopWord(next.word),
  );
}

/** "status bounced": the name of a field that other tools have for such records, with one of its values. */
function givesOption(at: number, tokens: readonly Token[], fields: readonly Slot[]): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (!token || !next || at === 0) return false;
  const named = fields.filter(({ label }) => label.length === 1 && label[0] === token.term);
  return named.some(({ options }) => options.some((option) => String(option).toLowerCase() === next.word));
}

/** "breed Doberman male": the text ends with a value of a field that has none. */
function endsInOption(at: number, tokens: readonly Token[], open: readonly Slot[]): boolean {
  const { word } = tokens[at] ?? {};
  if (at === 0 || at < tokens.length - 1) return false;
  return open.some(({ options }) => options.some((option) => String(option).toLowerCase() === word));
}

/** A text of a change that may hold more; `tools` are those of its application. */
export function textWithMore(
  { tool, filled }: Candidate,
  prompt: PromptText,
  tools: readonly Tool[],
): string | undefined {
  const fields = tools.filter(({ resource }) => resource === tool.resource).flatMap(slotsOf);
  const keys = pathNames(tool);
  const open = slotsOf(tool).filter((slot) => !filled.filled.has(slot) && !keys.has(slot.name));
  const others = new Set(tools.map((one) => stem(resourceNoun(one))));
  others.delete(stem(resourceNoun(tool)));
  return [...filled.used].find((one) => {
    if (one.kind !== "quoted" || isMarked(one, prompt)) return false;
    const inner = prompt.tokens.filter(({ start, end }) => start >= one.start && end <= one.end);
    return inner.some((token, at) => {
      const isPlain = /^\p{Ll}/u.test(prompt.text.slice(token.start));
      const isMore = [
        placesIt(at, inner, others),
        namesField(at, inner, open),
        givesOption(at, inner, fields),
        endsInOption(at, inner, open),
      ];
      return isPlain && isMore.includes(true);
    });
  })?.text;
}

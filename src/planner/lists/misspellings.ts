// Words of a prompt that are one slip of a key away from a word of the tools: "accesions" for the accessions. A prompt and tools in, the
// prompt with those words out, and a sentence that says so. Nothing is changed by a prompt that was read so.

import type { Tool } from "../../domain/tool.js";
import { pluralOf } from "../../lib/plural.js";
import { intentsOf, synonymsOf } from "../../tools/search/synonyms.js";
import { isStopWord, stem, words } from "../../tools/search/terms.js";
import { quoted } from "../answer/sentences.js";
import type { Situation } from "../conversation.js";
import { isWholeList } from "../names/name-lists.js";
import { isInside } from "../prompt/entities.js";
import { type PromptText, readPrompt, type Token } from "../prompt/prompt.js";
import { READ_LEAD } from "../prompt/request.js";
import { resourceNoun } from "../resource-noun.js";
import { slotsOf } from "../slots/slot.js";
import { isChange, type Step } from "../step.js";
import { writtenTerms } from "../vocabulary.js";

/** Shorter words are too often others. */
const LEAST = 6;
/** A slip in the last letters is rather another form of the word, or of another one: "drives" for drivers. */
const ENDING = 3;

/** Whether a word is another one with one letter left out or too much, or with two exchanged, between its first and its last letters. */
function isSlip(said: string, meant: string): boolean {
  if (said === meant || said[0] !== meant[0] || Math.min(said.length, meant.length) < LEAST) return false;
  let at = 0;
  while (said[at] === meant[at]) at++;
  if (at > meant.length - ENDING - 1) return false;
  const [rest, wanted] = [said.slice(at), meant.slice(at)];
  const isExchanged = rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2);
  return rest === wanted.slice(1) || rest.slice(1) === wanted || isExchanged;
}

const targets = new WeakMap<readonly Tool[], ReadonlySet<string>>();

/** The words that may be meant: the nouns of collections, and those of what their tools take and of its values. */
function targetsOf(tools: readonly Tool[]): ReadonlySet<string> {
  let found = targets.get(tools);
  if (!found) {
    const nouns = tools.filter(isWholeList).flatMap((list) => words(resourceNoun(list)));
    const fields = tools
      .filter(({ transport }) => transport.kind !== "builtin")
      .flatMap(slotsOf)
      .flatMap(({ name, options }) => [...words(name), ...options.flatMap((one) => words(String(one)))]);
    const all = [...nouns, ...nouns.map(pluralOf), ...fields].filter((word) => /^\p{L}+$/u.test(word));
    targets.set(tools, (found = new Set(all.filter((word) => word.length >= LEAST))));
  }
  return found;
}

/** The only word of the tools that a word of a prompt is a slip of. */
function meantBy(token: Token, { text, entities, tokens }: PromptText, tools: readonly Tool[]): string | undefined {
  const { word, term, start, end } = token;
  const known = writtenTerms(tools);
  const isOther =
    isStopWord(word) ||
    READ_LEAD.test(word) ||
    intentsOf(term).size > 0 ||
    [term, ...synonymsOf(term)].some((one) => known.has(one)) ||
    // A capital within the sentence is that of a name, and so is what has something.
    (/\p{Lu}/u.test(text[start] ?? "") && token !== tokens[0]) ||
    !/^\p{L}+$/u.test(text.slice(start, end)) ||
    isInside(
      start,
      entities.filter(({ kind }) => kind !== "name"),
    );
  if (isOther) return undefined;
  const near = [...targetsOf(tools)].filter((one) => isSlip(word, one));
  return new Set(near.map(stem)).size === 1 ? near[0] : undefined;
}

/** A prompt without such slips and what was taken for what; undefined where it has none. */
function withoutSlips(given: PromptText, tools: readonly Tool[]): { prompt: PromptText; note: string } | undefined {
  let { text } = given;
  const notes: string[] = [];
  for (const token of given.tokens.toReversed()) {
    const meant = meantBy(token, given, tools);
    if (meant === undefined) continue;
    notes.unshift(`${quoted([given.text.slice(token.start, token.end)], "and")} as ${quoted([meant], "and")}`);
    text = text.slice(0, token.start) + meant + text.slice(token.end);
  }
  return notes.length === 0
    ? undefined
    : { prompt: readPrompt(text, given.today), note: `I read ${notes.join(" and ")}.` };
}

/** The step for a prompt without its slips: what is read so is said, and nothing is changed by it. */
export function stepOfMeant(situation: Situation, next: (situation: Situation) => Step): Step {
  const { conversation, tools, today } = situation;
  const meant = withoutSlips(readPrompt(conversation.prompt, today), tools);
  const step = meant && next({ ...situation, conversation: { ...conversation, prompt: meant.prompt.text } });
  const reads = tools.some(({ name, safety }) => safety === "read_only" && name === (step?.goal?.tool ?? name));
  if (!step || !reads || isChange(step, tools)) return next(situation);
  return step.kind === "text" ? { ...step, text: `${meant.note}\n\n${step.text}` } : step;
}

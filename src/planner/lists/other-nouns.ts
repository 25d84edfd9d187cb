// Records by another noun than that of their collection: "works" for artworks, "ships" for vessels. Where exactly one collection can be
// meant and no tool has the word, a prompt that reads is read with the noun of that collection.

import type { Tool } from "../../domain/tool.js";
import { isPlural, pluralOf, singularOf } from "../../lib/plural.js";
import { synonymsOf } from "../../tools/search/synonyms.js";
import { stem, terms } from "../../tools/search/terms.js";
import { isWholeList } from "../names/name-lists.js";
import { isInside } from "../prompt/entities.js";
import { type PromptText, readPrompt, type Token } from "../prompt/prompt.js";
import { READ_LEAD, readRequest } from "../prompt/request.js";
import { isSuperlative } from "../prompt/superlatives.js";
import { resourceNoun } from "../resource-noun.js";
import { appliedTerms } from "../vocabulary.js";
import { withCategoryNouns } from "./category-nouns.js";

/** Nouns for the same things that no verb is confused with in the plural. */
const SAME = [
  "vessel ship boat",
  "artwork work painting",
  "employee worker staff",
  "lesson class",
  "screening showing show",
  "loan lending",
  "cast actor performer",
  "crew sailor",
].map((line) => line.split(" "));

/** Several persons in one word. */
const COLLECTIVE = /^(?:cast|crew|staff)$/;

/** Parts of longer words that say nothing of what these are: a "membership" is no ship. */
const SUFFIX = /^(?:ship|ness|ment|hood|tion)$/;
const LEAST = 4;

/** Whether a noun is the last part of another one: "work" of "artwork". */
const isHead = (word: string, noun: string): boolean =>
  word.length >= LEAST && noun.length - word.length >= 3 && noun.endsWith(word) && !SUFFIX.test(word);

/** Whether two nouns may be for the same things. */
export const isSameNoun = (word: string, noun: string): boolean =>
  SAME.some((group) => group.includes(word) && group.includes(noun)) || isHead(word, noun);

/** The one thing that is the most: "longest boat" wants one of the vessels. */
const isMost = ({ word }: Token, before: Token | undefined): boolean =>
  before !== undefined && isSuperlative(before.word) && !isSuperlative(word);

/** The first word of a prompt that may be what it calls the records it wants. */
function wantedNoun({ tokens, entities }: PromptText): Token | undefined {
  const most = tokens.find((token, at) => isMost(token, tokens[at - 1]));
  if (most && !isPlural(most.word) && !isInside(most.start, entities)) return most;
  const first = tokens.findIndex(({ word }) => !READ_LEAD.test(word));
  // "dutch works", "open ships": a word or two may describe them.
  return tokens
    .slice(first < 0 ? tokens.length : first, first + 3)
    .find(({ word, start }) => (isPlural(word) || COLLECTIVE.test(word)) && !isInside(start, entities));
}

/** "programme of the concert": what is wanted, before the record that it belongs to. */
const OF_RECORD = /^\s*(?:(?:please|show|list|get|give|me|us|what|is|['’]s|the)\s+)*(\p{L}{4,})\s+(?:of|for)\s/iu;

/** The prompt with the noun of the only nested list that is described by the word for what is wanted of a record. */
function withDescribedNoun(prompt: PromptText, tools: readonly Tool[]): PromptText {
  const [lead = "", word = ""] = OF_RECORD.exec(prompt.text) ?? [];
  const term = stem(word.toLowerCase());
  if (word === "" || appliedTerms(tools).has(term)) return prompt;
  const isNested = ({ verb, safety, transport }: Tool): boolean =>
    verb === "list" && safety === "read_only" && /\}\/[^{}]+$/.test(transport.path ?? "");
  const [list, ...others] = tools.filter(
    (tool) => tool.safety === "read_only" && terms(tool.description).includes(term),
  );
  if (!list || others.length > 0 || !isNested(list)) return prompt;
  const at = lead.lastIndexOf(word);
  const noun = pluralOf(resourceNoun(list));
  return readPrompt(prompt.text.slice(0, at) + noun + prompt.text.slice(at + word.length), prompt.today);
}

/** The prompt with the noun of the only collection that one of its nouns may mean; any other prompt as it is. */
export function withOwnNouns(given: PromptText, tools: readonly Tool[]): PromptText {
  const prompt = withCategoryNouns(withDescribedNoun(given, tools), tools);
  const token = wantedNoun(prompt);
  if (!token || readRequest(prompt).commands.some(({ intents }) => intents.size > 0)) return prompt;
  const lists = tools.filter(isWholeList);
  const isMany = COLLECTIVE.test(token.word);
  const isKnown = !isMany && lists.some((list) => synonymsOf(token.term).has(stem(resourceNoun(list))));
  if (isKnown || appliedTerms(tools).has(token.term)) return prompt;
  const word = singularOf(token.word);
  const nouns = [...new Set(lists.map(resourceNoun).filter((noun) => isSameNoun(word, noun)))];
  const [noun, ...others] = nouns;
  if (noun === undefined || others.length > 0) return prompt;
  const said = isMany || isPlural(token.word) ? pluralOf(noun) : noun;
  return readPrompt(prompt.text.slice(0, token.start) + said + prompt.text.slice(token.end), prompt.today);
}

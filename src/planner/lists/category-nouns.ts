// Records by the value of a category alone: "average weight of the poodles", "who's on duty", "no-shows in May". Where exactly one collection
// has that value, or that switch, and the prompt has no other noun of records, it is read with the noun of that collection behind the value.

import type { Tool } from "../../domain/tool.js";
import { isPlural, pluralOf, singularOf } from "../../lib/plural.js";
import { intentsOf, synonymsOf } from "../../tools/search/synonyms.js";
import { isStopWord, stem, words } from "../../tools/search/terms.js";
import { isGeneralQuestion } from "../decline.js";
import { isWholeList } from "../names/name-lists.js";
import { listsPersons } from "../persons.js";
import { type Entity, isInside } from "../prompt/entities.js";
import { type PromptText, readPrompt, type Token } from "../prompt/prompt.js";
import { READ_LEAD, readRequest } from "../prompt/request.js";
import { isSuperlative } from "../prompt/superlatives.js";
import { collectionOf, resourceNoun } from "../resource-noun.js";
import { slotsOf } from "../slots/slot.js";
import { calledTerms } from "../vocabulary.js";

/** A value of a category, or the name of a switch, in the collection that has it. */
interface Category {
  list: Tool;
  words: readonly string[];
  isSwitch: boolean;
}

/** The words in the names of what a collection's tools take. */
interface Collection {
  list: Tool;
  categories: readonly Category[];
  fields: ReadonlySet<string>;
}

const known = new WeakMap<readonly Tool[], readonly Collection[]>();

function collectionsOf(tools: readonly Tool[]): readonly Collection[] {
  let found = known.get(tools);
  if (!found) {
    found = tools.filter(isWholeList).map((list): Collection => {
      const slots = tools.filter((tool) => collectionOf(tool) === collectionOf(list)).flatMap(slotsOf);
      const categories = slots.flatMap(({ type, name, options }): Category[] =>
        type === "boolean"
          ? [{ list, words: words(name).filter((word) => !/^(?:is|has|was)$/.test(word)), isSwitch: true }]
          : options
              .filter((option) => typeof option === "string" && !/sort|order|direction/i.test(name))
              .map((option) => ({ list, words: words(String(option)), isSwitch: false })),
      );
      return { list, categories, fields: new Set(slots.flatMap(({ name }) => words(name).map(stem))) };
    });
    known.set(tools, found);
  }
  return found;
}

/** The tokens from a place that a value is written with: "no-shows", "on call". */
function saidAt(tokens: readonly Token[], at: number, own: readonly string[]): readonly Token[] | undefined {
  const said = tokens.slice(at, at + own.length);
  const isSaid = own.every((word, i) => {
    const one = said[i]?.word ?? "";
    return one === word || (i === own.length - 1 && singularOf(one) === word);
  });
  return own.length > 0 && isSaid ? said : undefined;
}

/** The only collection with a category that is written from a place on, and how. */
function categoryAt(
  { tokens }: PromptText,
  at: number,
  collections: readonly Collection[],
): { category: Category; said: readonly Token[]; of: Collection } | undefined {
  const all = collections.flatMap((of) =>
    of.categories.flatMap((category) => {
      const said = saidAt(tokens, at, category.words);
      return said ? [{ category, said, of }] : [];
    }),
  );
  const longest = Math.max(0, ...all.map(({ said }) => said.length));
  const found = all.filter(({ said }) => said.length === longest);
  return new Set(found.map(({ of }) => of)).size === 1 ? found[0] : undefined;
}

/** Words that ask for a number made of records. */
const NUMBER = /^(?:average|avg|mean|median|total|sum|combined|maximum|minimum|number|amount|of|for|in|with|add|up)$/;

/** Whether a word may stand before the value: what begins a question, an order, a number and its field, or another such value. */
function isLead(prompt: PromptText, at: number, of: Collection): boolean {
  const { word, term } = prompt.tokens[at] ?? { word: "", term: "" };
  const pair = `${word} ${prompt.tokens[at + 1]?.word ?? ""}`;
  const before = `${prompt.tokens[at - 1]?.word ?? ""} ${word}`;
  if (READ_LEAD.test(word) || NUMBER.test(word) || [word, pair, before].some(isSuperlative)) return true;
  return of.fields.has(term) || of.categories.some(({ words: own }) => own.length === 1 && own[0] === word);
}

/** "who's on duty", "what is booked for Monday", "is anyone available": what is said of records that have no noun. */
const PREDICATE =
  /^\s*(?:(?:and|so|ok(?:ay)?),?\s+)?(who|what|which(?: ones?)?)(?:['’]s|\s+(?:is|are|was|were))\s+(?:(?:currently|still|now|all)\s+)?(?=\S)|^\s*(?:is|are)\s+(?:there\s+)?(anyone|anybody|someone)\s+/i;

const days = ({ entities }: PromptText): Entity[] => entities.filter(({ kind }) => kind === "date");

/** Words behind what is said of the records that add nothing to it, beside a day. */
const NOW = /^(?:right|now|today|currently|moment|still|again|present|for|on|in|since|until|this|next|last)$/;

function withPredicate(
  prompt: PromptText,
  collections: readonly Collection[],
  tools: readonly Tool[],
): string | undefined {
  const [lead, asked = "", anyone] = PREDICATE.exec(prompt.text) ?? [];
  if (lead === undefined) return undefined;
  const at = prompt.tokens.findIndex(({ start }) => start >= lead.length);
  // "on standby" is the state "standby".
  const isPlaced = /^(?:on|in|at)$/.test(prompt.tokens[at]?.word ?? "");
  const own = at < 0 ? undefined : categoryAt(prompt, at, collections);
  const found = own ?? (isPlaced ? categoryAt(prompt, at + 1, collections) : undefined);
  if (!found || (found.said.length === 1 && isPlural(found.said[0]?.word ?? ""))) return undefined;
  // "who is on shift at Northgate" has a place, or a name, that is looked up first.
  const behind = prompt.tokens.filter(({ start }) => start >= (found.said.at(-1)?.end ?? 0));
  if (behind.some(({ word, start }) => !NOW.test(word) && !isStopWord(word) && !isInside(start, days(prompt))))
    return undefined;
  if ((/^who/i.test(asked) || anyone !== undefined) && !listsPersons(found.of.list, tools)) return undefined;
  return `which ${pluralOf(resourceNoun(found.of.list))} are ${prompt.text.slice(lead.length)}`;
}

const AUXILIARY =
  /^(?:is|are|was|were|be|do|does|did|can|could|will|would|should|may|might|must|has|have|had|need|needs)$/;

/** Whether a value stands behind a verb that asks of its kind, "do cats need …", or begins a sentence that tells something: "cats are …". */
const isOfKind = (before: Token | undefined, behind: Token | undefined): boolean =>
  before === undefined || /^(?:the|our|my|all)$/.test(before.word)
    ? before === undefined && AUXILIARY.test(behind?.word ?? "")
    : /^(?:do|does|did|can|could|will|would|should|may|might|must)$/.test(before.word);

function withValue(prompt: PromptText, collections: readonly Collection[]): string | undefined {
  const { tokens, text } = prompt;
  for (const at of tokens.keys()) {
    const found = categoryAt(prompt, at, collections);
    const last = found?.said.at(-1);
    if (!found || !last || found.category.isSwitch || !isPlural(last.word)) continue;
    if (
      isInside(
        last.start,
        prompt.entities.filter(({ kind }) => kind !== "name"),
      )
    )
      continue;
    const before = tokens.slice(0, at);
    // A word alone asks for nothing, and what is told of them, or asked of their kind, does not either.
    if (isOfKind(tokens[at - 1], tokens[at + found.said.length])) return undefined;
    if (tokens.length === found.said.length || !before.every((_, i) => isLead(prompt, i, found.of))) return undefined;
    const value = found.category.words.join(" ");
    return `${text.slice(0, found.said[0]?.start)}${value} ${pluralOf(resourceNoun(found.of.list))}${text.slice(last.end)}`;
  }
  return undefined;
}

/** Whether a prompt has a noun of records, other than behind a word that says what the others are of. */
function hasNoun({ tokens }: PromptText, tools: readonly Tool[]): boolean {
  const nouns = new Set(
    tools.filter(({ transport }) => transport.path !== undefined).map((tool) => resourceNoun(tool)),
  );
  const stems = new Set([...nouns].map(stem));
  const isNoun = ({ word, term }: Token): boolean =>
    nouns.has(singularOf(word)) || stems.has(term) || [...synonymsOf(term)].some((one) => stems.has(one));
  return tokens.some(
    (token, at) => isNoun(token) && !/^(?:of|from|by|for|with|at|in)$/.test(tokens[at - 1]?.word ?? ""),
  );
}

/** The prompt with the noun of the only collection that has the value it calls records by; any other prompt as it is. */
export function withCategoryNouns(prompt: PromptText, tools: readonly Tool[]): PromptText {
  const terms = calledTerms(tools);
  if (!prompt.tokens.some(({ word, term }) => terms.has(term) || terms.has(stem(singularOf(word))) || isStopWord(word)))
    return prompt;
  const { commands, negated, howTo } = readRequest(prompt);
  const isChange = commands.some(({ intents, term }) => intents.size > 0 && !intentsOf(term).has("read"));
  // "is anyone on call" asks of nothing in general.
  const isGeneral = isGeneralQuestion(prompt) && PREDICATE.exec(prompt.text)?.[2] === undefined;
  if (isChange || negated || howTo || isGeneral || hasNoun(prompt, tools)) return prompt;
  const collections = collectionsOf(tools);
  const text = withPredicate(prompt, collections, tools) ?? withValue(prompt, collections);
  return text === undefined ? prompt : readPrompt(text, prompt.today);
}

// A prompt that no tool clearly fits may call records by a value that only they have: "cakes under 20" where products have a type, "the
// cheapest roll". The lists are read, the noun of the one that has it is put behind that value, and the prompt is planned again. Reads
// only; a value of several lists is asked about, and one of none is declined.

import type { Tool } from "../../domain/tool.js";
import type { JsonObject } from "../../lib/json.js";
import { isPlural, pluralOf, singularOf } from "../../lib/plural.js";
import { intentsOf } from "../../tools/search/synonyms.js";
import { isStopWord, words } from "../../tools/search/terms.js";
import { fieldNamesOf, textsOfField } from "../answer/narrowed.js";
import { readResultText } from "../answer/rows.js";
import { inRow, quoted } from "../answer/sentences.js";
import type { CompletedCall, Situation } from "../conversation.js";
import { isGeneralQuestion } from "../decline.js";
import { listsOfValues, wholeListArgs } from "../names/name-lists.js";
import { comparisonsIn } from "../prompt/comparison.js";
import { isInside } from "../prompt/entities.js";
import { type PromptText, readPrompt, type Token } from "../prompt/prompt.js";
import { READ_LEAD, readRequest } from "../prompt/request.js";
import { isSuperlative } from "../prompt/superlatives.js";
import { resourceNoun } from "../resource-noun.js";
import { type Step, textStep } from "../step.js";
import { fieldQuestionIn } from "./field-question.js";

/** Words that say that the records are the application's: "list the planets" may be of the world, and no list is read for it. */
const OWNED = /\b(?:we|our)\b/i;
/** Nouns of no kind of record: the value before them says what they are. */
const ANYTHING = /^(?:things?|stuff|ones)$/;
/** Words that begin a condition behind the noun. */
const CONDITION =
  /^(?:under|below|beneath|over|above|exceeding|between|since|until|before|after|cheaper|costing|sorted|ordered|less|more|least|most)$|er$/;
/** Words for no kind of record, and for a number made of records. */
const NO_KIND = /^(?:anything|something|everything|nothing|anyone|total|sum|average|avg|mean|combined)$/;
/** "how many calories are in a croissant" asks about things in general. */
const IN_ONE = /\b(?:is|are)\s+(?:there\s+)?in\s+an?\b/i;
/** A value of more words is none of a few. */
const MAX_WORDS = 3;
/** A field of more values than these is a text of each record. */
const MAX_VALUES = 30;

/** What a prompt calls the records that it wants. */
interface Called {
  /** The words, of which the first few may be the value. */
  tokens: readonly Token[];
  /** The last of them is no part of it: "black things". */
  thing?: Token;
}

/** The words by which a prompt calls the records it wants: its own of a kind, the one that is the most, or those within a bound. */
function calledIn(prompt: PromptText): Called | undefined {
  const { tokens, entities } = prompt;
  const isMost = ({ word }: Token, at: number): boolean =>
    isSuperlative(word) || isSuperlative(`${word} ${tokens[at + 1]?.word ?? ""}`);
  const isLead = (token: Token, at: number): boolean =>
    READ_LEAD.test(token.word) || isMost(token, at) || isSuperlative(`${tokens[at - 1]?.word ?? ""} ${token.word}`);
  const isCount = ({ start }: Token): boolean =>
    isInside(
      start,
      entities.filter(({ kind }) => kind === "number"),
    );
  const from = tokens.findIndex((token, at) => !isLead(token, at) && !isCount(token));
  if (from < 0) return undefined;
  const rest = tokens.slice(from);
  const isEnd = ({ word, start }: Token): boolean =>
    isStopWord(word) || CONDITION.test(word) || ANYTHING.test(word) || isInside(start, entities.filter(isLiteral));
  const end = rest.findIndex(isEnd);
  const said = rest.slice(0, end < 0 ? rest.length : end);
  const next = end < 0 ? undefined : rest[end];
  const last = said.at(-1);
  if (!last || said.length > MAX_WORDS || said.some(isNoValue)) return undefined;
  if (next && ANYTHING.test(next.word)) return { tokens: said, thing: next };
  const hasMost = tokens.slice(0, from).some(isMost);
  const isBounded = comparisonsIn(prompt).some(({ sign }) => sign !== undefined);
  const isOwned = isPlural(last.word) && OWNED.test(prompt.text);
  return isOwned || hasMost || isBounded ? { tokens: said } : undefined;
}

const isNoValue = ({ word, term }: Token): boolean => intentsOf(term).size > 0 || NO_KIND.test(word);

const isLiteral = ({ kind }: { kind: string }): boolean => kind !== "name";

const isValueCall = ({ goal }: CompletedCall): boolean => goal?.step === "value";

function nextRead(prompt: PromptText, { conversation, tools }: Situation): Step | undefined {
  const read = new Set(conversation.turn.filter(isValueCall).map(({ call }) => call.name));
  const list = listsOfValues(tools).find(({ name }) => !read.has(name));
  if (!list) return undefined;
  const goal = { step: "value" as const, tool: list.name, args: {}, prompt: prompt.text };
  return { kind: "call", tool: list.name, args: wholeListArgs(list), goal };
}

/** The first list to be read for the value that a prompt calls records by; undefined where it calls none so. */
export function openValues(text: string, situation: Situation): Step | undefined {
  const prompt = readPrompt(text, situation.today);
  const { commands, howTo, negated, help, thanks, reads } = readRequest(prompt);
  const isOther = howTo || negated || help || thanks || !reads || commands.some(({ intents }) => intents.size > 0);
  if (isOther || isGeneralQuestion(prompt) || IN_ONE.test(text)) return undefined;
  const called = calledIn(prompt);
  if (!called && !fieldQuestionIn(prompt)) return undefined;
  // "any electric ones" are some of those that were read before.
  if (called?.thing?.word === "ones" && situation.conversation.before.length > 0) return undefined;
  const lists = listsOfValues(situation.tools);
  // The list that has it is read again for the answer.
  if (lists.length >= situation.readsLeft) return undefined;
  // What a list is called is no value of its records.
  const nouns = new Set(lists.map(resourceNoun));
  return prompt.tokens.some(({ word }) => nouns.has(singularOf(word))) ? undefined : nextRead(prompt, situation);
}

/** A value that some records of a list have. */
interface FoundValue {
  list: Tool;
  value: string;
}

const isSaid = (value: string, said: readonly Token[]): boolean => {
  const own = words(value);
  return own.length === said.length && said.every(({ word }, at) => word === own[at] || singularOf(word) === own[at]);
};

/** The value of a text field with few different ones that the words of a prompt are. */
function valueIn(rows: readonly JsonObject[], said: readonly Token[]): string | undefined {
  for (const field of fieldNamesOf(rows)) {
    const all = rows.map((row) => row[field]).filter((value) => typeof value === "string" || Array.isArray(value));
    const texts = all.flatMap(textsOfField);
    const values = new Set(texts);
    if (values.size === texts.length || values.size > MAX_VALUES) continue;
    const value = [...values].find((one) => isSaid(one, said));
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Goes on after a list was read for the value that a prompt calls records by. */
export function continueValues(
  situation: Situation,
  { plan, otherwise }: { plan: (prompt: string) => Step; otherwise: (why: string) => Step },
): Step {
  const { conversation, tools, today } = situation;
  const text = conversation.turn.findLast(isValueCall)?.goal?.prompt ?? conversation.prompt;
  const prompt = readPrompt(text, today);
  const next = nextRead(prompt, situation);
  if (next) return next;
  const called = calledIn(prompt);
  const read = conversation.turn.filter(isValueCall).flatMap(({ call, text: result, isError }) => {
    const list = tools.find(({ name }) => name === call.name);
    return list && !isError ? [{ list, rows: readResultText(result).rows ?? [] }] : [];
  });
  const nouns = (lists: readonly { list: Tool }[], joint: string): string =>
    inRow(
      lists.map(({ list }) => pluralOf(resourceNoun(list))),
      joint,
    );
  const question = fieldQuestionIn(prompt);
  const asked = question ? read.filter(({ rows }) => question.isOf(rows)) : [];
  const [only] = asked;
  if (asked.length > 1) return textStep(`That may be asked of ${nouns(asked, "or")}: say which you mean.`);
  if (question && only) {
    const step = plan(question.withNoun(pluralOf(resourceNoun(only.list))));
    if (step.kind === "call" && step.tool === only.list.name) return step;
  }
  const said = called?.tokens ?? [];
  const word = text.slice(said[0]?.start ?? 0, said.at(-1)?.end ?? 0);
  const found = read.flatMap(({ list, rows }): FoundValue[] => {
    const value = valueIn(rows, said);
    return value === undefined ? [] : [{ list, value }];
  });
  const [first, ...others] = found;
  const none = question
    ? `I found no field for that among the ${nouns(read, "and")}, so I went no further.`
    : `I found no field of the ${nouns(read, "and")} with the value ${quoted([word], "or")}, so I went no further.`;
  if (!called || !first) return otherwise(none);
  if (others.length > 0) {
    const example = `${first.value} ${pluralOf(resourceNoun(first.list))}`;
    return textStep(`"${word}" may be ${nouns(found, "or")}: say which you mean, such as "${example}".`);
  }
  const step = plan(withNoun(prompt, called, first));
  return step.kind === "call" && step.tool === first.list.name ? step : otherwise(none);
}

/** The prompt with the noun of a list behind the value: "cake products under 20". */
function withNoun({ text }: PromptText, { tokens, thing }: Called, { list, value }: FoundValue): string {
  const last = thing ?? tokens.at(-1);
  const noun = resourceNoun(list);
  const isSeveral = last !== undefined && isPlural(last.word);
  return `${text.slice(0, tokens[0]?.start)}${value} ${isSeveral ? pluralOf(noun) : noun}${text.slice(last?.end)}`;
}

// Everyday nouns for a collection that is called otherwise: "families" for households, "bookings" for reservations, "people" for the only
// persons there are. Where exactly one collection can be meant the prompt is planned with its noun, which is said above the answer.

import type { Tool } from "../../domain/tool.js";
import { isPlural, pluralOf, singularOf } from "../../lib/plural.js";
import { synonymsOf } from "../../tools/search/synonyms.js";
import { stem, words } from "../../tools/search/terms.js";
import type { Situation } from "../conversation.js";
import { actionOf } from "../match/tool-intent.js";
import { isWholeList } from "../names/name-lists.js";
import { listsPersons } from "../persons.js";
import { isInside } from "../prompt/entities.js";
import { isPersonNoun } from "../prompt/person-nouns.js";
import { type PromptText, readPrompt, type Token } from "../prompt/prompt.js";
import { READ_LEAD, readRequest } from "../prompt/request.js";
import { wishIn } from "../prompt/statement.js";
import { resourceNoun } from "../resource-noun.js";
import { slotsOf } from "../slots/slot.js";
import type { Step } from "../step.js";
import { appliedTerms } from "../vocabulary.js";

/** Nouns for the same things, the everyday one among them. Of two collections in one row neither is the only one. */
const SAME = rows("family household|kid child pupil|booking reservation|flat apartment|bike bicycle|lorry truck");
/** Nouns that are for the same persons only where there are no others: nothing is changed by them. */
const ALIKE = rows("visitor guest|teacher instructor tutor");
const PEOPLE = /^(?:people|persons|folks)$/;
/** Collections of persons by nouns that others need not have. */
const PERSONS = /^(?:child|kid|pupil|staff|tenant|resident|visitor|instructor|tutor|passenger|musician|donor)$/;
/** Fields that only persons have; a company may have a phone. */
const OF_PERSON = /^(?:born|birth|gender|(?:first|last|given|nick)_?name|surname|salary|hired)/i;
/** "how many people does it hold" asks for no persons. */
const CAPACITY =
  /\bpeople\b.*\b(?:can|could|fits?|sleeps?|seats?|holds?|carry|carries|takes?|accommodates?|per|max(?:imum)?)\b/i;
/** What is searched for, or is a name, stays as it is. */
const AS_SAID =
  /["“”`]|\b(?:search|about|mention(?:s|ing)?|contain(?:s|ing)?|says?|saying|call(?:ed)?|named?|titled?|word|rename)\b/i;
/** "do kids need sleep" is asked of their kind. */
const OF_KIND = /^\s*(?:do|can|should|why|are)\b(?!\s+(?:we|you|i|they|there|any)\b)/i;
/** What stands before the noun of a change: its verb, and no other record or value. */
const COMMANDED = /^\s*(?:(?:please|can you|could you)\s+)*\p{L}+\s+(?:(?:the|an?|my|our|new|another)\s+)*$/iu;

function rows(text: string): string[][] {
  return text.split("|").map((row) => row.split(" "));
}

/** An everyday noun of a prompt, and the list of what it is for. */
interface Everyday {
  token: Token;
  list: Tool;
}

/** The only list of persons; undefined where others may be meant, too. */
function listOfPersons(lists: readonly Tool[], tools: readonly Tool[]): Tool | undefined {
  const [only, ...others] = lists.filter((list) => listsPersons(list, tools) || PERSONS.test(resourceNoun(list)));
  if (!only || others.length > 0) return undefined;
  const noun = resourceNoun(only);
  const fields = tools.filter((tool) => resourceNoun(tool) === noun).flatMap((tool) => slotsOf(tool));
  return isPersonNoun(noun) || PERSONS.test(noun) || fields.some(({ name }) => OF_PERSON.test(name)) ? only : undefined;
}

/** The only list that a noun may be for. */
function listFor(token: Token, prompt: PromptText, tools: readonly Tool[]): Tool | undefined {
  const lists = tools.filter(isWholeList);
  if (PEOPLE.test(token.word)) {
    const before = prompt.tokens.slice(0, prompt.tokens.indexOf(token));
    const isWanted = before.every(({ word }) => READ_LEAD.test(word));
    return isWanted && !CAPACITY.test(prompt.text) ? listOfPersons(lists, tools) : undefined;
  }
  const group = [...SAME, ...ALIKE].find((nouns) => nouns.includes(singularOf(token.word)));
  const [list, ...others] = group ? lists.filter((one) => group.includes(resourceNoun(one))) : [];
  return others.length === 0 ? list : undefined;
}

/** The everyday noun of a prompt that no tool has, for the records of one list. */
function everydayIn(prompt: PromptText, tools: readonly Tool[]): Everyday | undefined {
  const nouns = new Set(tools.filter(({ transport }) => transport.path !== undefined).map(resourceNoun));
  const applied = appliedTerms(tools);
  for (const [at, token] of prompt.tokens.entries()) {
    const isKnown = applied.has(token.term) || applied.has(stem(singularOf(token.word)));
    // The capital of a first word is that of the sentence.
    const values = prompt.entities.filter((one) => at > 0 || one.start !== token.start || one.end !== token.end);
    if (isKnown || isInside(token.start, values)) continue;
    // "family tickets" are tickets.
    const next = prompt.tokens[at + 1];
    if (next && nouns.has(singularOf(next.word)) && /^\s*$/.test(prompt.text.slice(token.end, next.start))) continue;
    const list = listFor(token, prompt, tools);
    if (list && ![...synonymsOf(token.term)].some((one) => one === stem(resourceNoun(list)))) return { token, list };
  }
  return undefined;
}

/** Whether a noun may be exchanged: everywhere in what reads, and right behind the verb of a change. */
function isExchangeable({ token }: Everyday, prompt: PromptText, tools: readonly Tool[]): boolean {
  const acts = new Set(tools.map(actionOf));
  const applied = appliedTerms(tools);
  // "phone number of the Marlow family" begins with no verb, and neither do "kid 12" and "Ada's bookings".
  const isOwner = ({ term, start }: Token, said: string): boolean =>
    term === said && (isInside(start, prompt.entities) || /^\p{L}+['’]s?\s/u.test(prompt.text.slice(start)));
  const isVerb = ({ term }: { term: string }): boolean =>
    term !== token.term && (!applied.has(term) || acts.has(term)) && !prompt.tokens.some((one) => isOwner(one, term));
  const isRead = readRequest(prompt).commands.every(
    (one) => one.intents.has("read") || (one.intents.size === 0 && !isVerb(one)),
  );
  if (isRead && wishIn(prompt.text) === undefined) return !AS_SAID.test(prompt.text) && !OF_KIND.test(prompt.text);
  const isSame = SAME.some((nouns) => nouns.includes(singularOf(token.word)));
  return isSame && COMMANDED.test(prompt.text.slice(0, token.start));
}

/** What the records of a list are called, in the number of the word that was said. */
function ownNoun(list: Tool, said: string): string {
  const noun = resourceNoun(list);
  const plural = words((list.transport.path ?? "").split("/").at(-1) ?? "").at(-1) ?? "";
  if (!isPlural(said) && !PEOPLE.test(said)) return noun;
  return singularOf(plural) === noun ? plural : pluralOf(noun);
}

/** Of one prompt no more nouns than these are exchanged. */
const MOST = 3;

/** The prompt with the nouns of its collections, and what each everyday one stands for; undefined where it has none. */
function withNouns(text: string, { tools, today }: Situation): { text: string; notes: string[] } | undefined {
  const notes: string[] = [];
  let out = text;
  for (let i = 0; i < MOST; i++) {
    const prompt = readPrompt(out, today);
    const found = everydayIn(prompt, tools);
    if (!found || !isExchangeable(found, prompt, tools)) break;
    const { start, end, word } = found.token;
    const noun = ownNoun(found.list, word);
    notes.push(`${word}: ${noun}`);
    out = `${prompt.text.slice(0, start)}${noun}${prompt.text.slice(end)}`;
  }
  return notes.length > 0 ? { text: out, notes } : undefined;
}

/** The step for a prompt, by `next`; what its everyday nouns stand for is said above an answer. */
export function stepInOwnNouns(situation: Situation, next: (situation: Situation) => Step): Step {
  const { conversation } = situation;
  // An answer is a value as it stands.
  const isAnswer = (conversation.question?.missing?.length ?? 0) > 0;
  const own = isAnswer ? undefined : withNouns(conversation.prompt, situation);
  if (!own) return next(situation);
  const step = next({ ...situation, conversation: { ...conversation, prompt: own.text } });
  const isSaid = step.kind === "text" && (conversation.turn.length > 0 || step.goal !== undefined);
  return isSaid ? { ...step, text: `${own.notes.join(", ")}\n\n${step.text}` } : step;
}

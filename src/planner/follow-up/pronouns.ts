// "she", "its" and "there" in a prompt: the one record of the conversation that they stand for, by its noun and key, so that the prompt
// is read as one that names it. What they stand for has to be certain; otherwise it is asked for.

import { isObject, type JsonObject } from "../../lib/json.js";
import { intentsOf, synonymsOf } from "../../tools/search/synonyms.js";
import { isAkin, stem, words } from "../../tools/search/terms.js";
import { referredRecord, type Situation } from "../conversation.js";
import { keyIn } from "../names/called-records.js";
import { arePersons } from "../persons.js";
import { isPersonNoun } from "../prompt/person-nouns.js";
import { contentTokens, type PromptText, readPrompt, withSmallBeginnings } from "../prompt/prompt.js";
import { readRequest } from "../prompt/request.js";
import { collectionOf, resourceNoun } from "../resource-noun.js";
import { type Step, textStep } from "../step.js";
import { asksWhichItIs } from "./follow-up-record.js";

/** A record of the conversation. */
interface Referent {
  noun: string;
  key: string;
  record: JsonObject;
}

const PRONOUN = /(?<![\p{L}\p{N}'’-])(she|he|him|her|his|it|its|there)(?![\p{L}\p{N}'’-])/u;
const PERSONAL = /^(?:she|he|him|her|his)$/i;
/** "are there any", "there is": it stands for no place. */
const IS_THERE = /\b(?:is|are|was|were|be)\s+there\b|\bthere(?:['’]s|\s+(?:is|are|was|were|be|has|have))\b/i;
/** Behind a record that was read "which players are there?" asks for those that belong to it. */
const WHICH_ARE_THERE = /^\s*(?:which|what)\s+\p{L}+\s+are\s+there\s*[?.!]*\s*$/iu;
/** "it is raining", "what time is it". */
const IMPERSONAL =
  /^it\s+(?:is|was|rains?)\b|\b(?:is|was|does)\s+it\s+(?:possible|true|ok|okay|rain\p{L}*)\b|\btime is it\b/iu;

/** Whom a sentence speaks of itself: "my daughter". */
const MINE = /\b(?:my|our|your)\s+\p{L}/iu;
const NOUN = /\b(?:an?|the|this|that|every|each)\s+(\p{L}+)/giu;

/** Whether somebody stands before a pronoun in its sentence, whom it stands for: "help my daughter with her homework". */
function hasOwner(before: string): boolean {
  const sentence = before.split(/[.!?;]\s/).at(-1) ?? "";
  return MINE.test(sentence) || [...sentence.matchAll(NOUN)].some(([, noun = ""]) => isPersonNoun(noun.toLowerCase()));
}

/** The records that were read or changed alone, newest first, one of each collection. */
function referents(situation: Situation): Referent[] {
  const { conversation, tools } = situation;
  const seen = new Set<string>();
  return conversation.before.toReversed().flatMap(({ call, isError }): Referent[] => {
    const tool = tools.find(({ name }) => name === call.name);
    const collection = tool && collectionOf(tool);
    if (!tool || collection === undefined || isError || seen.has(collection)) return [];
    seen.add(collection);
    const record = referredRecord(collection, situation)?.record;
    const key = isObject(record) ? keyIn(record, tool, tools) : undefined;
    return record && key !== undefined ? [{ noun: resourceNoun(tool), key: String(key), record }] : [];
  });
}

const isPerson = ({ noun, record }: Referent): boolean => arePersons(noun, Object.keys(record));

/** The record a pronoun stands for: a person, the one that has the field behind "its", or the newest. */
function referentOf(pronoun: string, behind: string, situation: Situation): Referent | undefined {
  const all = referents(situation);
  if (PERSONAL.test(pronoun)) return all.find(isPerson);
  const { before } = situation.conversation;
  const last = before.at(-1);
  const tool = situation.tools.find(({ name }) => name === last?.call.name);
  const [newest] = all;
  const isNewest = tool !== undefined && newest?.noun === resourceNoun(tool);
  if (!/^its$/i.test(pronoun)) return isNewest ? newest : undefined;
  const said = words(behind).slice(0, 3).map(stem);
  const has = ({ record }: Referent): boolean =>
    Object.keys(record).some((name) =>
      words(name)
        .map(stem)
        .some((term) => said.includes(term)),
    );
  return all.find(has) ?? (isNewest ? newest : undefined);
}

/** The prompt with its pronoun replaced by the record that it stands for. */
function replaced(text: string, at: RegExpExecArray, { noun, key }: Referent): string {
  const [whole, pronoun = ""] = at;
  const before = text.slice(0, at.index);
  const behind = text.slice(at.index + whole.length);
  const isOwner =
    /^(?:its|his)$/i.test(pronoun) ||
    (/^her$/i.test(pronoun) && /^\s+(?!(?:in|on|to|from|as|at|into|of|by)\b)\p{L}/iu.test(behind));
  const name = `${noun} ${key}`;
  if (/^there$/i.test(pronoun)) return `${before}at ${name}${behind}`;
  if (!isOwner) return `${before}${name}${behind}`;
  const [, what = "", rest = ""] = /^\s+(.+?)((?:\s+(?:to|as|from)\s.*)?[?.!\s]*)$/is.exec(behind) ?? [];
  return `${before}the ${what} of ${name}${rest}`;
}

/** Whether a prompt asks for a field of a record, or for the record itself. */
function asksFor(record: JsonObject, prompt: PromptText): boolean {
  const fields = Object.keys(record).flatMap(words).map(stem);
  const said = contentTokens(prompt).filter(({ term }) => !intentsOf(term).has("read"));
  const isField = (term: string): boolean => fields.some((one) => isAkin(term, one));
  return said.length === 0 || said.some(({ term }) => [term, ...synonymsOf(term)].some(isField));
}

/** A prompt with a pronoun, as one that names the record; the question where it is not certain which; undefined for any other prompt. */
export function withReferent(
  situation: Situation,
): { prompt: string; isChange: boolean; isAnswered: boolean } | { step: Step } | undefined {
  const { conversation, today } = situation;
  const prompt = readPrompt(conversation.prompt, today);
  const { text } = prompt;
  const at = PRONOUN.exec(withSmallBeginnings(text));
  const [, pronoun = ""] = at ?? [];
  if (
    !at ||
    asksWhichItIs(text) ||
    IMPERSONAL.test(text) ||
    (/^there$/i.test(pronoun) && IS_THERE.test(text) && !WHICH_ARE_THERE.test(text))
  )
    return undefined;
  if (PERSONAL.test(pronoun) && hasOwner(text.slice(0, at.index))) return undefined;
  // A value before it may be what it stands for.
  if (prompt.entities.some(({ kind, start }) => (kind !== "name" || start > 0) && start <= at.index)) return undefined;
  const request = readRequest(prompt);
  const isChange = request.commands.some(({ intents }) => intents.size > 0);
  // A text that is written down may have pronouns of its own.
  if (isChange && !/^\s*(?:please\s+)?\p{L}+\s+$/iu.test(text.slice(0, at.index))) return undefined;
  const referent = referentOf(pronoun, text.slice(at.index + pronoun.length), situation);
  if (referent) return { prompt: replaced(text, at, referent), isChange, isAnswered: asksFor(referent.record, prompt) };
  if (isChange || !PERSONAL.test(pronoun)) return undefined;
  return { step: textStep(`I cannot tell who "${pronoun}" is: say the name or the id.`) };
}

// Whose something is, said by what somebody did or by where they are: "orders placed by Ada Holm", "what has she ordered", "who lives in
// Leek". A prompt and tools in, the prompt that says it with a noun and "of" out. Reads only.

import type { Tool } from "../../domain/tool.js";
import { pluralOf } from "../../lib/plural.js";
import { stem } from "../../tools/search/terms.js";
import type { Situation } from "../conversation.js";
import { isWholeList } from "../names/name-lists.js";
import { mayBelongTo } from "../names/owners.js";
import { listsPersons } from "../persons.js";
import { readPrompt } from "../prompt/prompt.js";
import { readRequest } from "../prompt/request.js";
import { plainForm } from "../prompt/verb-forms.js";
import { resourceNoun } from "../resource-noun.js";

/** "boats belonging to Anna Berg" are those of it. */
const BELONGING = /(?<=\p{L}\s)(?:(?:that|which)\s+belongs?|belonging)\s+to(?=\s+\S)/giu;
/** "orders placed by Anna Berg": those of hers, where one collection of persons has orders. */
const BY = /\b(?<noun>\p{L}+)\s+(?:(?:made|placed)\s+)?by(?=\s+\p{Lu}\p{L}+(?:\s+\p{Lu}[\p{L}'’-]*){0,3}[\s?.!]*$)/u;
/** "orders placed in May": that they were placed says no more than when. */
const PLACED_WHEN =
  /(?<=\b\p{L}{2,}s\s)placed\s+(?=(?:in|on|since|before|after|between|during|until|this|last|yesterday|today)\b)/giu;
/** "what has Anna Berg ordered": the noun of a list is the verb. */
const DID =
  /^\s*what(?:\s+all)?\s+(?:did|has|have)\s+(?!the\b|an?\b|you\b|we\b|they\b|i\b|it\b)(?<name>\S+(?:\s+\S+){0,3})\s+(?<verb>\p{Ll}{3,})[\s?.!]*$/iu;

/** "which customers have never ordered", "members who haven't made a booking yet": those that have none. */
const NEVER =
  /^\s*(?:(?:please\s+)?(?:which|what|list|show|find)\s+(?:me\s+)?)?(?:all\s+)?(?:the\s+|our\s+)?(?<some>\p{L}+)\s+(?:(?:who|that|which)\s+)?(?:(?:(?:have|has|had|did)\s+)?never|(?:have|has|had|did)(?:\s+not|n['’]?t))\s+(?:yet\s+|ever\s+)?(?:(?<verb>\p{Ll}{3,})(?:\s+anything)?|(?:had|made|placed|got)\s+(?:an?|any)\s+(?<object>\p{L}+))(?:\s+(?:yet|before|so\s+far|at\s+all|until\s+now))?[\s?.!]*$/iu;

const OBJECT: Readonly<Record<string, string>> = { he: "him", she: "her" };

/** The lists of records that belong to persons, where all of them are in one list. */
const listsOfPersons = (tools: readonly Tool[]): Tool[] => {
  const lists = tools.filter(isWholeList);
  return lists.filter((list) => {
    const persons = lists.filter(
      (other) => other.application === list.application && other !== list && listsPersons(other, tools),
    );
    return persons.length === 1 && persons.every((one) => mayBelongTo(list, one, { tools }));
  });
};

/** "who lives in Bath", "who is from Kenya": the only list of persons is meant. */
const WHO_LIVES = /^\s*who(?:\s+all)?\s+lives?\s+(?=in\s+\p{L})/iu;
const WHO_FROM = /^\s*who(?:['’]?s|\s+is|\s+are|\s+comes?)\s+(?=from\s+\p{L})/iu;

/** A question that calls persons by nothing but where they are, with their noun. */
function withPersons(prompt: string, tools: readonly Tool[]): string {
  if (!WHO_LIVES.test(prompt) && !WHO_FROM.test(prompt)) return prompt;
  const [persons, ...others] = tools.filter((one) => isWholeList(one) && listsPersons(one, tools));
  if (!persons || others.length > 0) return prompt;
  const nouns = pluralOf(resourceNoun(persons));
  return prompt.replace(WHO_LIVES, `which ${nouns} live `).replace(WHO_FROM, `which ${nouns} are `);
}

/** A read of the persons who never did something, with the noun of what they lack. */
function withLack(prompt: string, tools: readonly Tool[]): string {
  const { some = "", verb = "", object = verb } = NEVER.exec(prompt)?.groups ?? {};
  const isMeant = (one: Tool): boolean =>
    isWholeList(one) &&
    listsPersons(one, tools) &&
    (/^who$/i.test(some) || pluralOf(resourceNoun(one)) === some.toLowerCase());
  const [persons, ...others] = some === "" ? [] : tools.filter(isMeant);
  if (!persons || others.length > 0) return prompt;
  const [list, ...more] = tools.filter(
    (one) =>
      isWholeList(one) &&
      stem(resourceNoun(one)) === stem(plainForm(object) ?? object) &&
      mayBelongTo(one, persons, { tools }),
  );
  if (!list || more.length > 0) return prompt;
  return `${pluralOf(resourceNoun(persons))} without ${pluralOf(resourceNoun(list))}`;
}

/** A read that says what belongs to a person by what was done. */
function withDeeds(prompt: string, tools: readonly Tool[]): string {
  const { name, verb = "" } = DID.exec(prompt)?.groups ?? {};
  const did =
    name === undefined ? undefined : listsOfPersons(tools).find((list) => stem(resourceNoun(list)) === stem(verb));
  if (did) return `list ${pluralOf(resourceNoun(did))} of ${OBJECT[name?.toLowerCase() ?? ""] ?? name}`;
  return prompt.replace(BY, (said, noun: string) =>
    listsOfPersons(tools).some((list) => pluralOf(resourceNoun(list)) === noun.toLowerCase()) ? `${noun} of` : said,
  );
}

/** The situation with a question or a list that says whose something is in one way; a text that a change writes stays as it is. */
export function withOwnership(situation: Situation): Situation {
  const { conversation, today, tools } = situation;
  if (conversation.question) return situation;
  const { commands } = readRequest(readPrompt(conversation.prompt, today));
  const changes = commands.some(({ intents }) => [...intents].some((intent) => intent !== "read"));
  if (changes || /["“”‘`]/.test(conversation.prompt)) return situation;
  const said = conversation.prompt.replace(BELONGING, "of").replace(PLACED_WHEN, "");
  const prompt = withPersons(withDeeds(withLack(said, tools), tools), tools);
  return prompt === conversation.prompt ? situation : { ...situation, conversation: { ...conversation, prompt } };
}

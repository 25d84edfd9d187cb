// The list of what belongs to a record that has a key, where that list takes no key of its owner: "planned calls of station 2" are those
// calls that have its key, and nothing of the station itself. A prompt and tools in, the step that reads the list out. Reads only.

import type { Tool } from "../domain/tool.js";
import { isPlural, pluralOf, singularOf } from "../lib/plural.js";
import { stem } from "../tools/search/terms.js";
import type { Situation } from "./conversation.js";
import { isGeneralQuestion } from "./decline.js";
import { fillSlots } from "./match/fill.js";
import { isWholeList, wholeListArgs } from "./name-lists.js";
import { isOwnerName, mayBelongTo } from "./owners.js";
import { listsPersons } from "./persons.js";
import type { Entity } from "./prompt/entities.js";
import { isMeasure } from "./prompt/key-nouns.js";
import { type PromptText, readPrompt, type Token } from "./prompt/prompt.js";
import { readRequest } from "./prompt/request.js";
import { collectionOf, resourceNoun } from "./resource-noun.js";
import { commit, isChange, type Step } from "./step.js";

/** What may stand between a plural and its owner: "calls made by station 2", "calls are there for station 2", "calls did station 2 get". */
const BETWEEN =
  /^(?:\s+(?:(?!(?:is|are|was|were|there)\b)[\p{L}-]+\s+)?(?:of|for|from|by|at)|\s+(?:is|are|was|were)(?:\s+there)?\s+(?:of|for|from|by)|\s+(?:do|does|did|has|have|had))?(?:\s+(?:the|our))?\s+$/iu;

/** Whether a plural and an owner with a key stand so that the one belongs to the other. */
function belongs(noun: Token, owner: Token, { key, prompt }: { key: Entity; prompt: PromptText }): boolean {
  const { text } = prompt;
  if (!isOwnerName({ start: owner.start, end: key.end }, prompt)) return false;
  if (noun.start > key.end) return /^['’]s?\s+(?:[\p{L}-]+\s+){0,2}$/u.test(text.slice(key.end, noun.start));
  return BETWEEN.test(text.slice(noun.end, owner.start));
}

/** The noun of a list right before a key, also where it begins the prompt: "dog" of "dog 2's walks". */
function ownerBefore(key: Entity, prompt: PromptText, nouns: ReadonlySet<string>): Token | undefined {
  if (!/^(?:number|id)$/.test(key.kind) || isMeasure(key, prompt)) return undefined;
  const before = prompt.tokens.findLast(({ end }) => end <= key.start);
  const isNear = before !== undefined && /^\s*#?$/.test(prompt.text.slice(before.end, key.start));
  return isNear && nouns.has(singularOf(before.word)) ? before : undefined;
}

/** The step that reads such a list in place of one that does not; undefined where the prompt asks for none. */
export function ownedList(step: Step, prompt: PromptText, tools: readonly Tool[]): Step | undefined {
  const { commands, howTo, negated, help, thanks, refers } = readRequest(prompt);
  const isOther = howTo || negated || help || thanks || refers || isGeneralQuestion(prompt);
  if (isOther || isChange(step, tools) || commands.some(({ intents }) => [...intents].some((one) => one !== "read")))
    return undefined;
  const planned = tools.find(({ name }) => step.kind === "call" && name === step.tool);
  if (planned && planned.verb !== "get") return undefined;
  const lists = tools.filter(isWholeList);
  const nouns = new Set(lists.map(resourceNoun));
  const [key, ...more] = prompt.entities.filter((one) => ownerBefore(one, prompt, nouns) !== undefined);
  const owner = key && ownerBefore(key, prompt, nouns);
  if (!key || !owner || more.length > 0) return undefined;
  const found = lists.flatMap((list) =>
    lists
      .filter(
        (other) =>
          resourceNoun(other) === singularOf(owner.word) &&
          mayBelongTo(list, other, { tools }) &&
          (!planned || collectionOf(planned) === collectionOf(other)) &&
          prompt.tokens.some(
            (noun) =>
              isPlural(noun.word) &&
              singularOf(noun.word) === resourceNoun(list) &&
              belongs(noun, owner, { key, prompt }),
          ),
      )
      .map(() => list),
  );
  const [list, ...others] = found;
  if (!list || others.length > 0) return undefined;
  const { args } = fillSlots(list, prompt, { guess: false });
  return commit(list, { args: { ...wholeListArgs(list), ...args }, prompt: prompt.text }, tools);
}

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
  const prompt = withPersons(
    withDeeds(conversation.prompt.replace(BELONGING, "of").replace(PLACED_WHEN, ""), tools),
    tools,
  );
  return prompt === conversation.prompt ? situation : { ...situation, conversation: { ...conversation, prompt } };
}

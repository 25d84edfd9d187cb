// A prompt that is no wish to read though a read fits it: a verb at its beginning that is none of the tool's, news about a record, a
// change behind "only". What it wants may be a change, or nothing that the application has, so nothing is read for it.

import { ownName, type Tool } from "../../domain/tool.js";
import { isPlural, singularOf } from "../../lib/plural.js";
import { intentsOf } from "../../tools/search/synonyms.js";
import { isStopWord, stem, terms } from "../../tools/search/terms.js";
import { nounBefore } from "../prompt/key-nouns.js";
import type { PromptText, Token } from "../prompt/prompt.js";
import type { Request } from "../prompt/request.js";
import { resourceNoun } from "../resource-noun.js";
import { strangeCommand } from "./strange-command.js";

/** Verbs of reading, and words that pick a record of the conversation. */
const READS =
  /^(?:sort|order|filter|rank|group|sum|compare|browse|pull|bring|grab|fetch|report|select|inspect|open|view|calculate|compute|determine|estimate|evaluate|solve|only|just|first|second|third|fourth|fifth|last|next|previous|other)$/;

/** What a tool says of itself. */
function known(tool: Tool): ReadonlySet<string> {
  const [first = ""] = terms(tool.description);
  return new Set([first, ...terms(ownName(tool)), ...terms(tool.transport.path ?? "")]);
}

/** What follows the key of a record where a prompt tells something about it: "trip 71 finished", "course 3 moves to room 2". */
const NEWS =
  /^['’]?\s+(?:just\s+|also\s+)?(?:is|was|are|were|has|had|needs?|wants?|gets?|got|moves?|goes|went|will|should|must|no\s+longer|lost|left|quit|came|broke|became|began|died|sold|bought|said|\p{L}+ed)\b/iu;
/** So do these anywhere. */
const CHANGED = /\b(?:no longer(?! than)|any ?more|instead)\b/i;

/** Whether a prompt tells what happened to a record instead of asking for it. */
function isNews({ text, tokens, entities }: PromptText, request: Request, tool: Tool): boolean {
  if (
    /\?\s*$/.test(text) ||
    request.reads === false ||
    /^\s*(?:what|which|who|when|where|why|how|is|are|does|did|has)\b/i.test(text)
  )
    return false;
  if (CHANGED.test(text)) return true;
  const key = entities.find(({ kind }) => kind === "number" || kind === "id");
  const before = key ? tokens.filter(({ end }) => end <= key.start) : [];
  const begins = before.filter(({ word }) => !/^(?:the|our|my|please)$/.test(word)).length <= 1;
  // "3 insured boats" are so many of them.
  const [, second] = tokens.filter(({ start }) => key !== undefined && start >= key.end);
  const isCounted = second !== undefined && isPlural(second.word) && stem(resourceNoun(tool)) === second.term;
  return key !== undefined && begins && !isCounted && NEWS.test(text.slice(key.end));
}

/** What a verb is done to, behind it. */
const OBJECT =
  /^\s+(?:(?:up|down|off|out|away|over)\s+)?(?:an?|the|all|my|our|your|his|her|their|this|these|me|us|him|them|it)\b/iu;

/** The verb a prompt begins with, if it is none that is known: "loan book 4 to Anna", "file a ticket", "discharge patient 12". */
function unknownCommand(prompt: PromptText, request: Request, tool: Tool): Token | undefined {
  const noun = resourceNoun(tool);
  const [command] = request.commands;
  // What is wished for may come behind what is told.
  if (/[.!?]\s+(?:\p{L}+\s+){0,3}(?:show|list|find|get|tell|give|search|look)\b/iu.test(prompt.text)) return undefined;
  const at = prompt.tokens.findIndex(({ term }) => term === command?.term);
  const token = prompt.tokens[at];
  if (
    !command ||
    command.intents.size > 0 ||
    !token ||
    isPlural(token.word) ||
    isStopWord(token.word) ||
    READS.test(token.word)
  )
    return undefined;
  const isOwnNoun = singularOf(token.word) === noun;
  const behind = prompt.text.slice(token.end);
  // "cook the stew" and "lock up the bikes" command, and so does "cook" where there are cooks.
  const isBeforeArticle = OBJECT.test(behind);
  if (known(tool).has(token.term) && !(isOwnNoun && isBeforeArticle && at === 0)) return undefined;
  const next = prompt.tokens[at + 1];
  const isBeforeKey = prompt.entities.some((entity) => next !== undefined && nounBefore(entity, prompt) === next);
  const isBeforeText = prompt.entities.some(
    ({ kind, start }) => kind === "quoted" && start > token.end && start - token.end <= 2,
  );
  if (isBeforeKey || isBeforeText || isBeforeArticle) return token;
  // "reserve book Dune" is no reservation.
  return !isOwnNoun && token.term === stem(noun) ? token : undefined;
}

/** "give member 6 a refund": the verb, a record, and what it is to get. */
const GIFT =
  /^(?:please )?(give|grant|hand|offer|pay|award|issue) (?!me\b|us\b)(\S.{0,80}?)(?<! (?:of|in|from|for|at|on|with|to)) (?:an?|another|some|the) \p{L}/iu;

/** The verb of a prompt that gives something to a record: to read the record is not to give it that. */
function giftVerb({ text, entities }: PromptText): string | undefined {
  const [, verb, record = ""] = GIFT.exec(text) ?? [];
  const at = text.indexOf(record);
  return entities.some(({ start }) => start >= at && start < at + record.length) ? verb : undefined;
}

/** "order 50 bags of compost for the work day": the verb, and what is to be got. */
const BUYS =
  /^\s*(?:please\s+)?(order|buy|purchase)\s+(?:me\s+|us\s+)?(?:\d+|an?|some|more)\s+(.+?)(?:\s+(?:for|to|from|at|in|on)\s.*)?[\s.!]*$/iu;

/** The verb of a prompt that has something bought that no tool has records of: to read what it is for is not to buy it. */
function buyingVerb({ text }: PromptText, tools: readonly Tool[]): string | undefined {
  const [, verb, what = ""] = BUYS.exec(text) ?? [];
  if (verb === undefined) return undefined;
  const nouns = new Set(tools.map(resourceNoun));
  return what.split(/[^\p{L}]+/u).some((word) => nouns.has(singularOf(word.toLowerCase()))) ? undefined : verb;
}

/** Verbs that ask for a change whatever stands behind them. */
const CHANGES =
  /^(?:delete|remove|drop|destroy|erase|set|change|update|edit|modify|rename|add|create|insert|cancel|assign|move|approve|reject|archive|activate|deactivate|enable|disable)$/;

/** "maybe delete order 7" is not decided yet. */
const UNSURE = /\b(?:maybe|perhaps|not sure|possibly)\b/i;

/** Whether a verb of a change stands behind a word that keeps it from being a command: "only cancel order 7". */
function isUnheard({ text, tokens }: PromptText, { commands }: Request): boolean {
  if (UNSURE.test(text) && tokens.some(({ word }) => CHANGES.test(word))) return true;
  const [first, verb] = tokens;
  if (
    !first ||
    !verb ||
    commands.some(({ intents }) => intents.size > 0) ||
    !/^(?:only|just|rather|instead|maybe|perhaps)$/.test(first.word)
  )
    return false;
  return (
    [...intentsOf(verb.term)].some((intent) => intent !== "read") &&
    !/(?:ed|ing)$/.test(verb.word) &&
    verb.word !== "open"
  );
}

/** The verb of a change that a prompt begins with, and no tool makes. */
function orphanCommand({ tokens }: PromptText, { commands, reads }: Request): string | undefined {
  const [first] = commands;
  const token = first && tokens.find(({ term }) => term === first.term);
  return token && !reads && CHANGES.test(token.word) ? token.word : undefined;
}

/** Why a read would not be what a prompt wants; undefined where it may be. */
export function misreadCommand(
  prompt: PromptText,
  request: Request,
  { tool, tools }: { tool: Tool; tools: readonly Tool[] },
): string | undefined {
  if (tool.transport.path === undefined) return undefined;
  const orphan = orphanCommand(prompt, request);
  if (orphan !== undefined) return `I know of nothing here that can "${orphan}" that`;
  const isOfName = prompt.entities.some(({ kind }) => kind === "name");
  const strange = isOfName ? strangeCommand(prompt, tools) : undefined;
  if (strange !== undefined) return `I did not understand "${strange}"`;
  const buying = buyingVerb(prompt, tools);
  if (buying !== undefined) return `I know of nothing here that can "${buying}" that`;
  const gift = giftVerb(prompt);
  if (gift !== undefined) return `I did not understand "${gift}"`;
  const command = unknownCommand(prompt, request, tool);
  if (command) return `I did not understand "${prompt.text.slice(command.start, command.end)}"`;
  if (isNews(prompt, request, tool) || isUnheard(prompt, request)) return "I did not understand what is to be done";
  return undefined;
}

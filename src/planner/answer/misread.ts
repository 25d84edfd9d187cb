// What the answer of a read does not answer: a change in words that are not understood, news about a record, a part that the record
// does not have. Without a remark above it the record would pass for the answer.

import { ownName } from "../../domain/tool.js";
import type { JsonObject } from "../../lib/json.js";
import { isPlural, singularOf } from "../../lib/plural.js";
import { intentsOf } from "../../tools/search/synonyms.js";
import { isStopWord, stem, terms, words } from "../../tools/search/terms.js";
import { unmatchedWords } from "../match/unmatched.js";
import type { Entity } from "../prompt/entities.js";
import { nounBefore } from "../prompt/key-nouns.js";
import type { PromptText, Token } from "../prompt/prompt.js";
import type { Request } from "../prompt/request.js";
import { resourceNoun } from "../resource-noun.js";
import type { AnswerContext, AnsweredCall } from "./context.js";
import { textsOfField } from "./narrowed.js";
import { quoted } from "./sentences.js";

/** What follows the key of a record where a prompt tells something about it: "trip 71 finished", "course 3 moves to room 2". */
const NEWS =
  /^['’]?\s+(?:is|was|are|were|has|had|needs?|wants?|gets?|got|moves?|goes|went|will|should|must|no\s+longer|lost|said|\p{L}+ed)\b/iu;
/** So do these anywhere. */
const CHANGED = /\b(?:no longer|any ?more|instead)\b/i;

/** Whether a prompt tells what happened to a record instead of asking for it. */
function isNews({ text, tokens, entities }: PromptText, request: Request): boolean {
  if (
    /\?\s*$/.test(text) ||
    request.reads === false ||
    /^\s*(?:what|which|who|when|where|why|how|is|are|does|did|has)\b/i.test(text)
  )
    return false;
  if (CHANGED.test(text)) return true;
  const key = entities.find(({ kind }) => kind === "number" || kind === "id");
  const before = key ? tokens.filter(({ end }) => end <= key.start) : [];
  const begins = before.filter(({ word }) => !/^(?:the|our|my|please)$/.test(word)).length === 1;
  return key !== undefined && begins && NEWS.test(text.slice(key.end));
}

/** The verb a prompt begins with, if it is none that is known: "loan book 4 to Anna", "file a ticket", "discharge patient 12". */
function unknownCommand(prompt: PromptText, request: Request, noun: string): Token | undefined {
  const [command] = request.commands;
  const at = prompt.tokens.findIndex(({ term }) => term === command?.term);
  const token = prompt.tokens[at];
  if (
    !command ||
    command.intents.size > 0 ||
    !token ||
    isPlural(token.word) ||
    isStopWord(token.word) ||
    PICKS.test(token.word)
  )
    return undefined;
  const next = prompt.tokens[at + 1];
  const isOwnNoun = singularOf(token.word) === noun;
  const isBeforeKey = prompt.entities.some((entity) => next !== undefined && nounBefore(entity, prompt) === next);
  const isBeforeText = prompt.entities.some(
    ({ kind, start }) => kind === "quoted" && start > token.end && start - token.end <= 2,
  );
  const isBeforeArticle = /^(?:an?|the)$/.test(next?.word ?? "");
  if (isBeforeKey || isBeforeText || isBeforeArticle) return token;
  // "reserve book Dune" is no reservation.
  return !isOwnNoun && token.term === stem(noun) ? token : undefined;
}

/** Whether a verb of a change stands behind a word that keeps it from being a command: "only cancel order 7". */
function isUnheard({ tokens }: PromptText, { commands }: Request): boolean {
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

const NOTHING_CHANGED = "I only looked: nothing was changed.";

/** The remark above a read; empty without one. `record` is what was read, unless that is a list. */
export function misreadNote(
  { tool, args }: AnsweredCall,
  { prompt, request, lookupPhrase }: AnswerContext,
  record?: JsonObject,
): string {
  if (tool.transport.path === undefined) return "";
  const noun = resourceNoun(tool);
  const command = unknownCommand(prompt, request, noun);
  // What the record was looked up by, or referred to by, is answered with it.
  const looked = new Set(words(lookupPhrase).map(stem));
  const unknown = (record ? unmatchedInRecord({ tool, args }, prompt, record) : []).filter(
    (word) => !looked.has(stem(word.toLowerCase())),
  );
  const said = command && prompt.text.slice(command.start, command.end);
  const [first] = request.commands;
  const isCommand = first?.intents.size === 0 && unknown.some((word) => stem(word.toLowerCase()) === first.term);
  if (isCommand) return `I did not understand ${quoted(unknown, "and")}, and only looked: nothing was changed.\n\n`;
  if (said !== undefined) return `I did not understand "${said}", and only looked: nothing was changed.\n\n`;
  if (isNews(prompt, request) || isUnheard(prompt, request)) return `${NOTHING_CHANGED}\n\n`;
  // "cheaper than room 3" wants others, not that one.
  const compared = record && COMPARED.exec(prompt.text)?.[0];
  if (compared !== undefined) return `I could not narrow anything by "${compared}".\n\n`;
  const span = record && !tool.transport.path.endsWith("}") ? openSpan(prompt, args) : undefined;
  if (span !== undefined) return `I could not narrow this by "${span}".\n\n`;
  return unknown.length > 0 ? `I found nothing about ${quoted(unknown, "or")} in this ${noun}.\n\n` : "";
}

/** A span of time that is no day: "since last month". */
const SPAN =
  /\b(?:(?:since|in|during|for|from|over|within)\s+)?(?:the\s+)?(?:last|past|this|next|previous)\s+(?:\d+\s+)?(?:day|week|weekend|month|quarter|year)s?\b/gi;

function openSpan({ text, entities }: PromptText, args: JsonObject): string | undefined {
  const isSent = ({ value }: Entity): boolean => Object.values(args).some((one) => String(one) === String(value));
  const isRead = (start: number, end: number): boolean =>
    entities.some((one) => one.kind === "date" && one.start < end && start < one.end && isSent(one));
  return [...text.matchAll(SPAN)].find(({ index, 0: span }) => !isRead(index, index + span.length))?.[0];
}

const COMPARED = /\b(?:\p{L}+er|(?:more|less|fewer)(?:\s+\p{L}+)?)\s+than\s+(?:the\s+)?\p{L}+\s+(?:#|no\.?\s*)?\d+/iu;

/** Words that pick a record of the conversation. */
const PICKS = /^(?:first|second|third|fourth|fifth|last|next|previous|other)$/i;
/** So much of a word says the same in the name of a field. */
const STEM_LENGTH = 5;

/** The words of a prompt that a record says nothing about. */
function unmatchedInRecord(
  { tool, args }: Pick<AnsweredCall, "tool" | "args">,
  prompt: PromptText,
  record: JsonObject,
): string[] {
  if (tool.transport.path?.endsWith("}") !== true) return [];
  const values = Object.values(record).flatMap(textsOfField);
  const fields = new Set(Object.keys(record).flatMap(words).map(stem));
  const unknown = unmatchedWords(prompt, { tool, args, rows: [record], used: values });
  const own = [...fields, ...terms(ownName(tool)), stem(resourceNoun(tool))];
  // "phone number", "email address": a word behind the name of a field belongs to it.
  return unknown.filter((word) => {
    const at = prompt.tokens.findIndex(({ word: one }) => one === word.toLowerCase());
    const term = stem(word.toLowerCase());
    // "who drives" asks for the driver.
    if (own.some((one) => term.length >= STEM_LENGTH && one.startsWith(term.slice(0, STEM_LENGTH)))) return false;
    return !PICKS.test(word) && !fields.has(prompt.tokens[at - 1]?.term ?? "");
  });
}

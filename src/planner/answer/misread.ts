// What the answer of a read does not answer: a part that the record
// does not have. Without a remark above it the record would pass for the answer.

import { ownName } from "../../domain/tool.js";
import type { JsonObject } from "../../lib/json.js";
import { isPlural } from "../../lib/plural.js";
import { isAkin, stem, terms, words } from "../../tools/search/terms.js";
import { unmatchedWords } from "../match/unmatched.js";
import { askedDeed, isAgentField } from "../prompt/agents.js";
import { isChatter, isForWhom, isOfHandling } from "../prompt/chatter.js";
import type { Entity } from "../prompt/entities.js";
import type { PromptText } from "../prompt/prompt.js";
import { measuresOfAdjective } from "../prompt/superlatives.js";
import { resourceNoun } from "../resource-noun.js";
import { asksState } from "./asked-field.js";
import { askedTexts, askingWords } from "./asked-texts.js";
import type { AnswerContext, AnsweredCall } from "./context.js";
import { textsOfField } from "./narrowed.js";
import { innerFields } from "./nested.js";
import { recordName } from "./rows.js";
import { inRow, quoted } from "./sentences.js";

/** Whether a prompt tells something about a record: "dog 3 bit a guest", and no "dog 3 owner". */
function isTold({ text, tokens, entities }: PromptText, unknown: readonly string[]): boolean {
  const key = entities.find(({ kind }) => kind === "number" || kind === "id");
  const before = key ? tokens.filter(({ end }) => end <= key.start) : [];
  const [next, after] = key ? tokens.filter(({ start }) => start >= key.end) : [];
  const isBegun = before.filter(({ word }) => !/^(?:the|our|my)$/.test(word)).length === 1 && !/\?\s*$/.test(text);
  return (
    isBegun &&
    next !== undefined &&
    (after !== undefined || /(?:[^s]s|ed|ing)$/.test(next.word)) &&
    unknown.some((word) => word.toLowerCase() === next.word)
  );
}

/** A remark about a read. */
export interface Misread {
  /** Empty where there is none. */
  note: string;
  /** The prompt wanted something else than to read it. */
  isNoAnswer?: boolean;
  /** The record is shown once the person says yes. */
  offers?: boolean;
}

/** The remark above a read. `record` is what was read, unless that is a list. */
export function misreadNote(
  { tool, args }: AnsweredCall,
  { prompt, request, lookupPhrase }: AnswerContext,
  record?: JsonObject,
): Misread {
  if (tool.transport.path === undefined) return { note: "" };
  const noun = resourceNoun(tool);
  // What the record was looked up by, or referred to by, is answered with it.
  const asking = record ? askingWords(askedTexts([record], prompt)) : "";
  const looked = new Set(words(`${lookupPhrase} ${asking}`).map(stem));
  const unknown = (record ? unmatchedInRecord({ tool, args }, prompt, record) : []).filter(
    (word) =>
      !looked.has(stem(word.toLowerCase())) &&
      !isChatter(word, prompt) &&
      !isForWhom(word, prompt) &&
      !isOfHandling(word, prompt),
  );
  const [first] = request.commands;
  const isCommand = first?.intents.size === 0 && unknown.some((word) => stem(word.toLowerCase()) === first.term);
  if (isCommand || isTold(prompt, unknown))
    return { note: `I did not understand ${quoted(unknown, "and")}: nothing was changed.`, isNoAnswer: true };
  // "cheaper than room 3" wants others, not that one.
  const compared = record && COMPARED.exec(prompt.text)?.[0];
  if (compared !== undefined) return { note: `I could not narrow anything by "${compared}".\n\n` };
  const span = record && !tool.transport.path.endsWith("}") ? openSpan(prompt, args) : undefined;
  if (span !== undefined) return { note: `I could not narrow this by "${span}".\n\n` };
  if (!record || unknown.length === 0) return { note: "" };
  return { note: otherRecordText(record, { noun, unknown }), isNoAnswer: true, offers: true };
}

/** Of a record with more fields than these they are not named. */
const MOST_FIELDS = 12;

/** What says that a record was read which is not what a prompt asks for: one of its fields may be, under another name. */
function otherRecordText(record: JsonObject, { noun, unknown }: { noun: string; unknown: readonly string[] }): string {
  const name = recordName(record);
  const called = name === undefined ? "" : `, ${quoted([name], "and")}`;
  const fields = Object.keys(record);
  const has = fields.length > MOST_FIELDS ? "" : ` It has ${inRow(fields, "and")}.`;
  return `I found nothing about ${quoted(unknown, "or")} in this ${noun}${called}.${has} Say "yes" to see it.`;
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

/** A value of more words than these is a text. */
const MAX_VALUE = 4;

/** The values of a record without texts that mention what a prompt asks for several of: a note about boats is none of "member 6's boats". */
function withoutMentions(values: readonly string[], { tokens, text }: PromptText): string[] {
  const several = new Set(tokens.map(({ word }) => word).filter(isPlural));
  const prompt = text.toLowerCase();
  return values.filter((value) => {
    const said = words(value);
    return said.length <= MAX_VALUE || prompt.includes(value) || !said.some((word) => several.has(word));
  });
}

/** The words of a prompt that a record says nothing about. */
function unmatchedInRecord(
  { tool, args }: Pick<AnsweredCall, "tool" | "args">,
  prompt: PromptText,
  record: JsonObject,
): string[] {
  if (tool.transport.path?.endsWith("}") !== true) return [];
  const values = Object.values(record).flatMap(textsOfField);
  const fields = new Set([...Object.keys(record), ...innerFields(record)].flatMap(words).map(stem));
  const used = withoutMentions(values, prompt);
  const unknown = unmatchedWords(prompt, { tool, args, rows: [record], used });
  const own = [...fields, ...terms(ownName(tool)), stem(resourceNoun(tool))];
  const state = asksState(prompt)?.toLowerCase();
  const asked = askedDeed(prompt) === undefined ? [] : Object.keys(record);
  // "phone number", "email address": a word behind the name of a field belongs to it.
  return unknown.filter((word) => {
    const at = prompt.tokens.findIndex(({ word: one }) => one === word.toLowerCase());
    const term = stem(word.toLowerCase());
    // "who drives" asks for the driver.
    if (own.some((one) => isAkin(term, one)) || asked.some((field) => isAgentField(word, field))) return false;
    // "is it paid" asks for the state it is in.
    const isOfState = state !== undefined && (word.toLowerCase() === state || /^(?:yet|already|now)$/i.test(word));
    if (isOfState && (fields.has(stem("status")) || fields.has(stem("state")))) return false;
    // "how deep" asks for the depth.
    if (measuresOfAdjective(word.toLowerCase()).some((one) => fields.has(stem(one)))) return false;
    return !PICKS.test(word) && !fields.has(prompt.tokens[at - 1]?.term ?? "");
  });
}

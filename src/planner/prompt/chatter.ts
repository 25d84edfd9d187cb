// Words of a prompt that pick no records: what is said to the listener, how fast it is wanted, and for whom. Any other word that is
// not understood may be a condition.

import { isInside } from "./entities.js";
import type { PromptText } from "./prompt.js";

/** Said to the listener, whatever the prompt asks for. */
const SAID =
  /^(?:again|once|really|actually|just|kindly|maybe|perhaps|too|also|already|instead|hello|hey|dear|guys|folks|buddy|mate|sir|madam|sorry|thanks|thank|cheers|asap|immediately|wonder|wondering|curious|wondered)$/;
/** How a command is to be done; of records it would be a condition: "shows that ended quickly". */
const MANNER = /^(?:quick|quickly|fast|briefly|shortly|soon|urgently|properly|carefully|neatly)$/;
const COMMAND =
  /^\s*(?:please\s+|now\s+|(?:can|could|would|will)\s+you\s+(?:please\s+)?)*(?:list|show|give|get|tell|find|fetch|display|print|look|quickly|check)\b/i;
/** Words of a few that say no more together: "so far", "on file", "any idea which …", and what is left of "I'm". */
const PHRASES =
  /\b(?:so far|until now|up to now|by now|on (?:file|record|(?:our|the) books)|in (?:the|our) (?:system|database|records|files|books)|any idea|no idea|pull up|bring up)\b|\b(?:(?:we|i|you|they)(?:\s+have|['’]ve|ve)?|have\s+(?:we|i|you|they))\s+got\b|\b(?:we|i|you|they)['’]?ve\b|['’](?:m|re|ve|ll|d)\b/giu;
/** Said of a state that records are in; of records without one it would be a time. */
const NOW = /\b(?:right now|(?:at|for) (?:the|this) moment|at present|as of now|these days)\b/giu;
const RELATIVE = /\b(?:that|which|who|whose|where|when)\b/i;

/** Whom something is for, or what occasion: "for my boss", "for the meeting". */
const FOR =
  /\bfor\s+(?:my\s+[^,.;?!]+|(?:the|our)\s+(?:\p{Ll}+\s+){0,2}(?:boss|chief|manager|master|director|team|board|colleagues?|meeting|report|presentation|newsletter|audit|review))(?=[\s,.;?!]*$)/giu;

/** Where records are, in words that say no more than the place behind them; a month or a time is none. */
const STANDING =
  /\b(?:stand(?:s|ing)?|stood|l(?:ies?|ying)|sit(?:s|ting)?|hangs?|kept|stored|located|situated|placed|moored|berthed|parked|housed|live|lives|living)(?=\s+(?:in|at|on|by|near|under|inside)\s+(?!\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|the\s+(?:morning|afternoon|evening|night|last|past|next)|time|use|stock|loan|hold)\w*\b))/giu;
/** "which hut lies highest", "the longest single entry", "the longest trip ever": the superlative says it all. */
const BESIDE_MOST =
  /\b(?:lies?|stands?|sits?)(?=\s+(?:the\s+)?\p{L}+est\b)|(?<=\b(?:\p{L}+est|most\s+\p{L}+)\b[^,;.?!]{0,40}\s)ever(?=[\s?.!]*$)|(?<=\b(?:\p{L}+est|most\s+\p{L}+)\s+)single\b|\bsingle(?=\s+(?:\p{L}+est|most)\b)/giu;

/** Whether a word says of records whose place, or whose order, was understood no more than that. */
export const isOfPlace = (said: string, prompt: PromptText): boolean =>
  isWithin(said, STANDING, prompt) || isWithin(said, BESIDE_MOST, prompt);

/** Who has a thing in hand, whatever its field for that is called. */
const HANDLES =
  /^\s*who\s+(?:(?:is\s+)?handl(?:es|ed|ing)|looks?\s+after|deals?\s+with|takes?\s+care\s+of|is\s+(?:in\s+charge\s+of|responsible\s+for))(?=\s)/giu;

/** Whether a prompt asks who handles something. */
export const asksWhoHandles = ({ text }: PromptText): boolean => text.search(HANDLES) >= 0;
/** Whether a word says that. */
export const isOfHandling = (said: string, prompt: PromptText): boolean => isWithin(said, HANDLES, prompt);

/** Behind a value this says no more than what has it: "the cheapest main course". */
export const isKindNoun = (word: string): boolean => /^(?:course|item|kind|type|article|piece|sort)$/.test(word);

/** Whether a word, or words, of a prompt say nothing about what it asks for. */
export function isChatter(said: string, prompt: PromptText): boolean {
  const word = said.toLowerCase();
  if (SAID.test(word) || isWithin(said, PHRASES, prompt)) return true;
  if (!MANNER.test(word) || !COMMAND.test(prompt.text)) return false;
  const at = prompt.tokens.find((token) => token.word === word)?.start ?? 0;
  return !RELATIVE.test(prompt.text.slice(0, at));
}

/** Whether a word says that a state is that of now: "loans that are out at the moment". */
export const isOfNow = (said: string, prompt: PromptText): boolean => isWithin(said, NOW, prompt);

/** Whether a word of a prompt says whom its answer is for. */
export const isForWhom = (said: string, prompt: PromptText): boolean =>
  !/^\p{Lu}/u.test(said) && isWithin(said, FOR, prompt);

/** Whether a word stands nowhere but within such phrases. */
function isWithin(said: string, pattern: RegExp, { text, tokens }: PromptText): boolean {
  const spans = [...text.matchAll(pattern)].map(({ index, 0: phrase }) => ({
    start: index,
    end: index + phrase.length,
  }));
  const places = tokens.filter(({ start, end }) => text.slice(start, end) === said);
  return places.length > 0 && places.every(({ start }) => isInside(start, spans));
}

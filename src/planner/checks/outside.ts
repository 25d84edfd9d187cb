// What no application does unless a tool of it does just that: to tell somebody something ("text Ada that we are late"), to write a text
// ("write a job ad for a cook"), to find the way, the traffic, the news or what others charge.

import { ownName, type Tool } from "../../domain/tool.js";
import { stem, terms } from "../../tools/search/terms.js";

/** A person or several, with no relation among the words. The one who asks is told by a read. */
const PERSON = String.raw`(?!(?:me|us|of|for|in|on|at|by|with|from|to|about)\b)[^\s,;:?!]+(?:\s(?!(?:of|for|in|on|at|by|with|from)\b)[^\s,;:?!]+){0,3}?`;
const SUBJECT =
  "(?:we|i|he|she|it|they|you|the|an?|my|our|your|his|her|their|this|there|everything|everybody|nobody|all)";
const BE = "(?:is|are|was|were|has|have|will|can|cannot|can['’]?t|won['’]?t|isn['’]?t|leaves|comes|starts)";
/** What is told. "Phone cases that are red" are no calls: a verb follows there. */
const CLAUSE = String.raw`(?:that\s+${SUBJECT}\s|that\s+(?!${BE}\b)\S+(?:\s\S+){0,3}?\s${BE}\b|(?:we|i|you)(?:\s+(?:are|am|will|have|had|can|need|want)|['’](?:re|m|ll|ve))\s|(?:and|to)\s+(?:say|tell|ask|let)\s|saying\s|(?:the|an?|his|her|their|our|my)\s)`;
const form = (source: string): RegExp => new RegExp(`^${source}`, "iu");

/** To tell somebody something; the verb or the noun says what a tool for it would be called. */
const TELLING: readonly RegExp[] = [
  form(
    String.raw`(?<word>text|mail|e-?mail|message|phone|ring|call|ping|dm|sms|whatsapp|write(?!\s+down\b)(?:\s+to)?)\s+${PERSON}\s+${CLAUSE}`,
  ),
  form(
    String.raw`(?<word>tell|inform|notify|warn|alert|remind|ask)\s+${PERSON}\s+(?:(?:about|of|if|whether|when|why|how|to|not\s+to)\s|${CLAUSE}|that\s|\S+\s+(?:\S+\s+)?${BE}\b)`,
  ),
  form(String.raw`(?<word>thank|congratulate|greet)\s+${PERSON}(?:\s|$)`),
  form(String.raw`(?:please\s+)?let\s+${PERSON}\s+(?<word>know)\b`),
  form(
    String.raw`(?:give|drop|send|leave|shoot)\s+${PERSON}\s+an?\s+(?:\p{L}+\s+)?(?<word>ring|call|buzz|bell|shout|line|text|sms|message|e-?mail|mail|reminder)(?:\s|$)`,
  ),
  form(
    String.raw`(?:send|leave)\s+(?:an?|the)\s+(?:\p{L}+\s+)?(?<word>text|sms|message|e-?mail|mail|reminder|greeting)\s+(?:to|for)\s`,
  ),
];

const TEXT =
  "(?<word>ad|advert|advertisement|article|birthday\\s+card|blog|caption|contract|e-?mail|essay|eulogy|flyer|greeting|haiku|headline|invitation|invoice\\s+text|joke|jingle|leaflet|letter|limerick|lyrics|message|newsletter|obituary|poem|post|poster|presentation|press\\s+release|reference|report|resignation|review|rhyme|slogan|song|speech|sms|story|summary|text|toast|tweet)s?";
/** A text ends there, or says what it is for: "create the poem reader" makes a record. */
const TEXT_END = String.raw`(?=\s*[.!?]*$|\s+(?:for|about|on|to|that|of|with|in|saying)\b)`;
const TEXTS: readonly RegExp[] = [
  form(
    String.raw`(?:write|draft|compose|design)\s+(?:(?:me|us)\s+)?(?:(?:an?|some|the|our|my)\s+)?(?:\p{L}+\s+){0,3}?${TEXT}${TEXT_END}`,
  ),
  form(
    String.raw`(?:create|make|make\s+up|come\s+up\s+with|think\s+(?:of|up)|prepare|produce|generate|invent|(?:i|we)\s+need|need)\s+(?:(?:me|us)\s+)?(?:(?:an?|some)\s+)?(?:(?!called\b|named\b)\p{L}+\s+){0,2}?${TEXT}${TEXT_END}`,
  ),
  form(
    String.raw`(?:an?\s+)?(?:\p{L}+\s+){0,2}?(?<word>ad|advert|slogan|poem|speech|limerick|haiku|letter|press\s+release)\s+(?:for|about|to|on)\s+\p{L}`,
  ),
  form(String.raw`(?<word>think|come)\s+(?:of|up\s+with)\s+an?\s+(?:\p{L}+\s+){0,2}?(?:name|title)\s+for\s`),
];

const ASKED = String.raw`(?:(?:what|which|how)(?:['’]?s|\s+is|\s+are)\s+)?(?:show\s+me\s+|give\s+me\s+|find\s+(?:me\s+)?|check\s+)?(?:the\s+)?`;
/** Where no tool knows the way, there is none to be found. */
const ELSEWHERE: readonly RegExp[] = [
  form(
    String.raw`${ASKED}(?:(?:fastest|quickest|shortest|best|easiest|cheapest|scenic)\s+)?(?<word>route|way|road|directions)\s+(?:to|from|home|back|there|out)\b`,
  ),
  form(String.raw`(?<word>how)\s+(?:do|can)\s+(?:i|we)\s+(?:get|drive|travel)\s+(?:to|from)\s+(?!(?:the|know)\b)`),
  form(
    String.raw`${ASKED}(?:any\s+)?(?:(?:latest|current|local)\s+)?(?<word>traffic|weather|forecast|news|headlines?)\s+(?:in|at|on|from|about|for|to|around|near)\s`,
  ),
  form(
    String.raw`(?:how\s+much|what)\s[^?]*\b(?:cost|costs|charge|charges)\s(?:[^?]*\s)?(?<word>elsewhere|(?:at|on|in)\s+(?:amazon|e-?bay|google|alibaba|other\s+(?:shops|stores|companies|firms|places)|the\s+(?:competition|supermarket|market)))`,
  ),
  form(String.raw`how\s+much\s+do\s+(?<word>other)\s+\p{L}+\s+(?:charge|pay|ask|earn|take)\s*\??$`),
];

const isWritten = (word: string, known: ReadonlySet<string>): boolean =>
  terms(word).length > 0 && terms(word).every((term) => known.has(term));

/** What a tool that tells somebody something is called. */
const TELLS = ["send", "notify", "message", "mail", "email", "sms", "text", "remind", "call", "contact"].map(stem);

/** Whether a tool does what a verb of telling says: it is called by it, or it sends something. */
function tells(word: string, tools: readonly Tool[]): boolean {
  const verbs = new Set([...terms(word), ...TELLS]);
  return tools.some((tool) => tool.safety !== "read_only" && terms(ownName(tool)).some((term) => verbs.has(term)));
}

/** Why a prompt asks for what lies outside of an application with these words; undefined for any other prompt. */
export function whyOutside(said: string, tools: readonly Tool[], known: ReadonlySet<string>): string | undefined {
  const first = (patterns: readonly RegExp[]): string | undefined =>
    patterns.map((pattern) => pattern.exec(said)?.groups?.["word"]?.toLowerCase()).find(Boolean);
  const told = first(TELLING);
  if (told !== undefined && !tells(told, tools)) return `I did not understand "${told}"`;
  const text = first(TEXTS);
  if (text !== undefined && !isWritten(text, known)) return "I write no texts";
  const elsewhere = first(ELSEWHERE);
  return elsewhere !== undefined && !isWritten(elsewhere, known)
    ? "That is nothing that I could look up here"
    : undefined;
}

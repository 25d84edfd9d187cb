// Prompts that ask an application for nothing: advice ("should I cancel booking 71?"), general knowledge ("what is the capital of
// Sweden"), chit-chat ("tell me a joke about tents"). No list is read for the names in them, and nothing is offered.

import type { Tool } from "../../domain/tool.js";
import { singularOf } from "../../lib/plural.js";
import { terms } from "../../tools/search/terms.js";
import { countryCode } from "../prompt/countries.js";
import { writtenTerms } from "../vocabulary.js";
import { whyOutside } from "./outside.js";

const LEAD = /^\s*(?:(?:so|and|but|well|hey|hi|hello|ok(?:ay)?|hmm|please)[,!]?\s+)*/iu;

/** What only a person can judge. "Which orders should be shipped" may be written down, and so may when and where. */
const ADVICE: readonly RegExp[] = [
  /^should\s/iu,
  /^(?:what|which|how)\s[^?]*\bshould\s+an?\s/iu,
  /^(?:who|whom|what)\s+should\s+(?:i|we)\s/iu,
  /^(?:which|what)\s+(?:\p{L}+\s+){1,3}should\s+(?:i|we)\s/iu,
  /^what\s+(?:would|could)\s+(?:you|one)\s+do\b/iu,
  /^(?:do|would|don['’]t)\s+you\s+(?:think|recommend|suggest|believe|like|prefer)\b/iu,
  /^(?:what|who|which\s+\p{L}+)\s+(?:do|would)\s+you\s+(?:think|recommend|suggest|believe|like|prefer)\b/iu,
  /^(?:is|would)\s+it\s+(?:be\s+)?(?:an?\s+(?:good|bad|better)\s+idea|worth|wise|smart|sensible|better)\b/iu,
];

/** What would be if something were done: nothing tells, and nothing is to be done. "If there are open bills, list them" asks. */
const HYPOTHETICAL: readonly RegExp[] = [
  /^what\s+if\s/iu,
  /^(?:let['’]?s\s+)?(?:suppose|supposing|imagine|assuming|say)\s+(?:that\s+)?(?:i|we|you|they|he|she|someone|somebody)\s/iu,
  /^if\s[^?]*\bwould\s+(?!you\b|be\s+(?:great|nice|good|lovely|helpful))[^?]*\?\s*$/iu,
  /^(?:would|will)\s(?!you\b)[^?]*\bif\s+(?:i|we|they|someone|somebody)\s/iu,
];

const CHAT: readonly RegExp[] = [
  /^(?:you\s+are|you['’]re|you\s+were)\s[^?]*$/iu,
  /^(?:how\s+are\s+you|who\s+are\s+you)\b/iu,
  /^(?:good\s?night|good\s?bye|bye|see\s+(?:you|ya)|have\s+a\s+(?:nice|good|great))\b[^?]*$/iu,
];

/** What people ask each other for, and what is only written or told. */
const TOLD = String.raw`(?<word>jokes?|stor(?:y|ies)|poems?|riddles?|songs?|haikus?|limericks?|recipes?|tips?|advice|ideas?|tricks?|hacks?|slogans?|news|weather|forecasts?|inspiration|suggestions?|recommendations?|horoscopes?)\b(?!\s+(?:which|what|who|whose|where|when|how|if|whether)\b)`;
const LANGUAGE =
  "(?:english|spanish|french|german|italian|portuguese|dutch|danish|swedish|norwegian|finnish|icelandic|polish|czech|hungarian|russian|ukrainian|turkish|greek|latin|arabic|hindi|chinese|japanese|korean)";
const RAIN = "(?:rain|snow|hail|freeze|thunder|be\\s+(?:sunny|cloudy|windy|foggy|warm|cold|hot|dry|wet))";

/** General knowledge, entertainment and texts, unless some tool knows the word for it. */
const TRIVIA: readonly RegExp[] = [
  new RegExp(
    String.raw`^(?:(?:have|has)\s+(?:you|anyone|anybody|someone)\s+got|(?:do\s+you|does\s+anyone)\s+(?:have|know)|got|know|any|(?:i|we)\s+(?:need|want)|need|want|(?:tell|give|write|sing|send|find|get)(?:\s+(?:me|us))?)\s+(?:(?:an?|any|some|the)\s+)?(?:\p{L}+\s+){0,2}?${TOLD}`,
    "iu",
  ),
  /^(?:what|who)(?:['’]?s|\s+is|\s+was|\s+are)\s+the\s+(?<word>capital|population|president|king|queen|currency|anthem|meaning)\s+of\s/iu,
  /^what(?:['’]?s|\s+is|\s+are)\s+the\s+(?:latest\s+)?(?<word>news|weather|forecast)\b/iu,
  /^who\s+(?<word>invented|discovered)\s/iu,
  /^who\s+(?<word>won)\s+the\s+(?:world|nobel|olympic|champions|super)\b/iu,
  /\b(?<word>world)(?:['’]s)?\s+(?:record|champion|championship|cup)\b/iu,
  /^(?<word>recommend|suggest|advise|translate|compose|rhyme|sing|explain)\s/iu,
  /[,.]\s+(?:please\s+)?(?<word>translate)(?:\s+(?:it|that|this|them))?(?:\s+please)?[.!]*$/iu,
  /^(?:write|draft)\s+(?:(?:me|us)\s+)?(?:an?|some|the)\s+(?:\p{L}+\s+){0,2}?(?<word>letter|e-?mail|text|message|essay|speech|report|article|script|program|function|post|review)\b/iu,
  /^how\s+(?:do|would|can)\s+(?:you|i|we)\s+(?<word>say|spell|pronounce)\s/iu,
  new RegExp(
    String.raw`^what(?:['’]?s|\s+is)\s+(?:the\s+)?${LANGUAGE}\s+(?<word>word|name|term|translation|for)\b`,
    "iu",
  ),
  new RegExp(String.raw`^what\s+(?:does|do)\s[^?\d]*\s(?<word>mean)(?:\s+in\s+${LANGUAGE})?\s*\??$`, "iu"),
  new RegExp(String.raw`^(?:will|does|did|is)\s+it\s+(?:going\s+to\s+)?(?<word>${RAIN})`, "iu"),
];

/** What is near the person who asks: nothing tells where that is. */
const NEARBY =
  /\b(?:(?:around|near)\s+(?:here|me|us)|(?<word>nearby)|close\s+by|in\s+(?:my|the|this)\s+(?:area|neighbou?rhood)|best\s[^?]*\bin\s+town)\s*[?.!]*$/iu;

/** "what is the speed limit in Norway": a fact about a country, where nothing is said to have one. A sum is one of records. */
const OF_COUNTRY =
  /^what(?:['’]?s|\s+is)\s+the\s+(?!(?:total|sum|average|mean|number|count|\p{L}+est|most)\b)\p{L}+[^?]*?\s(?:in|of|de)\s+(?:the\s+)?(?<country>\p{L}+(?:\s\p{L}+)?)\s*\?*$/iu;

/** What is to be sent to people, or said in another language, unless some tool knows the word for it. */
const SENDING =
  /^(?<word>text|mail|e-?mail|message|phone|fax|tweet|translate|remind)\s+(?:(?:all|every|everyone|everybody|the|my|our|us|me|him|her|them)\s+(?!of\b)|\p{Lu}\p{Ll})/u;

/** Why a prompt leads to no request at all; undefined for any other prompt. */
export function smallTalk(text: string, tools: readonly Tool[]): string | undefined {
  const said = text.trim().slice(0, 200).replace(LEAD, "");
  if (ADVICE.some((pattern) => pattern.test(said))) return "That asks for advice, which I cannot give";
  if (HYPOTHETICAL.some((pattern) => pattern.test(said))) return "That asks what would be, which I cannot tell";
  if (CHAT.some((pattern) => pattern.test(said))) return "That asks for nothing that I can look up";
  const sending = SENDING.exec(said)?.groups?.["word"]?.toLowerCase();
  const word = sending ?? TRIVIA.map((pattern) => pattern.exec(said)?.groups?.["word"]?.toLowerCase()).find(Boolean);
  const known = writtenTerms(tools);
  const isKnown = (one: string): boolean => [one, singularOf(one)].flatMap(terms).some((term) => known.has(term));
  if (NEARBY.test(said) && !["nearby", "near", "radius", "latitude"].some(isKnown))
    return "I cannot tell where you are";
  const country = OF_COUNTRY.exec(said)?.groups?.["country"] ?? "";
  const isOfCountry = countryCode(country) !== undefined && !["country", "nation"].some(isKnown);
  if (isOfCountry) return "That is nothing that I could look up here";
  const outside = whyOutside(said, tools, known);
  if (outside !== undefined) return outside;
  if (word === undefined || isKnown(word)) return undefined;
  return sending === undefined ? "That is nothing that I could look up here" : `I did not understand "${sending}"`;
}

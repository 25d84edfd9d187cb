// Prompts that ask an application for nothing: advice ("should I cancel booking 71?"), general knowledge ("what is the capital of
// Sweden"), chit-chat ("tell me a joke about tents"). No list is read for the names in them, and nothing is offered.

import type { Tool } from "../../domain/tool.js";
import { singularOf } from "../../lib/plural.js";
import { terms } from "../../tools/search/terms.js";
import { writtenTerms } from "../vocabulary.js";

const LEAD = /^\s*(?:(?:so|and|but|well|hey|hi|hello|ok(?:ay)?|hmm|please)[,!]?\s+)*/iu;

/** What only a person can judge. "Which orders should be shipped" may be written down, and so may when and where. */
const ADVICE: readonly RegExp[] = [
  /^should\s/iu,
  /^(?:what|which|how)\s[^?]*\bshould\s+an?\s/iu,
  /^(?:who|whom|what)\s+should\s+(?:i|we)\s/iu,
  /^(?:which|what)\s+(?:\p{L}+\s+){1,3}should\s+(?:i|we)\s/iu,
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

/** General knowledge and entertainment, unless some tool knows the word for it. */
const TRIVIA: readonly RegExp[] = [
  /^(?:tell|give|write|sing)\s+(?:me\s+|us\s+)?an?\s+(?:\p{L}+\s+)?(?<word>joke|story|poem|riddle|song|haiku|limerick)\b/iu,
  /^(?:what|who)(?:['’]s|\s+is|\s+was|\s+are)\s+the\s+(?<word>capital|population|president|king|queen|currency|anthem|meaning)\s+of\s/iu,
  /^who\s+(?<word>invented|discovered)\s/iu,
  /^who\s+(?<word>won)\s+the\s+(?:world|nobel|olympic|champions|super)\b/iu,
];

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
  if (word === undefined) return undefined;
  const known = writtenTerms(tools);
  const isKnown = [word, singularOf(word)].flatMap(terms).some((term) => known.has(term));
  if (isKnown) return undefined;
  return sending === undefined ? "That is nothing that I could look up here" : `I did not understand "${sending}"`;
}

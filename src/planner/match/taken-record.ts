// What a prompt takes of the records that are there: "book the next lesson" makes no new lesson, though "book" may. Text and a tool in.

import type { Tool } from "../../domain/tool.js";
import { words } from "../../tools/search/terms.js";
import type { PromptText } from "../prompt/prompt.js";
import { SUPERLATIVES } from "../prompt/superlatives.js";
import { resourceNoun } from "../resource-noun.js";

/** A verb that takes what is there, and which of them. */
const TAKES = new RegExp(
  String.raw`^\s*(?:(?:please|can\s+you|could\s+you|i\s+want\s+to|i['’]d\s+like\s+to)\s+)?(?:book|reserve|order|buy|hire|rent|get)\s+(?:(?:me|us|him|her|them)\s+)?(?:in\s+|on\s+)?(?:the|her|his|my|our|their)\s+(?:next|first|last|following|upcoming|soonest|same|usual|${SUPERLATIVES})\s+(?<what>\p{L}+(?:\s+\p{L}+){0,2})`,
  "iu",
);
/** What is taken ends before these. */
const BEHIND = /^(?:of|for|with|at|in|on|by|to|from|and|please|that|which|next|this)$/;

/** Whether a prompt takes a record of the kind that a tool makes: none is made then. */
export function takesRecord({ verb, ...tool }: Tool, { text }: PromptText): boolean {
  const said = verb === "create" ? words(TAKES.exec(text)?.groups?.["what"] ?? "") : [];
  const end = said.findIndex((word) => BEHIND.test(word));
  return (end < 0 ? said : said.slice(0, end)).at(-1) === resourceNoun({ verb, ...tool });
}

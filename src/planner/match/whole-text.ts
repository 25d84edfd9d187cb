// A text of a prompt from where it begins to where another field is named or the prompt ends; undefined where it may go on with
// something else: a condition, another command, the key of another record.

import type { Tool } from "../../domain/tool.js";
import { intentsOf } from "../../tools/search/synonyms.js";
import { stem } from "../../tools/search/terms.js";
import type { Entity } from "../prompt/entities.js";
import { isKeyOfNoun, nounBefore } from "../prompt/key-nouns.js";
import type { PromptText } from "../prompt/prompt.js";
import { resourceNoun } from "../resource-noun.js";
import { keyNounsOf } from "./key-placement.js";
import { isNoValue } from "./labelled-words.js";

/** A stretch of a prompt that may be a text. */
interface Stretch {
  start: number;
  end: number;
  /** How it follows the name of its field. */
  form: "sign" | "to" | "direct";
  /** It goes to the end of the prompt. */
  last: boolean;
}

/** What joins the next field to a text. */
const JOINT = /(?:[\s,;]|\s(?:and|with|for|the|a|an|in|on|its|of|plus|not)(?=\s*$))+$/i;
const TAIL = /(?:\s+(?:please|thanks|thank you|for me)\b)?\s*$/i;
/** Where a text without a sign before it may be over: another part of the sentence, a condition. */
const MAY_END = /[,;]\s|[.!?]\s+\S|\s(?:if|unless|when|once|except|but|instead|because|since|while|without)\s/i;
const QUOTE = /^["“'‘`]/;

/** Whether a text goes on with another command: "Digest and make it private", but not "War and Peace". */
function commandsMore(text: string): boolean {
  const [, word = ""] = /\s(?:and|then)\s+(\p{Ll}+)/u.exec(text) ?? [];
  return /^(?:its|the|then|also|his|her|their)$/.test(word) || intentsOf(stem(word)).size > 0;
}

/** Whether a record, a day or an address within a text may be what the change is about instead. */
function mayQualify({ start, end }: Stretch, tool: Tool, prompt: PromptText): boolean {
  const nouns = new Set([...keyNounsOf(tool), stem(resourceNoun(tool))]);
  const inner = prompt.entities.filter(
    (one) => one.start >= start && one.end <= end && one.end - one.start < end - start,
  );
  const isRelated = ({ start: at }: { start: number }): boolean =>
    /\s(?:in|on|of|for|to|from|at|by|with|until|till|before|after|under)\s+(?:the\s+)?(?:\w+\s+)?$/i.test(
      prompt.text.slice(start, at),
    );
  if (inner.some(({ kind }) => /^(?:date|time|email|url)$/.test(kind))) return true;
  if (inner.some((one) => isKeyOfNoun(one, prompt) && nouns.has(nounBefore(one, prompt)?.term ?? ""))) return true;
  return prompt.tokens.some(
    (token) => token.start > start && token.end <= end && nouns.has(token.term) && isRelated(token),
  );
}

/** The text as an entity. */
export function wholeText(stretch: Stretch, tool: Tool, prompt: PromptText): Entity | undefined {
  const { start, end, form, last } = stretch;
  const quoted = prompt.entities.find(
    (one) =>
      one.kind === "quoted" && one.start - start <= 1 && one.start >= start && QUOTE.test(prompt.text.slice(start)),
  );
  if (quoted)
    return quoted.end <= end && /^[\s,;.!?]*(?:and|with)?\s*$/i.test(prompt.text.slice(quoted.end, end))
      ? quoted
      : undefined;
  const found = prompt.text.slice(start, end).replace(last ? TAIL : JOINT, "");
  // A stop behind the only sentence is the prompt's.
  const text = last && !/[.!?]\s/.test(found) ? found.replace(/\.$/, "") : found;
  if (!/[\p{L}\p{N}]/u.test(text) || /["“”]/.test(text)) return undefined;
  if (form !== "sign") {
    if (MAY_END.test(text) || commandsMore(text) || mayQualify({ ...stretch, end: start + text.length }, tool, prompt))
      return undefined;
    if (!/\s/.test(text) && isNoValue(text.toLowerCase())) return undefined;
  }
  return { kind: "quoted", value: text, text, start, end: start + text.length };
}

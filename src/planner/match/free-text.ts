// Free text in a prompt that is neither quoted nor capitalised: what follows the noun of the tool. "complete the todo buy
// milk" means the record "buy milk"; "add a todo to buy milk" creates one.

import type { Tool } from "../../domain/tool.js";
import { singularOf } from "../../lib/plural.js";
import { intentsOf } from "../../tools/search/synonyms.js";
import { isStopWord, stem, words } from "../../tools/search/terms.js";
import type { Entity } from "../prompt/entities.js";
import { oncePerPrompt, type PromptText, textBefore } from "../prompt/prompt.js";
import { resourceNoun } from "../resource-noun.js";
import { pathNames, type Slot, slotsOf } from "../slots/slot.js";

const LEAD =
  /^(?:(?:named|called|titled|entitled|with (?:the )?(?:name|title|content|text)|saying|that says|to|for|about|is|of)\b|[\s:,-])+/i;
const TAIL = /(?<![\s.!?:])[\s.!?:]+$|(?<!\s)\s+(?:please|now|thanks|thank you|for me)[.!?]*$/i;
/** Where a name ends and what is to be done with it begins. */
const STOP = /(?<!\s)\s+(?:with|and (?:set|mark|make|a|its|with)|to (?:be|the)|as|into|from)\b|[,;]/i;
const AS_STATE = /(?<!\s)\s+(?:as|is)\s+(?:complete|completed|done|finished|incomplete|open|closed)\b.*$/i;

function clean(text: string): string {
  let out = text.replace(AS_STATE, "").replace(LEAD, "");
  for (let before = ""; before !== out; ) {
    before = out;
    out = out.replace(TAIL, "");
  }
  return out.trim();
}

/** Whether a text can be a name: pronouns, quantities and the noun of a tool stand for records but name none. */
export function isName(text: string, tool?: Tool): boolean {
  const own = tool ? toolTerms(tool) : new Set<string>();
  const names = (word: string): boolean => !isStopWord(word) && !UNNAMED.has(word) && !own.has(stem(word));
  return words(text).some((word) => names(word) && !(tool && /^\d+$/.test(word)));
}

/** The terms a tool's records and their fields are called by. */
function toolTerms(tool: Tool): Set<string> {
  const labels = slotsOf(tool).flatMap(({ label }) => label);
  return new Set([stem(resourceNoun(tool)), ...words(tool.resource).map(stem), ...labels]);
}

const UNNAMED = new Set(
  (
    "it them that this one ones first second third last everything nothing something anything all same thing things " +
    "cheapest priciest expensive newest latest oldest recent biggest largest smallest highest lowest most new old other next previous"
  ).split(" "),
);

const TEXT_SLOT = /^(?:title|name|text|content|subject|summary|label|message|body|description|desc|task|todo|note)$/i;

/** The parameter that takes the free text of a prompt. */
export function mainTextSlot(tool: Tool): Slot | undefined {
  const keys = pathNames(tool);
  return slotsOf(tool).find(
    ({ name, type, required, enclosing }) =>
      TEXT_SLOT.test(name) &&
      (type === "string" || type === "any") &&
      !keys.has(name) &&
      (required || enclosing.length === 0),
  );
}

/** The text behind the tool's noun, or another one, up to the next clause; undefined when there is none. `nouns` are stems. */
export function textAfterNoun(
  prompt: PromptText,
  tool: Tool,
  nouns: ReadonlySet<string> = new Set([resourceNoun(tool), ...words(tool.resource)].map(stem)),
): string | undefined {
  const at = prompt.tokens.find(({ term, word }) => nouns.has(term) || nouns.has(stem(word)));
  if (!at) return undefined;
  const text = clean(prompt.text.slice(at.end));
  const cut = STOP.exec(text)?.index ?? text.length;
  const found = clean(text.slice(0, cut));
  return isName(found) ? found : undefined;
}

/** "price of butter croissant to 2" calls a record "butter croissant", where a price is something that a tool takes. */
function withoutField(text: string, tool: Tool): string {
  const [, field = "", name] = /^(\S+(?:\s\S+){0,2}?)\s+(?:of|for)\s+(?:the\s+|an?\s+)?(.+)$/i.exec(text) ?? [];
  const keys = pathNames(tool);
  const labels = new Set(slotsOf(tool).flatMap((slot) => (keys.has(slot.name) ? [] : slot.label)));
  if (name === undefined || !words(field).every((word) => labels.has(stem(word)))) return text;
  return name.slice(0, /\s+(?:to|as|into)\s/i.exec(name)?.index);
}

/** "notes on C-107": what a name begins with, but no code. */
const BEFORE_CODE = /^(?:on|in|at|from)\s+(?=\S*\d\S*$)/i;

/** The words that may name the record of a key: a name, or what stands behind the noun of its collection. */
export function lookupPhrase(key: Slot, tool: Tool, prompt: PromptText): string | undefined {
  const entity = identifyingEntity(prompt);
  if (entity) return wholeName(prompt, entity, tool);
  const segment = /([^/{}]+)\/$/.exec(tool.transport.path?.split(`{${key.name}}`)[0] ?? "")?.[1];
  const noun = stem(singularOf(words(segment ?? "").at(-1) ?? ""));
  const text = textAfterNoun(prompt, tool, new Set([noun])) ?? textAfterNoun(prompt, tool) ?? textAfterCommand(prompt);
  // "mark the invoice as paid" says a state.
  if (text !== undefined && /^as\s/i.test(text)) return undefined;
  return text && withoutState(withoutField(text, tool).replace(BEFORE_CODE, ""), tool);
}

/** A name without the state that it is set to: "the old mill as listed" where a mill is listed or not. */
function withoutState(text: string, tool: Tool): string {
  const [, name = "", state = ""] = /^(\S.*?)\s+(?:as|to)\s+(\S+(?:\s\S+){0,2})$/iu.exec(text) ?? [];
  const said = words(state).join(" ");
  const isState = slotsOf(tool).some(({ name: field, type, options }) =>
    (type === "boolean" ? [field] : options.map(String)).some((one) => words(one).join(" ") === said),
  );
  return name !== "" && tool.verb === "update" && isState ? name : text;
}

/** "complete buy milk": the text behind the command, for a prompt without a noun. */
export function textAfterCommand(prompt: PromptText): string | undefined {
  const [first] = prompt.tokens.filter(({ word }) => !/^(?:please|now|then|ok|okay)$/.test(word));
  if (!first || intentsOf(first.term).size === 0) return undefined;
  const found = clean(prompt.text.slice(first.end)).replace(/^(?:the|my|a|an)\s+/i, "");
  return isName(found) ? found : undefined;
}

/** "add buy milk to my todos": the text between the command and the tool's noun. */
export function textBeforeNoun(prompt: PromptText, tool: Tool): string | undefined {
  const match =
    /^\s*(?:please\s+)?(?:add|put|create|make|save|note)\s+(\S(?:.*?\S)?)\s+(?:to|on|in|into|as)\s+(?:a |an |my |the |our )(?:new )?(\S.*)$/i.exec(
      prompt.text,
    );
  const noun = stem(resourceNoun(tool));
  if (!match?.[1] || !words(match[2] ?? "").some((word) => stem(word) === noun)) return undefined;
  return words(match[1]).some((word) => stem(word) === noun) ? undefined : clean(match[1]);
}

/** Words behind a name that are not part of it. */
const INCIDENTAL =
  /^(?:\w+ly|because|since|now|please|today|too|again|records?|entry|account|profile|details?|info\w*|data)$/i;

/** Whether a word behind a name or a key adds nothing to it. */
export const isIncidental = (word: string): boolean => isStopWord(word) || INCIDENTAL.test(word);

/** A capitalised name with the plain words that belong to it: "the Oak table" is not the "Oak". */
function wholeName(prompt: PromptText, { kind, text, end }: Entity, tool: Tool): string {
  if (kind !== "name") return text;
  const own = toolTerms(tool);
  let whole = text;
  for (let rest = prompt.text.slice(end); ; ) {
    const [gap = "", word = ""] = /^ ([\p{Ll}\p{N}-]+)(?=[ .!?]|$)/u.exec(rest) ?? [];
    if (word === "" || isIncidental(word)) return whole;
    if (own.has(stem(word)) || intentsOf(stem(word)).size > 0) return whole;
    whole += gap;
    rest = rest.slice(gap.length);
  }
}

/** The entity that identifies a record: a quoted text, a name or an address that is not a new value. */
export const identifyingEntity = oncePerPrompt((prompt): Entity | undefined =>
  prompt.entities.find(({ kind, start }) => {
    if (kind !== "quoted" && kind !== "name" && kind !== "email") return false;
    return !/\b(?:to|as|into|=|:|by|with(?: the)? \w+)\s*["“'‘`]?$/i.test(textBefore(prompt, start));
  }),
);

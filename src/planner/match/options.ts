// Slots that take one of a few values: options named by the schema, and switches that are on or off.
// A word of the prompt decides, in any of its forms: "close" means "closed", "incomplete" means that complete is off.

import { ownName, type Tool } from "../../domain/tool.js";
import type { JsonValue } from "../../lib/json.js";
import { singularOf } from "../../lib/plural.js";
import { intentsOf } from "../../tools/search/synonyms.js";
import { stem, terms, words } from "../../tools/search/terms.js";
import { type Entity, isInside } from "../prompt/entities.js";
import { keyNouns } from "../prompt/key-nouns.js";
import { isNegated } from "../prompt/negation.js";
import { oncePerPrompt, type PromptText, type Token, textBefore } from "../prompt/prompt.js";
import type { Request } from "../prompt/request.js";
import { resourceNoun } from "../resource-noun.js";
import { type Slot, slotsOf } from "../slots/slot.js";
import { datedVerbs } from "./dated-verbs.js";

const STATE = /^(?:state|status|stage|phase)$/i;
const SAME: readonly (readonly string[])[] = [
  ["complete", "done", "finished", "finish", "completed", "tick"],
  ["open", "reopen", "unresolved"],
  ["closed", "close", "resolved", "resolve"],
  ["enabled", "enable", "activate", "active"],
  ["disabled", "disable", "deactivate", "inactive"],
  ["cancelled", "canceled", "cancel"],
].map((group) => group.map(stem));
const NEGATION =
  /^(?:not|no|off|without|never|exclude|excluding|incomplete|uncompleted|unfinished|undone|disable|disabled|deactivate)$/;
/** How many words before a word its negation may be. */
const REACH = 3;

/** The terms that mean the same state, or to bring it about. */
export function formsOf(term: string): readonly string[] {
  return SAME.find((group) => group.includes(term)) ?? [term];
}

/** The options of a list that the prompt names, in its order. */
export function chooseOptions(slot: Slot, tool: Tool, prompt: PromptText): JsonValue[] {
  const single = (option: JsonValue): boolean =>
    chooseOption({ ...slot, options: [option] }, tool, prompt) !== undefined;
  const position = (option: JsonValue): number => {
    const first = stem(words(String(option))[0] ?? "");
    return prompt.tokens.findIndex(({ term }) => term === first);
  };
  return slot.options.filter(single).sort((a, b) => position(a) - position(b));
}

/** The words that may choose an option: not those of a text that is an entity itself, as in "rename it to Green Tea". */
const outsideTexts = oncePerPrompt((prompt) => tokensOutside(prompt, [...WHOLE, "quoted"]));
const outsideNames = oncePerPrompt((prompt) => tokensOutside(prompt, [...WHOLE, "quoted", "name"]));

/** What is one value however many words are in it: "de" in hans@post.de is no language. */
const WHOLE: readonly Entity["kind"][] = ["email", "url", "path", "id", "date"];

const isTextOf =
  (kinds: readonly Entity["kind"][]) =>
  ({ kind, text }: Entity): boolean =>
    kinds.includes(kind) && (WHOLE.includes(kind) ? /[^\p{L}\p{N}]/u : /\s/).test(text);

function tokensOutside(prompt: PromptText, kinds: readonly Entity["kind"][]): Token[] {
  const texts = prompt.entities.filter(isTextOf(kinds));
  // "not high" is no priority, and what is "to be delivered" is not delivered yet.
  const isOpen = ({ start }: Token): boolean => /\bto be\s+$/i.test(textBefore(prompt, start));
  return prompt.tokens.filter(
    (token) => !isInside(token.start, texts) && !isNegated(token.start, prompt) && !isOpen(token),
  );
}

/** The entities within the words that name a value of several words: "500" in "fibre 500". */
export function entitiesIn(option: JsonValue, { tokens, entities }: PromptText): Entity[] {
  const parts = words(String(option));
  const at = parts.length > 1 ? tokens.findIndex((_, i) => parts.every((part, j) => tokens[i + j]?.word === part)) : -1;
  const [first, last] = [tokens[at], tokens[at + parts.length - 1]];
  return first && last ? entities.filter(({ start, end }) => start >= first.start && end <= last.end) : [];
}

/**
 * The words that are the whole name of another field, of two words or more, also in the plural: the "approved" of `plan_approved` is
 * no status.
 */
function labelsOfOthers(slot: Slot, tool: Tool, { tokens }: PromptText): Set<Token> {
  const names = slotsOf(tool)
    .filter((one) => one !== slot && one.name !== slot.name)
    .map(({ name }) => words(name))
    .filter((parts) => parts.length > 1);
  const found = names.flatMap((parts) =>
    tokens.flatMap((_, at) => {
      const run = tokens.slice(at, at + parts.length);
      return parts.every((part, i) => [run[i]?.word, singularOf(run[i]?.word ?? "")].includes(part)) ? run : [];
    }),
  );
  return new Set(found);
}

/** Behind these a noun is what has not been done yet: "waiting for approval" is not approved. */
const AWAITING =
  /\b(?:for|without|await\w*|pending|needs?|needing|requir(?:es?|ing)|wants?|lack(?:s|ing)?)\s+(?:an?\s+|the\s+|its\s+|their\s+|your\s+|our\s+)?$/i;

/** Whether a word is the noun of a deed that is waited for, and no participle that says that it was done. */
const isAwaited = ({ word, start }: Token, prompt: PromptText): boolean =>
  /(?:al|ment|ion|ance|ence|ure)s?$/.test(word) && AWAITING.test(textBefore(prompt, start));

/** The option the prompt names, if it names exactly one. Verbs count only for the state of something that is changed. */
export function chooseOption(slot: Slot, tool: Tool, prompt: PromptText): JsonValue | undefined {
  const outside = tool.safety === "read_only" ? outsideTexts(prompt) : outsideNames(prompt);
  const ownWords = new Set(words(ownName(tool)));
  const own = new Set([...ownWords].map(stem));
  const noun = resourceNoun(tool);
  const dated = datedVerbs(slot, tool, prompt);
  // A subscriber is not "subscribed" by being called so.
  const labelled = labelsOfOthers(slot, tool, prompt);
  const isFree = (token: Token): boolean => tool.safety === "read_only" || !labelled.has(token);
  const every = outside.filter((token) => singularOf(token.word) !== noun && !dated.has(token) && isFree(token));
  // The noun of a key is no option by itself: "dsl" in "dsl 50" is a part of one.
  const unkeyed = every.filter((token) => !keyNouns(prompt).has(token));
  const free = unkeyed.map(({ word }) => word);
  // The "air" of `air_date` is another form of "aired", and a form of nothing where the field is named.
  const inOtherForms = unkeyed.filter((token) => !isAwaited(token, prompt) && !labelled.has(token));
  const saidTerms = new Set(inOtherForms.map(({ term }) => term));
  const changes = tool.safety !== "read_only" && STATE.test(slot.name);
  const hits = slot.options.filter((option) => {
    const parts = words(String(option));
    if (parts.length === 0) return false;
    // The "no" of "no shows" denies nothing where that is what an option is called.
    const isCalled = (i: number): boolean =>
      parts.every((part, j) => {
        const word = prompt.tokens[i + j]?.word ?? "";
        return word === part || singularOf(word) === part;
      });
    if (parts.length > 1 && NEGATION.test(parts[0] ?? "") && prompt.tokens.some((_, i) => isCalled(i))) return true;
    const from = parts.length > 1 ? every.map(({ word }) => word) : free;
    const exact = from.some((_, i) => parts.every((part, j) => from[i + j] === part));
    const isOwn = (part: string): boolean => (tool.safety === "read_only" ? own.has(stem(part)) : ownWords.has(part));
    if (exact) return !parts.every(isOwn) || slot.required;
    if (parts.length > 1) return false;
    const term = stem(parts[0] ?? "");
    if (changes) return formsOf(term).some((form) => saidTerms.has(form));
    const [word = ""] = parts;
    // The stem of a short word is that of others, too; its plural is not.
    const isSaid = word.length > 3 ? saidTerms.has(term) : free.some((one) => one !== word && singularOf(one) === word);
    return isSaid && !own.has(term);
  });
  // "a new show of the category business" says "business", and no "news".
  const exact = hits.filter((option) => {
    const parts = words(String(option));
    return every.some((_, i) =>
      parts.every((part, j) => {
        const word = every[i + j]?.word ?? "";
        return word === part || singularOf(word) === part;
      }),
    );
  });
  const said = exact.length > 0 ? exact : hits;
  const longest = said.sort((a, b) => String(b).length - String(a).length)[0];
  const rivals = said.filter((hit) => !String(longest).toLowerCase().includes(String(hit).toLowerCase()));
  return rivals.length === 0 ? longest : undefined;
}

/** On or off, when the prompt mentions the switch; undefined when it does not. */
export function readSwitch(slot: Slot, tool: Tool, prompt: PromptText): boolean | undefined {
  const own = new Set(terms(ownName(tool)));
  const label = slot.label.filter((term) => !/^(?:is|ha|should|includ|enabl|allow|show|with|get|can)$/.test(term));
  const [first, second] = slot.label;
  if (first === "in" && second !== undefined) return readInside(second, prompt);
  if (ONLY.test(slot.name)) return readOnly(slot, prompt);
  const asked = label.length > 0 ? label : slot.label;
  if (asked.every((term) => own.has(term)) && tool.safety === "read_only") return undefined;
  // "called off" is what the switch says, and no negation of it.
  const isDenial = (word: string): boolean => NEGATION.test(word) && !asked.includes(stem(word));
  let off = false;
  const texts = prompt.entities.filter(isTextOf([...WHOLE, "quoted", "name"]));
  for (const term of asked) {
    const at = prompt.tokens.findIndex(
      (token) =>
        !isInside(token.start, texts) &&
        formsOf(term).some((form) => token.term === form || unprefixed(token.word) === form),
    );
    const token = prompt.tokens[at];
    if (!token) return undefined;
    // "unarchive" is the opposite of what the switch is called.
    if (!formsOf(term).includes(token.term)) off = true;
    const before = prompt.tokens.slice(Math.max(0, at - REACH), at + 1);
    if (isNegated(token.start, prompt) || before.some(({ word }) => isDenial(word) || /n['’]t$/.test(word))) off = true;
    const { end } = lastOfName(slot, at, prompt) ?? token;
    const turned = TURNED_OFF.exec(prompt.text.slice(end))?.[1];
    if (turned !== undefined && !asked.includes(stem(turned.toLowerCase()))) off = true;
  }
  return !off;
}

/** The last word of the name of a slot that is said from a position on. */
function lastOfName({ label }: Slot, at: number, { tokens }: PromptText): Token | undefined {
  const further = label.slice(label.indexOf(tokens[at]?.term ?? "") + 1);
  const other = further.findIndex((term, i) => tokens[at + 1 + i]?.term !== term);
  return tokens[at + (other < 0 ? further.length : other)];
}

/** A switch that leaves out all others where it is on, and nothing where it is off: `open_only`. */
const ONLY = /^only[_A-Z]|(?:_o|O)nly$/;

/** On where records of such a state are asked for; never off, which would not mean the others. */
function readOnly({ name }: Slot, prompt: PromptText): true | undefined {
  const states = words(name).filter((word) => word !== "only");
  const isSaid = (state: string): boolean =>
    prompt.tokens.some(({ word, start }) => word === state && !isNegated(start, prompt));
  return states.length > 0 && states.every(isSaid) ? true : undefined;
}

/** "false", "= off", "of list 1 to no" behind the name of a switch. */
const TURNED_OFF =
  /^(?:\s+(?:of|for|on|in)\s+[^\s,;][^,;]{0,59}?\s+(?:to|as)|\s*[:=]|\s+(?:to|is|as))?\s*(false|off|no|disabled|inactive)\b/i;

/** A switch such as `in_stock`: "in stock", "out of stock", "not in use". */
function readInside(what: string, prompt: PromptText): boolean | undefined {
  for (const [i, { term, end }] of prompt.tokens.entries()) {
    if (term !== what) continue;
    if (TURNED_OFF.test(prompt.text.slice(end))) return false;
    const before = prompt.tokens.slice(Math.max(0, i - REACH), i).map(({ word }) => word);
    if (/\b(?:out of|no|without|not in|no longer in|n['’]t in)$/.test(before.join(" "))) return false;
    if (before.at(-1) === "in") return true;
  }
  return undefined;
}

function unprefixed(word: string): string {
  const prefix = /^(?:in|un|de(?=activat))/;
  return prefix.test(word) ? stem(word.replace(prefix, "")) : word;
}

/** Whether the prompt's command is the value of this slot: "close" for a state, "complete" for `isComplete`. */
export function isStateCommanded(slot: Slot, request: Request): boolean {
  // "sold animal 7" is a statement: only a state such as "archived" is made of a command, or a verb itself.
  const named = (slot.type === "boolean" ? [slot.name] : slot.options).map((one) => words(String(one)));
  // "fibre" commands no plan called FIBRE_500.
  const states = named.flatMap((parts) => (slot.type === "boolean" || parts.length === 1 ? parts : []));
  const targets = states.filter((word) => stem(word) !== word || intentsOf(word).size > 0).map(stem);
  return request.commands.some(({ term }) =>
    targets.some((target) => formsOf(target).includes(term) || target === term),
  );
}

/** Whether a word of the prompt may have chosen the value of a slot: "done" for completed, "reopen" for open, "unarchive" for archived. */
export function isValueOf({ word, term }: Token, { type, options, label }: Slot): boolean {
  const targets = (type === "boolean" ? label : options.flatMap((option) => words(String(option)))).map(stem);
  return targets.some((target) =>
    [term, unprefixed(word)].some((said) => said === target || formsOf(target).includes(said)),
  );
}

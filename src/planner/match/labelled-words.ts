// Plain words beside the name of a slot: "label bug", "status: paid", "tags: a, b and c". They are no entities by themselves.

import { ownName, type Tool } from "../../domain/tool.js";
import { intentsOf } from "../../tools/search/synonyms.js";
import { isStopWord, stem, terms, words } from "../../tools/search/terms.js";
import type { Entity } from "../prompt/entities.js";
import type { PromptText, Token } from "../prompt/prompt.js";
import { type Slot, slotsOf } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";
import { type Assignment, FORMS } from "./assignment.js";
import { isPartlyNamed } from "./key-evidence.js";

/** Names of slots that are ordinary words of a sentence, too. */
const ORDINARY = /^(?:id|name|value|text|type|key|data|body|content|title)$/;

/** Whether a word says how or when something is done: "delete the account permanently" names no account. */
export function isNoValue(word: string): boolean {
  return /(?:ly|ing)$/.test(word) || ADVERBS.has(word);
}
const ADVERBS = new Set(
  "now today tonight tomorrow again too forever altogether anyway soon asap first last next instead away once twice record".split(
    " ",
  ),
);

/** Nouns that say of which kind a field is: "phone number", "email address". */
const HEAD =
  /^(?:numbers?|nr|no|address|names?|dates?|times?|codes?|ids?|value|field|text|details?|info|information|limit|level|status|state|amount|line)$/;
const CHANGES = /^\s*(?:please\s+)?(?:change|update|edit|modify|correct|adjust|fix)\b/i;
const DETERMINER = /(?:\b(?:the|its|their|his|her|my|our|your)|['’]s?)\s+$/i;

/** Whether the word at `at`, behind the name of a field, belongs to that name: "the phone number of", "change the contact person". */
export function isOfName(at: number, { tokens, text }: PromptText): boolean {
  const [label, word, after] = tokens.slice(at - 1, at + 2);
  if (!label || !word) return false;
  if (HEAD.test(word.word)) return true;
  return (after?.word === "of" || CHANGES.test(text)) && DETERMINER.test(text.slice(0, label.start));
}

interface Word {
  text: string;
  start: number;
  end: number;
}

/** Whether the word at `at` ends its clause and is no word of the tool's own texts: "label bug to issue 12". */
function isDirect(at: number, slot: Slot, { tool, prompt }: { tool: Tool; prompt: PromptText }): boolean {
  const word = prompt.tokens[at];
  const after = prompt.tokens[at + 1];
  if (!word || tool.safety === "read_only" || isStopWord(word.word) || intentsOf(word.term).size > 0) return false;
  if (isOfName(at, prompt)) return false;
  if (terms(`${slot.description} ${tool.description}`).includes(word.term) || isNoValue(word.word)) return false;
  if (after === undefined || /[.,;]/.test(prompt.text.slice(word.end, after.start))) return true;
  if (!BEHIND_VALUE.test(after.word)) return false;
  // "best of the best" goes on; "bug to issue 12" does not.
  const next = prompt.tokens.slice(at + 2).find((token) => !/^(?:the|my|our|a|an)$/.test(token.word));
  if (next === undefined) return false;
  const own = new Set([...terms(tool.resource), ...terms(tool.transport.path ?? ""), ...terms(ownName(tool))]);
  return (
    after.word === "and" ||
    own.has(next.term) ||
    slotsOf(tool).some(({ label }) => label.includes(next.term)) ||
    prompt.entities.some(({ start, end }) => next.start >= start && next.start < end)
  );
}

/** Words that go on with something else behind a value. */
const BEHIND_VALUE = /^(?:to|for|on|in|of|from|with|and|by|until|at|as)$/;

/** The whole word or quoted text that begins at `at`: "sci-fi" is one. */
function wordAt(at: number, prompt: PromptText): Word {
  const quoted = prompt.entities.find(({ kind, start, end }) => kind === "quoted" && start <= at && at < end);
  if (quoted) return quoted;
  const text = (/^[^\s,;"“”]+/.exec(prompt.text.slice(at))?.[0] ?? "").replace(/[.!?:)]+$/, "");
  return { text, start: at, end: at + text.length };
}

/** The items of a list of plain words: "a and b", "a, b and c"; it ends where another parameter is named. */
function itemsFrom(at: number, prompt: PromptText, others: ReadonlySet<string>): Word[] {
  const items = [wordAt(at, prompt)];
  for (;;) {
    const { end = at } = items.at(-1) ?? {};
    const gap = /^["”]?\s*(?:,\s*(?:and\s+|or\s+)?|(?:and|or|&)\s+)["“]?/i.exec(prompt.text.slice(end))?.[0];
    const next = gap === undefined ? undefined : prompt.tokens.find(({ start }) => start === end + gap.length);
    if (!next || others.has(next.term) || isStopWord(next.word) || intentsOf(next.term).size > 0) return items;
    items.push(wordAt(next.start, prompt));
  }
}

/** What the words behind one mention of a slot's name make of them. */
interface Mention {
  tool: Tool;
  prompt: PromptText;
  /** Position of the word among the prompt's tokens. */
  at: number;
  /** Terms of the tool's name and path. */
  own: ReadonlySet<string>;
  /** Terms that other slots are called by. */
  others: ReadonlySet<string>;
}

function assignmentBehind(
  label: Token,
  slot: Slot,
  { tool, prompt, at, own, others }: Mention,
): Assignment | undefined {
  const next = prompt.tokens[at + 1];
  if (!next) return undefined;
  const key = prompt.entities.find(({ start }) => start === next.start);
  if (key && !slot.required && tool.safety !== "read_only" && isPartlyNamed(slot, key, prompt)) return undefined;
  const gap = prompt.text.slice(label.end, next.start);
  const signed = /^\s*[:=]\s*$/.test(gap);
  const direct = gap === " " && isDirect(at + 1, slot, { tool, prompt }) && !own.has(next.term);
  if (!signed && !(direct && !ORDINARY.test(label.word))) return undefined;
  // Behind a sign a change takes the whole text or none.
  if (signed && slot.type !== "array" && tool.safety !== "read_only") return undefined;
  const items = slot.type === "array" ? itemsFrom(next.start, prompt, others) : [wordAt(next.start, prompt)];
  const [first] = items;
  const last = items.at(-1);
  if (!first || !last) return undefined;
  const { start } = first;
  const { end } = last;
  const value = items.length === 1 ? first.text : items.map((item) => item.text);
  if (toSlotValue(slot, value) === undefined) return undefined;
  const kind = items.length === 1 ? "quoted" : "list";
  const { weight } = signed || items.length > 1 ? FORMS.signedWord : FORMS.directWord;
  const entity: Entity = { kind, value, text: prompt.text.slice(start, end), start, end };
  return { slot, entity, score: weight };
}

/**
 * The plain words beside the names of slots that take texts. Without a sign in between only where something is created or
 * changed: in a question the next word is rarely a value.
 */
export function labelledWords(slots: readonly Slot[], tool: Tool, prompt: PromptText): Assignment[] {
  const own = new Set([...words(ownName(tool)), ...words(tool.transport.path ?? "")].map(stem));
  return slots.flatMap((slot) => {
    const type = slot.type === "array" ? slot.items : slot.type;
    const label = slot.label.at(-1);
    if (type !== "string" || slot.options.length > 0 || label === undefined) return [];
    // "at 9am" names no moment.
    if (slot.format.startsWith("date") && tool.safety !== "read_only") return [];
    const others = new Set(slots.flatMap((other) => (other === slot ? [] : other.label)));
    return prompt.tokens.flatMap((token, at) =>
      token.term === label ? (assignmentBehind(token, slot, { tool, prompt, at, own, others }) ?? []) : [],
    );
  });
}

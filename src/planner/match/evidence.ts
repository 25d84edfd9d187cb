// How well a value found in a prompt fits a slot: the words beside it, the preposition before it, its kind and the slot's.
// Returns a score; above 0.5 the prompt as good as says it.

import type { Tool } from "../../domain/tool.js";
import { spelledOut } from "../../tools/search/synonyms.js";
import { stem, words } from "../../tools/search/terms.js";
import type { Entity } from "../prompt/entities.js";
import { CONNECTORS, isKeyOfNoun, isMeasure, nounBefore } from "../prompt/key-nouns.js";
import { oncePerPrompt, type PromptText, type Token, textBefore } from "../prompt/prompt.js";
import { KEY_NAME, type Slot } from "../slots/slot.js";
import { traitsOf } from "../slots/traits.js";

const NAMING = new Set(["named", "called", "titled", "entitled", "name", "rename", "retitle"].map(stem));
const GENERIC = new Set(["id", "ids", "name", "number", "value", "text", "type", "key", "code", "slug"].map(stem));

const BOUND_WORD =
  /\b(?:min|minimum|max|maximum|under|below|over|above|less|more|most|least|than|between|from|to|up|and|cheaper|limit)\b/;
const LIMITING = /^(?:top|first|last|next|latest|newest|list|show|get|find|me|only|fetch|give)$/;
const PLACE_BEFORE = /^(?:in|at|near|around|to|from|for|of|visiting|within)$/;
const DATE_LIKE = /date|day|time|when|since|until|deadline|due|\bat$/i;
const URL_LIKE = /url|uri|link|website|href|site/i;
const MONEY =
  /price|cost|amount|principal|budget|salary|income|value|investment|payment|balance|payout|fee|total|loan|deposit/i;
/** In words: "generate" ends in no rate. */
const RATE = /\b(?:rate|percent|ratio|probability|share|yield|margin|growth|discount)/;
const ID_LIKE = /(?:^|_|[a-z])(?:id|ids|number|no|num|code|key|sku|uuid|slug|zip\w*|ticker|symbol|iata)$/i;

/** Whether a value is a name in plain words, which is looked up: only capitals may be a key. */
const isPlainWords = ({ kind, text }: Entity): boolean =>
  kind === "email" || /\s/.test(text) || (kind === "name" && /\p{Ll}/u.test(text));

/** Whether a value can't be the key that this slot of a tool's path wants: a measure, a year, what something is set to. */
export function cannotBeKey(slot: Slot, tool: Tool, value: Entity, prompt: PromptText): boolean {
  if (isMeasure(value, prompt)) return true;
  const looksUp = tool.safety !== "read_only" || tool.transport.path !== undefined;
  if (looksUp && KEY_NAME.test(slot.name) && isPlainWords(value)) return true;
  if (value.kind !== "number" || /year/i.test(slot.name)) return false;
  if (Number(value.value) < 0) return true;
  // The number of "25OFF" is only a part of the key.
  if (/^\p{L}/u.test(prompt.text.slice(value.end))) return true;
  const before = textBefore(prompt, value.start);
  const year = Number(value.value) >= 1900 && Number(value.value) <= 2100;
  if (year && /\b(?:in|from|since|during|of|year)\s+$/i.test(before)) return true;
  return tool.safety !== "read_only" && /\bto\s+$/i.test(before);
}

/** Whether a key is said to be of something that this slot is only partly called by: "section 9" is no assignee's section. */
export function isPartlyNamed({ label }: Slot, value: Entity, prompt: PromptText): boolean {
  const noun = isKeyOfNoun(value, prompt) ? nounBefore(value, prompt) : undefined;
  if (!noun || !label.includes(noun.term)) return false;
  return label.some((term) => !GENERIC.has(term) && !prompt.terms.has(term));
}

const neighbours = oncePerPrompt(() => new Map<Entity, { left: Token[]; right: Token[] }>());
/** The words a slot is called by: those of its name; for an id also the thing's. */
export function labelsOf(slot: Slot, owner: readonly string[]): Set<string> {
  const split = slot.label.flatMap((term) => term.match(/[^\d]+/g) ?? []);
  const own = new Set((split.length > 0 ? split : slot.label).flatMap((term) => [term, spelledOut(term) ?? term]));
  if (ID_LIKE.test(slot.name) && own.size === 1) for (const term of owner) own.add(term);
  // "called X" names the thing itself, not what stands in it.
  if (slot.enclosing.length > 0) for (const term of slot.enclosing) own.add(term);
  else if (/^(?:name|title|label|subject|summary)$/i.test(slot.name) || /_?(?:name|title)$/i.test(slot.name))
    for (const term of NAMING) own.add(term);
  return own;
}

function around(prompt: PromptText, value: Entity): { left: Token[]; right: Token[] } {
  const known = neighbours(prompt);
  let found = known.get(value);
  if (!found) known.set(value, (found = findAround(prompt, value)));
  return found;
}

function findAround(prompt: PromptText, value: Entity): { left: Token[]; right: Token[] } {
  const others = prompt.entities.filter((other) => other !== value && other.kind !== "name");
  const inside = (token: Token): boolean => others.some((o) => token.start >= o.start && token.start < o.end);
  // "rename channel C1 to general": the word before a key in between is that key's.
  const taken = new Set(others.map((other) => nounBefore(other, prompt)));
  const left: Token[] = [];
  const before = prompt.tokens.filter((token) => token.end <= value.start);
  for (let i = before.length - 1; i >= 0 && left.length < 7; i--) {
    const token = before[i];
    if (!token) break;
    // "the price of product 2 to 49.5": what is set stands before the value in between.
    if (inside(token)) {
      if (left.length > 0 && /^(?:to|as|into)$/.test(left[0]?.word ?? "")) continue;
      break;
    }
    if (taken.has(token)) continue;
    const gap = prompt.text.slice(token.end, (before[i + 1] ?? value).start);
    if (/[.!?;,]\s/.test(gap)) break;
    left.push(token);
    // What stands before "and" belongs to the value before it.
    if (token.word === "and" || token.word === "or") break;
  }
  const right: Token[] = [];
  for (const token of prompt.tokens.filter((one) => one.start >= value.end)) {
    const gap = prompt.text.slice((right.at(-1) ?? value).end, token.start);
    if (right.length >= 3 || inside(token) || /[.!?;,]\s|\(/.test(gap)) break;
    right.push(token);
  }
  return { left, right };
}

function nearness(labels: ReadonlySet<string>, left: readonly Token[], right: readonly Token[]): number {
  let best = 0;
  const seen = new Set<string>();
  let distance = 0;
  for (const { term, word } of left) {
    if (labels.has(term)) {
      seen.add(term);
      best = Math.max(best, 1 - 0.17 * distance);
    }
    if (!CONNECTORS.has(word)) distance++;
    if (distance > 4) break;
  }
  right.forEach(({ term }, i) => {
    if (!labels.has(term)) return;
    seen.add(term);
    best = Math.max(best, 0.75 - 0.17 * i);
  });
  const specific = [...labels].filter((label) => !GENERIC.has(label) && !NAMING.has(label));
  const said = specific.filter((label) => seen.has(label) || seen.has(spelledOut(label) ?? label));
  const share = specific.length === 0 ? 1 : said.length / specific.length;
  return best * (0.65 + 0.35 * Math.min(1, share));
}

const isRate = (text: string): boolean => RATE.test(words(text).join(" "));

function kindScore(slot: Slot, value: Entity): number {
  const { name, description, format } = slot;
  const text = `${name} ${description}`;
  switch (value.day !== undefined && format.startsWith("date") ? "date" : value.kind) {
    case "email":
      return /mail/i.test(name) || format === "email" ? 0.9 : /mail/i.test(description) ? 0.6 : 0;
    case "url":
      return URL_LIKE.test(name) || format === "uri" || format === "url" ? 0.9 : URL_LIKE.test(description) ? 0.6 : 0.1;
    case "date":
      return DATE_LIKE.test(name) || format.startsWith("date") ? 0.6 : DATE_LIKE.test(description) ? 0.35 : -0.5;
    case "number":
      if (value.sign === "%") return isRate(name) ? 0.35 : isRate(description) ? 0.25 : -0.1;
      if (value.sign === "#") return ID_LIKE.test(name) ? 0.5 : 0;
      if (value.sign) return MONEY.test(text) ? 0.35 : -0.1;
      if (/year/i.test(name) && Number(value.value) >= 1800 && Number(value.value) <= 2200) return 0.5;
      return 0;
    case "time":
      return /time|hour|when|\bat$/i.test(name) ? 0.6 : /\btime\b/i.test(description) ? 0.3 : -0.5;
    case "id":
      return ID_LIKE.test(name) ? 0.4 : 0;
    case "quoted":
      return slot.type === "string" ? 0.15 : 0;
    case "path":
    case "list":
    case "name":
      return 0;
  }
}

/** What a prompt calls a slot by. */
interface SlotWords {
  labels: ReadonlySet<string>;
  /** Terms of the prompt that the slot's description has and those of its neighbours have not. */
  hints: ReadonlySet<string>;
}

/** The words of a prompt that this slot's description has, and not those of the tool's `others`. */
export function hintsOf(slot: Slot, others: readonly Slot[], prompt: PromptText): Set<string> {
  if (slot.description === "") return new Set();
  const shared = new Set(others.flatMap(({ description }) => words(description)));
  return new Set(
    prompt.tokens
      .filter(({ word }) => word.length > 3 && !shared.has(word) && mentions(slot, word))
      .map(({ term }) => term),
  );
}

/** How far the prompt says that this value goes into this slot. Negative when it speaks against it. */
export function scoreEvidence(slot: Slot, value: Entity, prompt: PromptText, { labels, hints }: SlotWords): number {
  const { left, right } = around(prompt, value);
  if (KEY_NAME.test(slot.name) && (value.kind === "email" || isMeasure(value, prompt))) return 0;
  let score = nearness(labels, left, isKeyOfOther(slot, value, prompt, labels) ? [] : right);
  if (value.kind === "number" && /^\p{L}/u.test(value.text)) score *= 0.7;
  if (slot.enclosing.length > 0) {
    const said = new Set(left.map(({ term }) => term));
    if (slot.enclosing.every((term) => said.has(term))) score += 0.15;
    // What may be left out takes only what is said of it: "parent title Bar", "by Ann" for the author's name.
    else if (!slot.required && !(slot.enclosing.length === 1 && /name$/i.test(slot.name) && left[0]?.word === "by"))
      return 0;
  }
  if (score < 0.4) {
    const unit = right[0] !== undefined && hints.has(right[0].term) && !CONNECTORS.has(right[0].word);
    score = Math.max(score, unit ? 0.55 : 0.4 * nearness(hints, left.slice(0, 3), right.slice(0, 2)));
  }
  const before = left[0]?.word ?? "";
  const about = traitsOf(slot);
  for (const { before: pattern, gain } of about.prepositions) if (pattern.test(before)) score += gain;
  if (
    value.through !== undefined &&
    about.starts &&
    (value.kind === "date" || slot.format.startsWith("date")) &&
    /^(?:in|during|of|for)$/.test(before)
  )
    score += 0.45;
  if (about.place > 0 && value.kind === "name" && PLACE_BEFORE.test(before)) score += about.place;
  if (value.kind === "number" && about.plainText) score -= 0.4;
  if (about.bound && !BOUND_WORD.test(left.map(({ word }) => word).join(" "))) score -= 0.6;
  if (value.kind === "number" && about.limit && LIMITING.test(before)) score = Math.max(score, 0.7);
  return score + kindScore(slot, value);
}

/** Whether a number is the key of another thing: in "order 5's customer" it is the order's, whatever follows. */
export function isKeyOfOther(slot: Slot, value: Entity, prompt: PromptText, labels: ReadonlySet<string>): boolean {
  const before = nounBefore(value, prompt);
  return before !== undefined && ID_LIKE.test(slot.name) && !labels.has(before.term);
}

function mentions(slot: Slot, word: string): boolean {
  // The search for the word is cheap and nearly always the end of it.
  return slot.description.toLowerCase().includes(word) && new RegExp(`\\b${word}`, "i").test(slot.description);
}

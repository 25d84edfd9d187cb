// Free text behind the name of a field in a change: "title: New title", "with subject Hello World and body Big news", "set the room
// of course 2 to LAB 3", "rename list 1 to Digest". It is taken whole, from where it begins to where it certainly ends, or not at
// all: a text that is cut is a wrong one.

import type { Tool } from "../../domain/tool.js";
import { singularOf } from "../../lib/plural.js";
import { spelledOut } from "../../tools/search/synonyms.js";
import { isStopWord, stem, words } from "../../tools/search/terms.js";
import { type Entity, isInside, overlaps } from "../prompt/entities.js";
import { oncePerPrompt, type PromptText, type Token } from "../prompt/prompt.js";
import { resourceNoun } from "../resource-noun.js";
import { KEY_NAME, pathNames, type Slot } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";
import { traitsOf } from "../slots/traits.js";
import { clauseTexts } from "./clause-text.js";
import { isNoValue, isOfName } from "./labelled-words.js";
import { wholeText } from "./whole-text.js";

/** A text that a prompt gives to a slot. */
interface GivenText {
  slot: Slot;
  entity: Entity;
  /** Where all of it begins: "and title: Foo". */
  from: number;
}

/** A place where a prompt names a slot. */
interface Label {
  slot: Slot;
  start: number;
  end: number;
  /** How its value follows: behind a sign, behind "to", or directly. */
  form: "sign" | "to" | "direct" | "none";
  /** Where its value begins. */
  at: number;
}

const SIGN = /^\s*[:=]\s*/;
/** "of issue 5 to", "for list 2 as", "to". */
const TO = /^(?:['’]s?)?(?:\s+(?:of|for|on|in)\s+[^\s,;:][^,;:]{0,59}?)?\s+(?:to|as)\s+(?=\S)/i;
const SETS =
  /^\s*(?:please\s+|now\s+|can you\s+|could you\s+)*(?:set|change|update|edit|modify|make|correct|fix|adjust|rename|retitle)\b/i;
const RENAMES = /^\s*(?:please\s+)?(?:rename|retitle)\s[^,;:"“]*?\sto\s+(?=\S)/i;
/** What a new name is put into, the likeliest first. */
const NAMES = [/^(?:full_?|display_?)?(?:name|title)$/i, /^(?:label|subject|summary|headline|text)$/i];
/** Words that join a field to what stands before it. */
const JOINS = /^(?:with|and|having|plus|where)$/;
const DETERMINER = /^(?:the|a|an|its|new|their|his|her|my)$/;
/** Behind such a word a name of a field has no value of its own. */
const NO_VALUE = /^(?:of|for|in|on|at|from|to|by|is|are|was|were|and|or|as|that|which|who|it|with|about|field|fields)$/;
const BOOLEAN = /^\s*(?:true|false|yes|no|on|off)\b/i;

/** Words that stand for a text, or for none. */
const NO_TEXT = /^(?:it|that|this|them|me|the|a|an|what|something|null|none|nothing|empty|blank|undefined)$/;

/** Whether a slot takes free text, and is no key. */
const takesText = ({ type, options, format, name }: Slot, keys: ReadonlySet<string>): boolean =>
  type === "string" &&
  options.length === 0 &&
  !/^(?:date|time|binary)/.test(format) &&
  !keys.has(name) &&
  !KEY_NAME.test(name);

/** What is one value, so that no word in it names a field. */
const values = oncePerPrompt(({ entities }) => entities.filter(({ kind }) => kind !== "name" && kind !== "number"));

/** The words a slot may be called by, in the singular: those of its name, a key also without "id". */
function calls(slot: Slot): (readonly string[])[] {
  const own = traitsOf(slot).called;
  const noun = own.filter((word) => word !== "id" && word !== "uuid");
  return [own, ...(KEY_NAME.test(slot.name) && noun.length > 0 ? [noun] : [])];
}

/** Whether a token is a word of a slot's name: "named" is no "name". */
const isCalledAt = (token: Token | undefined, name: string): boolean =>
  token !== undefined && (singularOf(token.word) === name || spelledOut(name) === stem(token.word));

/** Whether what stands before a name of a field leaves no doubt that it is one. */
function isJoined(at: number, { prompt, tool, behind }: { prompt: PromptText; tool: Tool; behind: boolean }): boolean {
  const { tokens, text, entities } = prompt;
  const label = tokens[at];
  let i = at - 1;
  while (DETERMINER.test(tokens[i]?.word ?? "")) i--;
  const before = tokens[i];
  if (!label || !before) return false;
  if (/[,;:(]/.test(text.slice(before.end, label.start)) || JOINS.test(before.word)) return true;
  if (i < at - 1) return false;
  const noun = resourceNoun(tool);
  // "update project web name Portal": the word behind the noun is the record's own.
  return behind || before.word === noun || tokens[i - 1]?.word === noun || isInside(before.start, entities);
}

/** The form a value has behind the name of a field; "none" where there is none. */
function formOf(end: number, next: Token | undefined, prompt: PromptText): Pick<Label, "form" | "at"> {
  const { text, tokens } = prompt;
  const rest = text.slice(end);
  const sign = SIGN.exec(rest);
  if (sign) return { form: "sign", at: end + sign[0].length };
  const to = SETS.test(text) ? TO.exec(rest) : /^\s+as\s+(?=\S)/i.exec(rest);
  if (to) return { form: "to", at: end + to[0].length };
  const isDirect =
    next !== undefined &&
    /^\s+["“'‘]?$/.test(text.slice(end, next.start)) &&
    !NO_VALUE.test(next.word) &&
    !isOfName(tokens.indexOf(next), prompt);
  return isDirect ? { form: "direct", at: end + (/^\s+/.exec(rest)?.[0].length ?? 0) } : { form: "none", at: end };
}

/** Whether a value of the slot's own kind follows, so that a text before it ends there; a text may be anything. */
function isFollowed(label: Label, prompt: PromptText): boolean {
  const { slot, form, at, end } = label;
  const { text, entities } = prompt;
  if (form === "sign") return true;
  const rest = text.slice(at);
  const isNumber = slot.type === "number" || slot.type === "integer";
  if (isNumber && beginOf(label, prompt) < label.start) return true;
  if (slot.type === "boolean") return BOOLEAN.test(rest) || /^\s*(?:$|[,;.]|and\b)/i.test(text.slice(end));
  if (form === "none") return false;
  if (slot.options.length > 0)
    return slot.options.some((option) => rest.toLowerCase().startsWith(String(option).toLowerCase()));
  if (slot.type === "string" && !/^(?:date|time)/.test(slot.format) && !KEY_NAME.test(slot.name)) return true;
  if (slot.type === "array") return true;
  return entities.some(({ kind, start }) => start === at && kind !== "name");
}

/** The names of fields in a prompt, in order; of two at one place the longer one. */
function labelsIn(slots: readonly Slot[], tool: Tool, prompt: PromptText): Label[] {
  const { tokens } = prompt;
  const found: Label[] = [];
  const called = slots.flatMap((slot) => calls(slot).map((names) => ({ slot, names })));
  tokens.forEach((token, at) => {
    if (isInside(token.start, values(prompt)) || found.some(({ end }) => end > token.start)) return;
    const named = called
      .filter(({ names }) => names.every((name, j) => isCalledAt(tokens[at + j], name)))
      .map(({ slot, names }) => ({ slot, length: names.length }));
    const [best] = named.sort((a, b) => b.length - a.length);
    const last = best && tokens[at + best.length - 1];
    if (!best || !last) return;
    const { form, at: value } = formOf(last.end, tokens[at + best.length], prompt);
    // "to" and "from" are words of any sentence.
    if (form !== "sign" && best.length === 1 && isStopWord(token.word)) return;
    const label: Label = { slot: best.slot, start: token.start, end: last.end, form, at: value };
    const isCertain = form === "sign" || (form === "to" && SETS.test(prompt.text));
    const joined = isCertain || isJoined(at, { prompt, tool, behind: found.length > 0 });
    if (joined && isFollowed(label, prompt)) found.push(label);
  });
  return found;
}

/** "3 credits": where the value begins that stands before the name of its field. */
function beginOf(label: Label, { entities, text }: PromptText): number {
  const number = entities.find(({ kind, end }) => kind === "number" && /^\s+$/.test(text.slice(end, label.start)));
  return number?.start ?? label.start;
}

/** The new name behind "rename … to". */
function renamed(slots: readonly Slot[], prompt: PromptText): Label | undefined {
  const match = RENAMES.exec(prompt.text);
  const near = slots.filter(
    ({ type, path, enclosing }) => type === "string" && enclosing.length <= 1 && path.length <= 2,
  );
  const named =
    NAMES.map((pattern) => near.filter(({ name }) => pattern.test(name))).find(({ length }) => length > 0) ?? [];
  const [slot] = named;
  if (!match || !slot || named.length > 1) return undefined;
  return { slot, start: match[0].length, end: match[0].length, form: "to", at: match[0].length };
}

/** The quoted name of a new record: behind its noun, or behind a word that says it is a name. */
function quotedName(slots: readonly Slot[], tool: Tool, { entities, text }: PromptText): GivenText[] {
  const slot = slots.find(
    ({ name, enclosing, required }) => required && enclosing.length === 0 && NAMES[0]?.test(name),
  );
  if (tool.verb !== "create" || !slot) return [];
  const noun = resourceNoun(tool).replace(/[^\w-]/g, "");
  const before = new RegExp(`\\b(?:${noun}|named|called|titled|entitled)\\s*:?\\s*["“'‘]?$`, "i");
  const named = entities.filter(({ kind, start }) => kind === "quoted" && before.test(text.slice(0, start)));
  const [entity] = named;
  if (!entity || named.length > 1 || toSlotValue(slot, entity.value) === undefined) return [];
  // Blanked with the name, the word that says it is one names nothing else.
  const word = /\b(?:named|called|titled|entitled)\s*:?\s*["“'‘]?$/i.exec(text.slice(0, entity.start))?.index;
  return [{ slot, entity, from: word ?? text.slice(0, entity.start).search(/["“'‘]?$/) }];
}

const RECEIVER = /^\s+to\s+(?:the\s+)?(?:(\p{L}+)\s+)?([\p{L}\p{N}][\p{L}\p{N}_.-]*?)[.!]?$/u;
const PERSON = /^(?:user|person|member|colleague)$/;

/** "assign issue 5 to bob": the word a prompt ends with, for the only text that a tool needs besides the key before it. */
function receiver(slots: readonly Slot[], tool: Tool, { entities, text }: PromptText): GivenText[] {
  const keys = pathNames(tool);
  const needed = slots.filter(({ required, name }) => required && !keys.has(name));
  const [slot] = needed;
  const key = entities.at(-1);
  if (tool.verb === "create" && !tool.transport.path?.includes("}/")) return [];
  if (needed.length !== 1 || slot?.type !== "string" || slot.options.length > 0 || slot.format !== "") return [];
  const [whole = "", noun, word = ""] =
    (key && /^(?:number|id)$/.test(key.kind) && RECEIVER.exec(text.slice(key.end))) || [];
  const isNamed = noun !== undefined && words(slot.name).includes(noun.toLowerCase());
  if (!(isNamed || (!KEY_NAME.test(slot.name) && (noun === undefined || PERSON.test(noun.toLowerCase()))))) return [];
  if (!key || word === "" || isStopWord(word.toLowerCase()) || isNoValue(word.toLowerCase())) return [];
  const end = key.end + whole.lastIndexOf(word) + word.length;
  // The word that says what it is belongs to it.
  const start = noun === undefined ? end - word.length : key.end + whole.indexOf(noun);
  return [{ slot, entity: { kind: "quoted", value: word, text: word, start, end }, from: key.end }];
}

const WITH_ARTICLE = /^the\s+(?=\p{Lu}[\p{L}'’-]*(?:\s(?:(?:of|and|for|the|&)\s)*\p{Lu}[\p{L}\p{N}'’.-]*)*$)/u;
/** Fields of texts that may begin with an article: "the Hobbit". */
const OWN_WORDS = /name|title|label|subject|summary|headline|text|note|comment|description|message|content|body/i;

/** A value without the article before what somebody, or a place, is called: "to the Maritime Museum". */
function withoutArticle(entity: Entity, { name }: Slot, { text: whole }: PromptText): Entity {
  // What is quoted is meant as it is.
  if (/["“'‘`«]/.test(whole.slice(Math.max(0, entity.start - 1), entity.start + 1))) return entity;
  const article =
    OWN_WORDS.test(name) || entity.value !== entity.text ? undefined : WITH_ARTICLE.exec(entity.text)?.[0];
  if (article === undefined) return entity;
  const text = entity.text.slice(article.length);
  return { ...entity, value: text, text, start: entity.start + article.length };
}

/** The texts that a change gives to fields by their names. */
export function givenTexts(slots: readonly Slot[], tool: Tool, prompt: PromptText): GivenText[] {
  if (tool.safety === "read_only") return [];
  const keys = pathNames(tool);
  const rename = renamed(slots, prompt);
  const labels = labelsIn(slots, tool, prompt).filter(({ start }) => rename === undefined || start > rename.at);
  const all = rename ? [rename, ...labels] : labels;
  const texts = all.flatMap((label, i): GivenText[] => {
    const { slot, form, at } = label;
    if (form === "none" || !takesText(slot, keys)) return [];
    if (all.some((other, j) => j < i && other.slot === slot)) return [];
    const next = all.slice(i + 1).find((one) => one.start >= at && (form !== "sign" || endsSigned(one, prompt)));
    const end = next ? beginOf(next, prompt) : prompt.text.length;
    const whole = wholeText({ start: at, end, form, last: next === undefined }, tool, prompt);
    const entity = whole && form === "to" ? withoutArticle(whole, slot, prompt) : whole;
    if (!entity || toSlotValue(slot, entity.value) === undefined) return [];
    if (form !== "sign" && NO_TEXT.test(entity.text)) return [];
    return [{ slot, entity, from: form === "to" ? prompt.text.slice(0, at).search(/\s(?:to|as)\s+$/i) : label.start }];
  });
  const named = quotedName(slots, tool, prompt);
  const clauses = clauseTexts(slots, tool, prompt).filter(
    ({ entity }) =>
      ![...all, ...named.map((one) => one.entity)].some(({ start }) => start >= entity.start && start < entity.end),
  );
  const quoted = [...named, ...receiver(slots, tool, prompt), ...clauses].filter(
    ({ slot, entity }) => !texts.some((one) => one.slot === slot || overlaps(one.entity, entity)),
  );
  return [...texts, ...quoted];
}

/** Whether a text behind a sign ends before another name of a field: one with a sign too, or behind a comma. */
function endsSigned({ start, form }: Label, { text }: PromptText): boolean {
  return form === "sign" || /[,;]\s*(?:and\s+)?(?:with\s+)?(?:the\s+)?$/.test(text.slice(0, start));
}

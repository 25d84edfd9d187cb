// Whether a change covers its prompt: entities, words and named parameters that the call would leave out. A change is made as
// the prompt words it or not at all.

import { ownName, type Tool } from "../../domain/tool.js";
import { intentsOf, spelledOut, synonymsOf } from "../../tools/search/synonyms.js";
import { isStopWord, stem, terms } from "../../tools/search/terms.js";
import type { Candidate } from "../match/candidates.js";
import {
  identifyingEntity,
  lookupPhrase,
  mainTextSlot,
  textAfterCommand,
  textAfterNoun,
  textBeforeNoun,
} from "../match/free-text.js";
import { isValueOf } from "../match/options.js";
import { intentOfTool } from "../match/tool-intent.js";
import { type Entity, isInside, overlaps } from "../prompt/entities.js";
import { contentTokens, type PromptText, type Token, textBefore } from "../prompt/prompt.js";
import { resourceNoun } from "../resource-noun.js";
import { pathNames, type Slot, slotsOf, textsIn } from "../slots/slot.js";
import { inUnitOf } from "../slots/slot-unit.js";

/** Capitals that may only begin a sentence. */
const BEGINS = /(?:^|[.!?:]\s+|\n\s*)["“'‘]?$/;
const NOW = /^(?:today|now)$/i;

const MORE = /^\s*(?:\p{L}+\s+)?(?:more|less|higher|lower|fewer|extra|additional)\b/iu;

/** The amount something is to change by: "raise the price by 5" and "5% more" do not give the new price. */
export function incrementIn(prompt: PromptText): Entity | undefined {
  return prompt.entities.find(
    ({ kind, start, end }) =>
      kind === "number" && (/\bby\s+$/i.test(textBefore(prompt, start)) || MORE.test(prompt.text.slice(end))),
  );
}

/** Whether one entity is named beside another: "5 and 6", "5, 6". */
function isJoined(one: Entity, other: Entity, prompt: PromptText): boolean {
  const [first, second] = one.start < other.start ? [one, other] : [other, one];
  return /^\s*(?:,|,?\s*(?:and|or|&))\s*$/i.test(prompt.text.slice(first.end, second.start));
}

/** The number whose unit of measurement a change would leave out: the parameter does not say that it is in that one. */
export function strayUnit({ filled }: Candidate): string | undefined {
  const texts = textsIn(filled.args);
  const slots = [...filled.filled];
  const stray = [...filled.used].find(
    ({ unit, value }) =>
      unit !== undefined &&
      typeof value === "number" &&
      !texts.some((text) => text.toLowerCase().includes(unit.text.toLowerCase())) &&
      !slots.some((slot) => inUnitOf(slot, value, unit.text) !== undefined),
  );
  return stray?.unit && `${stray.text} ${stray.unit.text}`;
}

/** Words of a prompt that a change may still take as a text or look a record up by; empty when it takes none. */
export function unassignedText({ tool, filled }: Candidate): string {
  const texts = [...filled.used].some(({ kind }) => kind === "quoted" || kind === "name");
  const takes = (intentOfTool(tool) === "create" && !texts && mainTextSlot(tool)) || filled.missing.length > 0;
  if (!takes) return "";
  const [only] = filled.missing;
  if (only && filled.missing.length === 1 && pathNames(tool).has(only.name))
    return lookupPhrase(only, tool, filled.rest) ?? "";
  const { rest } = filled;
  return textBeforeNoun(rest, tool) ?? textAfterNoun(rest, tool) ?? textAfterCommand(rest) ?? "";
}

/**
 * Entities that a change would silently leave out: "delete product 1 and product 2". Free text may hold numbers of its own, and
 * the entity that identifies the record is looked up.
 */
export function uncoveredEntities(candidate: Candidate, prompt: PromptText): Entity[] {
  const { tool, filled } = candidate;
  const looked = filled.missing.length > 0 ? identifyingEntity(filled.rest) : undefined;
  const free = unassignedText(candidate);
  const own = new Set([...terms(ownName(tool)), ...terms(tool.transport.path ?? ""), ...terms(tool.resource)]);
  const used = [...filled.used];
  return prompt.entities.filter((entity) => {
    const { kind, text, start } = entity;
    if ((looked && start === looked.start) || NOW.test(text)) return false;
    if (used.some((one) => overlaps(one, entity))) return false;
    // "$50 and $60": the second of two numbers is no part of a text behind the first.
    if (kind === "number" && used.some((one) => one.kind === "number" && isJoined(one, entity, prompt))) return true;
    const inFree = free.includes(text) && free !== text && /\p{L}/u.test(free);
    if (kind === "name")
      // A code such as "AT" is no stop word.
      return (
        !inFree &&
        !BEGINS.test(textBefore(prompt, start)) &&
        (terms(text).length === 0 || !terms(text).every((term) => own.has(term)))
      );
    return !(inFree && (kind === "number" || kind === "date" || kind === "time"));
  });
}

function isWithin({ start, end }: Token, { filled }: Candidate): boolean {
  return [...filled.used].some((value) => start >= value.start && end <= (value.unit?.end ?? value.end + 1));
}

/** The slots that the prompt names and that have no value: what it gives for them is invalid. */
export function invalidSlots(candidate: Candidate, prompt: PromptText): Slot[] {
  const { tool, filled } = candidate;
  const keys = pathNames(tool);
  const own = new Set([stem(resourceNoun(tool)), ...terms(ownName(tool)), ...terms(tool.resource)]);
  const free = prompt.tokens.filter((token) => !isWithin(token, candidate));
  const texts = textsIn(filled.args);
  return slotsOf(tool).filter((slot) => {
    if (filled.missing.includes(slot) && slot.options.length === 0) return false;
    if (filled.filled.has(slot) || keys.has(slot.name) || slot.enclosing.length > 0) return false;
    // "parent genre crime" means the parent's.
    if ([...filled.filled].some(({ name }) => name === slot.name)) return false;
    if (slot.label.length === 0 || slot.label.every((term) => own.has(term))) return false;
    // The name of a field within a text that was taken is part of the text.
    return free.some((token, i) => {
      if (!slot.label.every((term, j) => free[i + j]?.term === term)) return false;
      const last = free[i + slot.label.length - 1] ?? token;
      const name = prompt.text.slice(token.start, last.end).toLowerCase();
      return !texts.some((text) => text.includes(name)) && givesValue(slot, last, prompt);
    });
  });
}

/** Whether the prompt gives a value for a slot: right behind its name, or behind "to" at the end. */
function givesValue(slot: Slot, label: Token, prompt: PromptText): boolean {
  const after = prompt.tokens.filter(({ start }) => start >= label.end);
  const first = after.find(({ word }) => !/^(?:is|to|as|a|an|the|of|equals?|be)$/.test(word));
  if (!first) return false;
  const text = prompt.text.slice(label.end);
  return (
    /^\s*[:=]/.test(text) ||
    /\s(?:to|as)\s/.test(text) ||
    (slot.type !== "boolean" && !isStopWord(first.word) && intentsOf(first.term).size === 0)
  );
}

/** The text the prompt gives for a slot, for a sentence about it. */
export function textGivenFor(slot: Slot, prompt: PromptText): string | undefined {
  const at = prompt.tokens.findIndex((_, i) => slot.label.every((term, j) => prompt.tokens[i + j]?.term === term));
  const last = prompt.tokens[at + slot.label.length - 1];
  if (at < 0 || !last) return undefined;
  const text = prompt.text.slice(last.end);
  const set = /^\s*(?:[:=]|is\b|as\b|to\b)?\s*["“'‘]?([^\s,;"“”'’]+)/i.exec(text)?.[1];
  const found = (/\s(?:to|as)\s+["“'‘]?([^\s,;"“”'’]+)["”'’.!?]*$/i.exec(text)?.[1] ?? set)?.replace(/[.!?]+$/, "");
  return found === undefined || isStopWord(found.toLowerCase()) ? undefined : found;
}

/** Words of a command that add nothing to it. */
const FILLERS = new Set(
  (
    "now record records entry entries item detail details info data again new existing current immediately quickly " +
    "permanently completely entirely fully definitely finally directly simply actually really right away asap ids number nr num " +
    "key value field called named titled name system database app application back another instead one ones next " +
    "euro euros eur dollar dollars usd percent today day days date time"
  )
    .split(" ")
    .map(stem),
);

/** Which of several is meant: "the first one". */
const ORDINAL = /^(?:first|second|third|fourth|fifth|last)$/;
/** Values of a switch. */
const SWITCHED = /^(?:true|false|off|enabled?|disabled?)$/;
/** Words before a day that say which one it is. */
const BEFORE_DAY =
  /^(?:born|dated|starting|starts|beginning|begins|ending|ends|due|arriving|leaving|departing|until|till|through|before|after|since|expires|expiring|valid)$/;
/** Places that everything is in. */
const EVERYWHERE =
  /\bfrom\s+(?:the|our|my)\s+(?:shop|store|catalog|catalogue|inventory|collection|programme|program|roster|regist(?:er|ry)|menu|records|system|database|books|directory|line-?up|timetable|range|stock)\s*[.!?]*$/i;

/** Behind such words stands a place, also where it is called as a verb is. */
const PLACE = /\b(?:from|in|on|at)\s+the\s+$/i;
const PREPOSITION =
  /\b(?:in|on|of|for|from|at|by|with|without|until|as|to|only to|only for|only|via|into|because(?: of)?)\s+(?:the\s+|a\s+|an\s+)?$/i;

/** The terms that a tool's name, its resource, its path and what it takes are called by. */
function knownTerms({ tool, filled }: Candidate): Set<string> {
  return new Set([
    stem(resourceNoun(tool)),
    ...terms(ownName(tool)),
    ...terms(tool.resource),
    ...terms(tool.transport.path ?? ""),
    ...terms(tool.description),
    ...slotsOf(tool).flatMap(({ label, enclosing }) =>
      [...label, ...enclosing].flatMap((term) => [term, spelledOut(term) ?? term]),
    ),
    ...[...filled.certain].flatMap(({ description }) => terms(description)),
  ]);
}

/** Whether a day that was placed stands right behind a word. */
function isDayBehind({ kind, start }: Entity, { end }: Token, { text }: PromptText): boolean {
  return (kind === "date" || kind === "time") && start >= end && /^\s*(?:on|at)?\s*$/.test(text.slice(end, start));
}

/** The words of a change that it would leave out: "in project web" for a tool that knows no project, "with colour red". */
export function uncoveredWords(candidate: Candidate, prompt: PromptText): string[] {
  const { filled } = candidate;
  const free = unassignedText(candidate);
  const from = free === "" ? -1 : prompt.text.indexOf(free);
  const known = knownTerms(candidate);
  const texts = textsIn(filled.args);
  const chosen = [...filled.filled].filter(({ options, type }) => options.length > 0 || type === "boolean");
  const [verb] = contentTokens(prompt);
  const switches = chosen.some(({ type }) => type === "boolean");
  const everywhere = prompt.text.search(EVERYWHERE);
  const lost = contentTokens(prompt).filter((token) => {
    const { term, word, start, end } = token;
    if (token === verb || (everywhere >= 0 && start >= everywhere)) return false;
    if (ORDINAL.test(word) && /^\s+ones?\b/i.test(prompt.text.slice(end))) return false;
    if (switches && SWITCHED.test(word)) return false;
    if (BEFORE_DAY.test(word) && [...filled.used].some((one) => isDayBehind(one, token, prompt))) return false;
    if (isWithin(token, candidate) || isInside(start, prompt.entities) || /^\d/.test(word)) return false;
    if (from >= 0 && start >= from && start < from + free.length) return false;
    if (known.has(term) || FILLERS.has(term)) return false;
    // What was done to something describes it, and "from the list" is a place: only a verb in its plain form is a command.
    if (intentsOf(term).size > 0 && !/(?:ed|ing)$/.test(word) && !PLACE.test(textBefore(prompt, start))) return false;
    if ([...synonymsOf(term)].some((synonym) => known.has(synonym))) return false;
    if (chosen.some((slot) => isValueOf(token, slot))) return false;
    return !texts.some((text) => text.split(/[^\p{L}\p{N}]+/u).includes(word));
  });
  const stretches: { start: number; end: number }[] = [];
  for (const { start, end } of lost) {
    const last = stretches.at(-1);
    const before = PREPOSITION.exec(textBefore(prompt, start))?.[0].length ?? 0;
    if (last && /^\s*$/.test(prompt.text.slice(last.end, start - before))) last.end = end;
    else {
      stretches.push({ start: start - before, end });
    }
  }
  return stretches.map(({ start, end }) => prompt.text.slice(start, end));
}

/** Why the text that the prompt gives for a slot is invalid. */
export function invalidSlotText(tool: Tool, slot: Slot, text: string | undefined): string {
  const name = slot.path.join(".");
  if (text === undefined) return `I could not tell what ${name} is to be.`;
  if (slot.options.length > 0) return `"${text}" is no ${name} that \`${tool.name}\` knows.`;
  const wanted = slot.format.startsWith("date") && !NUMERIC.has(slot.type) ? "a date" : WANTED[slot.type];
  return wanted === undefined
    ? `I could not tell ${name} from the rest.`
    : `${name} is ${wanted}, and "${text}" is none.`;
}

const NUMERIC: ReadonlySet<Slot["type"]> = new Set(["number", "integer"]);
const WANTED: Readonly<Partial<Record<Slot["type"], string>>> = {
  number: "a number",
  integer: "a whole number",
  boolean: "yes or no",
};

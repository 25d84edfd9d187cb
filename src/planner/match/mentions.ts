// How far a prompt mentions a tool: its noun, the words of its name and path, the entities it takes.

import type { Tool } from "../../domain/tool.js";
import { isPlural, singularOf } from "../../lib/plural.js";
import { intentsOf, synonymsOf } from "../../tools/search/synonyms.js";
import { stem, terms, words } from "../../tools/search/terms.js";
import { type Entity, isInside, overlaps } from "../prompt/entities.js";
import { orderIn } from "../prompt/order.js";
import { contentTokens, type PromptText } from "../prompt/prompt.js";
import type { Request } from "../prompt/request.js";
import { isTime } from "../prompt/span.js";
import { isAbout, nounPhrase, resourceNoun } from "../resource-noun.js";
import { pathNames } from "../slots/slot.js";
import type { FilledSlots } from "./filled-slots.js";
import { identifyingEntity } from "./free-text.js";
import { nameTerms, pathTerms } from "./tool-intent.js";

/** A prompt and what is known besides it. */
export interface PromptContext {
  prompt: PromptText;
  request: Request;
  /** The collection of the conversation, when the prompt only refers to it. */
  about?: string;
  /** The tool that the prompt calls by its full name: that is a command, also where no word of the name is. */
  called?: Tool;
}

/** "my repositories" are those of the authenticated user. */
const OWN = new Set(["authent", "me", "self", "current"]);
const REPOSITORY = new Set(["repo", "repositori"]);
/** What a word of nearly the same meaning counts of the word itself. */
const SYNONYM = 0.8;
/** What a verb counts of a noun: in the name of a tool, and in a prompt, where it is often another one. */
const VERB_IN_NAME = 0.5;
const VERB_IN_PROMPT = 0.3;
/** Descriptions are compared this far: the beginning says what a tool is about. */
const MAX_DESCRIPTION = 300;

/** How far the prompt mentions a term: 1 for the term itself, less for a synonym, 0 when it does not. */
export function mentionStrength(prompt: PromptText, term: string): number {
  if (REPOSITORY.has(term) && prompt.entities.some(({ kind }) => kind === "path")) return 1;
  if (prompt.terms.has(term)) return 1;
  if (OWN.has(term) && (prompt.terms.has("my") || prompt.terms.has("mine"))) return 1;
  if (term === "user" && prompt.terms.has("my")) return SYNONYM;
  for (const synonym of synonymsOf(term)) if (prompt.terms.has(synonym)) return SYNONYM;
  return 0;
}

/** Whether the prompt mentions the noun of a tool. */
export function mentionsNoun(tool: Tool, prompt: PromptText): boolean {
  return tool.transport.path !== undefined && mentionStrength(prompt, stem(resourceNoun(tool))) > 0;
}

/** Whether the prompt mentions what a tool works on, or the conversation is about it already. */
export function mentionsResource(
  tool: Tool,
  filled: FilledSlots,
  { prompt, about, request: { commands } }: PromptContext,
): boolean {
  if (tool.transport.path === undefined || (about !== undefined && isAbout(tool, about))) return true;
  const keys = pathNames(tool);
  const fields = [...filled.certain].filter(({ name }) => !keys.has(name) && !/^(?:id|name|title)$/i.test(name));
  if (tool.verb === "update" && fields.some(({ label }) => label.every((term) => prompt.terms.has(term)))) return true;
  // An entity is no mention of a noun: "delete the collection articles" means no article.
  const free = new Set(prompt.tokens.filter(({ start }) => !isInside(start, filled.used)).map(({ term }) => term));
  const isFree = (term: string): boolean =>
    free.has(term) || [...synonymsOf(term)].some((synonym) => free.has(synonym));
  // The verb "order" is no mention of a "work order".
  const [verb] = tool.verb === "create" && nounPhrase(tool).includes(" ") ? commands : [];
  if (verb) free.delete(verb.term);
  const own = tool.verb === "create" ? [] : [...pathTerms(tool), ...words(tool.resource).map(stem)];
  return [stem(resourceNoun(tool)), ...own].some(
    (term) => isFree(term) || (REPOSITORY.has(term) && mentionStrength(prompt, term) > 0),
  );
}

/** The share of the words of a tool's name that the prompt mentions. */
export function namedShare(tool: Tool, prompt: PromptText): number {
  let mentioned = 0;
  let total = 0;
  for (const term of nameTerms(tool)) {
    const intents = intentsOf(term);
    const verb = intents.size > 0;
    const weight = verb ? VERB_IN_NAME : 1;
    const sharesIntent = verb && [...intents].some((intent) => prompt.intents.has(intent));
    total += weight;
    mentioned += weight * (mentionStrength(prompt, term) || (sharesIntent ? SYNONYM : 0));
  }
  return total === 0 ? 0 : mentioned / total;
}

/** The share of the prompt's words that the tool has: in its name, its texts, or a slot that was filled. */
export function coveredShare(tool: Tool, prompt: PromptText, filled: FilledSlots): number {
  const own = new Set([
    ...nameTerms(tool),
    ...pathTerms(tool),
    ...terms(tool.resource),
    ...terms(tool.description.slice(0, MAX_DESCRIPTION)),
    ...terms(orderIn(prompt)?.text ?? ""),
  ]);
  for (const { label, description, options } of filled.certain)
    for (const term of [...label, ...terms(description), ...options.flatMap((one) => terms(String(one)))])
      own.add(term);
  let covered = 0;
  let total = 0;
  for (const { term, start } of contentTokens(prompt)) {
    if (isInside(start, filled.used)) continue;
    const weight = intentsOf(term).size > 0 ? VERB_IN_PROMPT : 1;
    total += weight;
    if (own.has(term)) covered += weight;
    else if ([...synonymsOf(term)].some((synonym) => own.has(synonym))) covered += SYNONYM * weight;
  }
  return total === 0 ? 0 : covered / total;
}

/** Whether the record that is missing its key is named, so that it can be looked up in the list of its collection. */
export function isLookedUp(tool: Tool, { missing, rest }: FilledSlots): boolean {
  const [only] = missing;
  return (
    only !== undefined &&
    missing.length === 1 &&
    pathNames(tool).has(only.name) &&
    identifyingEntity(rest) !== undefined
  );
}

/** The share of the prompt's entities that the tool takes. Names weigh half: they may only be what the tool is about. */
export function takenShare(tool: Tool, prompt: PromptText, filled: FilledSlots): number {
  const weightOf = ({ kind }: { kind: string }): number => (kind === "name" ? 0.5 : 1);
  const total = prompt.entities.reduce((sum, entity) => sum + weightOf(entity), 0);
  if (total === 0) return 1;
  const own = new Set([...pathTerms(tool), ...terms(tool.description.slice(0, MAX_DESCRIPTION)), ...nameTerms(tool)]);
  const used = [...filled.used];
  const lost = prompt.entities.filter((entity) => {
    if (used.some((one) => overlaps(one, entity))) return false;
    return entity.kind !== "name" || !terms(entity.text).every((term) => own.has(term));
  });
  // A list can be narrowed to a name or a day after it was read.
  const share = tool.verb === "list" && pathNames(tool).size === 0 ? 0.5 : 1;
  const isKept = (one: Entity): boolean => one.kind === "name" || one.kind === "quoted" || isTime(one);
  const cost = lost
    .slice(isLookedUp(tool, filled) ? 1 : 0)
    .reduce((sum, entity) => sum + weightOf(entity) * (isKept(entity) ? share : 1), 0);
  return 1 - cost / total;
}

/** Words before the noun that a prompt begins with. */
const LEADING =
  /^(?:please|pls|can|could|would|you|i|we|want|need|like|to|show|list|get|give|find|display|view|see|fetch|tell|me|us|all|the|my|our|any|every|which|what|of)$/;

/** Whether a prompt begins with the plural of a list's noun: "machines installed since 2020", "which pets are older than 5". */
export function beginsWithList(tool: Tool, prompt: PromptText, filled?: FilledSlots): boolean {
  if (tool.verb !== "list" || tool.transport.path === undefined) return false;
  // "new orders above 100" are orders.
  const isFilter = (word: string): boolean =>
    [...(filled?.certain ?? [])].some(({ options }) => options.some((one) => String(one).toLowerCase() === word));
  const first = prompt.tokens.find(({ word }) => !LEADING.test(word) && !isFilter(word));
  if (first === undefined) return false;
  // "staff" are several without an ending that says so; "low-stock" is no stock.
  const next = prompt.tokens[prompt.tokens.indexOf(first) + 1];
  const isOwn = tool.transport.path.split("/").at(-1) === first.word && !/^\d/.test(next?.word ?? "");
  return isOwn || (isPlural(first.word) && singularOf(first.word) === resourceNoun(tool));
}

/** Whether the prompt has the collection in the plural: "orders of Ada" wants several records. */
export function mentionsPlural(tool: Tool, prompt: PromptText): boolean {
  const last = pathTerms(tool).at(-1);
  return prompt.tokens.some(({ word, term }) => term === last && isPlural(word));
}

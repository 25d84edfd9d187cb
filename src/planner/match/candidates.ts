// Which tool a prompt means. Candidates come from the ranking; here each is judged: does it do the kind of thing asked for,
// is it about the same things, does it take the values the prompt gives, are the values it needs there?

import type { Tool } from "../../domain/tool.js";
import { intentsOf, synonymsOf } from "../../tools/search/synonyms.js";
import { stem, terms, words } from "../../tools/search/terms.js";
import { createIndex, type ToolIndex } from "../../tools/search/tool-index.js";
import { isKeyOfNoun } from "../prompt/key-nouns.js";
import { orderIn } from "../prompt/order.js";
import { contentTokens, type PromptText } from "../prompt/prompt.js";
import type { Request } from "../prompt/request.js";
import { collectionOf, resourceNoun } from "../resource-noun.js";
import { pathNames, slotsOf } from "../slots/slot.js";
import { fillSlots } from "./fill.js";
import type { FilledSlots } from "./filled-slots.js";
import { identifyingEntity } from "./free-text.js";
import { isStateCommanded } from "./options.js";
import {
  actionOf,
  intentOfTool,
  isCommandedByName,
  isCommandedByVerb,
  isRequested,
  nameTerms,
  pathTerms,
} from "./tool-intent.js";
import { describesMore, unmatchedWords } from "./unmatched.js";

/** A tool that may be meant. */
export interface Candidate {
  tool: Tool;
  filled: FilledSlots;
  /** 0 to about 2; see the weights below. */
  score: number;
  /** Share of the words in the tool's name and path that the prompt says. */
  named: number;
  /** The prompt's command is what one of its fields is set to, such as "complete". */
  stateCommanded: boolean;
  /** Share of the prompt's words that the tool has. */
  covered: number;
}

/** Ranked tools that are judged; beyond these none was ever meant. */
const JUDGED = 48;

const indexes = new WeakMap<readonly Tool[], ToolIndex>();

/** The index of a tool list, made once per list. */
export function indexFor(tools: readonly Tool[]): ToolIndex {
  let index = indexes.get(tools);
  if (!index) indexes.set(tools, (index = createIndex(tools.filter(({ transport }) => transport.kind !== "builtin"))));
  return index;
}

/** "my repositories" are those of the authenticated user. */
const OWN = new Set(["authent", "me", "self", "current"]);

const REPO = new Set(["repo", "repositori"]);

function mentionStrength(prompt: PromptText, term: string): number {
  if (REPO.has(term) && prompt.entities.some(({ kind }) => kind === "path")) return 1;
  if (prompt.terms.has(term)) return 1;
  if (OWN.has(term) && (prompt.terms.has("my") || prompt.terms.has("mine"))) return 1;
  if (term === "user" && prompt.terms.has("my")) return 0.8;
  for (const synonym of synonymsOf(term)) if (prompt.terms.has(synonym)) return 0.8;
  return 0;
}

function sharesIntent(prompt: PromptText, term: string): boolean {
  const own = intentsOf(term);
  return [...own].some((intent) => prompt.intents.has(intent));
}

/** Whether the prompt says what kind of thing a tool works on, or the conversation is about such things already. */
function mentionsResource(tool: Tool, filled: FilledSlots, { prompt, about }: PromptContext): boolean {
  if (tool.transport.path === undefined || about === collectionOf(tool)) return true;
  const keys = pathNames(tool);
  const fields = [...filled.certain].filter(({ name }) => !keys.has(name) && !/^(?:id|name|title)$/i.test(name));
  if (tool.verb === "update" && fields.some(({ label }) => label.every((term) => prompt.terms.has(term)))) return true;
  // A value says nothing of the kind of thing: "delete the collection articles" speaks of no article.
  const free = prompt.tokens.filter(
    ({ start }) => ![...filled.used].some((one) => start >= one.start && start < one.end),
  );
  const spoken = new Set(free.map(({ term }) => term));
  const said = (term: string): boolean =>
    spoken.has(term) || [...synonymsOf(term)].some((synonym) => spoken.has(synonym));
  const own = tool.verb === "create" ? [] : [...pathTerms(tool), ...words(tool.resource).map(stem)];
  return [stem(resourceNoun(tool)), ...own].some(
    (term) => said(term) || (REPO.has(term) && mentionStrength(prompt, term) > 0),
  );
}

/** How much of what the tool is called the prompt says, and the other way round. */
function overlap(tool: Tool, prompt: PromptText, filled: FilledSlots): { named: number; covered: number } {
  const own = nameTerms(tool);
  let said = 0;
  let weight = 0;
  for (const term of own) {
    const verb = intentsOf(term).size > 0;
    const share = verb ? 0.5 : 1;
    weight += share;
    said += share * (mentionStrength(prompt, term) || (verb && sharesIntent(prompt, term) ? 0.8 : 0));
  }
  const whole = new Set([
    ...own,
    ...pathTerms(tool),
    ...terms(tool.resource),
    ...terms(tool.description.slice(0, 300)),
  ]);
  for (const slot of filled.certain)
    for (const term of [
      ...slot.label,
      ...terms(slot.description),
      ...slot.options.flatMap((one) => terms(String(one))),
    ])
      whole.add(term);
  for (const term of terms(orderIn(prompt)?.text ?? "")) whole.add(term);
  let had = 0;
  let total = 0;
  for (const { term, start } of contentTokens(prompt)) {
    if ([...filled.used].some((value) => start >= value.start && start < value.end)) continue;
    const share = intentsOf(term).size > 0 ? 0.3 : 1;
    total += share;
    if (whole.has(term)) had += share;
    else if ([...synonymsOf(term)].some((synonym) => whole.has(synonym))) had += 0.8 * share;
  }
  return { named: weight === 0 ? 0 : said / weight, covered: total === 0 ? 0 : had / total };
}

/** Whether the record that is missing its key is named, so that it can be looked up in the list of its collection. */
function isNamed(tool: Tool, filled: FilledSlots, prompt: PromptText): boolean {
  const [only] = filled.missing;
  return (
    only !== undefined &&
    filled.missing.length === 1 &&
    pathNames(tool).has(only.name) &&
    identifyingEntity(prompt) !== undefined
  );
}

const isText = ({ kind }: { kind: string }): boolean => kind === "name" || kind === "quoted";

/** Share of the prompt's values that the tool takes. Names weigh half: they may only be what the tool is about. */
function takenShare(tool: Tool, filled: FilledSlots, prompt: PromptText, named: boolean): number {
  const weigh = ({ kind }: { kind: string }): number => (kind === "name" ? 0.5 : 1);
  const total = prompt.entities.reduce((sum, value) => sum + weigh(value), 0);
  if (total === 0) return 1;
  const own = new Set([...pathTerms(tool), ...terms(tool.description.slice(0, 300)), ...nameTerms(tool)]);
  const lost = prompt.entities.filter((value) => {
    if ([...filled.used].some((one) => one.start < value.end && value.start < one.end)) return false;
    return value.kind !== "name" || !terms(value.text).every((term) => own.has(term));
  });
  // A list can be narrowed to a name after it was read.
  const share = tool.verb === "list" && pathNames(tool).size === 0 ? 0.5 : 1;
  const cost = lost.slice(named ? 1 : 0).reduce((sum, value) => sum + weigh(value) * (isText(value) ? share : 1), 0);
  return 1 - cost / total;
}

/** "orders of Ada" wants several, not one. */
function mentionsPlural(tool: Tool, prompt: PromptText): boolean {
  const last = pathTerms(tool).at(-1);
  return prompt.tokens.some(({ word, term }) => term === last && word.endsWith("s") && !word.endsWith("ss"));
}

function judge(tool: Tool, share: number, asked: PromptContext): Candidate | undefined {
  const { prompt, request, about } = asked;
  const changes = tool.safety !== "read_only";
  let filled = fillSlots(tool, prompt, { guess: !changes });
  // What says which record is meant must not also be taken for what is changed about it.
  if (changes && isNamed(tool, filled, prompt))
    filled = fillSlots(tool, prompt, { guess: false, reserved: identifyingEntity(prompt) });
  if (!isRequested(tool, request, filled)) return undefined;
  const stated = [...filled.certain].some((slot) => isStateCommanded(slot, request));
  if (isBulk(tool) && !coversCollection(tool, filled, asked)) return undefined;
  if (emptiesPart(tool) && !request.everything && !mentionsPlural(tool, prompt)) return undefined;
  if (changes && !stated && !mentionsResource(tool, filled, asked)) return undefined;
  const { named, covered } = overlap(tool, prompt, filled);
  const lookedUp = isNamed(tool, filled, prompt);
  const taken = takenShare(tool, filled, prompt, lookedUp);
  const kind = intentOfTool(tool);
  const told = request.commands.some(({ intents }) => intents.size > 0) || isCommandedByName(tool, request);
  const commanded = told && !request.howTo && !request.negated;
  let score = 0.4 * share + 0.5 * named + 0.5 * covered + 0.35 * taken;
  score -= 0.12 * Math.min(3, lookedUp ? 0 : filled.missing.length);
  if (commanded && kind === "read" && !request.reads) score -= 0.4;
  if (commanded && kind !== "read") score += 0.25;
  const countsAll = words(`${tool.name} ${tool.transport.path ?? ""}`).includes("count");
  // A count that can't take the condition counts too much; the records can be counted when they are there.
  if (request.counts && countsAll) score += describesMore(prompt, tool, filled.args) ? -0.6 : 0.3;
  else if (!request.counts && words(tool.transport.path ?? "").at(-1) === "count") score -= 0.4;
  const action = actionOf(tool);
  if (action !== undefined) score += prompt.terms.has(action) ? 0.1 : -0.3;
  const state = kind === "update" && stated;
  if (state) score += 0.25;
  if (about !== undefined && about === collectionOf(tool)) score += 0.3;
  const returned = pathTerms(tool).at(-1);
  if (kind === "read" && returned !== undefined && mentionStrength(prompt, returned) === 0) score -= 0.15;
  if (lookedUp && kind === "read" && !tool.transport.path?.endsWith("}") && mentionsPlural(tool, prompt)) score += 0.2;
  if (kind === "read" && pathNames(tool).size > 0 && tool.transport.path?.endsWith("}") && mentionsPlural(tool, prompt))
    score -= 0.3;
  // A list has no use for the number of "product 3".
  if (kind === "read" && prompt.entities.some((one) => !filled.used.has(one) && isKeyOfNoun(one, prompt))) score -= 0.4;
  return { tool, filled, score, named, covered, stateCommanded: state };
}

/** Whether a tool changes or deletes a whole collection: DELETE /notes, but not PATCH /profile. */
function isBulk(tool: Tool): boolean {
  const kind = intentOfTool(tool);
  const last = (tool.transport.path ?? "").split("/").at(-1) ?? "";
  return (
    (kind === "update" || kind === "delete") &&
    pathNames(tool).size === 0 &&
    /[^su]s$/i.test(last) &&
    !/settings|preferences/i.test(last)
  );
}

/** Whether the prompt speaks of the whole collection and of no condition: not "all items older than a year". */
function coversCollection(tool: Tool, { args }: FilledSlots, { prompt, request }: PromptContext): boolean {
  if (!request.everything || !mentionsNoun(tool, prompt)) return false;
  return unmatchedWords(prompt, { tool, args, rows: [], used: [] }).length === 0;
}

/** Whether a tool deletes all there is of a part of a record: DELETE /issues/{number}/labels, which takes no label. */
function emptiesPart(tool: Tool): boolean {
  const keys = pathNames(tool);
  const whole = /\}\/[^/{}]*[^su]s$/i.test(tool.transport.path ?? "") && intentOfTool(tool) === "delete";
  return whole && slotsOf(tool).every(({ name }) => keys.has(name));
}

/** A prompt and what surrounds it. */
interface PromptContext {
  prompt: PromptText;
  request: Request;
  /** The collection the conversation is about, when the prompt only says "it". */
  about?: string | undefined;
}

/** What a list loses of whose things the prompt does not speak, when it speaks of another's: "orders over 100" are no products. */
const ELSEWHERE = 0.3;

function mentionsNoun(tool: Tool, prompt: PromptText): boolean {
  return tool.transport.path !== undefined && mentionStrength(prompt, stem(resourceNoun(tool))) > 0;
}

/** The tools that may be meant, best first. */
export function rankCandidates(tools: readonly Tool[], asked: PromptContext): Candidate[] {
  const ranked = indexFor(tools).search(asked.prompt.text, JUDGED);
  const best = ranked[0]?.score ?? 1;
  const shares = new Map(ranked.map(({ tool, score }) => [tool, score / best]));
  if (asked.about !== undefined)
    for (const tool of tools) if (collectionOf(tool) === asked.about && !shares.has(tool)) shares.set(tool, 0);
  const judged = [...shares].flatMap(([tool, share]) => judge(tool, share, asked) ?? []);
  // "delete user 5" is what deleteUser is called for, though a status may say "deleted" too.
  const called = judged
    .filter((one) => !one.stateCommanded && isCommandedByVerb(one.tool, asked.request))
    .map(({ tool }) => tool.resource);
  const meant = judged.filter((one) => !one.stateCommanded || !called.includes(one.tool.resource));
  const elsewhere = meant.some(({ tool }) => mentionsNoun(tool, asked.prompt));
  for (const one of meant)
    if (elsewhere && one.tool.verb === "list" && !mentionsNoun(one.tool, asked.prompt)) one.score -= ELSEWHERE;
  return meant.sort((a, b) => b.score - a.score);
}

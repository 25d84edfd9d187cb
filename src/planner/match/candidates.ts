// Which tools a prompt may mean. They come from the ranking; here each is filled, judged and scored.

import type { Tool } from "../../domain/tool.js";
import { isPlural, singularOf } from "../../lib/plural.js";
import { addSignals, type Signal } from "../../lib/score.js";
import { intentsOf } from "../../tools/search/synonyms.js";
import { stem, words } from "../../tools/search/terms.js";
import { createIndex, type ToolIndex } from "../../tools/search/tool-index.js";
import { isInside } from "../prompt/entities.js";
import { isKeyOfNoun, nounBefore } from "../prompt/key-nouns.js";
import { negationsIn } from "../prompt/negation.js";
import type { PromptText } from "../prompt/prompt.js";
import { collectionOf, isAbout, nounPhrase, resourceNoun } from "../resource-noun.js";
import { keysOf, pathNames, slotsOf } from "../slots/slot.js";
import { scoreCandidate } from "./candidate-score.js";
import { fillSlots } from "./fill.js";
import type { FilledSlots } from "./filled-slots.js";
import { identifyingEntity } from "./free-text.js";
import { isBesideHead } from "./head-noun.js";
import {
  coveredShare,
  isLookedUp,
  mentionStrength,
  mentionsNoun,
  mentionsPlural,
  mentionsResource,
  namedShare,
  type PromptContext,
  takenShare,
} from "./mentions.js";
import { createNamesakes } from "./namesakes.js";
import { isStateCommanded } from "./options.js";
import { listsReferring } from "./references.js";
import { takesRecord } from "./taken-record.js";
import { intentOfTool, isCommandedByName, isCommandedByVerb, isRequested } from "./tool-intent.js";
import { unmatchedWords } from "./unmatched.js";

/** A tool that may be meant. */
export interface Candidate {
  tool: Tool;
  filled: FilledSlots;
  /** 0 to about 2. */
  score: number;
  /** Share of the words in the tool's name that the prompt mentions. */
  named: number;
  /** Share of the prompt's words that the tool has. */
  covered: number;
  /** The command of the prompt is the value of one of the tool's fields, such as "complete". */
  stateCommanded: boolean;
  /** It takes the record that the conversation is about, and nothing else is missing. */
  referred: boolean;
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

/** Whether a tool changes or deletes a whole collection: DELETE /notes, but not PATCH /profile. */
function isBulk(tool: Tool): boolean {
  const intent = intentOfTool(tool);
  const last = (tool.transport.path ?? "").split("/").at(-1) ?? "";
  return (
    (intent === "update" || intent === "delete") &&
    keysOf(tool).length === 0 &&
    /[^su]s$/i.test(last) &&
    !/settings|preferences/i.test(last)
  );
}

/** Whether the prompt means the whole collection, without a condition: not "all items older than a year". */
function coversCollection(tool: Tool, { args }: FilledSlots, { prompt, request }: PromptContext): boolean {
  if (!request.everything || !mentionsNoun(tool, prompt)) return false;
  return unmatchedWords(prompt, { tool, args, rows: [], used: [] }).length === 0;
}

/** Whether a tool deletes all records of a part: DELETE /issues/{number}/labels, which takes no label. */
function emptiesPart(tool: Tool): boolean {
  const keys = pathNames(tool);
  const whole = /\}\/[^/{}]*[^su]s$/i.test(tool.transport.path ?? "") && intentOfTool(tool) === "delete";
  return whole && slotsOf(tool).every(({ name }) => keys.has(name));
}

/** A tool with its arguments and its score; undefined when the prompt cannot mean it. */
function judge(tool: Tool, rank: number, context: PromptContext): Candidate | undefined {
  const { prompt, request } = context;
  const changes = tool.safety !== "read_only";
  let filled = fillSlots(tool, prompt, { guess: !changes });
  // The entity that identifies the record must not also be taken for its new value.
  if (changes && isLookedUp(tool, filled))
    filled = fillSlots(tool, prompt, { guess: false, reserved: identifyingEntity(filled.rest) });
  if (tool !== context.called && (!isRequested(tool, request, filled) || takesRecord(tool, prompt))) return undefined;
  const stated = [...filled.certain].some((slot) => isStateCommanded(slot, request));
  if (isBulk(tool) && !coversCollection(tool, filled, context)) return undefined;
  if (emptiesPart(tool) && !request.everything && !mentionsPlural(tool, prompt)) return undefined;
  if (changes && !stated && !mentionsResource(tool, filled, context)) return undefined;
  const intent = intentOfTool(tool);
  const named = namedShare(tool, prompt);
  const covered = coveredShare(tool, prompt, filled);
  const taken = takenShare(tool, prompt, filled);
  const referred =
    context.about === collectionOf(tool) && filled.missing.every(({ name }) => pathNames(tool).has(name));
  const lookedUp = referred || isLookedUp(tool, filled);
  const hasCommand = request.commands.some(({ intents }) => intents.size > 0) || isCommandedByName(tool, request);
  const commanded = hasCommand && !request.howTo && !request.negated;
  const stateCommanded = intent === "update" && stated;
  const score = scoreCandidate({
    ...context,
    tool,
    filled,
    intent,
    rank,
    named,
    covered,
    taken,
    lookedUp,
    commanded,
    stateCommanded,
  });
  return { tool, filled, score, named, covered, stateCommanded, referred };
}

/** What counts only beside the other candidates. */
const COMPARED: readonly Signal<{ tool: Tool; context: PromptContext; asked: string | undefined }>[] = [
  {
    signal: ({ tool, context }) => tool.verb === "list" && isLacking(tool, context.prompt),
    weight: -0.6,
    why: 'what has none of them is asked for: "how many plants have no sponsor"',
  },
  {
    signal: ({ tool, context }) => tool.verb === "list" && !mentionsNoun(tool, context.prompt),
    weight: -0.3,
    why: 'the prompt mentions the records of another tool: "orders over 100" are no products',
  },
  {
    signal: ({ tool, asked }) =>
      /^(?:list|get)$/.test(tool.verb) &&
      tool.transport.path !== undefined &&
      asked !== undefined &&
      !isListOf(tool, asked),
    weight: -0.3,
    why: 'other records are asked for: "shows with more than 300 subscribers" are no subscribers',
  },
];

/** Whether the records of a tool are said in what is lacking, and nowhere else: "plants without a sponsor" are no sponsors. */
function isLacking(tool: Tool, prompt: PromptText): boolean {
  const lacks = negationsIn(prompt).filter(({ absence }) => absence);
  // "observers without a survey" are no survey observers.
  return words(nounPhrase(tool)).some((noun) => {
    const said = prompt.tokens.filter(({ word }) => singularOf(word) === singularOf(noun));
    return said.length > 0 && said.every(({ start }) => isInside(start, lacks));
  });
}

/** Whether a list has the records of this noun. */
const isListOf = (tool: Tool, term: string): boolean =>
  stem(resourceNoun(tool)) === term ||
  words(tool.transport.path ?? "")
    .map(stem)
    .includes(term);

const LEADS = /^(?:all|the|my|our|any|every|please|show|list|get|find|give|me|us|which|what|display|see)$/;

/** The noun that a prompt begins with, behind a verb of reading or a question word, where there is a list of those. */
function askedNoun(tools: readonly Tool[], { tokens }: PromptText): string | undefined {
  const first = tokens.find(({ word }) => !LEADS.test(word));
  const before = first && tokens[tokens.indexOf(first) - 1];
  if (!first || (!isPlural(first.word) && !/^(?:which|what)$/.test(before?.word ?? ""))) return undefined;
  const lists = tools.filter(({ verb, transport }) => verb === "list" && transport.path !== undefined);
  return lists.some((tool) => stem(resourceNoun(tool)) === first.term) ? first.term : undefined;
}

/** What it counts that the records of a list hold the key that a prompt asks for them by. */
const REFERRING = 0.4;

/** Beside a list of what belongs to a record, such as the bookings of guest 7. */
const PARTS: readonly Signal<Tool>[] = [
  {
    signal: ({ verb, safety }) => verb === "get" && safety === "read_only",
    weight: -0.25,
    why: "what belongs to the record is wanted, not the record",
  },
];

/** Whether a candidate lists the records that the prompt has in the plural, by the key of another one. */
function listsPart({ tool, filled }: Candidate, prompt: PromptText): boolean {
  const isList = tool.verb === "list" && tool.transport.path !== undefined && mentionsPlural(tool, prompt);
  return isList && filled.missing.length === 0 && [...filled.used].some((one) => isKeyOfNoun(one, prompt));
}

/** Words before the adjective of a list. */
const LEADING = /^(?:all|the|my|our|any|every|please)$/;

/** Whether a prompt begins with the value of a list's filter right before the plural noun of the list, and gives no key. */
function describesList({ tool, filled }: Candidate, prompt: PromptText): boolean {
  if (tool.verb !== "list" || tool.transport.path === undefined) return false;
  const [adjective, noun] = prompt.tokens.filter(({ word }) => !LEADING.test(word));
  if (
    !adjective ||
    !noun ||
    prompt.entities.some((one) => nounBefore(one, prompt) === noun) ||
    !isPlural(noun.word) ||
    mentionStrength({ ...prompt, terms: new Set([noun.term]) }, stem(resourceNoun(tool))) === 0
  )
    return false;
  return [...filled.certain].some(({ name, options, type }) =>
    type === "boolean"
      ? name.toLowerCase() === adjective.word
      : options.some((one) => String(one).toLowerCase() === adjective.word),
  );
}

/** Whether a prompt begins with an adjective of some records: "available vehicles", and no "cancel orders". */
function beginsWithAdjective(tools: readonly Tool[], prompt: PromptText): boolean {
  const [adjective, noun] = prompt.tokens.filter(({ word }) => !LEADING.test(word));
  if (!adjective || !noun || !isPlural(noun.word) || intentsOf(adjective.term).size > 0) return false;
  if (prompt.entities.some((one) => nounBefore(one, prompt) === noun)) return false;
  return tools.some((tool) => tool.verb === "list" && stem(resourceNoun(tool)) === noun.term);
}

/** The tools that may be meant, best first. */
export function rankCandidates(tools: readonly Tool[], context: PromptContext): Candidate[] {
  const ranked = indexFor(tools).search(context.prompt.text, JUDGED);
  const best = ranked[0]?.score ?? 1;
  const ranks = new Map(ranked.map(({ tool, score }) => [tool, score / best]));
  if (context.about !== undefined)
    for (const tool of tools) if (isAbout(tool, context.about) && !ranks.has(tool)) ranks.set(tool, 0);
  const nouns = new Set(tools.map((tool) => stem(resourceNoun(tool))));
  const isBeside = ({ tool }: Candidate): boolean => isBesideHead(tool, context, nouns);
  const isNamesake = createNamesakes(tools, context.prompt);
  const all = [...ranks].flatMap(([tool, rank]) => (isNamesake(tool) ? [] : (judge(tool, rank, context) ?? [])));
  // What is beside the head of the command is objected to, unless something else may be meant.
  const besides = new Set(all.filter(isBeside));
  const others = all.some((one) => one.tool.safety !== "read_only" && !besides.has(one));
  const judged = others ? all.filter((one) => !besides.has(one)) : all;
  // Nothing is changed by an adjective: "open issues", "all electric cars".
  const described =
    judged.some((one) => describesList(one, context.prompt)) || beginsWithAdjective(tools, context.prompt);
  // "delete user 5" commands deleteUser, though a status may be "deleted", too.
  const commanded = judged
    .filter((one) => !one.stateCommanded && isCommandedByVerb(one.tool, context.request))
    .map(({ tool }) => tool.resource);
  const meant = judged
    .filter((one) => !(described && one.tool.safety !== "read_only"))
    .filter((one) => !one.stateCommanded || !commanded.includes(one.tool.resource));
  // "harvests from hive 8" are harvests, and no hive.
  const referring = listsReferring(context.prompt, tools);
  const isRead = referring && meant.some(({ tool, filled }) => tool === referring && filled.missing.length === 0);
  if (isRead)
    for (const one of meant) {
      if (one.tool === referring) one.score += REFERRING;
      else if (one.tool.safety === "read_only" && one.tool.verb === "get") one.score -= REFERRING;
    }
  const asked = askedNoun(tools, context.prompt);
  if (meant.some(({ tool }) => mentionsNoun(tool, context.prompt)))
    for (const one of meant) one.score = addSignals(one.score, COMPARED, { tool: one.tool, context, asked });
  const lists = meant.filter((one) => listsPart(one, context.prompt));
  for (const one of meant)
    if (lists.some(({ filled }) => [...filled.used].some((key) => one.filled.used.has(key))))
      one.score = addSignals(one.score, PARTS, one.tool);
  return meant.sort((a, b) => b.score - a.score);
}

// How likely a tool is meant, as a table: does it do what is asked, is it about the same records, does it take the entities
// of the prompt, is everything it needs there?

import { ownName, type Tool } from "../../domain/tool.js";
import { singularOf } from "../../lib/plural.js";
import { addSignals, type Signal } from "../../lib/score.js";
import { words } from "../../tools/search/terms.js";
import type { Entity } from "../prompt/entities.js";
import { groupingIn } from "../prompt/grouping.js";
import { isKeyOfNoun } from "../prompt/key-nouns.js";
import { orderIn } from "../prompt/order.js";
import { commandsTerm } from "../prompt/request.js";
import { isAbout, resourceNoun } from "../resource-noun.js";
import { pathNames } from "../slots/slot.js";
import type { FilledSlots } from "./filled-slots.js";
import { beginsWithList, mentionStrength, mentionsPlural, type PromptContext } from "./mentions.js";
import { actionOf, pathTerms, type ToolIntent } from "./tool-intent.js";
import { describesMore } from "./unmatched.js";

/** What a tool is judged by. */
interface CandidateFacts extends PromptContext {
  tool: Tool;
  filled: FilledSlots;
  intent: ToolIntent;
  /** The score of the ranking, as a share of the best one. */
  rank: number;
  /** Share of the words in the tool's name that the prompt mentions. */
  named: number;
  /** Share of the prompt's words that the tool has. */
  covered: number;
  /** Share of the prompt's entities that the tool takes. */
  taken: number;
  /** The record is named, so that its key can be looked up. */
  lookedUp: boolean;
  /** The prompt commands a change. */
  commanded: boolean;
  /** The command of the prompt is the value of one of the tool's fields, such as "complete". */
  stateCommanded: boolean;
}

/** More missing parameters than this are not worse: they are asked for in one question. */
const MOST_MISSING = 3;

/** Whether a value may be what another record is called, whose own list is wanted then. */
const isText = ({ kind }: Entity): boolean => kind === "name" || kind === "quoted";

const countsRecords = ({ tool }: CandidateFacts): boolean =>
  words(`${ownName(tool)} ${tool.transport.path ?? ""}`).includes("count");
const endsInKey = ({ tool }: CandidateFacts): boolean => tool.transport.path?.endsWith("}") === true;
/** Whether the tool's action is in the prompt; undefined when it has none. */
const saysAction = ({ tool, prompt, request }: CandidateFacts): boolean | undefined => {
  const action = actionOf(tool);
  return action === undefined ? undefined : prompt.terms.has(action) || commandsTerm(request, action);
};

/** Whether a prompt asks for the one at an end of an order, "the oldest lot", which only the list of all tells. */
const isAtAnEnd = ({ prompt, request, tool, filled }: CandidateFacts): boolean =>
  tool.safety === "read_only" &&
  filled.missing.some(({ name }) => pathNames(tool).has(name)) &&
  request.commands.every(({ intents }) => intents.size === 0) &&
  orderIn(prompt)?.count === undefined &&
  orderIn(prompt) !== undefined;

/** Chosen on public sets of prompts for function calls and on everyday prompts; about 2 is the best a tool can reach. */
const SIGNALS: readonly Signal<CandidateFacts>[] = [
  { signal: ({ rank }) => rank, weight: 0.4, why: "the ranking finds it" },
  { signal: ({ named }) => named, weight: 0.5, why: "the prompt has the words of its name" },
  { signal: ({ covered }) => covered, weight: 0.5, why: "it has the words of the prompt" },
  { signal: ({ taken }) => taken, weight: 0.35, why: "it takes the entities of the prompt" },
  {
    signal: ({ lookedUp, filled }) => Math.min(MOST_MISSING, lookedUp ? 0 : filled.missing.length),
    weight: -0.12,
    why: "each missing parameter has to be asked for",
  },
  {
    signal: ({ commanded, intent, request }) => commanded && intent === "read" && !request.reads,
    weight: -0.4,
    why: "a command wants more than a read",
  },
  {
    signal: (facts) => endsInKey(facts) && isAtAnEnd(facts),
    weight: -0.5,
    why: "which record is at an end of an order is seen in their list",
  },
  { signal: ({ commanded, intent }) => commanded && intent !== "read", weight: 0.25, why: "a command wants a change" },
  {
    signal: (facts) =>
      facts.request.counts && countsRecords(facts) && describesMore(facts.prompt, facts.tool, facts.filled.args),
    weight: -0.6,
    why: "a count that can't take the condition counts too much; a list can be narrowed and counted",
  },
  {
    signal: (facts) =>
      facts.request.counts && countsRecords(facts) && !describesMore(facts.prompt, facts.tool, facts.filled.args),
    weight: 0.3,
    why: "a count is asked for",
  },
  {
    signal: ({ prompt, filled, intent }) =>
      intent === "read" && filled.missing.length > 0 && groupingIn(prompt) !== undefined,
    weight: -0.5,
    why: "records counted by what they belong to are all of them, not those of one record",
  },
  {
    signal: ({ prompt, tool, intent }) => {
      const grouping = groupingIn(prompt);
      const noun = resourceNoun(tool);
      if (!grouping || intent !== "read" || singularOf(grouping.one.toLowerCase()) !== noun) return false;
      return !prompt.tokens.some(({ word, end }) => end <= grouping.start && singularOf(word) === noun);
    },
    weight: -0.4,
    why: "it lists what is counted by, not what is counted",
  },
  {
    signal: ({ request, tool }) => !request.counts && words(tool.transport.path ?? "").at(-1) === "count",
    weight: -0.4,
    why: "no count is asked for",
  },
  { signal: (facts) => saysAction(facts) === true, weight: 0.1, why: "the prompt has the action its path ends in" },
  { signal: (facts) => saysAction(facts) === false, weight: -0.3, why: "its path ends in an action the prompt lacks" },
  {
    signal: ({ stateCommanded }) => stateCommanded,
    weight: 0.25,
    why: "the command is the value of one of its fields",
  },
  {
    signal: ({ about, tool }) => about !== undefined && isAbout(tool, about),
    weight: 0.3,
    why: "the conversation is about its collection",
  },
  {
    signal: ({ intent, tool, prompt }) => {
      const returned = pathTerms(tool).at(-1);
      return intent === "read" && returned !== undefined && mentionStrength(prompt, returned) === 0;
    },
    weight: -0.15,
    why: "it returns records the prompt does not mention",
  },
  {
    signal: ({ tool, prompt, filled }) =>
      filled.missing.length === 0 &&
      beginsWithList(tool, prompt, filled) &&
      prompt.entities.every((one) => !isText(one) || filled.used.has(one)),
    weight: 0.3,
    why: "the prompt begins with the records it lists; what they cannot be narrowed by, its answer says",
  },
  {
    signal: (facts) =>
      facts.lookedUp && facts.intent === "read" && !endsInKey(facts) && mentionsPlural(facts.tool, facts.prompt),
    weight: 0.2,
    why: "the prompt wants the records that belong to a named one",
  },
  {
    signal: (facts) =>
      facts.intent === "read" &&
      pathNames(facts.tool).size > 0 &&
      endsInKey(facts) &&
      mentionsPlural(facts.tool, facts.prompt),
    weight: -0.3,
    why: "the prompt wants several records, not one",
  },
  {
    signal: ({ intent, prompt, filled }) =>
      intent === "read" && prompt.entities.some((one) => !filled.used.has(one) && isKeyOfNoun(one, prompt)),
    weight: -0.4,
    why: "a list has no use for the key in the prompt",
  },
];

/** The score of a tool: 0 to about 2. */
export function scoreCandidate(facts: CandidateFacts): number {
  return addSignals(0, SIGNALS, facts);
}

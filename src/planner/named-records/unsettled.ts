// Whether what a step says would be mended by the record that a prompt names: a read that was not understood, left something out, or kept
// its list back. Steps, calls and a situation in.

import type { Tool } from "../../domain/tool.js";
import type { JsonValue } from "../../lib/json.js";
import { singularOf } from "../../lib/plural.js";
import { displayedRows } from "../answer/list.js";
import { readResultText } from "../answer/rows.js";
import type { CompletedCall, Situation } from "../conversation.js";
import { sendsCode } from "../match/codes.js";
import { isWholeList } from "../names/name-lists.js";
import { recordQuestionIn } from "../names/record-question.js";
import { listsPersons } from "../persons.js";
import { readPrompt } from "../prompt/prompt.js";
import { wishIn } from "../prompt/statement.js";
import { collectionOf, resourceNoun } from "../resource-noun.js";
import { pathNames } from "../slots/slot.js";
import { LIMIT } from "../slots/traits.js";
import type { Step } from "../step.js";

/** "when does deep field end": what ends is called by its name. */
const WHEN_DOES = /^\s*(?:(?:and|so)\s+)?when\s+(?:does|did|will)\s+/i;

/** Whether a text says nothing that the record itself would not mend: a read that leaves something out is offered as it is. */
export const mayBeNamed = ({ text, goal }: Step & { kind: "text" }, prompt: string): boolean =>
  wishIn(prompt) !== undefined ||
  recordQuestionIn(prompt) !== undefined ||
  WHEN_DOES.test(prompt) ||
  !(goal?.missing?.length === 0 || /^I (?:did not understand|know of nothing)/.test(text));

/** Whether a read left open what was asked for: its list was kept back, or it found no record. */
export function isUnsettled(step: Step, { call, goal, isError }: CompletedCall, { tools, today }: Situation): boolean {
  if (step.kind === "call") return false;
  const finds =
    goal?.step === "find" &&
    (/^I found no /.test(step.text) || tools.some(({ name, safety }) => name === goal.tool && safety === "read_only"));
  // "ship = Havbris": the ship may be called so, and have another key.
  const nouns = tools.filter(isWholeList).map(resourceNoun);
  const called = tools.find(({ name }) => name === call.name);
  const keys = called ? pathNames(called) : new Set();
  const sent = Object.fromEntries(Object.entries(call.arguments).filter(([name]) => !keys.has(name)));
  const isOfName =
    /^No [^\n]* found with /.test(step.text) &&
    (nouns.some((noun) => noun in sent) || sendsCode(sent, readPrompt(goal?.prompt ?? "", today)));
  // A record of which the prompt has a part of the name was found.
  const isKept =
    step.goal?.step === "ask" &&
    step.goal.phrase === undefined &&
    !(step.goal.tool === call.name && /^I found nothing about /.test(step.text));
  return isKept || isError || finds || isOfName || /^I could not narrow this by/m.test(step.text);
}

const WHO_DOES = /^\s*(?:(?:and|so)\s+)?who\s+(?<verb>\p{Ll}{2,}s)\s/iu;

/** Whether a step lists things for a question of who does something to them: in "who plays Hamlet" the plays are the verb. */
export function listsTheVerb(step: Step, { conversation: { prompt }, tools }: Situation): boolean {
  const verb = WHO_DOES.exec(prompt)?.groups?.["verb"];
  const tool = tools.find(({ name }) => step.kind === "call" && name === step.tool);
  if (verb === undefined || tool?.verb !== "list" || resourceNoun(tool) !== singularOf(verb.toLowerCase()))
    return false;
  return !listsPersons(tool, tools);
}

const OF_THOSE = /\b(?:of|for|from|among)\s+(?:those|these|them)(?:\s+all)?[\s?.!]*$/i;

/** "what did they order", "what orders do those have": those of all others are no answer. */
const THEIR_DEED =
  /^\s*(?:(?:and|so)\s+)?(?:what|which|how many)\b[^.?!]{0,60}\b(?:did|do|have|had)\s+(?:they|those|these)\b/i;

/** Whether an answer showed fewer records than its call read. */
function isNarrowed({ call, text, goal, shown }: CompletedCall, tool: Tool, { today }: Situation): boolean {
  const { rows } = readResultText(text);
  if (!rows || rows.length === 0 || shown !== undefined) return true;
  const isCut = ([name, most]: [string, JsonValue]): boolean => LIMIT.test(name) && Number(most) <= rows.length;
  if (Object.entries(call.arguments).some(isCut)) return true;
  return (
    displayedRows(rows, { tool, args: call.arguments }, readPrompt(goal?.prompt ?? "", today)).rows.length < rows.length
  );
}

/** Whether a prompt speaks of records that were listed by a condition, and a step lists them without it. */
export function forgetsCondition(step: Step, situation: Situation): boolean {
  const { conversation, tools } = situation;
  const last = conversation.before.at(-1);
  const tool = tools.find(({ name }) => name === last?.call.name);
  const other = step.kind === "call" ? tools.find(({ name }) => name === step.tool) : undefined;
  if (THEIR_DEED.test(conversation.prompt) && other?.verb === "list")
    return !tool || collectionOf(other) !== collectionOf(tool);
  if (!OF_THOSE.test(conversation.prompt) || step.kind !== "call" || !last || !tool || !other) return false;
  if (other.verb !== "list" || collectionOf(other) !== collectionOf(tool)) return false;
  return (
    other !== tool ||
    Object.keys(last.call.arguments).some((name) => !(name in step.args) && !LIMIT.test(name)) ||
    isNarrowed(last, tool, situation)
  );
}

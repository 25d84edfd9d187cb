// The planner: from a prompt and the answers so far to the next step. Reads first, at most one change at the end, and no
// change that the prompt does not command or that needs a guess.

import type { Tool } from "../domain/tool.js";
import { isObject } from "../lib/json.js";
import { type Intent, intentsOf } from "../tools/search/synonyms.js";
import { isStopWord, words } from "../tools/search/terms.js";
import { renderAnswer } from "./answer/render.js";
import { idOf, readResultText } from "./answer/rows.js";
import {
  cutText,
  declineText,
  howToText,
  introductionText,
  quoted,
  THANKS_TEXT,
  whichText,
} from "./answer/sentences.js";
import { conditionIn } from "./checks/conditions.js";
import {
  incrementIn,
  invalidSlots,
  invalidSlotText,
  textGivenFor,
  uncoveredEntities,
  uncoveredWords,
} from "./checks/coverage.js";
import { ownershipObjection } from "./checks/ownership.js";
import { type CompletedCall, lastCollection, referredRecord } from "./conversation.js";
import { answerQuestion } from "./follow-up.js";
import { continueLookup, lookUp, replaceRecord } from "./lookup.js";
import { type Candidate, indexFor, rankCandidates } from "./match/candidates.js";
import { uncoveredPairs } from "./match/maps.js";
import { chooseTool } from "./match/tool-choice.js";
import { intentOfTool } from "./match/tool-intent.js";
import { contentTokens, type PromptText, readPrompt } from "./prompt/prompt.js";
import { type Request, readRequest } from "./prompt/request.js";
import { resourceNoun } from "./resource-noun.js";
import { keysOf, pathNames, setValueAt, slotsOf } from "./slots/slot.js";
import { toSlotValue } from "./slots/slot-value.js";
import { askAgain, askFor, commit, missingContent, type Situation, type Step, textStep } from "./step.js";

/** The next step of a conversation. What was only half read changes nothing. */
export function plan(situation: Situation): Step {
  const step = nextStep(situation);
  const { cutAt } = situation.conversation;
  if (cutAt === undefined) return step;
  if (cutAt === 0) return textStep(declineText([], "The first word of this prompt is too long for me to read."));
  const names = [step.kind === "call" && step.tool, step.goal?.tool];
  const changes = situation.tools.some(({ name, safety }) => names.includes(name) && safety !== "read_only");
  if (changes)
    return textStep(`${cutText(cutAt)} What I do not read to its end changes nothing: say it in fewer words.`);
  return step.kind === "say" ? { ...step, text: `${step.text}\n\n${cutText(cutAt)}` } : step;
}

function nextStep(situation: Situation): Step {
  const { conversation, today } = situation;
  const last = conversation.turn.at(-1);
  const text = (last?.goal ?? conversation.question)?.prompt ?? conversation.prompt;
  const prompt = readPrompt(text, today);
  if (last) return afterCall(last, prompt, situation);
  if (conversation.question) {
    const step = answerQuestion(conversation.question, situation);
    if (step) return step;
  }
  return start(readPrompt(conversation.prompt, today), situation);
}

function start(prompt: PromptText, situation: Situation): Step {
  const { tools } = situation;
  const request = readRequest(prompt);
  if (request.thanks) return textStep(THANKS_TEXT);
  if (request.help || prompt.tokens.length === 0) return textStep(introductionText(tools));
  if ((request.howTo || request.negated) && request.changes) return textStep(declined(prompt, request, situation));
  const about = request.refers ? lastCollection(situation.conversation, tools) : undefined;
  const gone = request.refers && !request.changes ? pointless(prompt, situation) : undefined;
  if (gone) return gone;
  const candidates = rankCandidates(tools, { prompt, request, about });
  const decision = chooseTool(candidates, request);
  switch (decision.kind) {
    case "call":
    case "ask":
      if (saysNothing(prompt, decision.candidate)) return textStep(declined(prompt, request, situation));
      return toward(decision.candidate, prompt, request, situation);
    case "which":
      return textStep(whichText(decision.candidates.map(({ tool }) => tool)));
    case "decline":
      return textStep(declined(prompt, request, situation));
    default:
      return decision satisfies never;
  }
}

/** "list" alone: any list would do, so none is meant. */
function saysNothing(prompt: PromptText, { tool, named, filled }: Candidate): boolean {
  if (tool.safety !== "read_only" || named === 1 || filled.used.size > 0 || filled.certain.size > 0) return false;
  return !/\bit\b/i.test(prompt.text) && contentTokens(prompt).every(({ term }) => intentsOf(term).has("read"));
}

/** "show it" once the record is gone, or when nothing says which is meant: a list of everything is no answer to that. */
function pointless(prompt: PromptText, { conversation, tools, today }: Situation): Step | undefined {
  const only = prompt.tokens.every(({ word, term }) => isStopWord(word) || intentsOf(term).size > 0);
  const last = conversation.before.at(-1);
  const tool = tools.find(({ name }) => name === last?.call.name);
  if (!only || !/\bit\b/i.test(prompt.text) || !tool || !last) return undefined;
  if (tool.verb === "delete" && !last.isError)
    return textStep(`That ${resourceNoun(tool)} was deleted, so there is nothing to show.`);
  if (referredRecord(conversation, tool, tools, today)) return undefined;
  return textStep(`I cannot tell which ${resourceNoun(tool)} you mean: say its id or name.`);
}

function declined(prompt: PromptText, request: Request, { tools }: Situation): string {
  const ranked = indexFor(tools)
    .search(prompt.text, 12)
    .map(({ tool }) => tool);
  const near = ranked.slice(0, 3);
  const said = new Set(prompt.tokens.flatMap(({ term }) => [...intentsOf(term)]));
  const first =
    ranked.find((tool) => said.has(intentOfTool(tool) as Intent) && intentOfTool(tool) !== "read") ?? near[0];
  if (request.negated && first) return declineText(near, "You said not to, so I called nothing.");
  if (request.howTo && first)
    return howToText(
      first,
      slotsOf(first).filter(({ required }) => required),
    );
  return declineText(near);
}

/** Whether a tool deletes or acts on the one record whose key it takes. */
function takesOne(tool: Tool): boolean {
  const kind = intentOfTool(tool);
  return (
    (kind === "delete" || kind === "act") &&
    keysOf(tool).length > 0 &&
    !/\}\/[^{}]*[^su]s$/.test(tool.transport.path ?? "")
  );
}

function oneOnly(tool: Tool): string {
  const names = keysOf(tool).map(({ name }) => name);
  return `\`${tool.name}\` works on one ${resourceNoun(tool)} at a time, so I called nothing. Say which one by its ${names.at(-1)} or name.`;
}

/** What speaks against a call: something that was said has no place in it. A list is read all the same, and says so. */
function objectionTo(candidate: Candidate, prompt: PromptText, request: Request): Step | undefined {
  const { tool, filled } = candidate;
  const unfit = invalidSlots(candidate, prompt);
  if (tool.safety === "read_only") {
    const set = unfit.find(({ name }) =>
      new RegExp(`\\b${words(name).join("[\\W_]?")}\\s*[:=]`, "i").test(prompt.text),
    );
    return set && textStep(`${invalidSlotText(tool, set, textGivenFor(set, prompt))} I called nothing.`);
  }
  if (unfit.length > 0) {
    const why = unfit.flatMap((slot) => invalidSlotText(tool, slot, textGivenFor(slot, prompt))).join(" ");
    return askAgain(tool, filled, unfit, { prompt: prompt.text, why });
  }
  const by = intentOfTool(tool) === "update" && incrementIn(prompt);
  if (by)
    return textStep(
      `I set values, I do not reckon with them, so I called nothing. Say what it is to be, not by how much ("${by.text}").`,
    );
  if (request.everything && takesOne(tool)) return textStep(oneOnly(tool));
  const condition = conditionIn(candidate, prompt);
  if (condition !== undefined)
    return textStep(`I cannot weigh "${condition}", so I called nothing. Look first, then say what to do without it.`);
  const values = uncoveredEntities(candidate, prompt).map(({ text }) => text);
  const pairs = uncoveredPairs(prompt, filled.args, filled.filled);
  const lost = values.length > 0 ? values : pairs.length > 0 ? pairs : uncoveredWords(candidate, prompt);
  return lost.length === 0
    ? undefined
    : textStep(
        `I could not place ${quoted(lost, "and")} in \`${tool.name}\`, so I called nothing. Say it in one plain sentence, one change at a time.`,
      );
}

/** Completes a candidate's arguments from the conversation, or by looking the record up, or by asking. */
function toward(candidate: Candidate, prompt: PromptText, request: Request, situation: Situation): Step {
  const { tool } = candidate;
  const args = structuredClone(candidate.filled.args);
  let missing = candidate.filled.missing;
  const wrong = tool.safety === "read_only" ? undefined : ownershipObjection(candidate, prompt, situation.tools);
  const objection = wrong === undefined ? objectionTo(candidate, prompt, request) : textStep(wrong);
  if (objection) return objection;
  const [only] = missing;
  const key = only && pathNames(tool).has(only.name) ? only : undefined;
  if (missing.length === 1 && key) {
    const found = request.refers
      ? referredRecord(situation.conversation, tool, situation.tools, situation.today)
      : undefined;
    const id = found && toSlotValue(key, idOf(found, key.name) ?? null);
    if (id !== undefined && id !== null) {
      setValueAt(args, key.path, id);
      missing = [];
    } else {
      const step = lookUp(tool, args, key, prompt, situation);
      if (step) return step;
    }
  }
  if (missing.length === 0) missing = missingContent(tool, args, prompt);
  const file = missing.find(({ format }) => format === "binary");
  if (file)
    return textStep(`\`${tool.name}\` sends a file as its ${file.name}, and I have none to send, so I called nothing.`);
  if (missing.length > 0 && request.everything && key) return textStep(oneOnly(tool));
  if (missing.length > 0) return askFor(tool, args, missing, prompt.text);
  return commit(tool, args, prompt.text, situation);
}

function afterCall(last: CompletedCall, prompt: PromptText, situation: Situation): Step {
  const { tools } = situation;
  const called = tools.find(({ name }) => name === last.call.name);
  const target = tools.find(({ name }) => name === last.goal?.tool);
  const context = { prompt, request: readRequest(prompt), lookupPhrase: last.goal?.phrase ?? "" };
  if (!called) return textStep(`\`${last.call.name}\` answered:\n\n${last.text.slice(0, 2000)}`);
  const answered = { tool: called, args: last.call.arguments, text: last.text, isError: last.isError };
  if (last.isError || !last.goal || !target || last.goal.step === "do" || changedAlready(situation))
    return textStep(
      `${renderAnswer(answered, context)}${onlyRead(answered.tool, last.isError, context.request)}${onlyOne(answered.tool, context.request)}`,
    );
  const { value } = readResultText(last.text);
  if (isObject(value) && value["dry_run"] === true)
    return textStep(
      `${renderAnswer(answered, context)}\n\nWhat follows depends on its answer, so \`${target.name}\` was not tried.`,
    );
  return last.goal.step === "find"
    ? continueLookup(last, last.goal, target, situation)
    : replaceRecord(last.goal, target, value);
}

/** A prompt that also commanded a change is told that there was none. */
function onlyRead(tool: Tool, failed: boolean, request: Request): string {
  const commanded = request.changesAfterRead || request.commands.some(({ intents }) => intents.size > 0);
  return !failed && commanded && tool.safety === "read_only" ? "\n\nI only looked; nothing was changed." : "";
}

/** A prompt that commanded changes of several kinds is told that only one was tried. */
function onlyOne(tool: Tool, request: Request): string {
  const [first, ...others] = request.commands.filter(({ intents }) => intents.size > 0);
  const differs = others.some(
    ({ intents, term }) =>
      ![...intents].some((intent) => first?.intents.has(intent)) || (tool.verb === "action" && term !== first?.term),
  );
  return differs && tool.safety !== "read_only" ? "\n\nI make one change a prompt: ask for the rest on its own." : "";
}

function changedAlready({ conversation, tools }: Situation): boolean {
  return conversation.turn.some(({ call }) => tools.find(({ name }) => name === call.name)?.safety !== "read_only");
}

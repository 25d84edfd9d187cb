// The planner: from a prompt and the answers so far to the next step. Reads first, at most one change at the end, and no
// change that the prompt does not command or that needs a guess.

import type { Tool } from "../domain/tool.js";
import { isObject } from "../lib/json.js";
import { type Intent, intentsOf } from "../tools/search/synonyms.js";
import { isStopWord, words } from "../tools/search/terms.js";
import { render } from "./answer/render.js";
import { idOf, readResult } from "./answer/rows.js";
import { cutText, declineText, helpText, howToText, quoted, THANKS_TEXT, whichText } from "./answer/sentences.js";
import { conditionIn } from "./checks/conditions.js";
import { saidOf, stepIn, unfitSlots, unplacedValues, unplacedWords, whyUnfit } from "./checks/coverage.js";
import { misread } from "./checks/ownership.js";
import { type Done, spokenAbout, spokenOf } from "./conversation.js";
import { answerQuestion } from "./follow-up.js";
import { lookUp, replace, takeFound } from "./lookup.js";
import { type Candidate, choose, indexOf } from "./match/candidates.js";
import { unplacedPairs } from "./match/maps.js";
import { decide } from "./match/tool-choice.js";
import { intentOfTool } from "./match/tool-intent.js";
import { contentTokens, type PromptText, readPrompt } from "./prompt/prompt.js";
import { type Request, readRequest } from "./prompt/request.js";
import { thingOf } from "./resource-noun.js";
import { keysOf, pathNames, place, slotsOf } from "./slots/slot.js";
import { fit } from "./slots/slot-value.js";
import { ask, askAll, commit, missingContent, type Situation, type Step, say } from "./step.js";

/** The next step of a conversation. What was only half read changes nothing. */
export function plan(situation: Situation): Step {
  const step = nextStep(situation);
  const { cutAt } = situation.conversation;
  if (cutAt === undefined) return step;
  if (cutAt === 0) return say(declineText([], "The first word of this prompt is too long for me to read."));
  const names = [step.kind === "call" && step.tool, step.goal?.tool];
  const changes = situation.tools.some(({ name, safety }) => names.includes(name) && safety !== "read_only");
  if (changes) return say(`${cutText(cutAt)} What I do not read to its end changes nothing: say it in fewer words.`);
  return step.kind === "say" ? { ...step, text: `${step.text}\n\n${cutText(cutAt)}` } : step;
}

function nextStep(situation: Situation): Step {
  const { conversation, today } = situation;
  const last = conversation.turn.at(-1);
  const text = (last?.goal ?? conversation.asked)?.prompt ?? conversation.prompt;
  const prompt = readPrompt(text, today);
  if (last) return afterCall(last, prompt, situation);
  if (conversation.asked) {
    const step = answerQuestion(conversation.asked, situation);
    if (step) return step;
  }
  return start(readPrompt(conversation.prompt, today), situation);
}

function start(prompt: PromptText, situation: Situation): Step {
  const { tools } = situation;
  const request = readRequest(prompt);
  if (request.thanks) return say(THANKS_TEXT);
  if (request.help || prompt.tokens.length === 0) return say(helpText(tools));
  if ((request.howTo || request.negated) && request.changes) return say(declined(prompt, request, situation));
  const about = request.refers ? spokenAbout(situation.conversation, tools) : undefined;
  const gone = request.refers && !request.changes ? pointless(prompt, situation) : undefined;
  if (gone) return gone;
  const candidates = choose(tools, { prompt, request, about });
  const decision = decide(candidates, request);
  switch (decision.kind) {
    case "call":
    case "ask":
      if (saysNothing(prompt, decision.candidate)) return say(declined(prompt, request, situation));
      return toward(decision.candidate, prompt, request, situation);
    case "which":
      return say(whichText(decision.candidates.map(({ tool }) => tool)));
    case "decline":
      return say(declined(prompt, request, situation));
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
    return say(`That ${thingOf(tool)} was deleted, so there is nothing to show.`);
  if (spokenOf(conversation, tool, tools, today)) return undefined;
  return say(`I cannot tell which ${thingOf(tool)} you mean: say its id or name.`);
}

function declined(prompt: PromptText, request: Request, { tools }: Situation): string {
  const ranked = indexOf(tools)
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
  return `\`${tool.name}\` works on one ${thingOf(tool)} at a time, so I called nothing. Say which one by its ${names.at(-1)} or name.`;
}

/** What speaks against a call: something that was said has no place in it. A list is read all the same, and says so. */
function objectionTo(candidate: Candidate, prompt: PromptText, request: Request): Step | undefined {
  const { tool, filled } = candidate;
  const unfit = unfitSlots(candidate, prompt);
  if (tool.safety === "read_only") {
    const set = unfit.find(({ name }) =>
      new RegExp(`\\b${words(name).join("[\\W_]?")}\\s*[:=]`, "i").test(prompt.text),
    );
    return set && say(`${whyUnfit(tool, set, saidOf(set, prompt))} I called nothing.`);
  }
  if (unfit.length > 0) {
    const why = unfit.flatMap((slot) => whyUnfit(tool, slot, saidOf(slot, prompt))).join(" ");
    return askAll(tool, filled, unfit, { prompt: prompt.text, why });
  }
  const by = intentOfTool(tool) === "update" && stepIn(prompt);
  if (by)
    return say(
      `I set values, I do not reckon with them, so I called nothing. Say what it is to be, not by how much ("${by.text}").`,
    );
  if (request.everything && takesOne(tool)) return say(oneOnly(tool));
  const condition = conditionIn(candidate, prompt);
  if (condition !== undefined)
    return say(`I cannot weigh "${condition}", so I called nothing. Look first, then say what to do without it.`);
  const values = unplacedValues(candidate, prompt).map(({ text }) => text);
  const pairs = unplacedPairs(prompt, filled.args, filled.filled);
  const lost = values.length > 0 ? values : pairs.length > 0 ? pairs : unplacedWords(candidate, prompt);
  return lost.length === 0
    ? undefined
    : say(
        `I could not place ${quoted(lost, "and")} in \`${tool.name}\`, so I called nothing. Say it in one plain sentence, one change at a time.`,
      );
}

/** Completes a candidate's arguments from the conversation, or by looking the record up, or by asking. */
function toward(candidate: Candidate, prompt: PromptText, request: Request, situation: Situation): Step {
  const { tool } = candidate;
  const args = structuredClone(candidate.filled.args);
  let missing = candidate.filled.missing;
  const wrong = tool.safety === "read_only" ? undefined : misread(candidate, prompt, situation.tools);
  const objection = wrong === undefined ? objectionTo(candidate, prompt, request) : say(wrong);
  if (objection) return objection;
  const [only] = missing;
  const key = only && pathNames(tool).has(only.name) ? only : undefined;
  if (missing.length === 1 && key) {
    const found = request.refers ? spokenOf(situation.conversation, tool, situation.tools, situation.today) : undefined;
    const id = found && fit(key, idOf(found, key.name) ?? null);
    if (id !== undefined && id !== null) {
      place(args, key.path, id);
      missing = [];
    } else {
      const step = lookUp(tool, args, key, prompt, situation);
      if (step) return step;
    }
  }
  if (missing.length === 0) missing = missingContent(tool, args, prompt);
  const file = missing.find(({ format }) => format === "binary");
  if (file)
    return say(`\`${tool.name}\` sends a file as its ${file.name}, and I have none to send, so I called nothing.`);
  if (missing.length > 0 && request.everything && key) return say(oneOnly(tool));
  if (missing.length > 0) return ask(tool, args, missing, prompt.text);
  return commit(tool, args, prompt.text, situation);
}

function afterCall(last: Done, prompt: PromptText, situation: Situation): Step {
  const { tools } = situation;
  const called = tools.find(({ name }) => name === last.call.name);
  const target = tools.find(({ name }) => name === last.goal?.tool);
  const context = { prompt, request: readRequest(prompt), found: last.goal?.phrase ?? "" };
  if (!called) return say(`\`${last.call.name}\` answered:\n\n${last.text.slice(0, 2000)}`);
  const answered = { tool: called, args: last.call.arguments, text: last.text, isError: last.isError };
  if (last.isError || !last.goal || !target || last.goal.step === "do" || changedAlready(situation))
    return say(
      `${render(answered, context)}${onlyRead(answered.tool, last.isError, context.request)}${onlyOne(answered.tool, context.request)}`,
    );
  const { value } = readResult(last.text);
  if (isObject(value) && value["dry_run"] === true)
    return say(
      `${render(answered, context)}\n\nWhat follows depends on its answer, so \`${target.name}\` was not tried.`,
    );
  return last.goal.step === "find" ? takeFound(last, last.goal, target, situation) : replace(last.goal, target, value);
}

/** A prompt that also commanded a change is told that there was none. */
function onlyRead(tool: Tool, failed: boolean, request: Request): string {
  const commanded = request.later || request.commands.some(({ intents }) => intents.size > 0);
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

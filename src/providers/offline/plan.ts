// The planner: from a prompt and the answers so far to the next step. Reads first, at most one change at the end, and no
// change that the prompt does not command or that needs a guess.
import { isObject } from "../../json.js";
import { type Intent, intentsOf } from "../../rank/synonyms.js";
import type { Tool } from "../../tool.js";
import { type Candidate, choose, indexOf, intentOfTool } from "./choose.js";
import { type Done, spokenAbout, spokenOf } from "./conversation.js";
import { decide } from "./decide.js";
import { type Request, readRequest } from "./intent.js";
import { lookUp, replace, takeFound } from "./lookup.js";
import { identifying, textAfterCommand, textAfterThing, textBeforeThing } from "./phrase.js";
import { type PromptText, readPrompt } from "./prompt.js";
import { answerQuestion } from "./question.js";
import { render, thingOf } from "./render.js";
import { idOf, readResult } from "./rows.js";
import { fit, pathNames, place, slotsOf } from "./slots.js";
import { cutText, declineText, helpText, howToText, quoted, THANKS_TEXT, whichText } from "./speak.js";
import { ask, commit, missingContent, type Situation, type Step, say } from "./step.js";
import type { Value } from "./values.js";

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
  const candidates = choose(tools, { prompt, request, about });
  const decision = decide(candidates, request);
  switch (decision.kind) {
    case "call":
    case "ask":
      return toward(decision.candidate, prompt, request, situation);
    case "which":
      return say(whichText(decision.candidates.map(({ tool }) => tool)));
    case "decline":
      return say(declined(prompt, request, situation));
    default:
      return decision satisfies never;
  }
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

/**
 * Values that a change would silently leave out: "delete product 1 and product 2". Free text may hold numbers of its own, and
 * what names the record is looked up.
 */
function unplaced({ tool, filled }: Candidate, prompt: PromptText): Value[] {
  const name = filled.missing.length > 0 ? identifying(prompt) : undefined;
  const free = textBeforeThing(prompt, tool) ?? textAfterThing(prompt, tool) ?? textAfterCommand(prompt) ?? "";
  return prompt.values.filter((value) => {
    if (value === name || value.kind === "name" || value.kind === "date" || value.kind === "time") return false;
    if ([...filled.used].some((used) => used.start < value.end && value.start < used.end)) return false;
    const held = [...filled.used].some((used) => typeof used.value === "string" && used.value.includes(value.text));
    const takesText = intentOfTool(tool) === "create" || filled.missing.length > 0;
    return (
      !held &&
      !(takesText && free.includes(value.text) && value.kind === "number" && free !== value.text && /\p{L}/u.test(free))
    );
  });
}

/** Completes a candidate's arguments from the conversation, or by looking the record up, or by asking. */
function toward(candidate: Candidate, prompt: PromptText, request: Request, situation: Situation): Step {
  const { tool } = candidate;
  const args = structuredClone(candidate.filled.args);
  let missing = candidate.filled.missing;
  const lost = tool.safety === "read_only" ? [] : unplaced(candidate, prompt);
  if (lost.length > 0)
    return say(
      `I could not place ${quoted(
        lost.map(({ text }) => text),
        "and",
      )} in \`${tool.name}\`, so I called nothing. Say it in one plain sentence, one change at a time.`,
    );
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
  if (missing.length > 0 && request.everything && key)
    return say(
      `\`${tool.name}\` works on one ${thingOf(tool)} at a time, so I called nothing. Say which one by its ${key.name} or name.`,
    );
  if (missing.length > 0) return ask(tool, args, missing, prompt.text);
  return commit(tool, args, prompt.text, situation);
}

function afterCall(last: Done, prompt: PromptText, situation: Situation): Step {
  const { tools } = situation;
  const called = tools.find(({ name }) => name === last.call.name);
  const target = tools.find(({ name }) => name === last.goal?.tool);
  const context = { prompt, request: readRequest(prompt) };
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

// What follows a completed call: its answer as text, or the next step of the goal it was made for.

import type { Tool } from "../domain/tool.js";
import { isObject, type JsonObject } from "../lib/json.js";
import { stem } from "../tools/search/terms.js";
import { renderAnswer } from "./answer/render.js";
import { readResultText } from "./answer/rows.js";
import { continueLookup, isKeyItself, lookUpCode } from "./changes/lookup.js";
import { lookUpNumber } from "./changes/lookup-call.js";
import { replaceRecord } from "./changes/replace-record.js";
import type { CompletedCall, Situation } from "./conversation.js";
import { continueJoin } from "./join.js";
import { nextPage } from "./pages.js";
import type { PromptText } from "./prompt/prompt.js";
import { type Request, readRequest } from "./prompt/request.js";
import { continueLacking, stepToLacking } from "./related/lacking.js";
import { stepToNamesOf } from "./related/named-references.js";
import { stepAfterRead } from "./related/reference.js";
import { relatedToFound } from "./related/related-names.js";
import { continueThrough } from "./related/through.js";
import { resourceNoun } from "./resource-noun.js";
import { slotsOf } from "./slots/slot.js";
import { type Step, textStep } from "./step.js";

/** Of an answer by a tool that is gone this much is quoted. */
const MAX_QUOTED = 2000;

interface ReadNoteFacts {
  args: JsonObject;
  /** The answer so far. */
  text: string;
  failed: boolean;
}

/** A prompt that also commanded a change is answered with the remark that there was none. */
function onlyReadNote(tool: Tool, { args, text, failed }: ReadNoteFacts, request: Request): string {
  // A record may say so, too.
  if (/^I [^\n]*\bnothing was changed\./.test(text)) return "";
  // "open issues" were listed by their state.
  const values = new Set(Object.entries(args).flatMap(([name, value]) => [name, String(value)].map(stem)));
  const verbs = request.commands.filter(({ intents, term }) => intents.size > 0 && !values.has(term));
  const commanded = request.changesAfterRead || verbs.length > 0;
  return !failed && commanded && tool.safety === "read_only" ? "\n\nI only looked; nothing was changed." : "";
}

/** A prompt that commanded changes of several kinds is answered with the remark that only one was tried. */
function oneChangeNote(tool: Tool, request: Request): string {
  const [first, ...others] = request.commands.filter(({ intents }) => intents.size > 0);
  const differs = others.some(
    ({ intents, term }) =>
      ![...intents].some((intent) => first?.intents.has(intent)) || (tool.verb === "action" && term !== first?.term),
  );
  return differs && tool.safety !== "read_only" ? "\n\nI make one change a prompt: ask for the rest on its own." : "";
}

function withNotes(
  text: string,
  { tool, args, failed, request }: { tool: Tool; args: JsonObject; failed: boolean; request: Request },
): string {
  return `${text}${onlyReadNote(tool, { args, text, failed }, request)}${oneChangeNote(tool, request)}`;
}

/** Whether this turn made a change already: a prompt gets at most one. */
function hasChanged({ conversation, tools }: Situation): boolean {
  return conversation.turn.some(({ call }) => tools.find(({ name }) => name === call.name)?.safety !== "read_only");
}

/** An answer that keeps back what was read: it is shown once the person says yes, which `prompt` asks for. */
const offer = (text: string, { tool, args, prompt }: { tool: Tool; args: JsonObject; prompt: string }): Step => ({
  kind: "text",
  text,
  goal: { step: "ask", tool: tool.name, args, missing: [], prompt },
});

/** What says that there is no record of this key. */
const NO_RECORD = /\bnot[ _]found\b|\b404\b|\bnull\b|\bno such\b/i;

/**
 * A record that was read by a code and has another key is looked for in its list, once; a change goes on with the code for its key
 * where that list cannot be read.
 */
function stepAfterFailure(
  last: CompletedCall,
  tool: Tool,
  { prompt, situation }: { prompt: PromptText; situation: Situation },
): Step | undefined {
  const { call, goal, text } = last;
  const target = situation.tools.find(({ name }) => name === goal?.tool);
  if (goal?.step === "find" && target && isKeyItself(last, { goal, tool: target }))
    return continueLookup(last, { goal, tool: target }, situation);
  if (goal?.step !== "do" || tool.safety !== "read_only" || situation.conversation.turn.length > 1) return undefined;
  return NO_RECORD.test(text) ? lookUpCode(tool, { args: call.arguments, prompt }, situation) : undefined;
}

/** What belongs to a record that was called by its number is listed by its key, where the list is empty by the number. */
function stepAfterEmpty(
  { call, goal, text }: CompletedCall,
  tool: Tool,
  { prompt, situation }: { prompt: PromptText; situation: Situation },
): Step | undefined {
  const { conversation, readsLeft } = situation;
  const { rows } = readResultText(text);
  if (goal?.step !== "do" || tool.verb !== "list" || rows?.length !== 0 || conversation.turn.length > 1)
    return undefined;
  const keys = readsLeft > 0 ? slotsOf(tool).filter(({ name }) => call.arguments[name] !== undefined) : [];
  for (const key of keys) {
    const step = lookUpNumber(tool, { args: call.arguments, key, prompt }, situation);
    if (step) return step;
  }
  return undefined;
}

/** The step after the newest call of a turn; its answer with the note of the goal above it. */
export function stepAfterCall(last: CompletedCall, prompt: PromptText, situation: Situation): Step {
  const step = stepAfter(last, prompt, situation);
  const note = last.isError ? undefined : last.goal?.note;
  if (note === undefined) return step;
  return step.kind === "text" ? { ...step, text: `${note}${step.text}` } : { ...step, goal: { ...step.goal, note } };
}

function stepAfter(last: CompletedCall, prompt: PromptText, situation: Situation): Step {
  const { tools } = situation;
  const { call, goal, text, isError } = last;
  const tool = tools.find(({ name }) => name === call.name);
  const target = tools.find(({ name }) => name === goal?.tool);
  if (!tool) return textStep(`\`${call.name}\` answered:\n\n${text.slice(0, MAX_QUOTED)}`);
  const page = nextPage(last, tool, { prompt, readsLeft: situation.readsLeft });
  if (page) return page;
  const request = readRequest(prompt);
  const answered = { tool, args: call.arguments, text, isError };
  const {
    text: answer,
    offers,
    offersRecord,
  } = renderAnswer(answered, { prompt, request, lookupPhrase: goal?.phrase ?? "" });
  const next = isError
    ? stepAfterFailure(last, tool, { prompt, situation })
    : (stepToLacking(last, tool, { prompt, situation }) ??
      stepAfterRead(last, tool, { prompt, situation }) ??
      stepAfterEmpty(last, tool, { prompt, situation }));
  if (next) return next;
  if (isError || !goal || !target || goal.step === "do" || hasChanged(situation)) {
    const said = withNotes(answer, { tool, args: call.arguments, failed: isError, request });
    if (offersRecord) return offer(said, { tool, args: call.arguments, prompt: `show ${resourceNoun(tool)}` });
    if (offers !== undefined) return offer(said, { tool, args: call.arguments, prompt: offers });
    const named =
      isError || goal?.step !== "do" ? undefined : stepToNamesOf(last, { tool, text: said }, { prompt, situation });
    return named ?? textStep(said);
  }
  const { value } = readResultText(text);
  if (isObject(value) && value["dry_run"] === true)
    return textStep(`${answer}\n\nWhat follows depends on its answer, so \`${target.name}\` was not tried.`);
  if (goal.step === "join") return continueJoin(last, goal, situation);
  if (goal.step === "lacking") return continueLacking(last, goal, situation);
  if (goal.step === "through") return continueThrough(last, goal, situation);
  if (goal.step !== "find") return replaceRecord(goal, target, value);
  const found = continueLookup(last, { goal, tool: target }, situation);
  const related = relatedToFound(found, goal, { prompt, tools });
  return related && "step" in related ? related.step : found;
}

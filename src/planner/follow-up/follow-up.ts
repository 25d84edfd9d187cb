// The answer to a question of the planner: the next prompt fills what was missing, cancels, or turns out to be about
// something else.

import { ownName, type Tool } from "../../domain/tool.js";
import type { JsonObject, JsonValue } from "../../lib/json.js";
import { valueAt } from "../../lib/json-pointer.js";
import { terms } from "../../tools/search/terms.js";
import type { Situation } from "../conversation.js";
import type { Goal } from "../goal.js";
import { rankCandidates } from "../match/candidates.js";
import { fillSlots } from "../match/fill.js";
import type { FilledSlots } from "../match/filled-slots.js";
import { chooseTool } from "../match/tool-choice.js";
import { isInside, overlaps } from "../prompt/entities.js";
import { contentTokens, type PromptText, readPrompt } from "../prompt/prompt.js";
import { type Request, readRequest } from "../prompt/request.js";
import { vagueDay } from "../slots/moment.js";
import { normalise } from "../slots/normalise.js";
import { type Slot, setValueAt, slotsOf, textsIn } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";
import { askFor, commit, type Step, textStep } from "../step.js";

/** Prompts of more words are not one bare value. */
const MAX_BARE = 6;
/** A prompt that reads and has more words is a new one when it has no valid value. */
const MAX_VALUE = 4;
const CANCEL = /^\s*(?:cancel|never ?mind|stop|no|nope|forget it|nothing|abort|quit|skip(?: it)?)[\s.!]*$/i;

/** The answer to an offer. */
const YES =
  /^\s*(?:yes|yes,? please|y|yep|yeah|ok|okay|sure|please do|do it|do that|go ahead|(?:yes,? )?show (?:it|me|them)(?: please)?)[\s.!]*$/i;

/** A prompt right after a question. */
interface Answer {
  goal: Goal;
  prompt: PromptText;
  request: Request;
  /** What the prompt gives for the tool of the question. */
  filled: FilledSlots;
  /** The tool of the question changes something. */
  changes: boolean;
}

/** The whole prompt as the value of a slot; of a change a day has to be one that is certain. */
function bareValue(slot: Slot, { text, entities }: PromptText, changes: boolean): JsonValue | undefined {
  if (changes && entities.some((entity) => vagueDay(slot, entity) !== undefined)) return undefined;
  const [only] = entities;
  if (slot.format.startsWith("date") && only?.kind === "date") return toSlotValue(slot, normalise(slot, only));
  return toSlotValue(slot, bareText(text));
}

/** The arguments with the answer to a question about one slot; what is to be done when it has no valid value. */
function answerOne(
  slot: Slot,
  { goal, prompt, request, filled, changes }: Answer,
): JsonObject | "ask again" | "new prompt" {
  const value =
    (filled.certain.has(slot) ? valueAt(filled.args, slot.path) : undefined) ??
    bareValue(slot, prompt, changes) ??
    valueAt(filled.args, slot.path);
  if (value === undefined) return request.reads && prompt.tokens.length > MAX_VALUE ? "new prompt" : "ask again";
  const args = structuredClone(goal.args);
  setValueAt(args, slot.path, value);
  return args;
}

/** The same for a question about several slots: one bare value answers the first slot that takes it. */
function answerSeveral(
  slots: readonly Slot[],
  { goal, prompt, filled, changes }: Answer,
): JsonObject | "ask again" | "new prompt" {
  const args = structuredClone(goal.args);
  const given = slots.filter((slot) => filled.filled.has(slot));
  for (const slot of given) setValueAt(args, slot.path, valueAt(filled.args, slot.path) ?? null);
  if (given.length > 0) return args;
  if (prompt.tokens.length > MAX_BARE) return "new prompt";
  if (goal.any === true) return "ask again";
  const takers = slots.filter((slot) => bareValue(slot, prompt, changes) !== undefined);
  const [slot] = takers;
  if (!slot) return "new prompt";
  // Which of several a change means by a bare value is not for the planner to say.
  if (changes && takers.length > 1) return "ask again";
  setValueAt(args, slot.path, bareValue(slot, prompt, changes) ?? null);
  return args;
}

/** The step after the answer to a question; undefined when the prompt is a new one. */
export function answerQuestion(goal: Goal, { conversation, tools, today }: Situation): Step | undefined {
  if (CANCEL.test(conversation.prompt)) return textStep("All right, nothing was called.");
  const tool = tools.find(({ name }) => name === goal.tool);
  if (!tool) return undefined;
  if (goal.missing?.length === 0) {
    const isNamed =
      goal.phrase !== undefined && bareText(conversation.prompt).toLowerCase() === goal.phrase.toLowerCase();
    if (!YES.test(conversation.prompt) && !isNamed) return undefined;
    return commit(tool, { args: goal.args, prompt: goal.prompt ?? conversation.prompt }, tools);
  }
  const prompt = readPrompt(conversation.prompt, today);
  const request = readRequest(prompt);
  const slots = slotsOf(tool).filter(({ path }) => goal.missing?.includes(path.join(".")));
  const filled = fillSlots(tool, prompt, { guess: slots.length === 1 || tool.safety === "read_only" });
  const given = slots.filter((slot) => filled.filled.has(slot));
  const certain = given.some((slot) => filled.certain.has(slot));
  const again = (args: JsonObject, missing: readonly Slot[]): Step =>
    askFor(tool, { args: structuredClone(args), missing, prompt: goal.prompt ?? "" });
  if ((request.standalone || !certain) && isNewPrompt(prompt, request, tools)) return undefined;
  if (given.length > 0 && tool.safety !== "read_only" && !isPlain(prompt, tool, filled)) return again(goal.args, slots);
  const answer: Answer = { goal, prompt, request, filled, changes: tool.safety !== "read_only" };
  const [only] = slots;
  const args = slots.length === 1 && only ? answerOne(only, answer) : answerSeveral(slots, answer);
  if (args === "new prompt") return undefined;
  if (args === "ask again") return again(goal.args, slots);
  const open = slots.filter(({ path }) => valueAt(args, path) === undefined);
  if (open.length > 0 && !(goal.any === true && open.length < slots.length)) return again(args, open);
  return commit(tool, { args, prompt: goal.prompt ?? conversation.prompt }, tools);
}

/** Words that take an answer back, or make it depend on something. */
const DOUBT = /\b(?:not|no|never|except|but|if|unless|or|maybe)\b|n['’]t\b/i;

/** Whether an answer is nothing but what was asked for: "3" and "patient 3", but not "not 3", "3 and 4" or "3's brother". */
function isPlain(prompt: PromptText, tool: Tool, { used, args }: FilledSlots): boolean {
  const known = new Set([
    ...[ownName(tool), tool.resource, tool.transport.path ?? "", ...textsIn(args)].flatMap(terms),
    ...slotsOf(tool).flatMap(({ label, enclosing, description }) => [...label, ...enclosing, ...terms(description)]),
  ]);
  return (
    prompt.entities.every((entity) => [...used].some((one) => overlaps(one, entity))) &&
    contentTokens(prompt).every(({ start, term }) => isInside(start, used) || known.has(term)) &&
    !prompt.tokens.some(({ start, word }) => !isInside(start, used) && DOUBT.test(word))
  );
}

/** Whether the words after a question are a new prompt. A word or two are an answer, and so is what fits no tool. */
function isNewPrompt(prompt: PromptText, request: Request, tools: readonly Tool[]): boolean {
  if (request.help) return true;
  if (prompt.tokens.length < 2) return false;
  const { kind } = chooseTool(rankCandidates(tools, { prompt, request }), request);
  return kind !== "decline" && kind !== "offer";
}

/** An answer without its wrapping: quotes, "it is", a final stop. */
function bareText(text: string): string {
  return text
    .trim()
    .replace(/^(?:it(?:['’]s| is)|that(?:['’]s| is)|the (?:id|name|number) is|use|take|number|id|#)\s*/i, "")
    .replace(/^["“'‘`](.*)["”'’`][.!]?$/, "$1")
    .replace(/[.!]$/, "");
}

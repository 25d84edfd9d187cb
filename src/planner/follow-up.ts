// The answer to a question the planner asked: the next prompt fills what was missing, cancels, or turns out to be about
// something else.

import type { Tool } from "../domain/tool.js";
import { valueAt } from "../lib/json-pointer.js";
import { terms } from "../tools/search/terms.js";
import type { Goal } from "./goal.js";
import { rankCandidates } from "./match/candidates.js";
import { fillSlots } from "./match/fill.js";
import type { FilledSlots } from "./match/filled-slots.js";
import { chooseTool } from "./match/tool-choice.js";
import { contentTokens, type PromptText, readPrompt } from "./prompt/prompt.js";
import { type Request, readRequest } from "./prompt/request.js";
import { setValueAt, slotsOf, textsIn } from "./slots/slot.js";
import { toSlotValue } from "./slots/slot-value.js";
import { askFor, commit, type Situation, type Step, textStep } from "./step.js";

/** Longer texts are not one bare value. */
const MAX_BARE = 6;
const CANCEL = /^\s*(?:cancel|never ?mind|stop|no|nope|forget it|nothing|abort|quit|skip(?: it)?)[\s.!]*$/i;
/** The prompt as the answer to what was asked; undefined when it is something new. */
export function answerQuestion(asked: Goal, situation: Situation): Step | undefined {
  const { conversation, tools, today } = situation;
  if (CANCEL.test(conversation.prompt)) return textStep("All right, nothing was called.");
  const tool = tools.find(({ name }) => name === asked.tool);
  if (!tool) return undefined;
  const prompt = readPrompt(conversation.prompt, today);
  const slots = slotsOf(tool).filter(({ path }) => asked.missing?.includes(path.join(".")));
  const request = readRequest(prompt);
  const [only] = slots;
  const answer = fillSlots(tool, prompt, { guess: true });
  const again = (): Step => askFor(tool, structuredClone(asked.args), slots, asked.prompt ?? "");
  const given = slots.filter((slot) => answer.filled.has(slot));
  const certain = given.some((slot) => answer.certain.has(slot));
  if ((request.standalone || !certain) && isNewPrompt(prompt, request, tools)) return undefined;
  const plain = tool.safety === "read_only" || isPlain(prompt, tool, answer);
  if (given.length > 0 && !plain) return again();
  const args = structuredClone(asked.args);
  if (slots.length === 1 && only) {
    const literal = bare(conversation.prompt);
    const value =
      (answer.certain.has(only) ? valueAt(answer.args, only.path) : undefined) ??
      toSlotValue(only, literal) ??
      valueAt(answer.args, only.path);
    if (value === undefined)
      return request.reads && prompt.tokens.length > 4 ? undefined : askFor(tool, args, slots, asked.prompt ?? "");
    setValueAt(args, only.path, value);
  } else {
    // One bare value answers the first question that takes it.
    const first =
      given.length === 0 && asked.any !== true && prompt.tokens.length <= MAX_BARE
        ? slots.find((slot) => toSlotValue(slot, bare(conversation.prompt)) !== undefined)
        : undefined;
    if (given.length === 0 && !first)
      return asked.any === true && prompt.tokens.length <= MAX_BARE
        ? askFor(tool, args, slots, asked.prompt ?? "")
        : undefined;
    if (first) setValueAt(args, first.path, toSlotValue(first, bare(conversation.prompt)) ?? null);
    for (const slot of given) setValueAt(args, slot.path, valueAt(answer.args, slot.path) ?? null);
  }
  const open = slots.filter(({ path }) => valueAt(args, path) === undefined);
  const missing = asked.any === true && open.length < slots.length ? [] : open;
  return missing.length > 0
    ? askFor(tool, args, missing, asked.prompt ?? "")
    : commit(tool, args, asked.prompt ?? conversation.prompt, situation);
}

/** Words that take an answer back, or make it depend on something. */
const DOUBT = /\b(?:not|no|never|except|but|if|unless|or|maybe)\b|n['’]t\b/i;

/** Whether an answer is nothing but what was asked for: "3" and "patient 3", but not "not 3", "3 and 4" or "3's brother". */
function isPlain(prompt: PromptText, tool: Tool, { used, args }: FilledSlots): boolean {
  const isUsed = (from: number): boolean => [...used].some(({ start, end }) => from >= start && from < end);
  const known = new Set([
    ...[tool.name, tool.resource, tool.transport.path ?? "", ...textsIn(args)].flatMap(terms),
    ...slotsOf(tool).flatMap(({ label, enclosing, description }) => [...label, ...enclosing, ...terms(description)]),
  ]);
  return (
    prompt.entities.every(({ start, end }) => [...used].some((one) => one.start < end && start < one.end)) &&
    contentTokens(prompt).every(({ start, term }) => isUsed(start) || known.has(term)) &&
    !prompt.tokens.some(({ start, word }) => !isUsed(start) && DOUBT.test(word))
  );
}

/** Whether the words after a question are a prompt of their own. A word or two are an answer, and so is what fits no tool. */
function isNewPrompt(prompt: PromptText, request: Request, tools: readonly Tool[]): boolean {
  if (request.help) return true;
  if (prompt.tokens.length < 2) return false;
  const decision = chooseTool(rankCandidates(tools, { prompt, request }), request);
  return decision.kind === "call" || decision.kind === "ask" || decision.kind === "which";
}

/** An answer without its wrapping: quotes, "it is", a final stop. */
function bare(text: string): string {
  return text
    .trim()
    .replace(/^(?:it(?:['’]s| is)|that(?:['’]s| is)|the (?:id|name|number) is|use|take|number|id|#)\s*/i, "")
    .replace(/^["“'‘`](.*)["”'’`][.!]?$/, "$1")
    .replace(/[.!]$/, "");
}

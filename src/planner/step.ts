// The steps a plan is made of, and the three ways one ends: a call, a question, or words. Shared by all that plan.

import type { Tool } from "../domain/tool.js";
import { type JsonObject, toJson } from "../lib/json.js";
import { valueAt } from "../lib/json-pointer.js";
import { intentsOf } from "../tools/search/synonyms.js";
import { askAgainText, askChangeText, askText } from "./answer/sentences.js";
import type { Conversation } from "./conversation.js";
import type { Goal } from "./goal.js";
import type { FilledSlots } from "./match/filled-slots.js";
import { mainTextSlot, textAfterNoun, textBeforeNoun } from "./match/free-text.js";
import { actionOf, intentOfTool } from "./match/tool-intent.js";
import type { PromptText } from "./prompt/prompt.js";
import { pathNames, replacesWhole, type Slot, setValueAt, slotsOf, textsIn } from "./slots/slot.js";
import { toSlotValue } from "./slots/slot-value.js";

/** What to do next: one call, or something to say. `goal` is kept with the message. */
export type Step =
  | { kind: "call"; tool: string; args: JsonObject; goal: Goal }
  | { kind: "say"; text: string; goal?: Goal };

/** What a plan is made from. */
export interface Situation {
  conversation: Conversation;
  tools: readonly Tool[];
  /** ISO date. */
  today: string;
}

/** Something to say, and nothing to do. */
export const textStep = (text: string): Step => ({ kind: "say", text });

/** A new record needs something in it, and a change something that changes. The prompt's free text may be it. */
export function missingContent(tool: Tool, args: JsonObject, prompt: PromptText): Slot[] {
  const kind = intentOfTool(tool);
  if (kind !== "create" && kind !== "update" && (kind !== "act" || pathNames(tool).size > 0)) return [];
  const body = slotsOf(tool).filter(({ name }) => !pathNames(tool).has(name));
  const own = body.filter(({ required, enclosing }) => required || enclosing.length === 0);
  const action = actionOf(tool);
  const main = mainTextSlot(tool);
  // "ship order 5" says all there is to say; "upload" by itself does not, nor does "comment on order 5" where a text is taken.
  const says = action !== undefined && prompt.terms.has(action);
  const whole =
    says &&
    (intentsOf(action).size > 0 || !(main || own.some(({ label }) => label.length === 1 && label[0] === action)));
  if (own.length === 0 || whole) return [];
  const file = own.find(({ format, path }) => format === "binary" && valueAt(args, path) === undefined);
  if (kind === "create" && file) return [file];
  if (kind === "create" && main && valueAt(args, main.path) === undefined && main.enclosing.length === 0) {
    const text = textBeforeNoun(prompt, tool) ?? textAfterNoun(prompt, tool);
    const value = text === undefined ? undefined : toSlotValue(main, text);
    // Words that went elsewhere are not the text as well.
    const held = textsIn(args).some((one) => text?.toLowerCase().includes(one));
    if (value !== undefined && !held) setValueAt(args, main.path, value);
  }
  const set = body.filter(({ path }) => path[0] !== undefined && args[path[0]] !== undefined);
  if (set.length > 0) return [];
  return kind === "update" ? own : [main ?? own[0]].filter((slot) => slot !== undefined);
}

/** Whether one of the missing is enough: a change needs something that changes, no matter what. */
function isChoice(tool: Tool, missing: readonly Slot[]): boolean {
  const needed = missing.some(({ required, name }) => pathNames(tool).has(name) || (required && !replacesWhole(tool)));
  return intentOfTool(tool) === "update" && missing.length > 1 && !needed;
}

/** Asks for what is missing, and keeps what is known. */
export function askFor(tool: Tool, args: JsonObject, missing: readonly Slot[], prompt: string): Step {
  const names = missing.map(({ path }) => path.join("."));
  const any = isChoice(tool, missing);
  return {
    kind: "say",
    text: any ? askChangeText(tool, missing) : askText(tool, missing),
    goal: { step: "ask", tool: tool.name, args, missing: names, prompt, ...(any && { any }) },
  };
}

/** Asks for parameters that the prompt names but says nothing usable of; every one of them is wanted. */
export function askAgain(
  tool: Tool,
  { args, missing }: FilledSlots,
  unfit: readonly Slot[],
  { prompt, why }: { prompt: string; why: string },
): Step {
  const wanted = [...new Set([...missing, ...unfit])];
  const names = wanted.map(({ path }) => path.join("."));
  const goal: Goal = { step: "ask", tool: tool.name, args, missing: names, prompt };
  return { kind: "say", text: `${why} ${askAgainText(wanted)}`, goal };
}

/** The call itself; a change that replaces the whole record reads the record first. */
export function commit(tool: Tool, args: JsonObject, prompt: string, { tools }: Situation): Step {
  const goal: Goal = { step: "do", tool: tool.name, args, prompt };
  if (!replacesWhole(tool)) return { kind: "call", tool: tool.name, args, goal };
  const reader = tools.find(
    ({ transport, safety }) => transport.path === tool.transport.path && safety === "read_only",
  );
  const own = slotsOf(tool).filter(({ name, enclosing }) => enclosing.length === 0 && !pathNames(tool).has(name));
  if (own.every(({ path }) => valueAt(args, path) !== undefined)) return { kind: "call", tool: tool.name, args, goal };
  if (!reader) {
    const open = slotsOf(tool).filter(({ path, required }) => required && valueAt(args, path) === undefined);
    return open.length > 0 ? askFor(tool, args, open, prompt) : { kind: "call", tool: tool.name, args, goal };
  }
  const keys = Object.fromEntries(Object.entries(args).filter(([name]) => pathNames(tool).has(name)));
  return { kind: "call", tool: reader.name, args: keys, goal: { ...goal, step: "read" } };
}

/** A text that tells two calls apart; the planner never makes a failed one again. */
export function callKey(tool: string, args: JsonObject): string {
  return `${tool} ${toJson(args)}`;
}

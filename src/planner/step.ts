// The steps a plan is made of, and how one ends: with a call, a question, or a text.

import type { Tool } from "../domain/tool.js";
import { type JsonObject, toJson } from "../lib/json.js";
import { valueAt } from "../lib/json-pointer.js";
import { askAgainText, askChangeText, askText, offerText } from "./answer/sentences.js";
import type { Goal } from "./goal.js";
import type { FilledSlots } from "./match/filled-slots.js";
import { intentOfTool } from "./match/tool-intent.js";
import { pathNames, replacesWhole, type Slot, slotsOf } from "./slots/slot.js";

/** What to do next: one call, or a text for the person. `goal` is kept with the message. */
export type Step =
  | { kind: "call"; tool: string; args: JsonObject; goal: Goal }
  | { kind: "text"; text: string; goal?: Goal };

/** A text for the person, and no call. */
export const textStep = (text: string): Step => ({ kind: "text", text });

/** Whether a step changes something, now or in the end. */
export function isChange(step: Step, tools: readonly Tool[]): boolean {
  const names = [step.kind === "call" && step.tool, step.goal?.tool];
  return tools.some(({ name, safety }) => names.includes(name) && safety !== "read_only");
}

/** Whether a step leads to a change that sets a field: what an action takes from somewhere may depend on the place. */
export function setsField({ goal }: Step, tools: readonly Tool[]): boolean {
  const tool = tools.find(({ name }) => name === goal?.tool);
  return tool !== undefined && tool.safety !== "read_only" && tool.verb === "update";
}

/** Whether one of the missing is enough: an update needs any field that changes. */
function isChoice(tool: Tool, missing: readonly Slot[]): boolean {
  const needed = missing.some(({ required, name }) => pathNames(tool).has(name) || (required && !replacesWhole(tool)));
  return intentOfTool(tool) === "update" && missing.length > 1 && !needed;
}

/** Asks for what is missing, and keeps what is known; `prompt` is the one it all began with. */
export function askFor(
  tool: Tool,
  { args, missing, prompt }: { args: JsonObject; missing: readonly Slot[]; prompt: string },
): Step {
  const any = isChoice(tool, missing);
  return {
    kind: "text",
    text: any ? askChangeText(tool, missing) : askText(tool, missing),
    goal: {
      step: "ask",
      tool: tool.name,
      args,
      missing: missing.map(({ path }) => path.join(".")),
      prompt,
      any: any || undefined,
    },
  };
}

/** Asks for the key of the one record that is meant of those that a text shows. */
export function askWhich(text: string, key: Slot, { tool, args, prompt }: Goal): Step {
  return { kind: "text", text, goal: { step: "ask", tool, args, missing: [key.path.join(".")], prompt } };
}

/** Asks for slots that the prompt names with nothing valid, and for the missing ones; every one of them is wanted. */
export function askAgain(
  tool: Tool,
  { args, missing }: FilledSlots,
  { invalid, prompt, why }: { invalid: readonly Slot[]; prompt: string; why: string },
): Step {
  const wanted = [...new Set([...missing, ...invalid])];
  const names = wanted.map(({ path }) => path.join("."));
  const goal: Goal = { step: "ask", tool: tool.name, args, missing: names, prompt };
  return { kind: "text", text: `${why} ${askAgainText(wanted)}`, goal };
}

/** Offers a read that is a guess: it is made once the person says yes. Nothing is missing in it. */
export function offerRead(
  { tool, filled }: { tool: Tool; filled: FilledSlots },
  { prompt, why }: { prompt: string; why: string },
): Step {
  const goal: Goal = { step: "ask", tool: tool.name, args: filled.args, missing: [], prompt };
  return { kind: "text", text: offerText(why, tool, filled.args), goal };
}

/** The call itself; a change that replaces the whole record reads the record first. */
export function commit(
  tool: Tool,
  { args, prompt }: { args: JsonObject; prompt: string },
  tools: readonly Tool[],
): Step {
  const goal: Goal = { step: "do", tool: tool.name, args, prompt };
  const call: Step = { kind: "call", tool: tool.name, args, goal };
  if (!replacesWhole(tool)) return call;
  const keys = pathNames(tool);
  const own = slotsOf(tool).filter(({ name, enclosing }) => enclosing.length === 0 && !keys.has(name));
  if (own.every(({ path }) => valueAt(args, path) !== undefined)) return call;
  const reader = tools.find(
    ({ application, transport, safety }) =>
      application === tool.application && transport.path === tool.transport.path && safety === "read_only",
  );
  if (!reader) {
    const missing = slotsOf(tool).filter(({ path, required }) => required && valueAt(args, path) === undefined);
    return missing.length > 0 ? askFor(tool, { args, missing, prompt }) : call;
  }
  const key = Object.fromEntries(Object.entries(args).filter(([name]) => keys.has(name)));
  return { kind: "call", tool: reader.name, args: key, goal: { ...goal, step: "read" } };
}

/** A text that is the same for the same call; the planner never makes a failed one again. */
export function callKey(tool: string, args: JsonObject): string {
  return `${tool} ${toJson(args)}`;
}

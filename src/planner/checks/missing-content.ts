// Whether a change has content: a new record needs a text or a file, and an update needs a field that changes.

import type { Tool } from "../../domain/tool.js";
import type { JsonObject } from "../../lib/json.js";
import { valueAt } from "../../lib/json-pointer.js";
import { intentsOf } from "../../tools/search/synonyms.js";
import { mainTextSlot, textAfterNoun, textBeforeNoun } from "../match/free-text.js";
import { actionOf, intentOfTool } from "../match/tool-intent.js";
import type { PromptText } from "../prompt/prompt.js";
import { pathNames, type Slot, setValueAt, slotsOf, textsIn } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";

/** Gives a new record the free text of the prompt, unless its words went into other arguments. */
function fillMainText(tool: Tool, args: JsonObject, prompt: PromptText): void {
  const main = mainTextSlot(tool);
  if (!main || valueAt(args, main.path) !== undefined || main.enclosing.length > 0) return;
  const text = textBeforeNoun(prompt, tool) ?? textAfterNoun(prompt, tool);
  if (text === undefined) return;
  const value = toSlotValue(main, text);
  const isUsed = textsIn(args).some((one) => text.toLowerCase().includes(one));
  if (value !== undefined && !isUsed) setValueAt(args, main.path, value);
}

/** The slots a change still needs content for. The free text of the prompt is put into `args` first, if that is the content. */
export function missingContent(tool: Tool, args: JsonObject, prompt: PromptText): Slot[] {
  const intent = intentOfTool(tool);
  const keys = pathNames(tool);
  if (intent !== "create" && intent !== "update" && (intent !== "act" || keys.size > 0)) return [];
  const body = slotsOf(tool).filter(({ name }) => !keys.has(name));
  const own = body.filter(({ required, enclosing }) => required || enclosing.length === 0);
  const main = mainTextSlot(tool);
  const action = actionOf(tool);
  const isVerb = action !== undefined && intentsOf(action).size > 0;
  const takesText = main !== undefined || own.some(({ label }) => label.length === 1 && label[0] === action);
  // "ship order 5" is complete; "upload" by itself is not, nor is "comment on order 5" where a text is taken.
  const complete = action !== undefined && prompt.terms.has(action) && (isVerb || !takesText);
  if (own.length === 0 || complete) return [];
  const file = own.find(({ format, path }) => format === "binary" && valueAt(args, path) === undefined);
  if (intent === "create" && file) return [file];
  if (intent === "create") fillMainText(tool, args, prompt);
  if (body.some(({ path }) => path[0] !== undefined && args[path[0]] !== undefined)) return [];
  return intent === "update" ? own : [main ?? own[0]].filter((slot) => slot !== undefined);
}

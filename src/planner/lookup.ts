// Finding the record a prompt names before something is done to it: the list of its collection is read, the one record that
// goes by the name is taken, and only then comes the call itself. Reads only; the change is the next step.

import type { Tool } from "../domain/tool.js";
import { isObject, type JsonObject, type JsonValue } from "../lib/json.js";
import { valueAt } from "../lib/json-pointer.js";
import { stem, words } from "../tools/search/terms.js";
import { markdownTable } from "./answer/markdown.js";
import { findRows, idOf, readResultText, similarRows } from "./answer/rows.js";
import type { CompletedCall } from "./conversation.js";
import type { Goal } from "./goal.js";
import { fillSlots } from "./match/fill.js";
import { identifyingEntity, isName, textAfterCommand, textAfterNoun, wholeName } from "./match/free-text.js";
import { intentOfTool } from "./match/tool-intent.js";
import { type PromptText, readPrompt } from "./prompt/prompt.js";
import { resourceNoun } from "./resource-noun.js";
import { pathNames, type Slot, setValueAt, slotsOf, wrapperCount } from "./slots/slot.js";
import { toSlotValue } from "./slots/slot-value.js";
import { askFor, missingContent, type Situation, type Step, textStep } from "./step.js";

/** Looks for the record the prompt names, in the list its collection has. */
export function lookUp(
  tool: Tool,
  args: JsonObject,
  key: Slot,
  prompt: PromptText,
  situation: Situation,
): Step | undefined {
  const value = identifyingEntity(prompt);
  const phrase = value ? wholeName(prompt, value, tool) : (textAfterNoun(prompt, tool) ?? textAfterCommand(prompt));
  if (phrase === undefined || !isName(phrase, tool)) return undefined;
  const path = (tool.transport.path ?? "").split(`/{${key.name}}`)[0] ?? "";
  const lister = situation.tools.find(
    (other) => other.safety === "read_only" && other.transport.path === path && path !== "",
  );
  if (!lister) return undefined;
  const found = fillSlots(lister, prompt, { guess: false });
  const needed = Object.fromEntries(Object.entries(args).filter(([name]) => pathNames(lister).has(name)));
  if (slotsOf(lister).some(({ required, name }) => required && needed[name] === undefined)) return undefined;
  const search = slotsOf(lister).find(
    ({ name, path: place }) => place.length === 1 && /^(?:q|query|search|name|title)$/i.test(name),
  );
  const listing: JsonObject = {
    ...needed,
    ...(search && found.args[search.name] !== undefined && { [search.name]: phrase }),
  };
  // What says which record it is does not also say what to change.
  const kept = Object.fromEntries(
    Object.entries(args).filter(([, held]) => typeof held !== "string" || held.toLowerCase() !== phrase.toLowerCase()),
  );
  const goal: Goal = { step: "find", tool: tool.name, args: kept, slot: key.name, phrase, prompt: prompt.text };
  return { kind: "call", tool: lister.name, args: listing, goal };
}

/** Whether the prompt says what kind of thing is meant; if not, only the exact name is enough. */
function mentionsResource(prompt: string, tool: Tool): boolean {
  const thing = stem(resourceNoun(tool));
  return words(prompt).some((word) => stem(word) === thing);
}

/** Goes on with the record that was looked for, if there is exactly one. */
export function continueLookup(last: CompletedCall, goal: Goal, tool: Tool, situation: Situation): Step {
  const { phrase = "", slot = "" } = goal;
  // An order may be looked for by its customer: what was listed is what was not found.
  const thing = resourceNoun(situation.tools.find(({ name }) => name === last.call.name) ?? tool);
  const result = readResultText(last.text);
  const all = result.rows ?? [];
  let { rows, exact } = findRows(all, phrase);
  const short = identifyingEntity(readPrompt(goal.prompt ?? "", situation.today))?.text;
  // Reading may try a part of the name; a change goes by the whole one.
  if (rows.length === 0 && tool.safety === "read_only" && short !== undefined) ({ rows, exact } = findRows(all, short));
  const [row] = rows;
  if (!row) {
    const where = result.partial ? " among those I was shown" : "";
    const near = similarRows(all, phrase);
    const hint = near.length > 0 ? ` The nearest:\n\n${markdownTable(near)}` : "";
    return textStep(`I found no ${thing} called "${phrase}"${where}, so I went no further.${hint}`);
  }
  if (rows.length > 1)
    return textStep(
      `${rows.length} records fit "${phrase}", so nothing was changed. Say which one by its id:\n\n${markdownTable(rows)}`,
    );
  if (!exact && (tool.safety === "destructive" || !mentionsResource(goal.prompt ?? "", tool)))
    return textStep(
      `No ${thing} is called exactly "${phrase}", so nothing was changed. The nearest is:\n\n${markdownTable(rows)}`,
    );
  const key = slotsOf(tool).find(({ name }) => name === slot);
  const id = key && toSlotValue(key, idOf(row, slot) ?? null);
  if (!key || id === undefined || id === null)
    return textStep(`I found the ${thing} but no ${slot} in it:\n\n${markdownTable(rows)}`);
  const args = structuredClone(goal.args);
  setValueAt(args, key.path, id);
  const prompt = readPrompt(goal.prompt ?? "", situation.today);
  const missing = intentOfTool(tool) === "update" ? missingContent(tool, args, prompt) : [];
  if (missing.length > 0) return askFor(tool, args, missing, prompt.text);
  // The record itself is at hand: a replacement need not read it again.
  if (tool.transport.method === "PUT") return replaceRecord({ ...goal, args }, tool, row);
  return {
    kind: "call",
    tool: tool.name,
    args,
    goal: { step: "do", tool: tool.name, args, phrase, prompt: prompt.text },
  };
}

/** The whole record with the change in it. */
export function replaceRecord(goal: Goal, tool: Tool, current: JsonValue): Step {
  const args: JsonObject = {};
  const path = pathNames(tool);
  for (const slot of slotsOf(tool)) {
    if ((path.has(slot.name) && slot.path.length === 1) || slot.schema["readOnly"] === true) continue;
    const head = slot.path.slice(0, wrapperCount(slot) + 1);
    // A record may be answered without what it is wrapped in when it is sent.
    const value = valueAt(current, head) ?? valueAt(current, head.slice(-1));
    if (value !== undefined && value !== null) setValueAt(args, head, value);
  }
  overlay(args, goal.args);
  const done: Goal = { step: "do", tool: tool.name, args, ...(goal.prompt !== undefined && { prompt: goal.prompt }) };
  return { kind: "call", tool: tool.name, args, goal: done };
}

/** Puts what changes over what is there, field by field. */
function overlay(onto: JsonObject, changes: JsonObject): void {
  for (const [name, value] of Object.entries(changes)) {
    const there = onto[name];
    if (isObject(value) && isObject(there)) overlay(there, value);
    else onto[name] = value;
  }
}

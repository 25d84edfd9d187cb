// The call that replaces a record as a whole: what is there, with the change over it.

import type { Tool } from "../../domain/tool.js";
import { isObject, type JsonObject, type JsonValue } from "../../lib/json.js";
import { valueAt } from "../../lib/json-pointer.js";
import type { Goal } from "../goal.js";
import { pathNames, type Slot, setValueAt, slotsOf, wrapperCount } from "../slots/slot.js";
import type { Step } from "../step.js";

/** What a tool that replaces a record takes of it. */
function replacedSlots(tool: Tool): Slot[] {
  const keys = pathNames(tool);
  return slotsOf(tool).filter(
    ({ name, path, schema }) => !(keys.has(name) && path.length === 1) && schema["readOnly"] !== true,
  );
}

/** Whether a record has all that a tool replaces: a list may give less of each. */
export const hasFieldsOf = (tool: Tool, record: JsonObject): boolean =>
  replacedSlots(tool).every(
    (slot) => (valueAt(record, slot.path) ?? valueAt(record, slot.path.slice(wrapperCount(slot)))) !== undefined,
  );

/** The call that replaces the whole record, with the change in it. */
export function replaceRecord(goal: Goal, tool: Tool, current: JsonValue): Step {
  const args: JsonObject = {};
  for (const slot of replacedSlots(tool)) {
    const head = slot.path.slice(0, wrapperCount(slot) + 1);
    // A record may be answered without the wrapper that it is sent in.
    const value = valueAt(current, head) ?? valueAt(current, head.slice(-1));
    if (value !== undefined && value !== null) setValueAt(args, head, value);
  }
  overlay(args, goal.args);
  const done: Goal = { step: "do", tool: tool.name, args, prompt: goal.prompt };
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

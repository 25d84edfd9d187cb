// Whether a list may go on beyond what was returned: a target that gives its records in pages rarely says so in the answer.

import type { Tool } from "../../domain/tool.js";
import type { JsonObject } from "../../lib/json.js";
import { type Slot, slotsOf } from "../slots/slot.js";
import { LIMIT } from "../slots/traits.js";

const PAGE = /^(?:page|page_?(?:number|token)?|offset|skip|cursor|after|starting_?after|next_?token)$/i;
const DEFAULT = /\bdefaults?\b(?:\s+(?:is|to|of)|[:=])?\s*(\d+)/i;
/** Where nothing says how many records a page has: a number that one may have. */
const ROUND = new Set([10, 20, 25, 30, 50, 100, 200, 250, 500, 1000]);

function sizeOf({ schema, description }: Slot): number | undefined {
  const preset = schema["default"];
  const written = DEFAULT.exec(description)?.[1];
  return typeof preset === "number" ? preset : written === undefined ? undefined : Number(written);
}

/** Whether the records of an answer are as many as one page of the list has, by the parameters of its tool. */
export function mayGoOn(tool: Tool, args: JsonObject, count: number): boolean {
  const slots = slotsOf(tool).filter(({ path }) => path.length === 1);
  const limit = slots.find(({ name, type }) => LIMIT.test(name) && (type === "integer" || type === "number"));
  // Who asks for so many has them.
  if (limit && args[limit.name] !== undefined) return false;
  const size = limit && sizeOf(limit);
  if (size !== undefined) return count === size;
  return tool.transport.table === undefined && slots.some(({ name }) => PAGE.test(name)) && ROUND.has(count);
}

// Whether a list may go on beyond what was returned: a target that gives its records in pages rarely says so in the answer.

import type { Tool } from "../../domain/tool.js";
import type { JsonObject } from "../../lib/json.js";
import { type Slot, slotsOf } from "../slots/slot.js";
import { LIMIT } from "../slots/traits.js";
import type { ResultContent } from "./rows.js";

const PAGE = /^(?:page|page_?(?:number|token)?|offset|skip|cursor|after|starting_?after|next_?token)$/i;
const DEFAULT = /\bdefaults?\b(?:\s+(?:is|to|of)|[:=])?\s*(\d+)/i;
/** Where nothing says how many records a page has: a number that one may have. */
const ROUND = new Set([10, 20, 25, 30, 50, 100, 200, 250, 500, 1000]);

function sizeOf({ schema, description }: Slot): number | undefined {
  const preset = schema["default"];
  const written = DEFAULT.exec(description)?.[1];
  return typeof preset === "number" ? preset : written === undefined ? undefined : Number(written);
}

/** The parameter that takes how many records are wanted. */
export const limitOf = (slots: readonly Slot[]): Slot | undefined =>
  slots.find(({ name, type }) => LIMIT.test(name) && (type === "integer" || type === "number"));

/** How many records a page of a list has unasked, where its tool says so. */
export function pageSize(tool: Tool): number | undefined {
  const limit = limitOf(slotsOf(tool).filter(({ path }) => path.length === 1));
  return limit && sizeOf(limit);
}

/**
 * Whether a target may have more of a list than a call got: it says so, or the records are as many as the call asks for, or as one page
 * has by the parameters of its tool.
 */
export function mayHaveMore(
  tool: Tool,
  args: JsonObject,
  { rows = [], total, hasMore, isCut }: ResultContent,
): boolean {
  if (hasMore !== undefined) return hasMore;
  const count = rows.length;
  if (isCut || total > count) return total > count;
  const slots = slotsOf(tool).filter(({ path }) => path.length === 1);
  const limit = limitOf(slots);
  const asked = limit && args[limit.name];
  const size = typeof asked === "number" ? asked : limit && sizeOf(limit);
  if (size !== undefined) return count === size;
  return tool.transport.table === undefined && slots.some(({ name }) => PAGE.test(name)) && ROUND.has(count);
}

/** The same, of a list of which a prompt wants what it asks for: who asks for so many has them. */
export function mayGoOn(tool: Tool, args: JsonObject, result: ResultContent): boolean {
  const limit = limitOf(slotsOf(tool).filter(({ path }) => path.length === 1));
  return (limit === undefined || args[limit.name] === undefined) && mayHaveMore(tool, args, result);
}

// Tool definitions under a token budget: descriptions are shortened and optional depth is pruned, step by step, for all alike or
// less for the better ones. Required parameters are never dropped; a tool that was cut says so. Pure.

import type { Tool } from "../domain/tool.js";
import { toJson } from "../lib/json.js";
import { CUTS, type Cut, cutSchema, shortenText } from "./cut-schema.js";

/** Tools as they are offered to the model. */
interface Fitted {
  tools: readonly Tool[];
  /** Whether any of them was cut. */
  cut: boolean;
  /** Whether they are under the budget now. */
  fits: boolean;
}

/** What a tool that was cut says of itself; `search_tools` says what to do about it. */
const CUT_MARK = " (shortened)";

/** Bytes that a vendor's request wraps around each definition: a type, a name for what is inside, braces and a comma. */
const WRAPPING = 44;

const tokens = new WeakMap<Tool, number>();

/** Tokens a tool's definition takes in a request: an estimate, the usual four bytes a token. */
export function tokensOf(tool: Tool): number {
  let count = tokens.get(tool);
  if (count === undefined) {
    const { name, description, input_schema } = tool;
    count = Math.ceil((Buffer.byteLength(toJson({ name, description, input_schema })) + WRAPPING) / 4);
    tokens.set(tool, count);
  }
  return count;
}

function cutTool(tool: Tool, cut: Cut): Tool {
  const input_schema = cutSchema(tool.input_schema, cut);
  const description = shortenText(tool.description, cut.description);
  const isCut =
    tool.shortened === true || description !== tool.description || toJson(input_schema) !== toJson(tool.input_schema);
  return isCut ? { ...tool, description: description + CUT_MARK, input_schema } : tool;
}

const forms = new WeakMap<Tool, Tool[]>();

/** A tool as a cut leaves it; kept, because the same tools are fitted turn after turn. */
function form(tool: Tool, cut: Cut, at: number): Tool {
  let known = forms.get(tool);
  if (!known) forms.set(tool, (known = []));
  return (known[at] ??= cutTool(tool, cut));
}

const total = (tools: readonly Tool[]): number => tools.reduce((sum, tool) => sum + tokensOf(tool), 0);

/** All of the tools, none cut more than another, or the nearest to that: then some optional parameters are not listed. */
export function fitAlike(tools: readonly Tool[], budget: number): Fitted {
  if (total(tools) <= budget) return { tools, cut: false, fits: true };
  let fitted = tools;
  for (const [at, cut] of CUTS.entries()) {
    if (!cut.optional) break;
    fitted = tools.map((tool) => form(tool, cut, at));
    if (total(fitted) <= budget) return { tools: fitted, cut: true, fits: true };
  }
  return { tools: fitted, cut: true, fits: false };
}

/** The fullest form of a tool that takes no more than this; its barest one when none does. */
function fullest(tool: Tool, most: number): Tool {
  if (tokensOf(tool) <= most) return tool;
  let smaller = tool;
  for (const [at, cut] of CUTS.entries()) {
    smaller = form(tool, cut, at);
    if (tokensOf(smaller) <= most) break;
  }
  return smaller;
}

/**
 * As many of these, best first, as fit in their barest form, the first `whole` ones in full where that fits; then each, best
 * first, as full as half of what is left allows. The best one is always there.
 */
export function fitRanked(tools: readonly Tool[], budget: number, whole = 0): Fitted {
  if (total(tools) <= budget) return { tools, cut: false, fits: true };
  const least: number[] = [];
  let left = budget;
  for (const [at, tool] of tools.entries()) {
    const bare = Math.min(tokensOf(tool), tokensOf(fullest(tool, 0)));
    const count = at < whole && tokensOf(tool) <= left ? tokensOf(tool) : bare;
    if (at > 0 && count > left) break;
    least.push(count);
    left -= count;
  }
  const fitted = least.map((count, at) => {
    const chosen = fullest(tools[at] as Tool, count + Math.max(0, left / 2));
    left -= tokensOf(chosen) - count;
    return chosen;
  });
  return { tools: fitted, cut: true, fits: fitted.length === tools.length && left >= 0 };
}

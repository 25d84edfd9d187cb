// Records that a text showed out of a list which was only searched for what the prompt calls them: "who is Ada Holm". For the prompts
// behind it they are what a call for them would have given, so that "she" and "the second one" stand for them. A situation in and out.

import type { Tool } from "../../domain/tool.js";
import { type JsonObject, type JsonValue, toJson } from "../../lib/json.js";
import { readResultText } from "../answer/rows.js";
import type { CompletedCall, Situation } from "../conversation.js";
import type { Goal } from "../goal.js";
import { withPages } from "../pages.js";
import { collectionOf } from "../resource-noun.js";
import { pathNames } from "../slots/slot.js";
import type { Step } from "../step.js";
import { keyIn } from "./called-records.js";

/** A text that shows records of a list, all of them with a key. */
export function shownStep(
  text: string,
  { list, rows, prompt }: { list: Tool; rows: readonly JsonObject[]; prompt: string },
  tools: readonly Tool[],
): Step {
  const keys = rows.flatMap((row): JsonValue[] => {
    const key = keyIn(row, list, tools);
    return key === undefined ? [] : [key];
  });
  if (keys.length < rows.length) return { kind: "text", text };
  return { kind: "text", text, goal: { step: "shown", tool: list.name, args: {}, keys, prompt } };
}

/** The tool that gets one record of a list by its key alone. */
export const recordReader = (list: Tool, tools: readonly Tool[]): Tool | undefined =>
  tools.find(
    (tool) =>
      tool.verb === "get" &&
      tool.safety === "read_only" &&
      collectionOf(tool) === collectionOf(list) &&
      pathNames(tool).size === 1,
  );

/** The call that gives the records which a text shows of a list; undefined where they are not in it. */
function callFor({ call, text }: CompletedCall, shown: Goal, tools: readonly Tool[]): CompletedCall | undefined {
  const { keys = [], prompt = "" } = shown;
  const list = tools.find(({ name }) => name === call.name);
  if (!list) return undefined;
  const wanted = new Set(keys.map(String));
  const rows = (readResultText(text).rows ?? []).filter((row) => wanted.has(String(keyIn(row, list, tools))));
  const [row, ...others] = rows;
  if (!row || rows.length !== keys.length) return undefined;
  const reader = others.length === 0 ? recordReader(list, tools) : undefined;
  const [name] = reader ? pathNames(reader) : [];
  const [key] = keys;
  if (reader && name !== undefined && key !== undefined) {
    const args = { [name]: key };
    const goal: Goal = { step: "do", tool: reader.name, args, prompt };
    return { call: { ...call, name: reader.name, arguments: args }, text: toJson(row), isError: false, goal, shown };
  }
  const goal: Goal = { step: "do", tool: list.name, args: {}, prompt };
  return { call: { ...call, arguments: {} }, text: toJson(rows), isError: false, goal, shown };
}

/** A situation in which the pages of a list are one call, and the records that texts showed were got by calls. */
export function withShown(given: Situation): Situation {
  const situation = withPages(given);
  const { conversation, tools } = situation;
  const before = conversation.before.flatMap((one, at, all) => {
    const { shown } = one;
    if (shown === undefined || shown === "none") return [one];
    const searched = all.slice(0, at + 1).findLast(({ call }) => call.name === shown.tool);
    return [one, (searched && callFor(searched, shown, tools)) ?? []].flat();
  });
  return { ...situation, conversation: { ...conversation, before } };
}

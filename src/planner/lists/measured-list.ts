// The list of the records that a prompt calls by one of their numbers, for each group of them: "seats per district" of the halls. A prompt
// and tools in, a list out.

import type { Tool } from "../../domain/tool.js";
import { stem, words } from "../../tools/search/terms.js";
import { isWholeList } from "../names/name-lists.js";
import { groupingIn, plainGroupingIn } from "../prompt/grouping.js";
import type { PromptText } from "../prompt/prompt.js";
import { withoutUnit } from "../prompt/units.js";
import { collectionOf } from "../resource-noun.js";
import { KEY_NAME, slotsOf } from "../slots/slot.js";

/** Words before a number that is wanted. */
const LEAD =
  /^(?:please|show|list|give|get|me|the|what|whats|is|are|how|many|much|total|sum|average|avg|mean|number|of|all|our)$/;

const termsOf = (name: readonly string[]): string => name.map(stem).join(" ");

/** The list of the only collection whose records take the number that a prompt wants for each group, and nothing else. */
export function measuredList(prompt: PromptText, tools: readonly Tool[]): Tool | undefined {
  const grouping = groupingIn(prompt) ?? plainGroupingIn(prompt);
  if (!grouping) return undefined;
  const { text, start, next } = grouping;
  const end = prompt.text.slice(start).replace(/[\s.!?]+$/, "");
  const wanted = termsOf(words(prompt.text.slice(0, start)).filter((word) => !LEAD.test(word)));
  if (wanted === "" || (end !== text && end !== `${text} ${next}`)) return undefined;
  const takes = (tool: Tool): boolean =>
    tool.safety !== "read_only" &&
    slotsOf(tool).some(
      ({ name, type }) =>
        /^(?:integer|number)$/.test(type) && !KEY_NAME.test(name) && termsOf(withoutUnit(words(name))) === wanted,
    );
  const [list, ...others] = tools.filter(
    (one) => isWholeList(one) && tools.some((tool) => collectionOf(tool) === collectionOf(one) && takes(tool)),
  );
  return others.length === 0 ? list : undefined;
}

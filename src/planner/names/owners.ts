// Which lists hold what belongs to the records of another, and how a prompt says whose something is. Tools and texts in; knows nothing of
// calls.

import type { Tool } from "../../domain/tool.js";
import { words } from "../../tools/search/terms.js";
import type { Entity } from "../prompt/entities.js";
import { type PromptText, textBefore } from "../prompt/prompt.js";
import { collectionOf, resourceNoun } from "../resource-noun.js";
import { KEY_NAME, keyNoun, slotsOf } from "../slots/slot.js";

/** Whether nothing says what a new record of a list has. */
export const isUnknown = (list: Tool, tools: readonly Tool[]): boolean =>
  !tools.some((tool) => tool.verb === "create" && collectionOf(tool) === collectionOf(list));

/** Whether a field has the key of a record of a list: `boat_id` that of a boat. */
const isKeyOf = (field: string, list: Tool): boolean => keyNoun(field) === resourceNoun(list);

/** Whether a tool is of the application of a list, and not of its records. */
const isBeside = (tool: Tool, list: Tool): boolean =>
  tool.application === list.application && collectionOf(tool) !== collectionOf(list);

/** Whether what a tool is for belongs to records of a list: the hires of a production have its key. */
const refersTo = (tool: Tool, list: Tool): boolean =>
  isBeside(tool, list) && slotsOf(tool).some(({ name }) => isKeyOf(name, list));

/** Collections of which records were read, with the fields that these have. */
export type ReadFields = ReadonlyMap<string, readonly string[]>;

/** Tools, and what is known of their records beside what they take. */
interface Known {
  tools: readonly Tool[];
  read?: ReadFields;
}

/** Whether the records of one list may belong to those of another: they have the key of their owner, or nothing says what they have. */
export function mayBelongTo(list: Tool, owner: Tool, { tools, read }: Known): boolean {
  if (!isBeside(list, owner)) return false;
  if (tools.some((tool) => collectionOf(tool) === collectionOf(list) && refersTo(tool, owner))) return true;
  const fields = read?.get(collectionOf(list));
  return fields ? fields.some((field) => isKeyOf(field, owner)) : isUnknown(list, tools);
}

/** Whether the records of one tool's collection may belong to those of a list, or have them where they belong to none: "keeper of Tilly". */
export function isRelated(tool: Tool, list: Tool, known: Known): boolean {
  const fields = known.read?.get(collectionOf(tool)) ?? [];
  const belongs = fields.some((field) => KEY_NAME.test(field) && words(field).length > 1);
  return mayBelongTo(tool, list, known) || (!belongs && mayBelongTo(list, tool, known));
}

/** Behind such words stands what something belongs to: "hires of dangerous liaisons", "how many calls did basel get". */
const OWNER_BEFORE = /\b(?:of|for|from|by|at|on|do|does|did|has|have|had)\s+(?:the\s+|our\s+)?$/i;
/** "ada's badges", and "the badges ada has". */
const OWNER_BEHIND = /^(?:['’]s?\s+\p{L}|\s+(?:has|have|had)\b)/iu;

/** Whether a name stands where a prompt says whose something is. */
export const isOwnerName = ({ start, end }: Pick<Entity, "start" | "end">, prompt: PromptText): boolean =>
  OWNER_BEFORE.test(textBefore(prompt, start)) || OWNER_BEHIND.test(prompt.text.slice(end));

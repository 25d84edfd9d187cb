// What the forms of told changes are made of: the record that a sentence is about, what is politely put before a command, and the fields
// that updates set.

import type { Tool } from "../../domain/tool.js";
import { stem, words } from "../../tools/search/terms.js";
import { withoutUnit } from "../prompt/units.js";
import { KEY_NAME, pathNames, type Slot, slotsOf } from "../slots/slot.js";

/** What stands before the verb: no pronoun, no question, no several. */
export const RECORD = String.raw`(?:(?:the|our)\s+)?(?<record>(?!(?:i|we|you|he|she|it|they|this|that|these|those|there|what|whats|who|which|where|when|why|how|if|everything|everyone|everybody|nobody|nothing|all|each|every|some|any|please|can|could|would|will|do|does|did|is|are|was|were|has|have|set|show|list|find|get)\b)[^\s,;:.?!"“”]+(?:\s(?!(?:and|or|whose|with|who|which|that)\b)[^\s,;:.?!"“”]+){0,3}?)`;
export const POLITE = String.raw`(?:so\s+|and\s+|then\s+)?(?:please\s+|can\s+you\s+(?:please\s+)?|could\s+you\s+(?:please\s+)?)?`;

/** A form of a whole text. */
export const form = (source: string): RegExp => new RegExp(`^${source}$`, "iu");

/** A value that can be only that: it has a digit, or begins with a capital letter. */
export const isCertainValue = (text: string): boolean => /^(?:\S*\d|\p{Lu})/u.test(text);

/** The fields that updates set and that meet a condition, one for each update. */
export function settable(tools: readonly Tool[], meets: (slot: Slot) => boolean): Slot[] {
  const updates = tools.filter(({ verb, safety }) => verb === "update" && safety !== "read_only");
  return updates.flatMap((tool) =>
    slotsOf(tool).filter(
      (slot) => !pathNames(tool).has(slot.name) && slot.name !== "id" && !KEY_NAME.test(slot.name) && meets(slot),
    ),
  );
}

export const takesNumber = ({ type }: Slot): boolean => type === "number" || type === "integer";

/** What a field is called in a command. */
export const nameOf = ({ name }: Slot): string => withoutUnit(words(name)).join(" ");

/** Whether a field is called so, with or without its unit. */
export function isCalled({ name }: Slot, field: string): boolean {
  const said = words(field).map(stem).join(" ");
  return [words(name), withoutUnit(words(name))].some((one) => one.map(stem).join(" ") === said);
}

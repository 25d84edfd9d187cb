// When something is that has no time of its own: "when is Paper Tigers shown" asks for the screenings of that film. Reads only.

import type { Tool } from "../../domain/tool.js";
import type { JsonObject, JsonValue } from "../../lib/json.js";
import { pluralOf } from "../../lib/plural.js";
import { isAkin, stem } from "../../tools/search/terms.js";
import { isWholeList } from "../names/name-lists.js";
import { contentTokens, type PromptText } from "../prompt/prompt.js";
import { asksWhen, TIME_NAME, TIME_VALUE } from "../prompt/when.js";
import { collectionOf, resourceNoun } from "../resource-noun.js";
import { keyNoun, type Slot, slotsOf } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";
import { isYearName } from "../slots/traits.js";
import type { Step } from "../step.js";

/** What was is told by its own record. */
const PAST = /^\s*(?:and\s+)?\p{L}+(?:\s+\p{L}+)?\s+(?:was|were|did|had|has)\b/iu;
/** Whether a record says when it is, or was. */
export function tellsWhen(record: JsonObject, prompt: PromptText): boolean {
  return Object.entries(record).some(
    ([name, value]) =>
      (typeof value === "string" && TIME_VALUE.test(value)) ||
      (value !== null && TIME_NAME.test(name)) ||
      (isYearName(name) && PAST.test(prompt.text)),
  );
}

/** What the tools of a list's collection take. */
const fieldsOf = (list: Tool, tools: readonly Tool[]): Slot[] =>
  tools.filter((tool) => collectionOf(tool) === collectionOf(list)).flatMap(slotsOf);

const isKeyOf = (noun: string, { name }: Slot): boolean => keyNoun(name) === noun;

const isTime = ({ name, format }: Slot): boolean => format.startsWith("date") || TIME_NAME.test(name);

/** The lists whose records have the key of a record of this noun: those that the prompt speaks of, or else those that have a time. */
function datedLists(
  noun: string,
  owner: Tool,
  { prompt, tools }: { prompt: PromptText; tools: readonly Tool[] },
): Tool[] {
  const all = tools.filter((list) => {
    if (!isWholeList(list) || list.application !== owner.application || collectionOf(list) === collectionOf(owner))
      return false;
    const fields = fieldsOf(list, tools);
    return fields.some((field) => isKeyOf(noun, field));
  });
  const said = contentTokens(prompt).map(({ term }) => term);
  const meant = all.filter((list) => said.some((term) => isAkin(term, stem(resourceNoun(list)))));
  // Of those that the prompt speaks of, only the records may have a time.
  return meant.length > 0 ? meant : all.filter((list) => fieldsOf(list, tools).some(isTime));
}

/** The request for all the records that say when, or for the one of them that is wanted. */
function datedRequest(noun: string, { text }: PromptText): string {
  const [, end] = new RegExp(`\\b(next|last|first)\\s+${noun}\\b`, "i").exec(text) ?? [];
  if (end === undefined) return `list ${pluralOf(noun)}`;
  return `when ${PAST.test(text) ? "was" : "is"} the ${end.toLowerCase()} ${noun}`;
}

/** The step that lists when something is, from the only records that say so; undefined where the record does itself, or none do. */
export function stepToDates(
  { record, key, tool }: { record: JsonObject; key: JsonValue; tool: Tool },
  { prompt, tools }: { prompt: PromptText; tools: readonly Tool[] },
): Step | undefined {
  if (!asksWhen(prompt) || tellsWhen(record, prompt)) return undefined;
  const noun = resourceNoun(tool);
  const [list, ...others] = datedLists(noun, tool, { prompt, tools });
  if (!list || others.length > 0) return undefined;
  const filter = slotsOf(list).find((slot) => isKeyOf(noun, slot) && slot.path.length === 1);
  const value = filter && toSlotValue(filter, key);
  const args: JsonObject = filter && value !== undefined ? { [filter.name]: value } : {};
  const goal = {
    step: "do" as const,
    tool: list.name,
    args,
    prompt: `${datedRequest(resourceNoun(list), prompt)} of ${noun} ${String(key)}`,
  };
  return { kind: "call", tool: list.name, args, goal };
}

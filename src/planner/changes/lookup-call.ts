// The call that reads the list in which a record is looked for by what a prompt calls it: by its name, or by a number that is no key.

import type { Tool } from "../../domain/tool.js";
import type { JsonObject } from "../../lib/json.js";
import { words } from "../../tools/search/terms.js";
import type { Situation } from "../conversation.js";
import type { Goal } from "../goal.js";
import { isNumberField } from "../match/codes.js";
import { fillSlots } from "../match/fill.js";
import { isWholeList } from "../names/name-lists.js";
import { isUnknown } from "../names/owners.js";
import type { PromptText } from "../prompt/prompt.js";
import { collectionOf, resourceNoun } from "../resource-noun.js";
import { KEY_NAME, pathNames, type Slot, slotsOf } from "../slots/slot.js";
import type { Step } from "../step.js";

/** The arguments that list the records: the path parameters that are known, and the phrase where the prompt searches. */
function listArguments(
  lister: Tool,
  args: JsonObject,
  { prompt, phrase }: { prompt: PromptText; phrase: string },
): JsonObject | undefined {
  const names = pathNames(lister);
  const slots = slotsOf(lister);
  const listing: JsonObject = Object.fromEntries(Object.entries(args).filter(([name]) => names.has(name)));
  if (slots.some(({ required, name }) => required && listing[name] === undefined)) return undefined;
  const search = slots.find(({ name, path }) => path.length === 1 && /^(?:q|query|search|name|title)$/i.test(name));
  const filled = fillSlots(lister, prompt, { guess: false }).args;
  if (search && filled[search.name] !== undefined) listing[search.name] = phrase;
  return listing;
}

/** The list of the records that a key of a tool is of: by its path, or by the name of another key. */
export function listForKey(tool: Tool, key: Slot, tools: readonly Tool[]): Tool | undefined {
  const own = tools.filter(({ application, safety }) => application === tool.application && safety === "read_only");
  const [path = ""] = (tool.transport.path ?? "").split(`/{${key.name}}`);
  if (pathNames(tool).has(key.name)) return own.find(({ transport }) => transport.path === path && path !== "");
  return own.find((one) => isWholeList(one) && words(key.name).at(-2) === resourceNoun(one));
}

/** The step that reads the list in which a phrase is looked for; undefined where there is none. */
export function lookUpPhrase(
  tool: Tool,
  { args, key, prompt, phrase }: { args: JsonObject; key: Slot; prompt: PromptText; phrase: string },
  tools: readonly Tool[],
): Step | undefined {
  const lister = listForKey(tool, key, tools);
  const listing = lister && listArguments(lister, args, { prompt, phrase });
  if (!lister || !listing) return undefined;
  // The name that identifies the record is not also a new value.
  const kept = Object.fromEntries(
    Object.entries(args).filter(([, held]) => typeof held !== "string" || held.toLowerCase() !== phrase.toLowerCase()),
  );
  const goal: Goal = { step: "find", tool: tool.name, args: kept, slot: key.name, phrase, prompt: prompt.text };
  return { kind: "call", tool: lister.name, args: listing, goal };
}

/** Whether the records of a list have numbers that are no keys: a field says so, or for a read nothing says what a new one has. */
function mayHaveNumbers(list: Tool, tool: Tool, tools: readonly Tool[]): boolean {
  const own = tools.filter((one) => collectionOf(one) === collectionOf(list));
  if (tool.safety === "read_only" && isUnknown(list, tools)) return true;
  return own.some((one) =>
    slotsOf(one).some(({ name }) => !pathNames(one).has(name) && isNumberField(name, resourceNoun(list))),
  );
}

/** The step that looks up the record that a prompt calls by its number, where that may be no key: "retire tram 606". */
export function lookUpNumber(
  tool: Tool,
  { args, key, prompt }: { args: JsonObject; key: Slot; prompt: PromptText },
  { tools, conversation }: Pick<Situation, "tools" | "conversation">,
): Step | undefined {
  const { [key.name]: value, ...others } = args;
  const number = String(value);
  const list = listForKey(tool, key, tools);
  if (!list || !KEY_NAME.test(key.name) || !/^\d+$/.test(number) || !mayHaveNumbers(list, tool, tools))
    return undefined;
  const noun = resourceNoun(list);
  const called = new RegExp(`\\b${noun}s?\\s+(?:(?:number|no\\.?|nr\\.?)\\s*)?#?${number}\\b`, "i");
  // A command in other words may say the key by its name.
  if (![prompt.text, conversation.prompt].some((text) => called.test(text))) return undefined;
  return lookUpPhrase(tool, { args: others, key, prompt, phrase: number }, tools);
}

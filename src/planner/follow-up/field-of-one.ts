// "What's the customer's email": one record is meant, and its list is no answer. It is the one that was shown, or the one that the record
// shown right before refers to; otherwise it is asked for. A situation in, a step out.

import type { Tool } from "../../domain/tool.js";
import { isObject } from "../../lib/json.js";
import { isPlural, singularOf } from "../../lib/plural.js";
import { words } from "../../tools/search/terms.js";
import { readResultText } from "../answer/rows.js";
import { referredRecord, type Situation } from "../conversation.js";
import { keyIn } from "../names/called-records.js";
import { isWholeList } from "../names/name-lists.js";
import { collectionOf, resourceNoun } from "../resource-noun.js";
import { keyNoun, slotsOf } from "../slots/slot.js";
import { type Step, textStep } from "../step.js";

/** The apostrophe may be missing, or stand behind the s. */
const ASKED = /^\s*(?:and\s+)?what(?:['’]?s|\s+is|\s+was)\s+the\s+(\p{L}+)(?:['’]s?)?\s+(\p{L}+)[\s?.!]*$/iu;
/** "what's the orders total" is of all of them. */
const OF_ALL = /^(?:total|sum|count|number|amount|average|avg|list)$/i;

/** The key of the record of a list that is referred to. */
function referredKey(list: Tool, situation: Situation): string | undefined {
  const { conversation, tools } = situation;
  const last = conversation.before.at(-1);
  const { value = null, rows } = last && !last.isError ? readResultText(last.text) : {};
  const keys = isObject(value) && rows === undefined ? Object.entries(value) : [];
  const [key, ...others] = keys.filter(([name]) => keyNoun(name) === resourceNoun(list));
  if (key && others.length === 0 && key[1] !== null) return String(key[1]);
  const referred = referredRecord(collectionOf(list), situation);
  const own = referred && keyIn(referred.record, list, tools);
  return own === undefined || own === null ? undefined : String(own);
}

/** The step for a prompt that asks for a field of one record of a list; undefined for any other. */
export function stepOfOne(situation: Situation, next: (situation: Situation) => Step): Step | undefined {
  const { conversation, tools } = situation;
  const [, said = "", field = ""] = ASKED.exec(conversation.prompt) ?? [];
  const noun = singularOf(said.toLowerCase());
  const isPossessive = /['’]/.test(conversation.prompt.slice(conversation.prompt.indexOf(said) + said.length));
  if (said === "" || !(isPossessive || isPlural(said.toLowerCase())) || OF_ALL.test(field)) return undefined;
  const [list, ...others] = tools.filter((tool) => isWholeList(tool) && resourceNoun(tool) === noun);
  if (!list || others.length > 0) return undefined;
  const isField = tools.some(
    (tool) =>
      collectionOf(tool) === collectionOf(list) &&
      slotsOf(tool).some(({ name }) => words(name).at(-1) === field.toLowerCase()),
  );
  if (!isField) return undefined;
  const key = referredKey(list, situation);
  if (key === undefined) return textStep(`Which ${noun} do you mean? Say its id or its name.`);
  return next({ ...situation, conversation: { ...conversation, prompt: `${field} of ${noun} ${key}` } });
}

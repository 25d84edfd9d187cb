// A question for what belongs to a record that it calls by its name: "whos in the Red squad", "what does Ada Berg sponsor". The record is looked up
// first, and the question is asked again with its key. A prompt and tools in, steps out.

import type { Tool } from "../../domain/tool.js";
import { isObject } from "../../lib/json.js";
import { lookUpPhrase } from "../changes/lookup-call.js";
import type { Goal } from "../goal.js";
import { recordReader } from "../names/shown-records.js";
import { isAgent } from "../prompt/agents.js";
import { type PromptText, readPrompt } from "../prompt/prompt.js";
import { resourceNoun } from "../resource-noun.js";
import { pathNames, slotsOf } from "../slots/slot.js";
import type { Step } from "../step.js";
import { ownLists } from "./links.js";
import {
  agentFields,
  EVERYTHING,
  everythingOf,
  hasAgent,
  isJoin,
  onlyBelonging,
  personLists,
  type Related,
  relatedTo,
  WHAT_DOES,
  WHO,
  WHO_IS_IN,
} from "./related-lists.js";

/** A list, and what one of its records is called. */
interface NamedRecord {
  list: Tool;
  name: string;
}

const ARTICLE = /^(?:the|our)\s+/i;

/** The record that a text calls by its name beside its noun: "Red squad", "squad Red". */
function namedIn(text: string, tools: readonly Tool[]): NamedRecord | undefined {
  const said = text.replace(ARTICLE, "").split(/\s+/);
  const lists = ownLists(tools);
  for (const [noun, name] of [
    [said.at(-1), said.slice(0, -1)],
    [said[0], said.slice(1)],
  ] as const) {
    const [list, ...others] = lists.filter((one) => resourceNoun(one) === noun?.toLowerCase());
    // "pet 2" is called by its key.
    if (list && others.length === 0 && name.length > 0 && !/\d/.test(name.join("")))
      return { list, name: name.join(" ") };
  }
  return undefined;
}

/** The only list of which a record may be called so: that of whom does what a verb says, or of what these belong to. */
function namedBy(name: string, lists: readonly Tool[]): NamedRecord | undefined {
  const [list, ...others] = lists;
  return list && others.length === 0 && name !== "" && !/\d/.test(name)
    ? { list, name: name.replace(ARTICLE, "") }
    : undefined;
}

/** The record that such a question calls by its name, in a list of which something may belong to it; undefined where it has a key. */
function namedRecord(
  prompt: PromptText,
  { tools, isBare }: { tools: readonly Tool[]; isBare: boolean },
): NamedRecord | undefined {
  const { text } = prompt;
  const mayHave = (wanted: readonly Tool[], { list, name }: NamedRecord): boolean => {
    const record = { list, key: name, text: name };
    return onlyBelonging(wanted, record, { prompt, tools }) !== undefined;
  };
  const lists = ownLists(tools);
  const { record: place, at } = WHO_IS_IN.exec(text)?.groups ?? {};
  if (place !== undefined) {
    const inside = namedIn(place, tools);
    // "who is in bonn" asks for a place.
    const isOn = isBare && at?.toLowerCase() === "on";
    const owners = lists.filter((list) => mayHave(personLists(tools), { list, name: place }));
    return inside ? owners.find((list) => list === inside.list) && inside : isOn ? namedBy(place, owners) : undefined;
  }
  const { record: owner } = EVERYTHING.exec(text)?.groups ?? {};
  if (owner !== undefined) {
    const owners = lists.filter((list) => everythingOf({ list, key: owner, text: owner }, { prompt, tools }));
    return namedIn(owner, owners) ?? (isBare ? namedBy(owner, owners) : undefined);
  }
  const { record: does, verb = "", doing, ing = "" } = WHAT_DOES.exec(text)?.groups ?? {};
  const said = does ?? doing;
  if (said !== undefined) {
    const agents = lists.filter((list) => isAgent((verb || ing).toLowerCase(), resourceNoun(list)));
    const persons = personLists(tools).filter(
      (list) => agentFields((verb || ing).toLowerCase(), list, tools).length === 1,
    );
    const some = agents.length > 0 ? agents : persons;
    return namedIn(said, some) ?? namedBy(said, some);
  }
  const { verb: deed = "", record = "" } = WHO.exec(text)?.groups ?? {};
  const doers = lists.filter((list) => isAgent(deed, resourceNoun(list)));
  const [doer, ...more] = doers;
  // "who is leading Near Rocks" asks for what its `leader_id` is of.
  if (!doer && isBare && deed !== "") {
    const led = lists.filter((list) => hasAgent(list, deed, tools));
    return namedIn(record, led) ?? namedBy(record, led);
  }
  if (!doer || more.length > 0) return undefined;
  const owners = lists.filter(
    (list) =>
      list !== doer &&
      !isJoin(list, { list: doer }, tools) &&
      (hasAgent(list, deed, tools) || mayHave(doers, { list, name: record })),
  );
  return namedIn(record, owners) ?? namedBy(record, owners);
}

/**
 * The step that looks up the record which such a question calls by its name, `isBare` also one without its noun; undefined for any other
 * prompt.
 */
export function lookUpRelated(
  prompt: PromptText,
  tools: readonly Tool[],
  { isBare = false }: { isBare?: boolean } = {},
): Step | undefined {
  const named = relatedTo(prompt, tools) ? undefined : namedRecord(prompt, { tools, isBare });
  const reader = named && recordReader(named.list, tools);
  const key = reader && slotsOf(reader).find(({ name }) => pathNames(reader).has(name));
  return named && reader && key && lookUpPhrase(reader, { args: {}, key, prompt, phrase: named.name }, tools);
}

/** What is wanted of the record that was looked up by its name, where that is not the record itself. */
export function relatedToFound(
  step: Step,
  { phrase = "", slot = "" }: Goal,
  { prompt, tools }: { prompt: PromptText; tools: readonly Tool[] },
): Related | undefined {
  const tool = tools.find(({ name }) => step.kind === "call" && name === step.tool);
  const key = step.kind === "call" ? step.args[slot] : undefined;
  if (tool?.verb !== "get" || tool.safety !== "read_only" || phrase === "" || isObject(key) || key === undefined)
    return undefined;
  const noun = resourceNoun(tool);
  const at = prompt.text.toLowerCase().indexOf(phrase.toLowerCase());
  if (at < 0) return undefined;
  const before = prompt.text.slice(0, at).replace(new RegExp(`\\b(?:(?:the|our) )?(?:${noun} )?$`, "i"), "");
  // In "what does Ada sponsor" the noun behind is the verb.
  const rest = prompt.text.slice(at + phrase.length);
  const behind = WHAT_DOES.test(prompt.text) ? rest : rest.replace(new RegExp(`^ ${noun}\\b`, "i"), "");
  return relatedTo(readPrompt(`${before}${noun} ${String(key)}${behind}`, prompt.today), tools);
}

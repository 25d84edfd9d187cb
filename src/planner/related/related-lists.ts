// A question for what belongs to a record, by its verb or by who is in it: "who works at station 7" asks for its workers, "whos in squad 2" for
// those who have its key, "what does sponsor 3 sponsor" for what has that, "what has student 4 paid" for the payments. A prompt with the
// record's key and tools in, the request for the list, or the step to it, out.

import type { Tool } from "../../domain/tool.js";
import { isObject, type JsonObject } from "../../lib/json.js";
import { isPlural, pluralOf, singularOf } from "../../lib/plural.js";
import { isAkin, isStopWord, stem, words } from "../../tools/search/terms.js";
import { inRow } from "../answer/sentences.js";
import { withOwnNouns } from "../lists/other-nouns.js";
import { isWholeList, wholeListArgs } from "../names/name-lists.js";
import { listsPersons } from "../persons.js";
import { isAgent, isAgentField } from "../prompt/agents.js";
import { contentTokens, type PromptText, readPrompt } from "../prompt/prompt.js";
import { READ_LEAD, readRequest } from "../prompt/request.js";
import { plainForm } from "../prompt/verb-forms.js";
import { TIME_VALUE } from "../prompt/when.js";
import { resourceNoun } from "../resource-noun.js";
import { keyNoun, slotsOf } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";
import { commit, type Step, textStep } from "../step.js";
import { keyFieldOf, keyFieldsOf, linkBetween, ownLists } from "./links.js";
import { throughStep } from "./through.js";

/** "who works at station 7", "who coaches the Falcons". */
export const WHO =
  /^\s*who(?:\s+all|(?:['’]s|\s+is)(?=\s+\p{L}+ing\s))?\s+(?<verb>\p{L}+)\s+(?:(?:at|in|for|on)\s+)?(?<record>(?!(?:at|in|for|on)\s)\S.{0,60}?)[\s?.!]*$/iu;
/** "whos in squad 2", "who is on the Dawn crew". */
export const WHO_IS_IN =
  /^\s*(?:(?:and|so)\s+)?who(?:(?:['’]s|\s+(?:is|are))(?:\s+(?:all|currently|now))?|\s+do\s+(?:we|you|they)\s+have)\s+(?<at>in|on|at)\s+(?:the\s+|our\s+)?(?<record>(?!the\s|our\s)\S.{0,60}?)[\s?.!]*$/iu;
/** "what does sponsor 3 sponsor". */
export const WHAT_DOES =
  /^\s*(?:(?:and|so)\s+)?what(?:\s+(?:does|do)\s+(?:the\s+|our\s+)?(?<record>(?!the\s|our\s)\S.{0,60}?)\s+(?<verb>\p{L}+)|(?:['’]s|\s+is)\s+(?:the\s+|our\s+)?(?<doing>(?!the\s|our\s)\S.{0,60}?)\s+(?<ing>\p{L}+ing))[\s?.!]*$/iu;
/** "everything lying at the north depot", "all the stuff in hall 3", "what's on rack 5". */
export const EVERYTHING =
  /^\s*(?:(?:please\s+)?(?:show|list|give|find)\s+(?:me\s+)?)?(?:what(?:['’]?s|\s+is)(?=\s+(?:on|in|at)\s)|everything|anything|(?:all\s+(?:of\s+)?)?(?:the\s+|our\s+)?(?:stuff|things))\s+(?:(?:that|which)(?:['’]s|\s+(?:is|are))\s+)?(?:(?:lying|standing|sitting|kept|we\s+have)\s+)?(?<more>(?:\p{L}+\s+){0,3}?)(?:at|in|on|of)\s+(?:the\s+|our\s+)?(?<record>(?!the\s|our\s)\S.{0,60}?)[\s?.!]*$/iu;
/** What was done by a record with a key. */
const WHAT =
  /^\s*what\s+(?:has|have|did|does)\s+(?<record>\p{L}+\s+\S+)\s+(?<verb>\p{L}+)(?:\s+(?:so\s+far|until\s+now|yet|already))?[\s?.!]*$/iu;
/** What is done by verbs whose noun has another stem. */
const DEEDS: Readonly<Record<string, string>> = { buy: "purchase", sell: "sale", lend: "loan" };

/** What is done with them, of which the verb says the kind. */
const OBJECTS: Readonly<Record<string, RegExp>> = {
  drive: /^(?:car|vehicle|van|truck|lorry|bus|tram|train|taxi)$/,
  ride: /^(?:bike|bicycle|horse|pony|motorbike|motorcycle|scooter)$/,
  fly: /^(?:plane|aeroplane|airplane|aircraft|helicopter|glider|balloon)$/,
  sail: /^(?:boat|ship|vessel|yacht|dinghy)$/,
  teach: /^(?:course|class|lesson|subject)$/,
  read: /^book$/,
};

/** A record that a prompt calls by its noun and its key. */
interface KeyedRecord {
  list: Tool;
  key: string;
  text: string;
}

/** The record that a text is: "squad 2"; undefined where its noun is that of no list, or of several. */
function recordIn(text: string, tools: readonly Tool[]): KeyedRecord | undefined {
  const [, noun = "", key = ""] = /^(\p{L}+)\s+["“]?([^\s"”]+)["”]?$/u.exec(text) ?? [];
  const [list, ...others] = ownLists(tools).filter((one) => resourceNoun(one) === noun.toLowerCase());
  return list && others.length === 0 && key !== "" ? { list, key, text } : undefined;
}

/** What a question for something of a record comes to. */
export type Related = { request: string } | { step: Step };

/** The way to those records of a list that belong to another one; undefined where nothing says which do. */
function belonging(
  wanted: Tool,
  record: KeyedRecord,
  { prompt, tools }: { prompt: PromptText; tools: readonly Tool[] },
): Related | undefined {
  const field = keyFieldOf(wanted, record.list, tools);
  if (field !== undefined) {
    const slot = slotsOf(wanted).find(({ name, path }) => name === field && path.length === 1);
    const value = slot && toSlotValue(slot, record.key);
    const args = { ...wholeListArgs(wanted), ...(value !== undefined && { [field]: value }) };
    return {
      step: commit(wanted, { args, prompt: `list ${pluralOf(resourceNoun(wanted))} of ${record.text}` }, tools),
    };
  }
  const link = linkBetween(wanted, record.list, tools);
  return link && { step: throughStep(wanted, link, { key: record.key, prompt: prompt.text }) };
}

/** Whether a prompt says the noun of what is wanted. */
const isSaid = (wanted: Tool, { tokens }: PromptText): boolean =>
  tokens.some(({ word }) => isPlural(word) && singularOf(word) === resourceNoun(wanted));

/** The way to the only one of some lists whose records belong to a record; a question where several do. */
export function onlyBelonging(
  lists: readonly Tool[],
  record: KeyedRecord,
  given: { prompt: PromptText; tools: readonly Tool[] },
): Related | undefined {
  const found = lists.flatMap((list) => {
    const related = belonging(list, record, given);
    return related ? [{ list, related }] : [];
  });
  const [only, ...others] = found;
  if (others.length === 0) return only?.related;
  return whichOf(found, record);
}

function whichOf(found: readonly { list: Tool }[], { text }: KeyedRecord): Related {
  const nouns = found.map(({ list }) => pluralOf(resourceNoun(list)));
  return {
    step: textStep(`That may be any of the ${inRow(nouns, "or")} of ${text}, so I went no further. Say which.`),
  };
}

/** What belongs to a record, where it is of one kind and nothing more is said of it; what belongs to that in turn may be meant, too. */
export function everythingOf(
  record: KeyedRecord,
  given: { prompt: PromptText; tools: readonly Tool[] },
): Related | undefined {
  const { prompt, tools } = given;
  const lists = ownLists(tools).filter((list) => list !== record.list && !isJoin(list, record, tools));
  const near = lists.filter((list) => belonging(list, record, given) !== undefined);
  const far = lists.filter((list) => near.some((one) => one !== list && keyFieldOf(list, one, tools) !== undefined));
  const found = [...new Set([...near, ...far])].map((list) => ({ list }));
  const isBare = EVERYTHING.exec(prompt.text)?.groups?.["more"] === "";
  if (found.length < 2 && isBare) return onlyBelonging(near, record, given);
  return found.length > 0 ? whichOf(found, record) : undefined;
}

/** Whether the records of a list have a field for who does what a verb says. */
export const hasAgent = (list: Tool, verb: string, tools: readonly Tool[]): boolean =>
  tools.some(
    (tool) => resourceNoun(tool) === resourceNoun(list) && slotsOf(tool).some(({ name }) => isAgentField(verb, name)),
  );

/** Whether a list does no more than to join a record's with others. */
export const isJoin = (list: Tool, { list: owner }: { list: Tool }, tools: readonly Tool[]): boolean =>
  tools.some((other) => isWholeList(other) && linkBetween(other, owner, tools)?.list === list);

/** "what does sponsor 3 sponsor": what has the key of the one who does it. */
function doneBy(prompt: PromptText, tools: readonly Tool[]): Related | undefined {
  const { record: does, verb = "", doing, ing = "" } = WHAT_DOES.exec(prompt.text)?.groups ?? {};
  const record = recordIn(does ?? doing ?? "", tools);
  const said = (verb || ing).toLowerCase();
  if (!record || !isAgent(said, resourceNoun(record.list))) return undefined;
  const lists = ownLists(tools).filter((list) => !isJoin(list, record, tools));
  const related = onlyBelonging(lists, record, { prompt, tools });
  if (related || stem(said) !== stem(resourceNoun(record.list))) return related;
  return { step: textStep(`Nothing here says what a ${resourceNoun(record.list)} does, so I called nothing.`) };
}

/** "what does observer 1 lead": the records of the only list that has its key in the field of who does that. */
function doneByField(prompt: PromptText, tools: readonly Tool[]): Related | undefined {
  const { record: does, verb = "", doing, ing = "" } = WHAT_DOES.exec(prompt.text)?.groups ?? {};
  const record = recordIn(does ?? doing ?? "", tools);
  if (!record || !personLists(tools).includes(record.list)) return undefined;
  const [only, ...others] = agentFields((verb || ing).toLowerCase(), record.list, tools);
  if (!only || others.length > 0) return undefined;
  const slot = slotsOf(only.list).find(({ name, path }) => name === only.field && path.length === 1);
  const value = slot && toSlotValue(slot, record.key);
  const args = { ...wholeListArgs(only.list), ...(value !== undefined && { [only.field]: value }) };
  const asked = `list ${pluralOf(resourceNoun(only.list))} of ${keyNoun(only.field) ?? ""} ${record.key}`;
  return { step: commit(only.list, { args, prompt: asked }, tools) };
}

/** The lists with a field for the key of the person who does what a verb says, where those are the records of one list. */
export function agentFields(verb: string, persons: Tool, tools: readonly Tool[]): { list: Tool; field: string }[] {
  const lists = ownLists(tools);
  const isOther = (field: string): boolean =>
    lists.some((list) => list !== persons && resourceNoun(list) === keyNoun(field));
  if (personLists(tools).some((list) => list !== persons && list.application === persons.application)) return [];
  return lists.flatMap((list) =>
    list.application === persons.application && list !== persons
      ? keyFieldsOf(list, tools)
          .filter((field) => isAgentField(verb, field) && !isOther(field))
          .map((field) => ({ list, field }))
      : [],
  );
}

/** Words that say no more than that something belongs to a record, beside those of reading. */
const BESIDE = /^(?:who|whose|belong|belongs|belonging|currently|now|all|what|please)$/;

/** "singers in group 1", "which plants does sponsor 3 sponsor": by what joins the two, where nothing else is said. */
function joinedTo(prompt: PromptText, tools: readonly Tool[]): Related | undefined {
  const { commands, howTo, negated } = readRequest(prompt);
  const [key, ...more] = prompt.entities.filter(({ kind }) => kind !== "name");
  if (!key || more.length > 0 || howTo || negated || commands.some(({ intents }) => intents.size > 0)) return undefined;
  const before = prompt.tokens.findLast(({ end }) => end <= key.start);
  const record = before && recordIn(prompt.text.slice(before.start, key.end), tools);
  if (!record || !before) return undefined;
  const rest = contentTokens(prompt).filter(({ start }) => start !== before.start);
  const lists = ownLists(tools).filter((list) => {
    if (list === record.list || keyFieldOf(list, record.list, tools) !== undefined) return false;
    const link = linkBetween(list, record.list, tools);
    const noun = resourceNoun(list);
    const isNoun = (word: string): boolean => isPlural(word) && singularOf(word) === noun;
    const isDeed = (word: string): boolean =>
      isAkin(stem(word), stem(resourceNoun(record.list))) ||
      (link !== undefined && isAkin(stem(word), stem(resourceNoun(link.list))));
    return (
      link !== undefined &&
      rest.some(({ word }) => isNoun(word)) &&
      rest.every(
        ({ word }) => isNoun(word) || isDeed(word) || READ_LEAD.test(word) || BESIDE.test(word) || isStopWord(word),
      )
    );
  });
  return onlyBelonging(lists, record, { prompt, tools });
}

/** The request for the one list that a question means by its verb; undefined where there is none, or are several. */
function deedOf(text: string, tools: readonly Tool[]): Related | undefined {
  const { verb = "", record = "" } = WHAT.exec(text)?.groups ?? {};
  const own = recordIn(record, tools)?.list;
  if (!own) return undefined;
  const plain = plainForm(verb.toLowerCase());
  const base = (plain && DEEDS[plain]) ?? plain ?? verb.toLowerCase();
  const nouns = new Set(
    tools.filter((tool) => tool.verb === "list" && tool.safety === "read_only").map((tool) => resourceNoun(tool)),
  );
  const [noun, ...others] = [...nouns].filter(
    (one) =>
      one !== resourceNoun(own) &&
      (OBJECTS[base]?.test(one) === true || isAkin(stem(base), stem(one)) || one.startsWith(base)),
  );
  return noun === undefined || others.length > 0 ? undefined : { request: `list ${pluralOf(noun)} of ${record}` };
}

/** "who works at station 7", "who coaches club 2": those who do it and have the key of the record. */
function doersOf(prompt: PromptText, tools: readonly Tool[]): Related | undefined {
  const { verb = "", record: text = "" } = WHO.exec(prompt.text)?.groups ?? {};
  const record = recordIn(text, tools);
  const lists = ownLists(tools).filter((list) => isAgent(verb, resourceNoun(list)));
  const [only, ...others] = new Set(lists.map(resourceNoun));
  if (only === undefined || others.length > 0) return undefined;
  const isAt = /^\s*who\S*\s+(?:(?:all|is)\s+)?\p{L}+\s+(?:at|in|for|on)\s/iu.test(prompt.text);
  // Nothing may say what the records have.
  if (!record || (isAt && !lists.some((list) => belonging(list, record, { prompt, tools }))))
    return isAt ? { request: `list ${pluralOf(only)} of ${text}` } : undefined;
  return hasAgent(record.list, verb, tools) ? undefined : onlyBelonging(lists, record, { prompt, tools });
}

/**
 * What a prompt wants of a record that refers to what has it: the actors of a screening are those of its production. Undefined where that is
 * not the only way.
 */
export function relatedBeyond(
  { record, tool }: { record: JsonObject; tool: Tool },
  { prompt, tools }: { prompt: PromptText; tools: readonly Tool[] },
): Step | undefined {
  const said = withOwnNouns(prompt, tools);
  const lists = ownLists(tools).filter(({ application }) => application === tool.application);
  const [wanted, ...more] = lists.filter((list) => isSaid(list, said) && resourceNoun(list) !== resourceNoun(tool));
  if (
    !wanted ||
    more.length > 0 ||
    Object.keys(record).some((field) => words(field).some((word) => singularOf(word) === resourceNoun(wanted)))
  )
    return undefined;
  // What has the key of the record is its own, and found by that.
  if (keyFieldOf(wanted, tool, tools) !== undefined) return undefined;
  const [way, ...others] = Object.entries(record).flatMap(([field, value]) => {
    const owner = lists.find((list) => resourceNoun(list) === keyNoun(field));
    if (!owner || owner === wanted || resourceNoun(owner) === resourceNoun(tool) || value === null || isObject(value))
      return [];
    const text = `${resourceNoun(owner)} ${String(value)}`;
    const asked = readPrompt(`${pluralOf(resourceNoun(wanted))} of ${text}`, prompt.today);
    const related = belonging(wanted, { list: owner, key: String(value), text }, { prompt: asked, tools });
    return related && "step" in related ? [{ step: related.step, text }] : [];
  });
  if (way?.step.kind !== "call" || others.length > 0) return undefined;
  const nouns = pluralOf(resourceNoun(wanted));
  const own = `This ${resourceNoun(tool)} has no ${nouns} of its own`;
  // Who plays in a production does so in its screenings; what is booked in a hut is not in each of its rooms.
  if (!Object.values(record).some((value) => typeof value === "string" && TIME_VALUE.test(value)))
    return textStep(`${own}. It is of ${way.text}: say "${nouns} of ${way.text}" for those.`);
  return { ...way.step, goal: { ...way.step.goal, note: `${own}, these are those of its ${way.text}.\n\n` } };
}

/** The lists of persons. */
export const personLists = (tools: readonly Tool[]): Tool[] =>
  ownLists(tools).filter((list) => listsPersons(list, tools));

/** What a question for something of a record comes to; undefined for any other prompt, and where nothing says what belongs to it. */
export function relatedTo(given: PromptText, tools: readonly Tool[]): Related | undefined {
  const prompt = withOwnNouns(given, tools);
  const inside = recordIn(WHO_IS_IN.exec(prompt.text)?.groups?.["record"] ?? "", tools);
  if (inside) return onlyBelonging(personLists(tools), inside, { prompt, tools });
  const whole = recordIn(EVERYTHING.exec(given.text)?.groups?.["record"] ?? "", tools);
  return (
    (whole && everythingOf(whole, { prompt: given, tools })) ??
    doersOf(prompt, tools) ??
    doneBy(prompt, tools) ??
    doneByField(prompt, tools) ??
    deedOf(prompt.text, tools) ??
    joinedTo(prompt, tools)
  );
}

// A question for what belongs to a record, by its verb or by who is in it: "who works at station 7" asks for its workers, "whos in squad 2" for
// those who have its key, "what does sponsor 3 sponsor" for what has that, "what has student 4 paid" for the payments. A prompt with the
// record's key and tools in, the request for the list, or the step to it, out.

import type { Tool } from "../domain/tool.js";
import { isObject } from "../lib/json.js";
import { isPlural, pluralOf, singularOf } from "../lib/plural.js";
import { isAkin, isStopWord, stem } from "../tools/search/terms.js";
import { inRow } from "./answer/sentences.js";
import type { Goal } from "./goal.js";
import { keyFieldOf, linkBetween } from "./links.js";
import { lookUpPhrase } from "./lookup.js";
import { isWholeList, wholeListArgs } from "./name-lists.js";
import { listsPersons } from "./persons.js";
import { isAgent, isAgentField } from "./prompt/agents.js";
import { contentTokens, type PromptText, readPrompt } from "./prompt/prompt.js";
import { READ_LEAD, readRequest } from "./prompt/request.js";
import { plainForm } from "./prompt/verb-forms.js";
import { resourceNoun } from "./resource-noun.js";
import { recordReader } from "./shown-records.js";
import { pathNames, slotsOf } from "./slots/slot.js";
import { toSlotValue } from "./slots/slot-value.js";
import { commit, type Step, textStep } from "./step.js";
import { throughStep } from "./through.js";

const WHO =
  /^\s*who\s+(?:all\s+)?(?<verb>\p{L}+)\s+(?:(?:at|in|for|on)\s+)?(?<record>(?!(?:at|in|for|on)\s)\S.{0,60}?)[\s?.!]*$/iu;
const WHO_IS_IN =
  /^\s*(?:(?:and|so)\s+)?who(?:(?:['’]s|\s+(?:is|are))(?:\s+(?:all|currently|now))?|\s+do\s+(?:we|you|they)\s+have)\s+(?:in|on|at)\s+(?:the\s+|our\s+)?(?<record>(?!the\s|our\s)\S.{0,60}?)[\s?.!]*$/iu;
const WHAT_DOES =
  /^\s*(?:(?:and|so)\s+)?what(?:\s+(?:does|do)\s+(?:the\s+|our\s+)?(?<record>(?!the\s|our\s)\S.{0,60}?)\s+(?<verb>\p{L}+)|(?:['’]s|\s+is)\s+(?:the\s+|our\s+)?(?<doing>(?!the\s|our\s)\S.{0,60}?)\s+(?<ing>\p{L}+ing))[\s?.!]*$/iu;
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
  const [list, ...others] = tools.filter((tool) => isWholeList(tool) && resourceNoun(tool) === noun.toLowerCase());
  return list && others.length === 0 && key !== "" ? { list, key, text } : undefined;
}

/** What a question for something of a record comes to. */
type Related = { request: string } | { step: Step };

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

/** The way to the only one of some lists whose records belong to a record; a question where several do. */
function onlyBelonging(
  lists: readonly Tool[],
  record: KeyedRecord,
  given: { prompt: PromptText; tools: readonly Tool[] },
): Related | undefined {
  const found = lists.flatMap((list) => {
    const related = belonging(list, record, given);
    return related ? [{ list, related }] : [];
  });
  // What joins others is meant itself by nobody who asks for these.
  const [only, ...others] = found;
  if (others.length === 0) return only?.related;
  const nouns = found.map(({ list }) => pluralOf(resourceNoun(list)));
  return {
    step: textStep(`That may be any of the ${inRow(nouns, "or")} of ${record.text}, so I went no further. Say which.`),
  };
}

/** Whether the records of a list have a field for who does what a verb says. */
const hasAgent = (list: Tool, verb: string, tools: readonly Tool[]): boolean =>
  tools.some(
    (tool) => resourceNoun(tool) === resourceNoun(list) && slotsOf(tool).some(({ name }) => isAgentField(verb, name)),
  );

/** Whether a list does no more than to join a record's with others. */
const isJoin = (list: Tool, { list: owner }: { list: Tool }, tools: readonly Tool[]): boolean =>
  tools.some((other) => isWholeList(other) && linkBetween(other, owner, tools)?.list === list);

/** "what does sponsor 3 sponsor": what has the key of the one who does it. */
function doneBy(prompt: PromptText, tools: readonly Tool[]): Related | undefined {
  const { record: does, verb = "", doing, ing = "" } = WHAT_DOES.exec(prompt.text)?.groups ?? {};
  const record = recordIn(does ?? doing ?? "", tools);
  const said = (verb || ing).toLowerCase();
  if (!record || !isAgent(said, resourceNoun(record.list))) return undefined;
  const lists = tools.filter((list) => isWholeList(list) && !isJoin(list, record, tools));
  const related = onlyBelonging(lists, record, { prompt, tools });
  if (related || stem(said) !== stem(resourceNoun(record.list))) return related;
  return { step: textStep(`Nothing here says what a ${resourceNoun(record.list)} does, so I called nothing.`) };
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
  const lists = tools.filter(isWholeList).filter((list) => {
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
  const lists = tools.filter((list) => isWholeList(list) && isAgent(verb, resourceNoun(list)));
  const [only, ...others] = new Set(lists.map(resourceNoun));
  if (only === undefined || others.length > 0) return undefined;
  const isAt = /^\s*who\s+(?:all\s+)?\p{L}+\s+(?:at|in|for|on)\s/iu.test(prompt.text);
  // Nothing may say what the records have.
  if (!record || (isAt && !lists.some((list) => belonging(list, record, { prompt, tools }))))
    return isAt ? { request: `list ${pluralOf(only)} of ${text}` } : undefined;
  return hasAgent(record.list, verb, tools) ? undefined : onlyBelonging(lists, record, { prompt, tools });
}

const personLists = (tools: readonly Tool[]): Tool[] =>
  tools.filter((list) => isWholeList(list) && listsPersons(list, tools));

/** What a question for something of a record comes to; undefined for any other prompt, and where nothing says what belongs to it. */
export function relatedTo(prompt: PromptText, tools: readonly Tool[]): Related | undefined {
  const inside = recordIn(WHO_IS_IN.exec(prompt.text)?.groups?.["record"] ?? "", tools);
  if (inside) return onlyBelonging(personLists(tools), inside, { prompt, tools });
  return doersOf(prompt, tools) ?? doneBy(prompt, tools) ?? deedOf(prompt.text, tools) ?? joinedTo(prompt, tools);
}

/** A list, and what one of its records is called. */
interface NamedRecord {
  list: Tool;
  name: string;
}

const ARTICLE = /^(?:the|our)\s+/i;

/** The record that a text calls by its name beside its noun: "Red squad", "squad Red". */
function namedIn(text: string, tools: readonly Tool[]): NamedRecord | undefined {
  const said = text.replace(ARTICLE, "").split(/\s+/);
  const lists = tools.filter(isWholeList);
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
function namedRecord(prompt: PromptText, tools: readonly Tool[]): NamedRecord | undefined {
  const { text } = prompt;
  const mayHave = (wanted: readonly Tool[], { list, name }: NamedRecord): boolean => {
    const record = { list, key: name, text: name };
    return onlyBelonging(wanted, record, { prompt, tools }) !== undefined;
  };
  const inside = namedIn(WHO_IS_IN.exec(text)?.groups?.["record"] ?? "", tools);
  if (inside) return mayHave(personLists(tools), inside) ? inside : undefined;
  const lists = tools.filter(isWholeList);
  const { record: does, verb = "", doing, ing = "" } = WHAT_DOES.exec(text)?.groups ?? {};
  const said = does ?? doing;
  if (said !== undefined) {
    const agents = lists.filter((list) => isAgent((verb || ing).toLowerCase(), resourceNoun(list)));
    return namedIn(said, agents) ?? namedBy(said, agents);
  }
  const { verb: deed = "", record = "" } = WHO.exec(text)?.groups ?? {};
  const doers = lists.filter((list) => isAgent(deed, resourceNoun(list)));
  const [doer, ...more] = doers;
  if (!doer || more.length > 0) return undefined;
  const owners = lists.filter(
    (list) =>
      list !== doer &&
      !isJoin(list, { list: doer }, tools) &&
      (hasAgent(list, deed, tools) || mayHave(doers, { list, name: record })),
  );
  return namedIn(record, owners) ?? namedBy(record, owners);
}

/** The step that looks up the record which such a question calls by its name; undefined for any other prompt. */
export function lookUpRelated(prompt: PromptText, tools: readonly Tool[]): Step | undefined {
  const named = relatedTo(prompt, tools) ? undefined : namedRecord(prompt, tools);
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

// Finding the record a prompt names before it is changed: the list of its collection is read, the one record of that name is
// taken, and only then the call itself is made. Reads only; the change is the next step.

import type { Tool } from "../../domain/tool.js";
import { isObject, type JsonObject, type JsonValue } from "../../lib/json.js";
import { singularOf } from "../../lib/plural.js";
import { stem, words } from "../../tools/search/terms.js";
import { markdownTable } from "../answer/markdown.js";
import { asksForPlace } from "../answer/narrow-places.js";
import { textsOfField } from "../answer/narrowed.js";
import { mayGoOn } from "../answer/page.js";
import { findRows, idOf, readResultText, recordName, similarRows } from "../answer/rows.js";
import { missingContent } from "../checks/missing-content.js";
import type { CompletedCall, Situation } from "../conversation.js";
import type { Goal } from "../goal.js";
import { numberedRows } from "../match/codes.js";
import { identifyingEntity, isName, lookupPhrase } from "../match/free-text.js";
import { intentOfTool } from "../match/tool-intent.js";
import { isWholeList, mayHaveCodes } from "../names/name-lists.js";
import { askForPart, isPartOf } from "../names/name-parts.js";
import { orderIn } from "../prompt/order.js";
import { type PromptText, readPrompt } from "../prompt/prompt.js";
import { collectionOf, resourceNoun } from "../resource-noun.js";
import { KEY_NAME, pathNames, type Slot, setValueAt, slotsOf } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";
import { askFor, askWhich, commit, type Step, textStep } from "../step.js";
import { listForKey, lookUpNumber, lookUpPhrase } from "./lookup-call.js";
import { hasFieldsOf, replaceRecord } from "./replace-record.js";

/**
 * Looks for the record the prompt names in the list of its collection; undefined when it names none or there is no list. `rest` is the
 * prompt without the texts that were taken from it.
 */
export function lookUp(
  tool: Tool,
  { args, key, prompt, rest }: { args: JsonObject; key: Slot; prompt: PromptText; rest: PromptText },
  { tools }: Situation,
): Step | undefined {
  const phrase = lookupPhrase(key, tool, rest);
  // "is there any member from Kendal" and "last order of Ada" call none by that name.
  const isOfList = asksForPlace(prompt) || orderIn(prompt) !== undefined;
  const list = tool.safety === "read_only" && isOfList ? listForKey(tool, key, tools) : undefined;
  if (list && isWholeList(list)) return commit(list, { args: {}, prompt: prompt.text }, tools);
  return phrase !== undefined && isName(phrase, tool)
    ? lookUpPhrase(tool, { args, key, prompt, phrase }, tools)
    : undefined;
}

/** A code that people give things, as "C-107": letters and digits, and no key that a program made. */
const CODE = /^(?=.*[A-Za-z])(?=.*\d)(?=.{2,16}$)(?:[A-Za-z\d]+(?:[-_.][A-Za-z\d]+)+|[A-Za-z]{1,3}\d{1,5}[A-Za-z]?)$/;

/** Names of parameters whose key is what something is called. */
const TAKES_NAME = /(?:name|title|login|mail|city|country|owner|repo|repository|topic|tag|label|word)$/i;

/** Whether a value for a key is what a record is called, and no key: "Wilhelmine", "Stella Polaris". */
const isCalled = (key: Slot, value: JsonValue | undefined): value is string =>
  typeof value === "string" && !TAKES_NAME.test(key.name) && /\p{L}.*\s|^\p{Lu}[\p{L}'’-]*\p{Ll}$/u.test(value);

/** Whether a record that was read before has this key. */
function isKeyRead(value: string, { name }: Slot, { conversation: { before } }: Situation): boolean {
  return before.some(({ text }) => {
    const { rows, value: record } = readResultText(text);
    return (rows ?? [record]).filter(isObject).some((row) => String(idOf(row, name)) === value);
  });
}

/**
 * The step that looks up the record whose code, or name, a call has for its key; undefined where the key is none, the records have no
 * codes beside their keys, there is no list, or no call is left for it. A change that has a name for its key is asked about then.
 */
export function lookUpCode(
  tool: Tool,
  { args, prompt }: { args: JsonObject; prompt: PromptText },
  situation: Situation,
): Step | undefined {
  const { tools, readsLeft } = situation;
  const key = slotsOf(tool).find(({ name }) => name === [...pathNames(tool)].at(-1));
  const value = key && args[key.name];
  const byNumber = key && readsLeft > 0 ? lookUpNumber(tool, { args, key, prompt }, situation) : undefined;
  if (byNumber) return byNumber;
  if (!key || typeof value !== "string") return lookUpReference(tool, { args, prompt }, situation);
  const { [key.name]: _, ...others } = args;
  if (isCalled(key, value)) {
    const step = lookUpPhrase(tool, { args: others, key, prompt, phrase: value }, tools);
    if (!step || readsLeft > 0 || tool.safety === "read_only") return readsLeft > 0 ? step : undefined;
    return askFor(tool, { args: others, missing: [key], prompt: prompt.text });
  }
  const isCode =
    KEY_NAME.test(key.name) && CODE.test(value) && mayHaveCodes(tool, tools) && !isKeyRead(value, key, situation);
  if (!isCode || readsLeft <= 0) return lookUpReference(tool, { args, prompt }, situation);
  return lookUpPhrase(tool, { args: others, key, prompt, phrase: value }, tools);
}

/**
 * The step that looks up a record that a change refers to by what it is called: `film_id` of a new screening is none of its titles.
 * Undefined where there is none, or no list of such records.
 */
function lookUpReference(
  tool: Tool,
  { args, prompt }: { args: JsonObject; prompt: PromptText },
  { tools, readsLeft, conversation }: Situation,
): Step | undefined {
  const paths = pathNames(tool);
  const done = new Set(conversation.turn.map(({ goal }) => goal?.slot));
  const isNumber = ({ name }: Slot): boolean => !paths.has(name) && !done.has(name) && args[name] !== undefined;
  const numbers = tool.safety === "read_only" || readsLeft <= 0 ? [] : slotsOf(tool).filter(isNumber);
  for (const key of numbers) {
    const step = lookUpNumber(tool, { args, key, prompt }, { tools, conversation });
    if (step) return step;
  }
  const key = slotsOf(tool).find(
    (slot) =>
      KEY_NAME.test(slot.name) && !paths.has(slot.name) && !done.has(slot.name) && isCalled(slot, args[slot.name]),
  );
  const phrase = key && args[key.name];
  if (!key || typeof phrase !== "string" || tool.safety === "read_only") return undefined;
  const { [key.name]: _, ...others } = args;
  const step = lookUpPhrase(tool, { args: others, key, prompt, phrase }, tools);
  return !step || readsLeft > 0 ? step : askFor(tool, { args: others, missing: [key], prompt: prompt.text });
}

/** Whether the prompt mentions the noun of the tool; if not, only the exact name is enough. */
function mentionsNounOf(tool: Tool, prompt: string): boolean {
  const noun = stem(resourceNoun(tool));
  return words(prompt).some((word) => stem(word) === noun);
}

/**
 * Whether the code that a change was looked up by is the key after all: where the list could not be read, has nothing in it, or has
 * keys of that form. What was to be read was tried by it before.
 */
export function isKeyItself({ text }: CompletedCall, { goal, tool }: { goal: Goal; tool: Tool }): boolean {
  const { phrase = "", slot = "" } = goal;
  const key = slotsOf(tool).find(({ name }) => name === slot);
  if (tool.safety === "read_only" || !key || toSlotValue(key, phrase) === undefined) return false;
  const { rows = [], partial } = readResultText(text);
  // Where the keys of the records are what they are called, one of those that were not shown may have this one.
  if (isCalled(key, phrase)) return partial && rows.some((row) => isCalled(key, idOf(row, slot)));
  if (!CODE.test(phrase)) return false;
  return rows.length === 0 || rows.some((row) => formOf(String(idOf(row, slot) ?? "")) === formOf(phrase));
}

/** How a code is made up: of letters, digits and what stands between. */
const formOf = (code: string): string => code.replace(/[A-Za-z]+/g, "A").replace(/\d+/g, "9");

const ARTICLE = /^(?:the|our|my)\s+/i;

/** The records that a value before their noun says something of: "piano lesson" calls none, and some are of the instrument piano. */
function describedRows(rows: readonly JsonObject[], phrase: string, noun: string): JsonObject[] {
  const said = words(phrase.replace(ARTICLE, ""));
  if (said.length < 2 || singularOf(said.at(-1) ?? "") !== noun) return [];
  const value = said.slice(0, -1).join(" ");
  return rows.filter((row) =>
    Object.values(row).some((held) =>
      textsOfField(held).some((text) => ` ${words(text).join(" ")} `.includes(` ${value} `)),
    ),
  );
}

/** What a phrase may mean that some records are described by and none is called. */
const describedText = (phrase: string, { noun, count }: { noun: string; count: number }): string =>
  count > 1 ? `"${phrase}" may be any of ${count}` : `No ${noun} is called "${phrase}", but one is described by that`;

/** The records with a name, or with a number that is no key; a key is one, too. */
function findCalled(
  rows: readonly JsonObject[],
  phrase: string,
  { noun, slot }: { noun: string; slot: string },
): { exact: boolean; rows: JsonObject[] } {
  if (!/^\d+$/.test(phrase)) return findRows(rows, phrase);
  const numbered = numberedRows(rows, phrase, noun);
  const keyed = rows.filter((row) => String(idOf(row, slot)) === phrase);
  return { exact: true, rows: [...new Set([...numbered, ...keyed])] };
}

/** The one record that was looked for, or the text that explains why there is none. */
function recordIn(
  last: CompletedCall,
  { goal, tool }: { goal: Goal; tool: Tool },
  { tools, today }: Situation,
): { record: JsonObject; part?: string } | { text: string; isOpen?: true } {
  const { phrase = "", prompt = "", slot = "" } = goal;
  // An order may be looked for by its customer: the noun is that of the list.
  const lister = tools.find(({ name }) => name === last.call.name);
  const noun = resourceNoun(lister ?? tool);
  const result = readResultText(last.text);
  const all = result.rows ?? [];
  let { rows, exact } = findCalled(all, phrase, { noun, slot });
  const short = identifyingEntity(readPrompt(prompt, today))?.text;
  // A read may try a part of the name; a change needs the whole one.
  if (rows.length === 0 && tool.safety === "read_only" && short !== undefined) ({ rows, exact } = findRows(all, short));
  if (rows.length === 0) ({ rows, exact } = findRows(all, phrase.replace(ARTICLE, "")));
  if (rows.length === 0 && isKeyItself(last, { goal, tool })) return { record: { [slot]: phrase } };
  const [record] = rows;
  const isPage = lister !== undefined && mayGoOn(lister, last.call.arguments, result);
  const where = result.partial || isPage ? ` among the ${all.length} I was shown, and there may be more` : "";
  if (!record) {
    const described = describedRows(all, phrase, noun);
    if (described.length > 0 && described.length < all.length)
      return {
        text: `${describedText(phrase.replace(ARTICLE, ""), { noun, count: described.length })}${where}, so nothing was changed. Say which one by its id:\n\n${markdownTable(described)}`,
        isOpen: true,
      };
    const near = similarRows(all, phrase);
    const hint = near.length > 0 ? ` The nearest:\n\n${markdownTable(near)}` : "";
    return { text: `I found no ${noun} called "${phrase}"${where}, so I went no further.${hint}` };
  }
  if (rows.length > 1)
    return {
      text: `${rows.length} records fit "${phrase}"${tool.safety === "read_only" ? "" : ", so nothing was changed"}. Say which one by its id:\n\n${markdownTable(rows)}`,
      isOpen: true,
    };
  // Of what is only referred to a part of the name is not enough.
  const isOther = lister !== undefined && collectionOf(lister) !== collectionOf(tool) && tool.safety !== "read_only";
  const isUnsure = !exact && (isOther || tool.safety === "destructive" || !mentionsNounOf(tool, prompt));
  const whole = recordName(record) ?? "";
  if (isUnsure && where === "" && isPartOf(whole, phrase)) return { record, part: whole };
  if (isUnsure)
    return {
      text: `No ${noun} is called exactly "${phrase}", so nothing was changed. The nearest is:\n\n${markdownTable(rows)}`,
    };
  // A name may stand on further pages, too; a code is given once.
  if (where !== "" && tool.safety !== "read_only" && !CODE.test(phrase))
    return {
      text: `One ${noun} is called "${phrase}"${where}, so nothing was changed. Say which one by its id:\n\n${markdownTable(rows)}`,
    };
  return { record };
}

/** Goes on with the record that was looked for, if there is exactly one. */
export function continueLookup(
  last: CompletedCall,
  { goal, tool }: { goal: Goal; tool: Tool },
  situation: Situation,
): Step {
  const found = recordIn(last, { goal, tool }, situation);
  const { slot = "", phrase = "" } = goal;
  const key = slotsOf(tool).find(({ name }) => name === slot);
  if ("text" in found && found.isOpen && key) return askWhich(found.text, key, goal);
  if ("text" in found) return textStep(found.text);
  const step = stepWith(found.record, last, { goal, tool, situation });
  if (found.part === undefined) return step;
  const list = situation.tools.find(({ name }) => name === last.call.name) ?? tool;
  const id = idOf(found.record, slot);
  return askForPart(step, { said: phrase, key: `${resourceNoun(list)} ${String(id)}`, whole: found.part });
}

/** The step of a goal with the record that was looked for. */
function stepWith(
  record: JsonObject,
  last: CompletedCall,
  { goal: sought, tool, situation }: { goal: Goal; tool: Tool; situation: Situation },
): Step {
  const { slot = "", phrase = "" } = sought;
  const key = slotsOf(tool).find(({ name }) => name === slot);
  const id = key && toSlotValue(key, idOf(record, slot) ?? null);
  if (!key || id === undefined || id === null) {
    const noun = resourceNoun(situation.tools.find(({ name }) => name === last.call.name) ?? tool);
    return textStep(`I found the ${noun} but no ${slot} in it:\n\n${markdownTable([record])}`);
  }
  const args = structuredClone(sought.args);
  setValueAt(args, key.path, id);
  const prompt = readPrompt(sought.prompt ?? "", situation.today);
  const next = lookUpReference(tool, { args, prompt }, situation);
  if (next) return next;
  const missing = intentOfTool(tool) === "update" ? missingContent(tool, args, prompt) : [];
  if (missing.length > 0) return askFor(tool, { args, missing, prompt: prompt.text });
  if (tool.transport.method === "PUT") {
    const step = commit(tool, { args, prompt: prompt.text }, situation.tools);
    const isRead = step.goal?.step === "read" && !hasFieldsOf(tool, record);
    return isRead ? step : replaceRecord({ ...sought, args }, tool, record);
  }
  const goal: Goal = { step: "do", tool: tool.name, args, phrase, prompt: prompt.text };
  // What belongs to a record is narrowed by its key.
  if (/^\d+$/.test(phrase) && tool.verb === "list") {
    const lister = situation.tools.find(({ name }) => name === last.call.name) ?? tool;
    goal.prompt = prompt.text.replace(new RegExp(`\\b${phrase}\\b`), String(id));
    goal.note = String(id) === phrase ? undefined : `${resourceNoun(lister)} ${phrase} has the key ${String(id)}.\n\n`;
  }
  return { kind: "call", tool: tool.name, args, goal };
}

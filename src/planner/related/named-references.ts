// The names behind the keys of an answer: "who is order 7 for" is not answered by `customer_id: 3`. The record with that key is read, or its
// list where there are several, and what it is called stands above the answer. Reads only, one more in a turn.

import type { Tool } from "../../domain/tool.js";
import { isObject, type JsonObject, type JsonValue } from "../../lib/json.js";
import { singularOf } from "../../lib/plural.js";
import { stem } from "../../tools/search/terms.js";
import { displayedRows } from "../answer/list.js";
import { readResultText, recordName, splitName } from "../answer/rows.js";
import type { CompletedCall, Situation } from "../conversation.js";
import type { Goal } from "../goal.js";
import { isWholeList, wholeListArgs } from "../names/name-lists.js";
import { recordQuestion } from "../names/record-question.js";
import { areForPersons, listsPersons } from "../persons.js";
import { askedDeed, isAgentField } from "../prompt/agents.js";
import { asksWhoHandles } from "../prompt/chatter.js";
import type { PromptText } from "../prompt/prompt.js";
import { resourceNoun } from "../resource-noun.js";
import { keyNoun, pathNames, slotsOf } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";
import { type Step, textStep } from "../step.js";

/** Of more records than these no names are looked up. */
const MAX_KEYS = 5;

/** A question for somebody; "clients who owe" and "things whose name is" ask for none. */
const WHO = /(?:^|[,;:.–-]\s*|\b(?:and|for|with|by|from|of|to|me|know|say)\s+)(?:who|whom|whose)\b/i;
/** "which client has it", "what machine is it": the noun of what is wanted. */
const WHICH = /\b(?:which|what)\s+(\p{L}+)/giu;

/** Whom something is done for. */
const SERVED =
  /^(?:client|customer|guest|patient|buyer|recipient|receiver|purchaser|borrower|tenant|visitor|passenger|student|pupil)$/;

/** The keys that some records have under a name, and the tools that read the records of those. */
interface Reference {
  field: string;
  noun: string;
  keys: readonly JsonValue[];
  list?: Tool | undefined;
  getter?: Tool | undefined;
}

const isOfPeople = (noun: string, tools: readonly Tool[]): boolean =>
  areForPersons(tools.filter((tool) => resourceNoun(tool) === noun));

/** The nouns that a prompt asks for by "which". */
const askedNouns = ({ text }: PromptText): Set<string> =>
  new Set([...text.matchAll(WHICH)].map(([, noun = ""]) => stem(singularOf(noun.toLowerCase()))));

/** The key of another record in some records that a prompt asks for by who, or by its noun; undefined where that is not clear. */
function askedReference(
  rows: readonly JsonObject[],
  prompt: PromptText,
  { tool, tools }: { tool: Tool; tools: readonly Tool[] },
): Reference | undefined {
  const own = stem(resourceNoun(tool));
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((field) => {
    const noun = keyNoun(field);
    return noun !== undefined && stem(noun) !== own && !Object.keys(rows[0] ?? {}).includes(noun);
  });
  const nouns = askedNouns(prompt);
  const named = fields.filter((field) => nouns.has(stem(keyNoun(field) ?? "")));
  const isWho =
    WHO.test(prompt.text) && (recordQuestion(prompt)?.asks === "who" || !isOfPeople(resourceNoun(tool), tools));
  const deed = isWho ? askedDeed(prompt) : undefined;
  const isOfDeed = (field: string): boolean => deed !== undefined && isAgentField(deed, field);
  const isListed = (noun: string): boolean => tools.some((one) => resourceNoun(one) === noun);
  const isPerson = (field: string, noun = keyNoun(field) ?? ""): boolean =>
    isOfPeople(noun, tools) || (isOfDeed(field) && isListed(noun));
  const people = isWho && named.length === 0 ? fields.filter((field) => isPerson(field)) : [];
  // Whom a matter is for does not handle it.
  const handling = asksWhoHandles(prompt) ? people.filter((field) => !SERVED.test(keyNoun(field) ?? "")) : people;
  // A field that says who did it is the answer, whoever else the record has.
  const told = rows.some((row) => Object.keys(row).some(isOfDeed)) ? handling.filter(isOfDeed) : handling;
  const [field, ...others] = named.length > 0 ? named : told;
  const noun = field === undefined ? undefined : keyNoun(field);
  if (field === undefined || noun === undefined || others.length > 0) return undefined;
  const values = rows.map((row) => row[field] ?? null).filter((value) => value !== null && !isObject(value));
  const keys = [...new Set(values)];
  if (keys.length === 0 || keys.length > MAX_KEYS) return undefined;
  const some = tools.filter(
    (one) =>
      one.application === tool.application && stem(resourceNoun(one)) === stem(noun) && one.safety === "read_only",
  );
  const isGetter = (one: Tool): boolean =>
    one.verb === "get" && one.transport.path?.endsWith("}") === true && pathNames(one).size === 1;
  return { field, noun, keys, list: some.find(isWholeList), getter: some.find(isGetter) };
}

/** What the keys of an answer are called, in sentences; undefined where a call is to be made first. */
function namesText({ field, noun, keys, list, getter }: Reference, { conversation }: Situation): string | undefined {
  const read = conversation.turn.filter(
    ({ call, isError }) => !isError && [list?.name, getter?.name].includes(call.name),
  );
  const records = read.flatMap(({ text }) => {
    const { value, rows } = readResultText(text);
    return rows ?? (isObject(value) ? [value] : []);
  });
  const nameOf = (key: JsonValue): string | undefined => {
    const record = records.find((row) => [row["id"], row[field], row[`${noun}_id`], row[`${noun}Id`]].includes(key));
    return record && (splitName(record) ?? recordName(record));
  };
  const names = keys.map(nameOf);
  if (names.every((name) => name === undefined)) return undefined;
  const lines = keys.map((key, at) => `${noun} ${String(key)} is ${names[at] ?? "unknown to me"}`);
  return `${lines.join(", ")}.\n\n`;
}

/** The records of an answer, what reads them, and the answer. */
interface ShownRecords {
  rows: readonly JsonObject[];
  tool: Tool;
  text: string;
}

/** The answer with the names of what its records refer to, or the call that reads these; undefined where the prompt asks for none. */
export function stepToNames(
  { rows, tool, text }: ShownRecords,
  prompt: PromptText,
  situation: Situation,
): Step | undefined {
  const reference = askedReference(rows, prompt, { tool, tools: situation.tools });
  if (!reference) return undefined;
  const note = namesText(reference, situation);
  if (note !== undefined) return textStep(`${note}${text}`);
  const { field, noun, keys, list, getter } = reference;
  const isDone = situation.conversation.turn.some(({ goal }) => goal?.step === "refer");
  const slot = getter && slotsOf(getter).find(({ name }) => pathNames(getter).has(name));
  const value = slot && toSlotValue(slot, keys[0] ?? null);
  const isOne = getter !== undefined && keys.length === 1 && value !== undefined && value !== null;
  const called = isOne ? getter : list;
  if (isDone || situation.readsLeft < 0 || !called)
    return textStep(`I could not look up the ${noun} behind ${field}.\n\n${text}`);
  const args = isOne && slot ? { [slot.name]: value } : wholeListArgs(called);
  const goal: Goal = { step: "refer", tool: called.name, args, prompt: prompt.text };
  return { kind: "call", tool: called.name, args, goal };
}

/** The same for the answer to a call. */
export function stepToNamesOf(
  { call, text }: CompletedCall,
  { tool, text: answer }: Omit<ShownRecords, "rows">,
  { prompt, situation }: { prompt: PromptText; situation: Situation },
): Step | undefined {
  if (tool.safety !== "read_only" || !/^\||^- \*\*/m.test(answer)) return undefined;
  const step = stepToShown({ call, text }, { tool, text: answer }, { prompt, situation });
  // A record that says nobody is no answer to who handles it.
  const isOpen =
    step === undefined && asksWhoHandles(prompt) && !/^\w+: /.test(answer) && !listsPersons(tool, situation.tools);
  return isOpen ? textStep(`I cannot tell who handles this ${resourceNoun(tool)}.\n\n${answer}`) : step;
}

function stepToShown(
  { call, text }: Pick<CompletedCall, "call" | "text">,
  { tool, text: answer }: Omit<ShownRecords, "rows">,
  { prompt, situation }: { prompt: PromptText; situation: Situation },
): Step | undefined {
  const { value, rows: all } = readResultText(text);
  const rows = all ? displayedRows(all, { tool, args: call.arguments }, prompt).rows : isObject(value) ? [value] : [];
  return stepToNames({ rows, tool, text: answer }, prompt, situation);
}

// From the record that was read to the one it refers to: "the patient of visit 7" is read once the visit says which. And from an empty
// list of a database, whose texts are compared letter by letter, to the whole one, which is narrowed in any case. Reads only.

import type { Tool } from "../../domain/tool.js";
import { isObject, type JsonObject, type JsonValue } from "../../lib/json.js";
import { singularOf } from "../../lib/plural.js";
import { stem, words } from "../../tools/search/terms.js";
import { readResultText, recordName } from "../answer/rows.js";
import type { CompletedCall, Situation } from "../conversation.js";
import type { Goal } from "../goal.js";
import { asksWhoCares } from "../names/record-question.js";
import { listsPersons } from "../persons.js";
import { askedDeed, isAgentField } from "../prompt/agents.js";
import { ownerOf } from "../prompt/key-owner.js";
import { PLACE, saysWhere } from "../prompt/places.js";
import type { PromptText, Token } from "../prompt/prompt.js";
import { readRequest } from "../prompt/request.js";
import { collectionOf, resourceNoun } from "../resource-noun.js";
import { KEY_NAME, keyNoun, pathNames, type Slot, slotsOf } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";
import type { Step } from "../step.js";
import { stepToDates } from "./dated-lists.js";
import { relatedBeyond } from "./related-lists.js";

/** Fields that say what persons are. */
const ROLE = /^(?:role|position|function|job|job_?title|profession|occupation)$/i;

const BELONGS = /^(?:of|in|for|on|from|at|behind)$/;
const DETERMINER = /^(?:the|a|an|my|our|this|that)$/;

/** The word for what a prompt wants of the record with this key: "patient" of "patient of visit 7" and of "visit 7's patient". */
function partOf(prompt: PromptText, key: JsonValue): Token | undefined {
  const entity = prompt.entities.find(
    ({ value, kind }) => /^(?:number|id|quoted)$/.test(kind) && String(value) === String(key),
  );
  const owner = entity && ownerOf(prompt, entity).word;
  if (!entity || !owner) return undefined;
  if (/^['’]s\s/.test(prompt.text.slice(entity.end)))
    return prompt.tokens.find(({ start, word }) => start >= entity.end && word !== "s" && word !== "");
  const before = prompt.tokens.filter(({ end }) => end <= owner.start).toReversed();
  const rest = before.filter(({ word }) => !DETERMINER.test(word));
  return rest[0] && BELONGS.test(rest[0].word) ? rest[1] : undefined;
}

/** The key of another record that a record has under this noun: `patient_id`, `patientId`, `patient`. */
function keyOf(record: JsonObject, noun: string): JsonValue | undefined {
  const name = Object.keys(record).find((one) => {
    const parts = words(one);
    const own = parts.at(-1) === "id" ? parts.slice(0, -1) : parts;
    return own.map(stem).join(" ") === stem(noun);
  });
  const value = name === undefined ? undefined : record[name];
  return isObject(value) ? value["id"] : value;
}

/** A record, its key, and the tool that got it or its list. */
interface ReadRecord {
  record: JsonObject;
  key: JsonValue;
  tool: Tool;
}

/** Whether the records that a noun stands for are persons. */
const isOfPersons = (noun: string, read: ReadRecord, tools: readonly Tool[]): boolean =>
  tools.some((tool) => readsKeyOf(noun, tool, { tool: read.tool, tools }) && listsPersons(tool, tools));

/** The noun of the only person that a record refers to, where a prompt asks who looks after it. */
function onlyPerson(read: ReadRecord, prompt: PromptText, tools: readonly Tool[]): string | undefined {
  if (!asksWhoCares(prompt)) return undefined;
  const nouns = Object.keys(read.record).flatMap((name) => keyNoun(name) ?? []);
  const [noun, ...others] = nouns.filter((one) => isOfPersons(one, read, tools));
  return others.length === 0 ? noun : undefined;
}

const WHERE = /^\s*(?:(?:and|so)\s+)?where\s+(?:was|were|is|are)\b/i;

/** The noun of the only place that a record refers to by a key, where it has no field that tells one itself. */
function placeIn(record: JsonObject): string | undefined {
  const called = Object.keys(record).filter((name) => saysWhere(words(name)));
  const [only, ...others] = called;
  const noun = only !== undefined && others.length === 0 && KEY_NAME.test(only) ? keyNoun(only) : undefined;
  return noun !== undefined && PLACE.test(noun) ? noun : undefined;
}

/** The noun of what a prompt wants of a record instead of it: by name, or by what they do: "who owns boat 3". */
function wantedNoun(read: ReadRecord, prompt: PromptText, tools: readonly Tool[]): string | undefined {
  const { record, key, tool } = read;
  const part = partOf(prompt, key);
  const said = part && singularOf(part.word);
  const own = stem(resourceNoun(tool));
  if (said !== undefined && stem(said) !== own && keyOf(record, said) !== undefined) return said;
  const place = WHERE.test(prompt.text) ? placeIn(record) : undefined;
  if (place !== undefined && stem(place) !== own) return place;
  const deed = askedDeed(prompt);
  const field =
    deed === undefined
      ? undefined
      : Object.keys(record).find((name) => KEY_NAME.test(name) && isAgentField(deed, name));
  const noun = field === undefined ? onlyPerson(read, prompt, tools) : keyNoun(field);
  return noun === undefined || stem(noun) === own ? undefined : noun;
}

/** Whether a tool gets the records of this noun, or those that a field with the key of one is described by. */
function readsKeyOf(noun: string, reader: Tool, { tool, tools }: { tool: Tool; tools: readonly Tool[] }): boolean {
  const own = resourceNoun(reader);
  if (stem(own) === stem(noun)) return true;
  // "the manager of this project" is one of the managers, where these have a list.
  const isListed = tools.some((one) => one.application === tool.application && stem(resourceNoun(one)) === stem(noun));
  if (isListed) return false;
  const fields = tools.filter((one) => collectionOf(one) === collectionOf(tool)).flatMap(slotsOf);
  // Where the staff have the role of a warden, `warden_id` is the key of one of them.
  const hasRole = tools.some(
    (one) =>
      one.application === tool.application &&
      collectionOf(one) === collectionOf(reader) &&
      slotsOf(one).some(
        ({ name, options }) => ROLE.test(name) && options.some((option) => words(String(option)).join(" ") === noun),
      ),
  );
  if (hasRole) return true;
  return fields.some(
    ({ name, description }) => keyNoun(name) === noun && words(description).some((word) => singularOf(word) === own),
  );
}

/** The step to the record that another one refers to, where the prompt asks for that; undefined otherwise. */
function referenceStep(
  read: ReadRecord,
  { prompt, tools }: { prompt: PromptText; tools: readonly Tool[] },
): Step | undefined {
  const { record, tool } = read;
  const noun = wantedNoun(read, prompt, tools);
  if (noun === undefined) return undefined;
  const readers = tools.filter(
    (other) =>
      other.application === tool.application &&
      other.verb === "get" &&
      other.safety === "read_only" &&
      other.transport.path?.endsWith("}") === true &&
      pathNames(other).size === 1,
  );
  const reader =
    readers.find((one) => stem(resourceNoun(one)) === stem(noun)) ??
    readers.find((one) => readsKeyOf(noun, one, { tool, tools }));
  const slot = reader && slotsOf(reader).find((one) => pathNames(reader).has(one.name));
  const key = slot && toSlotValue(slot, keyOf(record, noun) ?? null);
  if (!reader || !slot || key === undefined || key === null || key === "null") return undefined;
  const args = { [slot.name]: key };
  // What the first record is and is called is answered with the second, and so is what its person does.
  const done = WHERE.test(prompt.text) ? (prompt.tokens.at(-1)?.word ?? "") : "";
  const phrase = [resourceNoun(tool), recordName(record) ?? "", askedDeed(prompt) ?? done].join(" ").trim();
  const goal: Goal = { step: "do", tool: reader.name, args, phrase, prompt: prompt.text };
  return { kind: "call", tool: reader.name, args, goal };
}

/** The step from a record to the one that a prompt asks for by it: that it refers to, or those that say when it is. */
export function stepBeyond(
  read: ReadRecord,
  { prompt, tools }: { prompt: PromptText; tools: readonly Tool[] },
): Step | undefined {
  const { commands } = readRequest(prompt);
  if (commands.some(({ intents }) => intents.size > 0 && !intents.has("read"))) return undefined;
  return (
    referenceStep(read, { prompt, tools }) ??
    stepToDates(read, { prompt, tools }) ??
    relatedBeyond(read, { prompt, tools })
  );
}

/** The same for the record just read. */
function stepBeyondRead(
  { call, text }: CompletedCall,
  tool: Tool,
  { prompt, tools }: { prompt: PromptText; tools: readonly Tool[] },
): Step | undefined {
  const { value } = readResultText(text);
  const [name, ...others] = pathNames(tool);
  if (tool.verb !== "get" || name === undefined || others.length > 0 || !isObject(value)) return undefined;
  return stepBeyond({ record: value, key: call.arguments[name] ?? null, tool }, { prompt, tools });
}

const isPlainText = ({ type, format, options }: Slot): boolean =>
  type === "string" && format === "" && options.length === 0;

/** The step that reads the list of a table without the texts that no row has letter by letter; undefined where there are none. */
function anyCaseStep({ call, text }: CompletedCall, tool: Tool, prompt: PromptText): Step | undefined {
  const { rows } = readResultText(text);
  if (tool.transport.table === undefined || tool.verb !== "list" || !rows || rows.length > 0) return undefined;
  const texts = new Set(
    slotsOf(tool)
      .filter(isPlainText)
      .map(({ name }) => name),
  );
  const kept = Object.entries(call.arguments).filter(([name]) => !texts.has(name));
  if (kept.length === Object.keys(call.arguments).length) return undefined;
  const args = Object.fromEntries(kept);
  return { kind: "call", tool: tool.name, args, goal: { step: "do", tool: tool.name, args, prompt: prompt.text } };
}

/** Whether a turn has more than one call beside those that looked for what it names. */
const hasGoneOn = ({ conversation }: Situation): boolean =>
  conversation.turn.filter(({ goal }) => goal?.step !== "name" && goal?.step !== "find").length > 1;

/** What a read is followed by, once in a turn. */
export function stepAfterRead(
  last: CompletedCall,
  tool: Tool,
  { prompt, situation }: { prompt: PromptText; situation: Situation },
): Step | undefined {
  if (last.goal?.step !== "do" || tool.safety !== "read_only" || hasGoneOn(situation)) return undefined;
  const { tools, readsLeft } = situation;
  if (readsLeft < 0) return undefined;
  return stepBeyondRead(last, tool, { prompt, tools }) ?? anyCaseStep(last, tool, prompt);
}

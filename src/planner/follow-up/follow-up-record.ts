// A prompt that asks for what the one record read before refers to, by its noun: "which breed is that?", "what's the driver's phone?", "who is
// the owner". The record is read by the key that the one before has. What "that" is has to be certain; otherwise it is asked for. Reads only.

import type { Tool } from "../../domain/tool.js";
import { isObject, type JsonObject, type JsonValue } from "../../lib/json.js";
import { singularOf } from "../../lib/plural.js";
import { synonymsOf } from "../../tools/search/synonyms.js";
import { stem, words } from "../../tools/search/terms.js";
import { referredRecord, type Situation } from "../conversation.js";
import { isSameNoun } from "../lists/other-nouns.js";
import { collectionOf, resourceNoun } from "../resource-noun.js";
import { pathNames, slotsOf } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";
import { commit, type Step, textStep } from "../step.js";

const LEAD = String.raw`^\s*(?:(?:and|so|also|ok(?:ay)?),?\s+)*`;
const END = String.raw`[\s?.!]*$`;
/** "which breed is that", "what kind of car is it". */
const WHICH_IS_THAT = new RegExp(
  String.raw`${LEAD}(?:which|what)\s+(?:(?<field>kind|type|sort|make|model|size|colou?r)\s+of\s+)?(?<noun>\p{L}+)\s+(?:is|was)\s+(?:that|it|this)(?:\s+one)?(?:\s+(?:of|for|from|about|in|at|on))?${END}`,
  "iu",
);
/** "what's the driver's phone", "the drivers email". */
const OF_ITS = new RegExp(
  String.raw`${LEAD}(?:what(?:['’]?s|\s+is|\s+was|\s+are)?\s+|show\s+(?:me\s+)?|give\s+me\s+)?(?:the|its|their|his|her)\s+(?<noun>\p{L}+?)(?:['’]s|s['’]?)\s+(?<field>\p{L}+(?:\s+\p{L}+)?)${END}`,
  "iu",
);
const FIELD_OF = new RegExp(
  String.raw`${LEAD}(?:what(?:['’]?s|\s+is|\s+was|\s+are)?\s+|show\s+(?:me\s+)?|give\s+me\s+)?(?:the\s+)?(?<field>\p{L}+(?:\s+\p{L}+)?)\s+of\s+(?:the|its|their|his|her)\s+(?<noun>\p{L}+)${END}`,
  "iu",
);
/** "who is the driver", "and its owner?". */
const WHO_IS = new RegExp(
  String.raw`${LEAD}(?:(?:who|what|which)(?:['’]?s|\s+is|\s+was)\s+)(?:the|its|their|his|her)\s+(?<noun>\p{L}+)${END}`,
  "iu",
);

/** Whether a prompt asks which record of another noun "it" has: that is none of the record itself. */
export const asksWhichItIs = (text: string): boolean => WHICH_IS_THAT.test(text);

/** Whether a noun of a prompt is that of the records of a tool, or another for the same things. */
function isNounOf(tool: Tool, noun: string): boolean {
  const own = resourceNoun(tool);
  const said = [noun, singularOf(noun)];
  return said.some((one) => stem(one) === stem(own) || synonymsOf(stem(one)).has(stem(own)) || isSameNoun(one, own));
}

/** The tools that get one record of a noun by its key. */
const readersOf = (noun: string, { application }: Tool, { tools }: Situation): Tool[] =>
  tools.filter(
    (one) =>
      one.application === application &&
      one.verb === "get" &&
      one.safety === "read_only" &&
      pathNames(one).size === 1 &&
      one.transport.path?.endsWith("}") === true &&
      isNounOf(one, noun),
  );

/** The key of a record of this reader that another record has: `driver_id`, `driverCode` where its path has a `code`, `driver`. */
function keyFor(record: JsonObject, reader: Tool): JsonValue | undefined {
  const [name = ""] = pathNames(reader);
  const noun = words(resourceNoun(reader)).at(-1) ?? "";
  const tails = [["id"], words(name).filter((word) => word !== noun), []];
  const found = tails.flatMap((tail) =>
    Object.keys(record).filter((field) => words(field).join(" ") === [noun, ...tail].join(" ").trim()),
  );
  const value = found[0] === undefined ? undefined : record[found[0]];
  return isObject(value) ? value["id"] : value;
}

const unclear = (noun: string): Step =>
  textStep(`I cannot tell which ${noun} you mean by that: say in one whole sentence what it belongs to.`);

/** The step to what the record read before refers to; undefined for any other prompt. */
export function stepToReferred(situation: Situation): Step | undefined {
  const { conversation, tools } = situation;
  const text = conversation.prompt;
  const isThat = WHICH_IS_THAT.exec(text);
  const found = isThat ?? OF_ITS.exec(text) ?? FIELD_OF.exec(text) ?? WHO_IS.exec(text);
  if (!found) return undefined;
  const noun = (found.groups?.["noun"] ?? "").toLowerCase();
  const field = found.groups?.["field"] ?? "";
  const isListed = tools.some((one) => one.verb === "list" && isNounOf(one, noun));
  const open = isThat && isListed ? unclear(noun) : undefined;
  const last = conversation.before.at(-1);
  const tool = tools.find(({ name }) => name === last?.call.name);
  if (!tool || !conversation.areCallsCurrent || tool.safety !== "read_only") return open;
  const record = referredRecord(collectionOf(tool), situation)?.record;
  if (!record) return open;
  if (isNounOf(tool, noun)) return undefined;
  const [step, ...others] = readersOf(noun, tool, situation).flatMap((reader): Step[] => {
    const [name] = pathNames(reader);
    const slot = slotsOf(reader).find((one) => one.name === name);
    const key = slot && toSlotValue(slot, keyFor(record, reader) ?? null);
    if (!slot || key === undefined || key === null || key === "null") return [];
    const asked = `${field === "" ? "show" : `${field} of`} ${resourceNoun(reader)} ${String(key)}`;
    return [commit(reader, { args: { [slot.name]: key }, prompt: asked }, tools)];
  });
  return step && others.length === 0 ? step : open;
}

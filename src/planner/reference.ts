// From the record that was read to the one it refers to: "the patient of visit 7" is read once the visit says which. And from an empty
// list of a database, whose texts are compared letter by letter, to the whole one, which is narrowed in any case. Reads only.

import type { Tool } from "../domain/tool.js";
import { isObject, type JsonObject, type JsonValue } from "../lib/json.js";
import { singularOf } from "../lib/plural.js";
import { stem, words } from "../tools/search/terms.js";
import { readResultText } from "./answer/rows.js";
import type { CompletedCall, Situation } from "./conversation.js";
import type { Goal } from "./goal.js";
import { ownerOf } from "./prompt/key-owner.js";
import type { PromptText, Token } from "./prompt/prompt.js";
import { resourceNoun } from "./resource-noun.js";
import { pathNames, type Slot, slotsOf } from "./slots/slot.js";
import { toSlotValue } from "./slots/slot-value.js";
import type { Step } from "./step.js";

const BELONGS = /^(?:of|in|for|on|from|at|behind)$/;
const DETERMINER = /^(?:the|a|an|my|our|this|that)$/;

/** The word for what a prompt wants of the record with this key: "patient" of "patient of visit 7" and of "visit 7's patient". */
function partOf(prompt: PromptText, key: JsonValue): Token | undefined {
  const entity = prompt.entities.find(
    ({ value, kind }) => /^(?:number|id)$/.test(kind) && String(value) === String(key),
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

/** The step to the record that the one just read refers to, where the prompt asks for that; undefined otherwise. */
function referenceStep(
  { call, text }: CompletedCall,
  tool: Tool,
  { prompt, tools }: { prompt: PromptText; tools: readonly Tool[] },
): Step | undefined {
  const { value } = readResultText(text);
  const [name, ...others] = pathNames(tool);
  if (tool.verb !== "get" || name === undefined || others.length > 0 || !isObject(value)) return undefined;
  const part = partOf(prompt, call.arguments[name] ?? null);
  const noun = part && singularOf(part.word);
  if (noun === undefined || stem(noun) === stem(resourceNoun(tool))) return undefined;
  const reader = tools.find(
    (other) =>
      other.application === tool.application &&
      other.verb === "get" &&
      other.safety === "read_only" &&
      other.transport.path?.endsWith("}") === true &&
      pathNames(other).size === 1 &&
      stem(resourceNoun(other)) === stem(noun),
  );
  const slot = reader && slotsOf(reader).find((one) => pathNames(reader).has(one.name));
  const key = slot && toSlotValue(slot, keyOf(value, noun) ?? null);
  if (!reader || !slot || key === undefined || key === null || key === "null") return undefined;
  const args = { [slot.name]: key };
  // The noun of the first record is answered with the second.
  const goal: Goal = { step: "do", tool: reader.name, args, phrase: resourceNoun(tool), prompt: prompt.text };
  return { kind: "call", tool: reader.name, args, goal };
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

/** What a read is followed by, once in a turn. */
export function stepAfterRead(
  last: CompletedCall,
  tool: Tool,
  { prompt, situation }: { prompt: PromptText; situation: Situation },
): Step | undefined {
  if (last.goal?.step !== "do" || tool.safety !== "read_only" || situation.conversation.turn.length > 1)
    return undefined;
  const { tools, readsLeft } = situation;
  if (readsLeft < 0) return undefined;
  return referenceStep(last, tool, { prompt, tools }) ?? anyCaseStep(last, tool, prompt);
}

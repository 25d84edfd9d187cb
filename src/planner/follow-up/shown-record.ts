// One record of what was shown: the one that "the second one" picks of a list, and the only one whose field is asked for ("its price").
// A situation in, the step that reads it out.

import type { Tool } from "../../domain/tool.js";
import type { JsonObject } from "../../lib/json.js";
import { askedRecordText } from "../answer/asked-field.js";
import { idOf } from "../answer/rows.js";
import { type CompletedCall, referredRecord, type Situation } from "../conversation.js";
import { recordReader } from "../names/shown-records.js";
import { readPrompt } from "../prompt/prompt.js";
import { collectionOf } from "../resource-noun.js";
import { pathNames, slotsOf } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";
import { commit, type Step, textStep } from "../step.js";
import { fieldOfShown } from "./follow-up-fields.js";

/** The last read of the conversation with the prompt that it was made for. */
export function lastRead({
  conversation,
  tools,
}: Situation): { tool: Tool; last: CompletedCall; base: string } | undefined {
  const last = conversation.before.at(-1);
  const tool = tools.find(({ name }) => name === last?.call.name);
  const base = last?.goal?.prompt;
  if (!last || !tool || base === undefined || last.isError || tool.safety !== "read_only") return undefined;
  return tool.verb === "list" || tool.verb === "get" ? { tool, last, base } : undefined;
}

/** Reads a record of a list, for a prompt; where no tool reads one, it is shown as it is. */
function stepToRecord(
  record: JsonObject,
  { list, prompt }: { list: Tool; prompt: string },
  { tools, today }: Situation,
): Step {
  const reader = recordReader(list, tools);
  const slot = reader && slotsOf(reader).find(({ name }) => pathNames(reader).has(name));
  const key = slot && toSlotValue(slot, idOf(record, slot.name) ?? null);
  if (!reader || !slot || key === undefined || key === null)
    return textStep(askedRecordText(record, readPrompt(prompt, today)));
  return commit(reader, { args: { [slot.name]: key }, prompt }, tools);
}

/** The record that "the second one" picks from the list shown before. */
export function pickedRecord({ tool }: { tool: Tool }, situation: Situation): Step | undefined {
  const collection = collectionOf(tool);
  const picked = tool.verb === "list" ? referredRecord(collection, situation) : undefined;
  if (!picked) return undefined;
  return stepToRecord(picked.record, { list: tool, prompt: situation.conversation.prompt }, situation);
}

/** The step to a field of the only record that was shown: "its price" behind "the cheapest room". */
export function stepToShownField(situation: Situation): Step | undefined {
  const { conversation, today } = situation;
  const read = conversation.areCallsCurrent ? lastRead(situation) : undefined;
  const base = read && readPrompt(read.base, today);
  const one = read && base && fieldOfShown(readPrompt(conversation.prompt, today), { ...read, base });
  if (!one) return undefined;
  const prompt = `${one.field} of that`;
  if (read.tool.verb !== "list") return commit(read.tool, { args: read.last.call.arguments, prompt }, situation.tools);
  return stepToRecord(one.record, { list: read.tool, prompt }, situation);
}

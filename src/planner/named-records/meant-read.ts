// Whether a step that a prompt with a record's key led to is what the prompt with its name asks for.

import { misreadNote } from "../answer/misread.js";
import type { Situation } from "../conversation.js";
import { intentOfTool } from "../match/tool-intent.js";
import { keyIn, type NamedRecord } from "../names/called-records.js";
import { readPrompt } from "../prompt/prompt.js";
import { readRequest } from "../prompt/request.js";
import { collectionOf } from "../resource-noun.js";
import type { Step } from "../step.js";
import { asksForContents } from "./asked-record.js";

/** What is to be made of a record is not what it has: "print a label for BK-107". */
const MAKES = /^\s*(?:please\s+)?(?:print|draw|generate|design|write|export|make)\s+(?:me\s+|us\s+)?an?\s/i;

/** Whether a step is what the prompt wants: of one record only where that has all the prompt speaks of. */
export function isMeant(step: Step, records: readonly NamedRecord[], { tools, today }: Situation): boolean {
  const tool = tools.find(({ name }) => step.kind === "call" && name === step.tool);
  const record = tool && records.find(({ list }) => collectionOf(list) === collectionOf(tool));
  if (step.kind !== "call" || !tool || intentOfTool(tool) !== "read" || tool.verb !== "get" || !record) return true;
  const prompt = readPrompt(step.goal.prompt ?? "", today);
  if (
    MAKES.test(prompt.text) ||
    asksForContents(prompt, record.row) ||
    prompt.entities.some(
      ({ kind, value }) => kind === "number" && String(value) !== String(keyIn(record.row, record.list, tools)),
    )
  )
    return false;
  const context = { prompt, request: readRequest(prompt), lookupPhrase: "" };
  return misreadNote({ tool, args: step.args, text: "", isError: false }, context, record.row).note === "";
}

// Whether a call does what a prompt wants on record, where it wants that. A call and a situation in, yes or no out.

import type { Situation } from "../conversation.js";
import { asksToEnter } from "../prompt/statement.js";
import { resourceNoun } from "../resource-noun.js";
import type { Step } from "../step.js";

/** Whether a call does what a prompt wants on record, where it wants that: no read, and nothing new of what is there already. */
export function isEntry(step: Step & { kind: "call" }, { conversation: { prompt }, tools }: Situation): boolean {
  const tool = tools.find(({ name }) => name === step.tool);
  if (!tool || !asksToEnter(prompt)) return true;
  if (tool.verb !== "create") return tool.safety !== "read_only";
  const isNew = new RegExp(
    String.raw`\b(?:an?|new|another|one more)\s+(?:[\p{L}-]+\s+){0,2}${resourceNoun(tool)}\b`,
    "iu",
  );
  return isNew.test(prompt);
}

// Names of fields that a prompt says in more words than a tool: "phone number" for `phone`, "email address" for `email`. Words of tools
// and of a prompt in; the prompt with the name of the field alone out.

import type { Tool } from "../../domain/tool.js";
import { words } from "../../tools/search/terms.js";
import { type PromptText, readPrompt } from "../prompt/prompt.js";
import { slotsOf } from "../slots/slot.js";

/** What is the same with its head noun as without it. A street number is no street. */
const LONGER =
  /\b(phone|telephone|tel|mobile|cell|fax|e-?mail|mail|web|website)\s+(numbers?|no|nr|address(?:es)?)\b(?!\s*[:=])/gi;

/** A prompt with such fields called as the tools call them, unless some field has the longer name. */
export function withFieldNames(prompt: PromptText, tools: readonly Tool[]): PromptText {
  if (prompt.text.search(LONGER) < 0) return prompt;
  const fields = new Set(tools.flatMap((tool) => slotsOf(tool).map(({ name }) => words(name).join(" "))));
  const isHead = (head: string): boolean => [...fields].some((field) => field.split(" ").includes(head.toLowerCase()));
  const text = prompt.text.replace(LONGER, (whole, name: string, head: string) =>
    fields.has(name.toLowerCase().replace("-", "")) && !isHead(head) ? name : whole,
  );
  return text === prompt.text ? prompt : readPrompt(text, prompt.today);
}

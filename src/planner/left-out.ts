// What a read that is offered leaves out of a prompt, though a record may be called so. A step in, yes or no out.

import { isCode } from "./codes.js";
import type { Situation } from "./conversation.js";
import { isPlainName, plainNames } from "./plain-names.js";
import { readPrompt } from "./prompt/prompt.js";
import { textsIn } from "./slots/slot.js";
import type { Step } from "./step.js";

/** What is said to be of somebody, or of something: "ada holm's badge". */
const OWNS = /^['’]s?\s+\p{L}/u;

/** Whether a read is offered that leaves out a code of the prompt, or a name in small letters with what that has. */
export function leavesNameOut({ goal }: Step, { conversation, tools, today }: Situation): boolean {
  const prompt = readPrompt(conversation.prompt, today);
  const isSent = (text: string): boolean => textsIn(goal?.args ?? {}).includes(text.toLowerCase());
  const owners = plainNames(prompt, tools).filter(
    (name) => isPlainName(name, prompt) && OWNS.test(prompt.text.slice(name.end)),
  );
  return [...prompt.entities.filter(isCode), ...owners].some(({ text }) => !isSent(text));
}

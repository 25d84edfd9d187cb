// What a read that is offered leaves out of a prompt, though a record may be called so. A step in, yes or no out.

import type { Situation } from "../conversation.js";
import { isCode } from "../match/codes.js";
import { nameEntities } from "../names/name-lists.js";
import { isAskedOfAny, isPlainName, plainNames } from "../names/plain-names.js";
import { readPrompt } from "../prompt/prompt.js";
import { textsIn } from "../slots/slot.js";
import type { Step } from "../step.js";

/** What is said to be of somebody, or of something: "ada holm's badge". */
const OWNS = /^['’]s?\s+\p{L}/u;

/** Whether a read is offered that leaves out a code of the prompt, a name in small letters with what that has, or one that it asks for a field of. */
export function leavesNameOut({ goal }: Step, { conversation, tools, today }: Situation): boolean {
  const prompt = readPrompt(conversation.prompt, today);
  const isSent = (text: string): boolean => textsIn(goal?.args ?? {}).includes(text.toLowerCase());
  const owners = plainNames(prompt, tools).filter(
    (name) => isPlainName(name, prompt) && OWNS.test(prompt.text.slice(name.end)),
  );
  const asked = nameEntities(prompt, tools).filter(
    (name) => name.kind === "name" && isAskedOfAny(name, { prompt, tools }),
  );
  return [...prompt.entities.filter(isCode), ...owners, ...asked].some(({ text }) => !isSent(text));
}

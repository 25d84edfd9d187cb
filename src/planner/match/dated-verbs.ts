// Verbs of a read that say of which field a day is, and are no state beside it: "opened" in "tickets opened since Monday". An order that
// was shipped in May may be delivered by now.

import type { Tool } from "../../domain/tool.js";
import { words } from "../../tools/search/terms.js";
import type { PromptText, Token } from "../prompt/prompt.js";
import { fieldVerbOf, isTime, timeRelationOf, verbAskedWhen } from "../prompt/span.js";
import { type Slot, slotsOf } from "../slots/slot.js";

/** Whether records may have the day of a verb: only the columns of a table are all that its rows have. */
const mayBeOf = (verb: Token, tool: Tool): boolean =>
  tool.transport.table === undefined ||
  slotsOf(tool).some(({ name, format }) => format.startsWith("date") && words(name).includes(verb.word));

/** The verbs of a prompt that choose no value of a slot of this tool, as a day or somebody is that of what they say. */
export function datedVerbs({ options }: Slot, tool: Tool, prompt: PromptText): ReadonlySet<Token> {
  const out = new Set<Token>();
  // "paid_on" is the name of a field.
  for (const token of prompt.tokens) if (prompt.text[token.end] === "_") out.add(token);
  if (tool.safety !== "read_only") return out;
  const values = new Set(options.flatMap((option) => words(String(option))));
  for (const day of prompt.entities.filter(isTime)) {
    const verb = fieldVerbOf(prompt, day);
    if (!verb) continue;
    // What was opened need not be open.
    const isOtherWord = !values.has(verb.word);
    if (isOtherWord || timeRelationOf(day, prompt) !== "at" || mayBeOf(verb, tool)) out.add(verb);
  }
  // What somebody opened need not be open either.
  for (const [at, token] of prompt.tokens.entries())
    if (/ed$/.test(token.word) && !values.has(token.word) && prompt.tokens[at + 1]?.word === "by") out.add(token);
  const asked = verbAskedWhen(prompt);
  if (asked) out.add(asked);
  return out;
}

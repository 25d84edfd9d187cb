// Which of the records that a name of a prompt may call are meant: those that have what the prompt asks for, where they are of another list
// than the others. Records in and out; what a change is of is decided by the name alone.

import type { Tool } from "../../domain/tool.js";
import { type Called, type NamedRecord, recordsCalled, recordsPartlyCalled } from "../names/called-records.js";
import { listsPersons } from "../persons.js";
import type { PromptText } from "../prompt/prompt.js";
import { readRequest } from "../prompt/request.js";
import { tellsChange } from "../prompt/statement.js";
import { asksForRecord } from "./asked-record.js";

/** Whether a prompt commands no change and tells none. */
export const readsOnly = (prompt: PromptText): boolean =>
  !tellsChange(prompt.text) &&
  readRequest(prompt).commands.every(({ intents }) => [...intents].every((intent) => intent === "read"));

/** Whether a record is a person with the given first name: "Rose" is Rose Kelly, too, beside a boat of that name. */
const isFirstName = ({ list, whole = "" }: NamedRecord, said: string, tools: readonly Tool[]): boolean =>
  listsPersons(list, tools) && whole.toLowerCase().startsWith(`${said.toLowerCase()} `);

/** The records that a name may mean; several where it is not clear which. `nouns` are those of the lists. */
export function recordsMeant(called: Called, nouns: ReadonlySet<string>): NamedRecord[] {
  const { prompt, name, tools } = called;
  const found = recordsCalled(called);
  if (!readsOnly(prompt) || found.length === 0) return found;
  const hasAsked = (one: NamedRecord): boolean => asksForRecord(prompt, one, nouns);
  const [first, ...others] = found;
  if (first && others.length === 0 && first.whole === undefined) {
    const parts = recordsPartlyCalled({ ...called, lists: called.lists.filter(({ list }) => list !== first.list) });
    const fitting = parts.filter(hasAsked);
    if (!hasAsked(first)) return fitting.length > 0 ? fitting : found;
    return [first, ...fitting.filter((one) => isFirstName(one, name.text, tools))];
  }
  const fitting = found.filter(hasAsked);
  const [only] = fitting;
  // A record of the same list may have the field, and nothing in it.
  const isOther = found.every((one) => one === only || one.list !== only?.list);
  return fitting.length === 1 && isOther ? fitting : found;
}

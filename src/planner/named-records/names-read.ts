// The lists that were read for the names of a prompt, and how far: a situation in, lists with their records out.

import { pluralOf } from "../../lib/plural.js";
import { mayHaveMore } from "../answer/page.js";
import { readResultText } from "../answer/rows.js";
import { inRow } from "../answer/sentences.js";
import type { CompletedCall, Situation } from "../conversation.js";
import type { ReadList } from "../names/called-records.js";
import { isWholeList, nounBeside } from "../names/name-lists.js";
import type { Entity } from "../prompt/entities.js";
import type { PromptText } from "../prompt/prompt.js";
import { resourceNoun } from "../resource-noun.js";

/** Whether a call read a list for the names of a prompt. */
export const isNameCall = ({ goal }: CompletedCall): boolean => goal?.step === "name";

/** The lists that were read for the names of a prompt, with their records. */
export function listsRead({ conversation, tools }: Situation): ReadList[] {
  return conversation.turn.filter(isNameCall).flatMap(({ call, text, isError }): ReadList[] => {
    const list = tools.find((tool) => tool.name === call.name);
    if (isError || !list) return [];
    const result = readResultText(text);
    return [{ list, rows: result.rows ?? [], mayGoOn: mayHaveMore(list, call.arguments, result) }];
  });
}

/** Those of them in which a name may stand: those whose noun stands beside it, or all. */
export function listsOf(name: Entity, prompt: PromptText, situation: Situation): ReadList[] {
  const beside = new Set(situation.tools.filter((tool) => isWholeList(tool) && nounBeside(name, prompt, tool)));
  return listsRead(situation).filter(({ list }) => beside.size === 0 || beside.has(list));
}

/** What says in how many records of some lists a name was looked for, where that may not be all. */
export function shownText(lists: readonly ReadList[]): string | undefined {
  if (!lists.some((one) => one.mayGoOn)) return undefined;
  const count = lists.reduce((sum, { rows }) => sum + rows.length, 0);
  const nouns = inRow(
    lists.map(({ list }) => pluralOf(resourceNoun(list))),
    "and",
  );
  return `among the ${count} ${nouns} I was shown, and there may be more`;
}

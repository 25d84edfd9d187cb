// Which fields of the records of a list hold the key of another record, as far as the tools of the list say: `apiary_id` that of an
// apiary, `keeper_id` that of a member where its description says so.

import type { Tool } from "../../domain/tool.js";
import { isPlural, singularOf } from "../../lib/plural.js";
import { words } from "../../tools/search/terms.js";
import { isKeyOfNoun, nounBefore } from "../prompt/key-nouns.js";
import { type PromptText, readPrompt } from "../prompt/prompt.js";
import { collectionOf, resourceNoun } from "../resource-noun.js";
import { KEY_NAME, pathNames, slotsOf } from "../slots/slot.js";
import { beginsWithList } from "./mentions.js";

const LABEL = /^(?:id|ids|uuid)$/;

/** What the fields of a list's records that hold the key of a record of this noun are called: "keeper" of `keeper_id`. */
function keyFieldsOf(noun: string, list: Tool, tools: readonly Tool[]): string[] {
  const collection = collectionOf(list);
  const names = tools
    .filter((tool) => collectionOf(tool) === collection)
    .flatMap((tool) => {
      const own = pathNames(tool);
      return slotsOf(tool).flatMap(({ name, description }): string[] => {
        if (!KEY_NAME.test(name) || own.has(name)) return [];
        const called = words(name).filter((word) => !LABEL.test(word));
        const refers = called.at(-1) === noun || words(description).some((word) => singularOf(word) === noun);
        return refers && called.length > 0 ? [called.join(" ")] : [];
      });
    });
  return [...new Set(names)].filter((name) => !/^(?:min|max)\b/.test(name));
}

/** The list whose records a prompt begins with, and the noun of the key that they are to have: "hives of member 10". */
function askedBy(
  prompt: PromptText,
  tools: readonly Tool[],
): { list: Tool; noun: string; start: number; end: number } | undefined {
  const list = tools.find((tool) => beginsWithList(tool, prompt));
  if (!list) return undefined;
  for (const entity of prompt.entities) {
    const before = isKeyOfNoun(entity, prompt) ? nounBefore(entity, prompt) : undefined;
    if (before && !isPlural(before.word) && before.word !== resourceNoun(list))
      return { list, noun: before.word, start: before.start, end: before.end };
  }
  return undefined;
}

/** Whether a list has the records that a prompt begins with, and these hold the key that it has of another one. */
export function listsReferring(prompt: PromptText, tools: readonly Tool[]): Tool | undefined {
  const asked = askedBy(prompt, tools);
  return asked && keyFieldsOf(asked.noun, asked.list, tools).length > 0 ? asked.list : undefined;
}

/** A prompt with the word that the records asked for call another one by: "hives of keeper 10" for "hives of member 10". */
export function withReferences(prompt: PromptText, tools: readonly Tool[]): PromptText {
  const asked = askedBy(prompt, tools);
  const [name, ...others] = asked ? keyFieldsOf(asked.noun, asked.list, tools) : [];
  if (!asked || name === undefined || name === asked.noun || others.length > 0) return prompt;
  return readPrompt(prompt.text.slice(0, asked.start) + name + prompt.text.slice(asked.end), prompt.today);
}

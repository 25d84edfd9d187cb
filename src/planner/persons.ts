// Which records are persons, by their noun or by a field that only persons have.

import type { Tool } from "../domain/tool.js";
import { isPersonNoun } from "./prompt/person-nouns.js";
import { collectionOf, resourceNoun } from "./resource-noun.js";
import { slotsOf } from "./slots/slot.js";

const FIELD =
  /^(?:e_?mail|phone|mobile|birth|born|gender|(?:first|last|full|family|given|nick)_?name|surname|salary|hourly_?wage|wage|profession|job_?title|hired|shift)/i;

/** Whether records of this noun with these fields are persons. */
export const arePersons = (noun: string, fields: readonly string[]): boolean =>
  isPersonNoun(noun) || fields.some((name) => FIELD.test(name));

/** Whether some tools, those of one collection, are for persons, by its noun or by what they take. */
export const areForPersons = (tools: readonly Tool[]): boolean =>
  arePersons(
    tools[0] === undefined ? "" : resourceNoun(tools[0]),
    tools.flatMap((tool) => slotsOf(tool).map(({ name }) => name)),
  );

/** Whether the records of a list are persons, by its noun or by what its tools take. */
export const listsPersons = (list: Tool, tools: readonly Tool[]): boolean =>
  areForPersons([list, ...tools.filter((tool) => collectionOf(tool) === collectionOf(list))]);

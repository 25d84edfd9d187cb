// Which lists hold the key of the records of another, and which do nothing but join two kinds of records: the memberships of singers in
// groups. Tools in, lists and fields out; knows nothing of prompts and calls.

import type { Tool } from "../../domain/tool.js";
import { singularOf } from "../../lib/plural.js";
import { words } from "../../tools/search/terms.js";
import { isWholeList } from "../names/name-lists.js";
import { collectionOf, nounPhrase, resourceNoun } from "../resource-noun.js";
import { boundOf } from "../slots/bounds.js";
import { KEY_NAME, pathNames, slotsOf } from "../slots/slot.js";

/** A list whose records join two others, with the fields for the keys of both. */
export interface Link {
  list: Tool;
  /** Holds the key of what is wanted. */
  wanted: string;
  /** Holds the key of what that belongs to. */
  owner: string;
}

/** The lists of whole collections, without those of compound names where others are called by the last word: no `survey_observers` beside `observers`. */
export function ownLists(tools: readonly Tool[]): Tool[] {
  const lists = tools.filter(isWholeList);
  const plain = new Set(lists.filter((list) => nounPhrase(list) === resourceNoun(list)).map(resourceNoun));
  return lists.filter((list) => nounPhrase(list) === resourceNoun(list) || !plain.has(resourceNoun(list)));
}

/** What the tools of a list's collection take, without the keys of their paths. */
function fieldsOf(list: Tool, tools: readonly Tool[]): string[] {
  const own = tools.filter((tool) => collectionOf(tool) === collectionOf(list));
  return [
    ...new Set(
      own.flatMap((tool) => {
        const keys = pathNames(tool);
        return slotsOf(tool).flatMap(({ name, path }) => {
          const column = boundOf(name)?.column;
          return path.length > 1 || keys.has(name) || column !== undefined ? [] : [name];
        });
      }),
    ),
  ];
}

/** Those of them that hold keys. */
export const keyFieldsOf = (list: Tool, tools: readonly Tool[]): string[] =>
  fieldsOf(list, tools).filter((field) => KEY_NAME.test(field));

/** The field in which the records of a list hold the key of a record of another, and of no other: `squad_id`, but no `old_squad_id`. */
export function keyFieldOf(list: Tool, owner: Tool, tools: readonly Tool[]): string | undefined {
  if (list.application !== owner.application || collectionOf(list) === collectionOf(owner)) return undefined;
  return fieldsOf(list, tools).find(
    (field) => KEY_NAME.test(field) && words(field).slice(0, -1).join(" ") === resourceNoun(owner),
  );
}

/** Nouns of records that only join others. */
const JOINS =
  /^(?:[\p{L}]{4,}ships?|enrol+ments?|assignments?|engagements?|registrations?|participations?|attendances?|links?|rosters?|sign_?ups?|roles?|castings?|appearances?|credits?|line_?ups?|participants?|attendees?|allocations?)$/u;
/** What such records have beside their keys. */
const DETAILS =
  /^(?:role|position|since|from|until|to|(?:start|end|joined|left|added|created|updated)(?:_?(?:at|on|date))?|status|active|note|notes|limit|order_by|offset|page|q|columns|after|where|id)$/i;

/** Whether the records of a list only join those of two others, by their noun or by what they have. */
function joinsOnly(list: Tool, nouns: readonly string[], tools: readonly Tool[]): boolean {
  if (JOINS.test(resourceNoun(list))) return true;
  const called = words(nounPhrase(list)).map(singularOf);
  if (called.length > 1 && called.every((word) => nouns.includes(word))) return true;
  return fieldsOf(list, tools).every((field) => DETAILS.test(field) || KEY_NAME.test(field));
}

/** The only list that joins what is wanted and what that belongs to; undefined where one of them has the key of the other. */
export function linkBetween(wanted: Tool, owner: Tool, tools: readonly Tool[]): Link | undefined {
  if (collectionOf(wanted) === collectionOf(owner)) return undefined;
  if (keyFieldOf(wanted, owner, tools) !== undefined || keyFieldOf(owner, wanted, tools) !== undefined)
    return undefined;
  const nouns = [resourceNoun(wanted), resourceNoun(owner)];
  const [link, ...others] = tools.filter(isWholeList).flatMap((list): Link[] => {
    const fields = { wanted: keyFieldOf(list, wanted, tools), owner: keyFieldOf(list, owner, tools) };
    if (fields.wanted === undefined || fields.owner === undefined || !joinsOnly(list, nouns, tools)) return [];
    return [{ list, wanted: fields.wanted, owner: fields.owner }];
  });
  return others.length === 0 ? link : undefined;
}

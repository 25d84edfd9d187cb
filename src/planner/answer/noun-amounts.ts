// Collections that are called as the amount in their records is: of `hours` with a field `hours` "how many hours" asks for the sum, and
// says of how many entries; of `harvests` with `harvest_kg` a group has both numbers. Also fields that are called a count, "mite count".

import type { JsonObject } from "../../lib/json.js";
import { isPlural, singularOf } from "../../lib/plural.js";
import { words } from "../../tools/search/terms.js";
import type { PromptText } from "../prompt/prompt.js";
import { asksForCount } from "../prompt/request.js";
import { withoutUnit } from "../prompt/units.js";
import { numberOf } from "./aggregate.js";
import { numericFields } from "./amounts.js";

/** The amount that records are called by. */
interface NounAmount {
  field: string;
  /** The plural of the noun is the amount itself: a record is an entry of hours, and no hour. */
  isNoun: boolean;
}

/** The amount in records that are called by it; undefined where they are called by something else. */
export function nounAmount(rows: readonly JsonObject[], noun: string): NounAmount | undefined {
  const [field, ...others] = numericFields(rows).filter((key) => {
    const said = withoutUnit(words(key));
    return said.length === 1 && singularOf(said[0] ?? "") === singularOf(noun);
  });
  if (field === undefined || others.length > 0) return undefined;
  const all = words(field);
  const isNoun = all.length === 1 && all[0] !== singularOf(noun);
  // A grade or a price of its own is added up to nothing.
  return isNoun || withoutUnit(all).length < all.length ? { field, isNoun } : undefined;
}

/** The sum that a prompt asks for by "how many" of such an amount; undefined where it asks for entries, or they are none to add up. */
export function sumOfNoun(
  rows: readonly JsonObject[],
  amount: NounAmount | undefined,
  { text }: PromptText,
): string | undefined {
  if (!amount?.isNoun || /\b(?:entr(?:y|ies)|records?|rows?|lines?|times)\b/i.test(text)) return undefined;
  const sum = numberOf("total", rows, amount.field);
  return sum === undefined ? undefined : `The total ${amount.field} is ${sum}`;
}

/** "how many portions were served": the field of so many of them in records of another noun, which are no answer to it. */
export function countedAmount(rows: readonly JsonObject[], noun: string, { text }: PromptText): NounAmount | undefined {
  const said = /\bhow many\s+(\p{L}+)/iu.exec(text)?.[1]?.toLowerCase() ?? "";
  const field = numericFields(rows).find((key) => withoutUnit(words(key)).join(" ") === said);
  return field !== undefined && isPlural(said) && singularOf(said) !== singularOf(noun)
    ? { field, isNoun: true }
    : undefined;
}

/** "how many miles is the next trip" asks for an amount of one record. */
const OF_ONE = /^\s*how many \p{L}+ (?:is|was) the next\b/iu;

/** Whether a prompt asks how many records there are, where "count" is no part of what a field is called: "with a mite count above 8". */
export function countsRecords(rows: readonly JsonObject[], { text }: PromptText): boolean {
  if (OF_ONE.test(text)) return false;
  const called = Object.keys(rows[0] ?? {}).map(words);
  const fields = called.filter((name) => name.length > 1 && name.includes("count"));
  const left = fields.reduce((said, name) => said.replace(new RegExp(`\\b${name.join("[ _-]")}\\b`, "gi"), " "), text);
  return asksForCount(left);
}

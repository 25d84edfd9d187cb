// The name, of a record's fields or of the options of a parameter, that the words of an order are by: "sorted by value" of `value_eur`,
// "the most voted" of `votes`, "the newest" of `published_on`.

import { singularOf } from "../../lib/plural.js";
import { stem, words } from "../../tools/search/terms.js";
import type { Order } from "../prompt/order.js";
import { withoutUnit } from "../prompt/units.js";
import { isYearName } from "../slots/traits.js";

const only = (names: readonly string[]): string | undefined => (names.length === 1 ? names[0] : undefined);

/** A stem of fewer letters begins too many words. */
const MIN_STEM = 4;

/** The name that some words after "by" are; with more words than a name has, the first ones say it: "sorted by price please". */
export function orderedName(names: readonly string[], { field = "", loose }: Order): string | undefined {
  const said = words(field);
  for (let count = said.length; count > 0; count--) {
    const name = nameOf(names, said.slice(0, count), loose === true);
    if (name !== undefined) return name;
  }
  return undefined;
}

function nameOf(names: readonly string[], said: readonly string[], loose: boolean): string | undefined {
  const whole = said.join(" ");
  const exact = names.find((name) => [words(name), withoutUnit(words(name))].some((one) => one.join(" ") === whole));
  if (exact !== undefined) return exact;
  // "sorted by publisher" is not by when it was published.
  const form = loose ? stem : singularOf;
  const stems = said.map(form);
  const termsOf = (name: string): string[] => words(name).map(form);
  const called = names.filter((name) => termsOf(name).join(" ") === stems.join(" "));
  if (called.length > 0) return called[0];
  // "sorted by price" is by the only price there is.
  const having = only(names.filter((name) => stems.every((term) => termsOf(name).includes(term))));
  if (having !== undefined || !loose) return having;
  // "the most valuable" is that of the greatest value, and "by subscribers" that of the greatest subscriber count.
  const [term = ""] = stems;
  const isNear = (one: string): boolean => one === term || (one.length >= MIN_STEM && term.startsWith(one));
  return said.length > 1 ? undefined : only(names.filter((name) => termsOf(name).some(isNear)));
}

/** Words in the names of times by which "the newest" is meant first, in this order; those of the last line only where they are alone. */
const NEWEST: readonly ((said: readonly string[], name: string) => boolean)[] = [
  (said) =>
    said.some((word) => /^(?:creat|add|publish|releas|post|join|regist|issu|receiv|hired)/.test(word)) &&
    isTimeName(said),
  (said) => isTimeName(said) && !said.some((word) => /^(?:updat|modif|chang|due|end|expir|until)/.test(word)),
  (_, name) => isYearName(name),
  (said) => isTimeName(said),
];

/** Whether a name is that of a moment: "runtime" and "prep_time" are lengths. */
const isTimeName = (said: readonly string[]): boolean =>
  /^(?:at|on|date|day|datetime|timestamp|created|added|published)$/.test(said.at(-1) ?? "") ||
  said.includes("date") ||
  /^(?:time|(?:start|begin|end|due|creation|departure|arrival)(?:ing)? time)$/.test(said.join(" "));

/** Of the names of fields the one that the newest and the oldest are found by. */
export function timeName(names: readonly string[]): string | undefined {
  for (const is of NEWEST) {
    const found = names.find((name) => is(words(name), name));
    if (found !== undefined) return found;
  }
  return undefined;
}

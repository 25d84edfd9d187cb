// The name, of a record's fields or of the options of a parameter, that the words of an order are by: "sorted by value" of `value_eur`,
// "the most voted" of `votes`, "the newest" of `published_on`.

import { singularOf } from "../../lib/plural.js";
import { stem, words } from "../../tools/search/terms.js";
import type { Order } from "../prompt/order.js";
import { BIRTH } from "../prompt/superlatives.js";
import { isCountOf, withoutUnit } from "../prompt/units.js";
import { isYearName } from "../slots/traits.js";

const only = (names: readonly string[]): string | undefined => (names.length === 1 ? names[0] : undefined);

/** A stem of fewer letters begins too many words. */
const MIN_STEM = 4;

/** The name that some words after "by" are; with more words than a name has, the first ones say it: "sorted by price please". */
export function orderedName(all: readonly string[], { field = "", loose }: Order): string | undefined {
  const said = words(field);
  // "the most shows" counts them: the greatest key of one is no amount.
  const names = loose && said.at(-1) !== "id" ? all.filter((name) => words(name).at(-1) !== "id") : all;
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
  if (said.length > 1) return undefined;
  // "the most miles" is the greatest mileage.
  const unit = singularOf(said[0] ?? "");
  const near = only(names.filter((name) => termsOf(name).some(isNear)));
  return near ?? only(names.filter((name) => words(name).some((word) => isCountOf(word, unit))));
}

/** What the names of times say, from what says best when something came to be; of those that end it no thing is new or old. */
const ENDS = /^(?:updat|modif|chang|due|end|expir|until|clos|return|died|death|finish|complet|resolv|cancel)/;
const TIMES: readonly RegExp[] = [
  /^(?:year|vintage|built|made|manufactur|construct|found|establish|publish|releas|launch|written|compos|paint|issu)/,
  /^(?:add|post|join|since|hired|employ|regist|receiv|acquir|bought|purchas|opened|report|submit|order|placed)/,
  /^creat/,
];
/** Of somebody who serves. */
const SERVES = /^(?:since|hired|employ|join|start|appoint|regist)/;
const isOf = (name: string, one: RegExp): boolean => words(name).some((word) => one.test(word));

/** Times of the record itself: nothing is the next or the last by when it was written down. */
const OF_RECORD = /^(?:creat|updat|modif|chang|insert|delet)/;
/** A time that ends what begins at another one. */
const LATER = /^(?:end|until|till|to|out|finish|clos|return|arriv|departure|checkout)/;

/** The names without those that a pattern fits, unless it fits all. */
function without(names: readonly string[], pattern: RegExp): readonly string[] {
  const others = names.filter((name) => !isOf(name, pattern));
  return others.length > 0 ? others : names;
}

/** Of the names of times those that the newest and the oldest may be found by; more than one where all of them fit as well. */
export function timeNames(names: readonly string[], { text }: Pick<Order, "text">): readonly string[] {
  // Of what it was the last, "when was the last one" does not say.
  if (/^(?:very )?(?:last|first)$/.test(text)) return without(names, OF_RECORD);
  if (text === "next") {
    const coming = names.filter((name) => !isOf(name, OF_RECORD) && !isOf(name, BIRTH));
    return without(coming, LATER);
  }
  const births = names.filter((name) => isOf(name, BIRTH));
  // Who is the oldest was born first; what is the newest was not.
  if (/(?:oldest|youngest)$/.test(text) && births.length > 0) return births;
  const ended = names.filter((name) => isOf(name, ENDS));
  const left = names.filter((name) => !births.includes(name) && !ended.includes(name));
  const ranks = text.startsWith("longest") ? [SERVES, ...TIMES] : TIMES;
  const ranked = ranks.map((one) => left.filter((name) => isOf(name, one)));
  // What is the oldest is not told by when it ends.
  const others = /(?:oldest|newest)$/.test(text) ? [left] : [left, ended, births];
  return [...ranked, ...others].find((some) => some.length > 0) ?? [];
}

/** Whether a name is that of a moment: "runtime" and "prep_time" are lengths. */
const isTimeName = (said: readonly string[]): boolean =>
  /^(?:at|on|date|day|datetime|timestamp|created|added|published)$/.test(said.at(-1) ?? "") ||
  said.includes("date") ||
  /^(?:time|(?:start|begin|end|due|creation|departure|arrival)(?:ing)? time)$/.test(said.join(" "));

/** Of the names of fields the only one that the newest and the oldest may be found by. */
export const timeName = (names: readonly string[], order: Pick<Order, "text">): string | undefined =>
  only(
    timeNames(
      names.filter((name) => isYearName(name) || isTimeName(words(name))),
      order,
    ),
  );

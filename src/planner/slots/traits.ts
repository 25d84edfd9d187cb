// Traits of a slot, read from its name and description: it takes the beginning or the end of a span, a location, a bound, a
// person. Read once a slot, because every entity of every prompt is compared with it.

import { singularOf } from "../../lib/plural.js";
import type { Signal } from "../../lib/score.js";
import { words } from "../../tools/search/terms.js";
import type { Slot } from "./slot.js";

const starts =
  /^(?:start|from|begin|origin|source|since|initial|first|min|minimum|lower|after|depart\w*|gte?|base|x1|a)$/;
const ends =
  /^(?:end|to|finish|destination|dest|target|until|final|second|max|maximum|upper|before|arriv\w*|lte?|x2|b)$/;
/** A preposition right before an entity that speaks for slots of such a name. */
interface Preposition extends Signal<string> {
  name: RegExp;
}

const PREPOSITIONS: readonly Preposition[] = [
  {
    signal: (before) => /^(?:from|between|since|after|starting)$/.test(before),
    name: starts,
    weight: 0.45,
    why: "a span begins there",
  },
  {
    signal: (before) => /^(?:to|and|until|till|before|through)$/.test(before),
    name: ends,
    weight: 0.4,
    why: "a span ends there",
  },
  {
    signal: (before) => /^(?:under|below|max|maximum|most)$/.test(before),
    name: /^(?:max|maximum|lte?|upper|to|below|under)$/,
    weight: 0.6,
    why: "it is an upper bound",
  },
  {
    signal: (before) => /^(?:over|above|min|minimum|least)$/.test(before),
    name: /^(?:min|minimum|gte?|lower|from|above|over)$/,
    weight: 0.6,
    why: "it is a lower bound",
  },
  {
    signal: (before) => /^(?:by)$/.test(before),
    name: /^(?:author|artist|creator|by|compos|director|writer|editor)$/,
    weight: 0.6,
    why: "a work is by a person",
  },
  {
    signal: (before) => /^(?:until|till|by|before)$/.test(before),
    name: /^(?:due|deadlin|expir\w*|return)$/,
    weight: 0.4,
    why: "it is a deadline",
  },
  {
    signal: (before) => /^(?:to|for)$/.test(before),
    name: /^(?:reader|borrow|assigne|recipi|receiv|member|owner)$/,
    weight: 0.5,
    why: "a person receives something",
  },
];
const BOUND = /^(?:min|minimum|max|maximum|gte?|lte?)$/;
/** Names of parameters that take what is greater or smaller, and nothing equal. */
const LOWER = /^(?:min|minimum|gte?|lower|above|over|after|since)$/;
const UPPER = /^(?:max|maximum|lte?|upper|below|under|before|until)$/;
/** What has a year where it is all that a name says: "tickets_opened" and "articles_published" are counts. */
const DONE = /^(?:born|birth|built|made|founded|established|opened|released|published)$/;
const BESIDE_DONE = /^(?:min|minimum|max|maximum|gte?|lte?|from|to|after|before|until|in|first)$/;
/** Whether a number of this name is a year: "queen_year", "member_since", "founded", "built_in", and no "yearly_dues". */
export function isYearName(name: string): boolean {
  const said = words(name).filter((word) => !BESIDE_DONE.test(word));
  return (
    said.some((word) => /^(?:year|since)$/.test(word)) || (said.length === 1 && said.every((word) => DONE.test(word)))
  );
}
/** Names of parameters that take the number of records wanted. */
export const LIMIT =
  /^(?:limit|count|num|number|top|top_?n|n|per_?page|page_?size|size|max_?results|first|take)$|_(?:limit|count)$|^num_|^(?:max|top)_?(?:results|items)/i;
const LOCATION = /\b(?:location|city|place|country|state|region|address|destination|area|town|venue|loc|where)\b/i;
const NUMERIC_TEXT = /id$|code|zip|phone|version|number|year|date|time|season|isbn|sku|model|reference/i;

/** A journey departs before it arrives, a guest arrives before departing: as days the two words have no order. */
const isOrdered = ({ format }: Slot, word: string): boolean =>
  !(format.startsWith("date") && /^(?:arriv|depart)/.test(word));
/** The words of a name, without the minutes it is in. */
const wordsOf = ({ name, inMinutes }: Slot): string[] => (inMinutes ? words(name).slice(0, -1) : words(name));
const boundsOf = (slot: Slot): string[] => wordsOf(slot).filter((word) => isOrdered(slot, word));

/** Whether a parameter takes the beginning of a span. */
export const isStart = (slot: Slot): boolean => boundsOf(slot).some((word) => starts.test(word));
/** Whether a parameter takes the end of a span. */
export const isEnd = (slot: Slot): boolean => boundsOf(slot).some((word) => ends.test(word));

/** Names of bounds that leave the bound itself out. */
const STRICT = /^(?:gt|lt|above|below|over|under|after|before)$/;
export const isStrictBound = (name: string): boolean => words(name).some((word) => STRICT.test(word));

/** Which side of a day a parameter of this name lets through; undefined for the day itself. */
export function sideOf(name: string): "above" | "below" | undefined {
  // `below_duration_min` is a bound of what is in minutes.
  const bare = name.replace(/^((?:below|above|max|min)_.+)_min$/, "$1");
  const said = words(bare).filter((word) => !/^(?:arriv|depart|x|a$|b$|first|final|second)/.test(word));
  if (said.some((word) => LOWER.test(word) || starts.test(word))) return "above";
  return said.some((word) => UPPER.test(word) || ends.test(word)) ? "below" : undefined;
}

/** What the name and the description of a slot reveal about the values it takes. */
export interface Traits {
  /** The words of its name, in the singular. */
  called: readonly string[];
  prepositions: readonly Preposition[];
  starts: boolean;
  /** What a location named in the prompt gains; 0 when the slot takes none. */
  location: number;
  /** It takes a text and never a number. */
  plainText: boolean;
  bound: boolean;
  limit: boolean;
  /** Which side of its value the records are on that it lets through, by its name. */
  side?: "above" | "below";
}

const known = new WeakMap<Slot, Traits>();

/** The traits of a slot. */
export function traitsOf(slot: Slot): Traits {
  let traits = known.get(slot);
  if (!traits) {
    const { name, label, enclosing, description, type } = slot;
    const ordered = [...wordsOf(slot), ...label, ...enclosing].filter((word) => isOrdered(slot, word));
    const isLocation = LOCATION.test(`${name.replaceAll("_", " ")} ${description.slice(0, 80)}`);
    traits = {
      called: words(name).map(singularOf),
      prepositions: PREPOSITIONS.filter((preposition) => ordered.some((term) => preposition.name.test(term))),
      starts: isStart(slot),
      location: isLocation ? (LOCATION.test(name) ? 0.5 : 0.3) : 0,
      plainText: type === "string" && !NUMERIC_TEXT.test(name) && !slot.format.startsWith("date"),
      bound: label.some((term) => BOUND.test(term)),
      limit: LIMIT.test(name),
      side: ordered.some((term) => LOWER.test(term))
        ? "above"
        : ordered.some((term) => UPPER.test(term))
          ? "below"
          : undefined,
    };
    known.set(slot, traits);
  }
  return traits;
}

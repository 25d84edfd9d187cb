// What the name and the description of a slot say of the values it takes: a beginning, an end, a place, a bound, a person.
// Read once a slot, because every value of every prompt is compared with it.
import { words } from "../../tools/search/terms.js";
import type { Slot } from "./slot.js";

const starts =
  /^(?:start|from|begin|origin|source|since|initial|first|min|minimum|lower|after|depart\w*|gte?|base|x1|a)$/;
const ends =
  /^(?:end|to|finish|destination|dest|target|until|final|second|max|maximum|upper|before|arriv\w*|lte?|x2|b)$/;
const PREPOSITIONS: readonly { before: RegExp; slot: RegExp; gain: number }[] = [
  { before: /^(?:from|between|since|after|starting)$/, slot: starts, gain: 0.45 },
  { before: /^(?:to|and|until|till|before|through)$/, slot: ends, gain: 0.4 },
  {
    before: /^(?:under|below|less|than|max|maximum|most|cheaper)$/,
    slot: /^(?:max|maximum|lte?|upper|to|below|under)$/,
    gain: 0.6,
  },
  {
    before: /^(?:over|above|more|min|minimum|least)$/,
    slot: /^(?:min|minimum|gte?|lower|from|above|over)$/,
    gain: 0.6,
  },
  { before: /^(?:by)$/, slot: /^(?:author|artist|creator|by|compos|director|writer|editor)$/, gain: 0.6 },
  { before: /^(?:until|till|by|before)$/, slot: /^(?:due|deadlin|expir\w*|return)$/, gain: 0.4 },
  { before: /^(?:to|for)$/, slot: /^(?:reader|borrow|assigne|recipi|receiv|member|owner)$/, gain: 0.5 },
];
const BOUND = /^(?:min|minimum|max|maximum|gte?|lte?)$/;
/** Parameters that say how many are wanted. */
export const LIMIT =
  /^(?:limit|count|num|number|top|top_?n|n|per_?page|page_?size|size|max_?results|first|take)$|_(?:limit|count)$|^num_|^(?:max|top)_?(?:results|items)/i;
const PLACE = /\b(?:location|city|place|country|state|region|address|destination|area|town|venue|loc|where)\b/i;
const NUMERIC_TEXT = /id$|code|zip|phone|version|number|year|date|time|season|isbn|sku|model|reference/i;

/** A journey departs before it arrives, a guest arrives before he departs: as days the two say nothing of their order. */
const tells = ({ format }: Slot, word: string): boolean =>
  !(format.startsWith("date") && /^(?:arriv|depart)/.test(word));
const boundsOf = (slot: Slot): string[] => words(slot.name).filter((word) => tells(slot, word));

/** Whether a parameter says where a span begins. */
export const isStart = (slot: Slot): boolean => boundsOf(slot).some((word) => starts.test(word));
/** Whether a parameter says where a span ends. */
export const isEnd = (slot: Slot): boolean => boundsOf(slot).some((word) => ends.test(word));

/** What a slot's name and description say of the values it takes; read once a slot, compared with every value. */
interface Traits {
  prepositions: typeof PREPOSITIONS;
  starts: boolean;
  /** What a place said in the prompt gains. */
  place: number;
  /** A text that is no number, whatever stands in the prompt. */
  plainText: boolean;
  bound: boolean;
  limit: boolean;
}

const known = new WeakMap<Slot, Traits>();

/** The traits of a slot. */
export function traitsOf(slot: Slot): Traits {
  let traits = known.get(slot);
  if (!traits) {
    const { name, label, enclosing, description, type } = slot;
    const called = [...words(name), ...label, ...enclosing].filter((word) => tells(slot, word));
    const isPlace = PLACE.test(`${name.replaceAll("_", " ")} ${description.slice(0, 80)}`);
    traits = {
      prepositions: PREPOSITIONS.filter(({ slot: names }) => called.some((term) => names.test(term))),
      starts: isStart(slot),
      place: isPlace ? (PLACE.test(name) ? 0.5 : 0.3) : 0,
      plainText: type === "string" && !NUMERIC_TEXT.test(name) && !slot.format.startsWith("date"),
      bound: label.some((term) => BOUND.test(term)),
      limit: LIMIT.test(name),
    };
    known.set(slot, traits);
  }
  return traits;
}

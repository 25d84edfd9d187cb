// What asks for a price, the time that one is for, "how much is it a night", "more than 40 an hour", and the names of fields that say
// the same: `dailyRate`, `price_per_night`. Texts in; knows nothing of records.

import { words } from "../../tools/search/terms.js";
import type { PromptText } from "./prompt.js";

const PER = /(?:\b(?:an?|per|each|every)\s+|\/\s?)(?:hour|day|night|week|month|year)\b/giu;
const BEHIND = new RegExp(`^\\s*(?:${PER.source})`, "iu");
/** A word of a field that says what something costs. */
export const PRICE_WORD = /^(?:price|cost|fee|rate|amount|fare|charge)s?$/;
/** And what is paid for a time. */
const PAY = /^(?:rent|wage|salary|pay)s?$/;
const HOW_MUCH = /^\s*how much (?:is|are|does|do)\b/i;
const TIMES: readonly (readonly [said: RegExp, field: RegExp])[] = [
  [/hour$/i, /^(?:hour|hourly)$/],
  [/(?:day|night)$/i, /^(?:day|daily|night|nightly)$/],
  [/week$/i, /^(?:week|weekly)$/],
  [/month$/i, /^(?:month|monthly)$/],
  [/year$/i, /^(?:year|yearly|annual|annually)$/],
];

/** Whether a prompt asks what something costs. */
export const asksHowMuch = ({ text }: PromptText): boolean => HOW_MUCH.test(text);

/** What of a text says what time a price is for, such as "a night". */
export const priceTimesIn = (text: string): string[] => [...text.matchAll(PER)].map(([one]) => one);

/** The same right at its beginning. */
export const priceTimeAt = (text: string): string | undefined => BEHIND.exec(text)?.[0].trim();

/** Whether a field is called by a price for that time. */
export function isPriceFor(field: string, time: string): boolean {
  const [, name] = TIMES.find(([pattern]) => pattern.test(time)) ?? [];
  const own = words(field);
  return own.some((word) => PRICE_WORD.test(word) || PAY.test(word)) && own.some((word) => name?.test(word));
}

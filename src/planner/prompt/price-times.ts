// The time that a price is for: "how much is it a night", "more than 40 an hour", and the names of fields that say the same: `dailyRate`,
// `price_per_night`. Texts in; knows nothing of records.

import { words } from "../../tools/search/terms.js";

const PER = /(?:\b(?:an?|per|each|every)\s+|\/\s?)(?:hour|day|night|week|month|year)\b/giu;
const BEHIND = new RegExp(`^\\s*(?:${PER.source})`, "iu");
const PRICE = /^(?:price|cost|fee|rate|amount|fare|charge|rent|wage|salary|pay)s?$/;
const TIMES: readonly (readonly [said: RegExp, field: RegExp])[] = [
  [/hour$/i, /^(?:hour|hourly)$/],
  [/(?:day|night)$/i, /^(?:day|daily|night|nightly)$/],
  [/week$/i, /^(?:week|weekly)$/],
  [/month$/i, /^(?:month|monthly)$/],
  [/year$/i, /^(?:year|yearly|annual|annually)$/],
];

/** What of a text says what time a price is for, such as "a night". */
export const priceTimesIn = (text: string): string[] => [...text.matchAll(PER)].map(([one]) => one);

/** The same right at its beginning. */
export const priceTimeAt = (text: string): string | undefined => BEHIND.exec(text)?.[0].trim();

/** Whether a field is called by a price for that time. */
export function isPriceFor(field: string, time: string): boolean {
  const [, name] = TIMES.find(([pattern]) => pattern.test(time)) ?? [];
  const own = words(field);
  return own.some((word) => PRICE.test(word)) && own.some((word) => name?.test(word));
}

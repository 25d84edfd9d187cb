// How well the kind of an entity suits a slot: an address for a slot that is named "email", a percentage for a rate.
// The first row of a kind that applies counts; what no row covers is neither for nor against.
import { firstSignal, type Signal } from "../../lib/score.js";
import { words } from "../../tools/search/terms.js";
import type { Entity } from "../prompt/entities.js";
import { ID_LIKE, type Slot } from "../slots/slot.js";
import { isYearName } from "../slots/traits.js";

interface Pair {
  slot: Slot;
  entity: Entity;
}

const DATE_LIKE = /date|day|time|when|since|until|deadline|due|\bat$/i;
const URL_LIKE = /url|uri|link|website|href|site/i;
const MONEY =
  /price|cost|amount|principal|budget|salary|income|value|investment|payment|balance|payout|fee|total|loan|deposit/i;
/** In words: "generate" ends in no rate. */
const RATE = /\b(?:rate|percent|ratio|probability|share|yield|margin|growth|discount)/;

/** Whether a name or a description speaks of a rate. */
export const isRate = (text: string): boolean => RATE.test(words(text).join(" "));
const isCurrency = ({ sign }: Entity): boolean => sign !== undefined && sign !== "%" && sign !== "#";

/** By what a slot is called, then by what is written about it: the name is the better evidence. */
const SIGNALS: Readonly<Partial<Record<Entity["kind"], readonly Signal<Pair>[]>>> = {
  email: [
    {
      signal: ({ slot: { name, format } }) => /mail/i.test(name) || format === "email",
      weight: 0.9,
      why: "the slot is for an address",
    },
    { signal: ({ slot }) => /mail/i.test(slot.description), weight: 0.6, why: "its description mentions an address" },
  ],
  url: [
    {
      signal: ({ slot: { name, format } }) => URL_LIKE.test(name) || format === "uri" || format === "url",
      weight: 0.9,
      why: "the slot is for a link",
    },
    { signal: ({ slot }) => URL_LIKE.test(slot.description), weight: 0.6, why: "its description mentions a link" },
    { signal: () => true, weight: 0.1, why: "a link in a prompt is meant for some parameter" },
  ],
  date: [
    {
      signal: ({ slot: { name, format } }) => DATE_LIKE.test(name) || format.startsWith("date"),
      weight: 0.6,
      why: "the slot is for a date",
    },
    { signal: ({ slot }) => DATE_LIKE.test(slot.description), weight: 0.35, why: "its description mentions a time" },
    { signal: () => true, weight: -0.5, why: "a date is no plain text" },
  ],
  number: [
    {
      signal: ({ slot, entity }) => entity.sign === "%" && isRate(slot.name),
      weight: 0.35,
      why: "a percentage for a rate",
    },
    {
      signal: ({ slot, entity }) => entity.sign === "%" && isRate(slot.description),
      weight: 0.25,
      why: "a percentage where the description mentions a rate",
    },
    { signal: ({ entity }) => entity.sign === "%", weight: -0.1, why: "a percentage is no plain number" },
    {
      signal: ({ slot, entity }) => entity.sign === "#" && ID_LIKE.test(slot.name),
      weight: 0.5,
      why: "the number sign marks a key",
    },
    {
      signal: ({ slot, entity }) => isCurrency(entity) && MONEY.test(`${slot.name} ${slot.description}`),
      weight: 0.35,
      why: "an amount of money for a price",
    },
    { signal: ({ entity }) => isCurrency(entity), weight: -0.1, why: "an amount of money is no plain number" },
    {
      signal: ({ slot, entity: { sign, value } }) =>
        sign === undefined && isYearName(slot.name) && Number(value) >= 1800 && Number(value) <= 2200,
      weight: 0.5,
      why: "a number in the range of years for a year",
    },
  ],
  time: [
    { signal: ({ slot }) => /time|hour|when|\bat$/i.test(slot.name), weight: 0.6, why: "the slot is for a time" },
    { signal: ({ slot }) => /\btime\b/i.test(slot.description), weight: 0.3, why: "its description mentions a time" },
    { signal: () => true, weight: -0.5, why: "a time is no plain text" },
  ],
  id: [{ signal: ({ slot }) => ID_LIKE.test(slot.name), weight: 0.4, why: "the slot is for a key" }],
  quoted: [{ signal: ({ slot }) => slot.type === "string", weight: 0.15, why: "quotes mark a text" }],
};

/** What the kind of an entity adds to the evidence for a slot. A year counts as a date where a date is wanted. */
export function kindScore(slot: Slot, entity: Entity): number {
  const kind = entity.day !== undefined && slot.format.startsWith("date") ? "date" : entity.kind;
  return firstSignal(SIGNALS[kind] ?? [], { slot, entity });
}

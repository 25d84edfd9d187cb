// Parameters by which the target sorts, and the option of one that gives the order a prompt asks for.

import type { JsonValue } from "../../lib/json.js";
import { stem, words } from "../../tools/search/terms.js";
import type { Order } from "../prompt/order.js";
import type { PromptText } from "../prompt/prompt.js";
import { isAge } from "../prompt/superlatives.js";
import { hasWord } from "../slots/name-words.js";
import type { Slot } from "../slots/slot.js";
import { orderedName, timeName } from "./order-field.js";

const SORT_SLOT = /^(?:sort|order|ordering)(?:_?(?:by|key|field|order))?$/i;

/** Whether a slot takes the field by which the target sorts. */
export function isSortSlot({ name, options }: Slot): boolean {
  return SORT_SLOT.test(name) && options.some((option) => !/^(?:asc|desc)\w*$/i.test(String(option)));
}

const AMOUNT = /(?:price|amount|total)s?$|^costs?$/;
const PLAIN = /^(?:on|at|in|date|time|day)$/;

/** The option of a sorting slot that gives this order; undefined when none does. */
export function sortOption(slot: Slot, order: Order, prompt: PromptText): JsonValue | undefined {
  const fieldOf = (option: JsonValue): string =>
    String(option).replace(/^[-+]|(?:^|[\s_:.-]+)(?:asc|desc)(?:ending)?$/gi, "");
  const isDown = (option: JsonValue): boolean => /^-|(?:^|[\s_:.-])desc(?:ending)?$/i.test(String(option));
  const isAged = (option: JsonValue): boolean => order.byTime && order.field === undefined && isAge(fieldOf(option));
  const options = slot.options.filter((option) => isDown(option) === (order.descending !== isAged(option)));
  const isMentioned = (option: JsonValue): boolean =>
    words(fieldOf(option)).every((word) => prompt.terms.has(stem(word)));
  // What is still to come, or is over, is seen among all.
  if (order.asListed || order.past || order.next || order.of !== undefined) return undefined;
  const named = (name: string | undefined): JsonValue | undefined =>
    name === undefined ? undefined : options.find((option) => fieldOf(option) === name);
  const names = options.map(fieldOf);
  if (order.field !== undefined) return named(orderedName(names, order));
  if (order.byTime && !order.measures) {
    const said = names.filter((name) => words(name).some((word) => !PLAIN.test(word) && prompt.terms.has(stem(word))));
    return named(timeName(said, order) ?? timeName(names, order));
  }
  const { measures } = order;
  if (measures)
    return options.find((option) => words(fieldOf(option)).some((word) => measures.includes(word.toLowerCase())));
  return options.find(isMentioned) ?? options.find((option) => hasWord(fieldOf(option), AMOUNT));
}

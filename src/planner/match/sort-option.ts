// Parameters by which the target sorts, and the option of one that gives the order a prompt asks for.
import type { JsonValue } from "../../lib/json.js";
import { stem, words } from "../../tools/search/terms.js";
import type { Order } from "../prompt/order.js";
import type { PromptText } from "../prompt/prompt.js";
import type { Slot } from "../slots/slot.js";

const SORT_SLOT = /^(?:sort|order|ordering)(?:_?(?:by|key|field|order))?$/i;

/** Whether a slot takes the field by which the target sorts. */
export function isSortSlot({ name, options }: Slot): boolean {
  return SORT_SLOT.test(name) && options.some((option) => !/^(?:asc|desc)\w*$/i.test(String(option)));
}

const AMOUNT = /price|cost|amount|total/i;
const WHEN = /creat|date|time|_at$/i;

/** The option of a sorting slot that gives this order; undefined when none does. */
export function sortOption(slot: Slot, order: Order, prompt: PromptText): JsonValue | undefined {
  const fieldOf = (option: JsonValue): string =>
    String(option).replace(/^[-+]|(?:^|[\s_:.-]+)(?:asc|desc)(?:ending)?$/gi, "");
  const isDown = (option: JsonValue): boolean => /^-|(?:^|[\s_:.-])desc(?:ending)?$/i.test(String(option));
  const options = slot.options.filter((option) => isDown(option) === order.descending);
  const isMentioned = (option: JsonValue): boolean =>
    words(fieldOf(option)).every((word) => prompt.terms.has(stem(word)));
  if (order.asListed) return undefined;
  if (order.field !== undefined) {
    const field = order.field.toLowerCase();
    const stems = (name: string): string => words(name).map(stem).join(" ");
    const isLoose = (option: JsonValue): boolean => order.loose === true && stems(fieldOf(option)) === stems(field);
    const [first] = field.split(" ");
    const isCalled = (option: JsonValue): boolean => words(fieldOf(option)).join(" ") === words(field).join(" ");
    return (
      options.find((option) => isCalled(option) || isLoose(option)) ??
      options.find((option) => fieldOf(option).toLowerCase() === first)
    );
  }
  if (order.byTime && !order.measures) return options.find((option) => WHEN.test(fieldOf(option)));
  const { measures } = order;
  if (measures)
    return options.find((option) => words(fieldOf(option)).some((word) => measures.includes(word.toLowerCase())));
  return options.find(isMentioned) ?? options.find((option) => AMOUNT.test(fieldOf(option)));
}

// Facts that name a record and its new value: "KL-M 204 is at 71250 km now", "phone of Tom Aas is 555 20", "trip 21 is cancelled", and
// what is to be done with the record that the sentence before tells about: "Nora Wik is back, resume her". Text and tools in, the command
// out; undefined where not exactly one field can be meant.

import type { Tool } from "../../domain/tool.js";
import { singularOf } from "../../lib/plural.js";
import { intentsOf } from "../../tools/search/synonyms.js";
import { stem, words } from "../../tools/search/terms.js";
import { actionOf } from "../match/tool-intent.js";
import { unitOf } from "../prompt/units.js";
import { resourceNoun } from "../resource-noun.js";
import { type Slot, slotsOf } from "../slots/slot.js";
import { form, isCalled, isCertainValue, nameOf, POLITE, RECORD, settable, takesNumber } from "./told-parts.js";

/** What somebody or something is or did, with nobody else in it. */
const DID = String.raw`(?:(?:is|are|was|came|has\s+been)(?:\s+(?!(?:with|for|by|to|of|and|than|like)\b)[^\s,;:.?!"“”]+){1,3}|(?:has\s+|have\s+)?(?:paid|returned|left|passed|finished|recovered)(?:\s+(?:now|today|yesterday|already|everything|all|in\s+full|in\s+cash))?)`;
const AMOUNT = String.raw`(?<number>\d+(?:\.\d+)?)\s*(?<unit>[\p{L}€$£]+)?`;
const NOW = String.raw`\s+(?:now|from\s+(?:now|today)\s+on|from\s+today)`;

const HIS = form(
  String.raw`${RECORD}\s+${DID}\s*[,;.!]\s*${POLITE}(?:set|change|put)\s+(?:his|her|their|its)\s+(?<field>\p{L}[\p{L}\s]*?)\s+to\s+(?<value>[^,;:?!"“”]+)`,
);
const HIM = form(
  String.raw`${RECORD}\s+${DID}\s*[,;.!]\s*${POLITE}(?<verb>\p{L}+)\s+(?:him|her|it|(?:that|this|the)\s+(?<noun>\p{L}+))(?:\s+(?:now|again|please))?`,
);
const HAS = form(
  String.raw`${RECORD}\s+(?:has|have|got)\s+(?:an?\s+)?(?:new\s+)?(?<field>\p{L}+(?:\s\p{L}+)?)(?<!\snow)(?:\s+now)?\s*[:–]\s*(?<value>[^,;:?!"“”]+)`,
);
const FIELD_IS = form(
  String.raw`(?:the\s+)?(?<field>\p{L}+(?:\s\p{L}+)?)\s+(?:of|for)\s+(?:the\s+)?(?<record>[^,;:?!"“”]+?)\s+(?:is|are)(?:\s+now)?\s+(?<value>[^,;:?!"“”]+?)(?:${NOW})?`,
);
const AMOUNT_IS = form(String.raw`${RECORD}\s+(?:is|are|stands?)\s+(?:now\s+at|at|now)?\s*${AMOUNT}${NOW}`);
const BARE = form(
  String.raw`(?:the\s+)?(?<field>\p{L}+(?:\s\p{L}+)?)\s+(?:is|are)(?:\s+now)?\s+(?<number>\d+(?:\.\d+)?)`,
);
const STATE = form(
  String.raw`(?<noun>\p{L}+)\s+#?(?<key>\d+|\p{Lu}+-\d+)\s+(?<is>is\s+)?(?<state>\p{L}+)(?:\s+now)?(?:,\s+(?<amount>\d+(?:\.\d+)?)\s+(?<what>\p{L}[\p{L}\s]*?))?`,
);
const MADE = form(String.raw`(?:please\s+)?(?<verb>\p{L}+)\s+(?<record>(?:the|our)\s+[^,;:.?!"“”]+)`);
const MONEY = /^(?:€|\$|£|eur|euros?|usd|dollars?|gbp|pounds?|kr)$/i;
const PRICE = /price|cost|fee|rate/i;

/** Whether a field holds amounts in a unit: kilometres where its name says so, money where it is a price. */
function measuredIn(slot: Slot, unit: string): boolean {
  if (!takesNumber(slot)) return false;
  if (MONEY.test(unit)) return PRICE.test(slot.name);
  const known = unitOf(unit);
  return (
    known !== undefined &&
    words(slot.name).some((word) => unitOf(word)?.size === known.size && unitOf(word)?.measures === known.measures)
  );
}

/** The command for what a numbered record is now: the action that leads there, or the only field with such a value. */
function stateCommand(groups: Record<string, string | undefined>, tools: readonly Tool[]): string | undefined {
  const { noun = "", key = "", is, amount, what = "" } = groups;
  // "trip 21 planned" may be a question.
  if (is === undefined && amount === undefined) return undefined;
  const state = (groups["state"] ?? "").toLowerCase();
  const record = `${noun} ${key}`;
  const own = tools.filter(
    (tool) => tool.safety !== "read_only" && resourceNoun(tool) === singularOf(noun.toLowerCase()),
  );
  const holds = ({ options }: Slot): boolean => options.some((one) => words(String(one)).join(" ") === state);
  const taking = own.filter((tool) => tool.verb !== "create" && tool.verb !== "delete" && slotsOf(tool).some(holds));
  const [tool, ...others] = taking;
  if (!/ed$/.test(state) && !taking.some((one) => slotsOf(one).some(holds))) return undefined;
  const action = own.find((one) => actionOf(one) === stem(state) && actionOf(one) !== undefined);
  if (action && amount === undefined) return `${lastSegment(action)} ${record}`;
  const slot = tool && slotsOf(tool).find(holds);
  if (!tool || !slot || others.length > 0) return undefined;
  const further =
    amount === undefined ? undefined : slotsOf(tool).find((one) => takesNumber(one) && isCalled(one, what));
  if (amount !== undefined && !further) return undefined;
  if (actionOf(tool) === undefined) return further ? undefined : `set the ${nameOf(slot)} of ${record} to ${state}`;
  const rest = further ? ` and ${nameOf(further)} ${amount ?? ""}` : "";
  return `${lastSegment(tool)} ${record} with ${nameOf(slot)} ${state}${rest}`;
}

const lastSegment = ({ transport: { path = "" } }: Tool): string => /([^/{}]+)$/.exec(path)?.[1] ?? "";

/** The command for a verb that is the state of one field, and that no tool has: "retire the red maple". */
function madeCommand({ verb = "", record = "" }: Record<string, string>, tools: readonly Tool[]): string | undefined {
  const term = stem(verb.toLowerCase());
  if (intentsOf(term).size > 0 || tools.some((tool) => actionOf(tool) === term)) return undefined;
  const stateIn = ({ options }: Slot): string | undefined =>
    options.map(String).find((one) => /^\p{L}+ed$/u.test(one) && stem(one) === term && one !== verb);
  const [slot, ...others] = settable(tools, (one) => stateIn(one) !== undefined);
  return slot && others.length === 0 ? `set the ${nameOf(slot)} of ${record} to ${stateIn(slot) ?? ""}` : undefined;
}

/** The command for the record that the sentence before names. */
function ofSentenceBefore(said: string, tools: readonly Tool[]): string | undefined {
  const his = HIS.exec(said)?.groups;
  if (his) return `set the ${his["field"] ?? ""} of ${his["record"] ?? ""} to ${his["value"] ?? ""}`;
  const { record, verb = "", noun } = HIM.exec(said)?.groups ?? {};
  const [action] = tools.filter(
    (tool) => actionOf(tool) === stem(verb.toLowerCase()) && (noun === undefined || resourceNoun(tool) === noun),
  );
  if (record === undefined || !action) return undefined;
  return `${verb} ${noun === undefined ? record : `${noun} "${record}"`}`;
}

/** The command that a told value stands for; the text has no stop at its end, and nothing in it is doubted or denied. */
export function toldValue(said: string, tools: readonly Tool[]): string | undefined {
  const before = ofSentenceBefore(said, tools);
  if (before !== undefined) return before;
  const told = HAS.exec(said)?.groups ?? FIELD_IS.exec(said)?.groups;
  if (told) {
    const { record = "", value = "", field = "" } = told;
    const [slot] = settable(tools, (one) => isCalled(one, field));
    const isText = slot?.type === "string" && slot.options.length === 0;
    return slot && isCertainValue(value)
      ? `set the ${field} of ${record} to ${isText ? `"${value}"` : value}`
      : undefined;
  }
  const amount = AMOUNT_IS.exec(said)?.groups;
  const { record = "", number = "", unit = "" } = amount ?? {};
  const measured = amount ? settable(tools, (slot) => measuredIn(slot, unit)) : [];
  const [slot, ...others] = measured;
  if (slot && others.length === 0) return `set the ${nameOf(slot)} of ${record} to ${number}`;
  const bare = BARE.exec(said)?.groups;
  const { field = "", number: value = "" } = bare ?? {};
  if (bare && settable(tools, (one) => takesNumber(one) && isCalled(one, field)).length > 0)
    return `set the ${field} to ${value}`;
  const state = STATE.exec(said)?.groups;
  if (state) return stateCommand(state, tools);
  const made = MADE.exec(said)?.groups;
  return made && madeCommand(made, tools);
}

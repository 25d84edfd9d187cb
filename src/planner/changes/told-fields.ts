// What a record no longer is or newly has: "Otter is not in dock any more", "Ada Holms phone is 555 99", "new phone for Ada Holm: 555 99",
// "Ada Holm gets 190 a day now", "postpone trip 5 to 7 December". Text and tools in, the command out; undefined where not exactly one
// field can be meant.

import type { Tool } from "../../domain/tool.js";
import { stem, words } from "../../tools/search/terms.js";
import { actionOf } from "../match/tool-intent.js";
import { resourceNoun } from "../resource-noun.js";
import { type Slot, slotsOf } from "../slots/slot.js";
import { form, isCalled, isCertainValue, nameOf, RECORD, settable, takesNumber } from "./told-parts.js";

const FIELD = String.raw`(?<field>\p{L}+(?:\s\p{L}+)?)`;
const VALUE = `(?<value>[^,;:?!"“”]+?)`;

const NO_LONGER = form(
  String.raw`${RECORD}\s+(?:is|has)(?:(?:\s+not|n['’]?t)\s+(?<flag>\p{L}+(?:\s\p{L}+){0,3}?)\s+any\s*(?:more|longer)|\s+no\s+longer\s+(?<state>\p{L}+(?:\s\p{L}+){0,3}))`,
);
/** Without an apostrophe only behind two names: "Jonas phone" may be of either. */
const OWN = form(
  String.raw`(?:${RECORD}['’]s|(?<full>\p{L}+\s\p{L}+[^s\s])s)\s+${FIELD}\s+(?:is|has\s+changed\s+to|changed\s+to)(?:\s+now)?\s+${VALUE}(?:\s+(?:now|from\s+now\s+on))?`,
);
const NEW = form(String.raw`new\s+${FIELD}\s+(?:for|of)\s+${RECORD}\s*[:–]\s*${VALUE}`);
const GETS = form(
  String.raw`${RECORD}\s+(?:gets|earns|is\s+paid)\s+(?:[€$£]\s*)?(?<number>\d+(?:\.\d+)?)\s*(?:€|\$|£|euros?|dollars?|pounds?)?\s+(?:an?|per)\s+(?<unit>hour|day|week|month|year)\s+(?:now|from\s+(?:now|today)(?:\s+on)?)`,
);
const POSTPONE = form(
  String.raw`(?:please\s+)?(?:postpone|delay|put\s+off|push\s+back|reschedule|bring\s+forward)\s+(?:the\s+)?(?<record>(?<noun>\p{L}+)\s+#?(?:\d+|[\p{L}]+-\d+))\s+(?:to|until|till)\s+${VALUE}`,
);
const DAY =
  /^(?:the\s+)?(?:\d{4}-\d\d-\d\d|tomorrow|(?:next\s+)?(?:mon|tues|wednes|thurs|fri|satur|sun)day|\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?\p{L}{3,9}(?:\s+\d{4})?|\p{L}{3,9}\s+\d{1,2}(?:st|nd|rd|th)?(?:,?\s+\d{4})?)$/iu;
const PERIODS: Readonly<Record<string, RegExp>> = {
  hour: /^(?:hour|hourly)$/,
  day: /^(?:day|daily)$/,
  week: /^(?:week|weekly)$/,
  month: /^(?:month|monthly)$/,
  year: /^(?:year|yearly|annual)$/,
};
const PAY = /^(?:wage|wages|rate|pay|salary)$/;

/** The only field that meets a condition among those that updates set; several records may have it under one name. */
function fieldThat(tools: readonly Tool[], meets: (slot: Slot) => boolean): Slot | undefined {
  const [first, ...others] = settable(tools, meets);
  return others.every(({ name }) => name === first?.name) ? first : undefined;
}

/** Whether a field is called so: "phone number" is `phone`, too. */
const isMeant = (slot: Slot, field: string): boolean =>
  isCalled(slot, field) || isCalled(slot, field.replace(/(?<=phone)\s+number$/i, ""));

/** The command that switches off what a record no longer is. */
export function endedState(said: string, tools: readonly Tool[]): string | undefined {
  const { record = "", flag, state = flag ?? "" } = NO_LONGER.exec(said)?.groups ?? {};
  const terms = words(state).map(stem).join(" ");
  const isSwitch = ({ type, name }: Slot): boolean =>
    type === "boolean" &&
    words(name.replace(/^(?:is|has)_?(?=[A-Z_a-z])/, ""))
      .map(stem)
      .join(" ") === terms;
  const slot = record === "" ? undefined : fieldThat(tools, isSwitch);
  return slot && `set ${slot.name} of ${record} to false`;
}

/** The command for another day, where the records have one day and no action moves them. */
export function postponed(said: string, tools: readonly Tool[]): string | undefined {
  const { record = "", noun = "", value = "" } = POSTPONE.exec(said)?.groups ?? {};
  if (!DAY.test(value)) return undefined;
  const own = tools.filter((tool) => tool.safety !== "read_only" && resourceNoun(tool) === noun.toLowerCase());
  const isAction = (tool: Tool): boolean =>
    ["postpone", "delay", "reschedule", "move"].map(stem).includes(actionOf(tool) ?? "");
  const updates = own.filter(({ verb }) => verb === "update");
  const [day, ...others] = updates.flatMap(slotsOf).filter(({ format }) => /^date/.test(format));
  return day && others.length === 0 && !own.some(isAction)
    ? `set the ${nameOf(day)} of ${record} to ${value}`
    : undefined;
}

/** The command that a new value stands for; nothing in the text is doubted or denied. */
export function toldField(said: string, tools: readonly Tool[]): string | undefined {
  const told = OWN.exec(said)?.groups ?? NEW.exec(said)?.groups;
  if (told) {
    const { record = told["full"] ?? "", field = "", value = "" } = told;
    const slot = fieldThat(tools, (one) => isMeant(one, field));
    if (!slot || !isCertainValue(value)) return undefined;
    const isText = slot.type === "string" && slot.options.length === 0 && slot.format === "";
    return `set the ${nameOf(slot)} of ${record} to ${isText ? `"${value}"` : value}`;
  }
  const { record = "", number = "", unit = "" } = GETS.exec(said)?.groups ?? {};
  const period = PERIODS[unit.toLowerCase()];
  const isPay = (slot: Slot): boolean =>
    takesNumber(slot) &&
    words(slot.name).some((word) => PAY.test(word)) &&
    words(slot.name).some((word) => period?.test(word));
  const pay = period && fieldThat(tools, isPay);
  return pay && `set the ${nameOf(pay)} of ${record} to ${number}`;
}

// What a record no longer is or newly has: "Otter is not in dock any more", "Ada Holms phone is 555 99", "new phone for Ada Holm: 555 99",
// "Ada Holm gets 190 a day now", "postpone trip 5 to 7 December". Text and tools in, the command out; undefined where not exactly one
// field can be meant.

import type { Tool } from "../../domain/tool.js";
import { stem, words } from "../../tools/search/terms.js";
import { actionOf } from "../match/tool-intent.js";
import { withoutUnit } from "../prompt/units.js";
import { resourceNoun } from "../resource-noun.js";
import { KEY_NAME, pathNames, type Slot, slotsOf } from "../slots/slot.js";

const RECORD = String.raw`(?:(?:the|our)\s+)?(?<record>(?!(?:i|we|you|he|she|it|they|this|that|these|those|there|what|whats|who|which|where|when|why|how|if|everything|everyone|everybody|nobody|nothing|all|each|every|some|any|please|can|could|would|will|do|does|did|is|are|was|were|has|have|show|list|find|get)\b)[^\s,;:.?!"“”]+(?:\s(?!(?:and|or|whose|with|who|which|that)\b)[^\s,;:.?!"“”]+){0,3}?)`;
const FIELD = String.raw`(?<field>\p{L}+(?:\s\p{L}+)?)`;
const VALUE = `(?<value>[^,;:?!"“”]+?)`;
const form = (source: string): RegExp => new RegExp(`^${source}$`, "iu");

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
/** A value that can be only that: it has a digit, or begins with a capital letter. */
const CERTAIN = /^(?:\S*\d|\p{Lu})/u;
const PERIODS: Readonly<Record<string, RegExp>> = {
  hour: /^(?:hour|hourly)$/,
  day: /^(?:day|daily)$/,
  week: /^(?:week|weekly)$/,
  month: /^(?:month|monthly)$/,
  year: /^(?:year|yearly|annual)$/,
};
const PAY = /^(?:wage|wages|rate|pay|salary)$/;

const isField = (tool: Tool, { name }: Slot): boolean =>
  !pathNames(tool).has(name) && name !== "id" && !KEY_NAME.test(name);
const nameOf = ({ name }: Slot): string => withoutUnit(words(name)).join(" ");

/** The only field that meets a condition among those that updates set; several records may have it under one name. */
function fieldThat(tools: readonly Tool[], meets: (slot: Slot) => boolean): Slot | undefined {
  const updates = tools.filter(({ verb, safety }) => verb === "update" && safety !== "read_only");
  const found = updates.flatMap((tool) => slotsOf(tool).filter((slot) => isField(tool, slot) && meets(slot)));
  const [first, ...others] = found;
  return others.every(({ name }) => name === first?.name) ? first : undefined;
}

/** Whether a field is called so: "phone number" is `phone`, too. */
function isCalled({ name }: Slot, field: string): boolean {
  const said = field.toLowerCase().replace(/(?<=phone)\s+number$/, "");
  const terms = (parts: readonly string[]): string => parts.map(stem).join(" ");
  return [words(name), withoutUnit(words(name))].some((own) =>
    [field, said].some((one) => terms(own) === terms(words(one))),
  );
}

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
    const slot = fieldThat(tools, (one) => isCalled(one, field));
    if (!slot || !CERTAIN.test(value)) return undefined;
    const isText = slot.type === "string" && slot.options.length === 0 && slot.format === "";
    return `set the ${nameOf(slot)} of ${record} to ${isText ? `"${value}"` : value}`;
  }
  const { record = "", number = "", unit = "" } = GETS.exec(said)?.groups ?? {};
  const period = PERIODS[unit.toLowerCase()];
  const isPay = ({ name, type }: Slot): boolean =>
    (type === "number" || type === "integer") &&
    words(name).some((word) => PAY.test(word)) &&
    words(name).some((word) => period?.test(word));
  const pay = period && fieldThat(tools, isPay);
  return pay && `set the ${nameOf(pay)} of ${record} to ${number}`;
}

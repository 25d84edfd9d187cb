// What an action takes, said in everyday words: "weigh lot 8 at 640 kg", "sell lot 9 to Nordfisk AS for 20.5 per kg", "reject lot 8,
// fish not gutted", "move class 5 to Hall B". Text and tools in, the command with the names of the parameters out. A value goes to the
// only parameter that takes it; where there is none, or are several, the text is left as it is.

import type { Tool } from "../../domain/tool.js";
import { isPlural, singularOf } from "../../lib/plural.js";
import { intentsOf } from "../../tools/search/synonyms.js";
import { stem, words } from "../../tools/search/terms.js";
import { actionOf } from "../match/tool-intent.js";
import { unitOf, withoutUnit } from "../prompt/units.js";
import { resourceNoun } from "../resource-noun.js";
import { KEY_NAME, pathNames, type Slot, slotsOf } from "../slots/slot.js";
import { commandsMore, newRecordForm } from "./create-forms.js";

const MAX_LENGTH = 200;
const LEAD = /^\s*(?:please\s+|now\s+|can you\s+|could you\s+)*/iu;
const NUMBER = String.raw`(?<number>\d+(?:\.\d+)?)(?:\s*(?<per>per\s+|an?\s+|\/\s*)?(?<unit>[\p{L}€$£]+))?`;
const RECORD = String.raw`(?<record>(?:(?:the|our|my)\s+)?(?:\p{L}+\s+)?[#\p{L}\p{N}][\p{L}\p{N}_-]*)`;
const AMOUNT = new RegExp(String.raw`^${RECORD}\s+(?:at|for|with)\s+${NUMBER}$`, "iu");
const SALE = new RegExp(
  String.raw`^${RECORD}\s+to\s+(?<name>\p{Lu}[\p{L}\p{N}'’.&-]*(?:\s+\p{Lu}[\p{L}\p{N}'’.&-]*)*)(?:\s+(?:for|at)\s+${NUMBER})?$`,
  "u",
);
const BECAUSE = new RegExp(
  String.raw`^${RECORD}(?:\s*[,;:–]\s+(?:because\s+(?:of\s+)?)?|\s+because\s+(?:of\s+)?)(?<reason>[^"“”;:?!]+)$`,
  "iu",
);
/** Behind a comma these go on with what is to be done. */
const NO_REASON = /^(?:and|then|but|or|please|not|if|unless|except|when|only|with|to|for|at|by|in|on|now)\b/iu;

const REASON = /^(?:reason|cause|comment|note|notes|remark|remarks|explanation|justification|why)$/i;
const RECEIVER = /^(?:buyer|customer|client|recipient|receiver|purchaser|owner|borrower|tenant)(?:_?name)?$/i;
const PLACE =
  /^(?:room|hall|place|location|venue|site|shelf|zone|stage|studio|classroom|ward|court|field|dock|bay)(?:_?name)?$/i;
const MONEY = /^(?:€|\$|£|eur|euros?|usd|dollars?|gbp|pounds?)$/i;
const PAID = /amount|price|fee|cost|total|sum|paid|rate/i;

/** What a tool takes beside the keys in its path. */
const takenBy = (tool: Tool): Slot[] => slotsOf(tool).filter(({ name }) => !pathNames(tool).has(name));
const isNumeric = ({ type }: Slot): boolean => type === "number" || type === "integer";
const isText = ({ type, options, format, name }: Slot): boolean =>
  type === "string" && options.length === 0 && format === "" && !KEY_NAME.test(name);

/** Whether a number with its unit may be the value of a slot. */
function fits({ name }: Slot, unit: string | undefined, per: string | undefined): boolean {
  if (unit === undefined) return per === undefined;
  const own = words(name);
  if (per !== undefined) return own.includes("per") && own.includes(singularOf(unit.toLowerCase()));
  if (own.includes("per")) return false;
  if (MONEY.test(unit)) return own.some((word) => MONEY.test(word)) || (PAID.test(name) && !/_[a-z]{3}$/.test(name));
  const known = unitOf(unit);
  return (
    known !== undefined &&
    own.some((word) => unitOf(word)?.size === known.size && unitOf(word)?.measures === known.measures)
  );
}

/** The only one of some slots that meets a condition. */
function only(slots: readonly Slot[], meets: (slot: Slot) => boolean): Slot | undefined {
  const [slot, ...others] = slots.filter(meets);
  return others.length === 0 ? slot : undefined;
}

/** How a prompt says a parameter and its value. */
const said = ({ name }: Slot, value: string): string =>
  `${withoutUnit(words(name))
    .filter((word) => word !== "per")
    .join(" ")} ${value}`;

function withValues(
  { verb, rest }: { verb: string; rest: string },
  tool: Tool,
  tools: readonly Tool[],
): string | undefined {
  const taken = takenBy(tool);
  const needed = taken.filter(({ required }) => required);
  const number = only(needed, isNumeric);
  const amount = AMOUNT.exec(rest)?.groups;
  if (amount && number && fits(number, amount["unit"], amount["per"]))
    return `${verb} ${amount["record"] ?? ""} with ${said(number, amount["number"] ?? "")}`;
  const sale = SALE.exec(rest)?.groups;
  const receiver = only(taken, (slot) => isText(slot) && RECEIVER.test(slot.name));
  if (sale && receiver) {
    const start = `${verb} ${sale["record"] ?? ""} with ${said(receiver, `"${sale["name"] ?? ""}"`)}`;
    if (sale["number"] === undefined) return start;
    return number && fits(number, sale["unit"], sale["per"])
      ? `${start} and ${said(number, sale["number"])}`
      : undefined;
  }
  const because = BECAUSE.exec(rest)?.groups;
  const reason = only(taken, (slot) => isText(slot) && REASON.test(slot.name));
  const why = because?.["reason"] ?? "";
  if (
    !because ||
    !reason ||
    needed.length > (reason.required ? 1 : 0) ||
    NO_REASON.test(why) ||
    commandsMore(why, tools)
  )
    return undefined;
  return `${verb} ${because["record"] ?? ""} with ${said(reason, `"${why}"`)}`;
}

/** Whether a change is made of what a prompt says behind the comma of an action: "reject lot 8, fish not gutted" is no new fish. */
export function isBesideAction(text: string, { verb, application, resource }: Tool, tools: readonly Tool[]): boolean {
  const [, command = "", rest = ""] = /^(\p{L}+)\s+(.*)$/u.exec(text.replace(LEAD, "")) ?? [];
  const term = stem(command.toLowerCase());
  const isAction = (tool: Tool): boolean =>
    tool.application === application && tool.resource === resource && actionOf(tool) === term;
  return verb === "update" && BECAUSE.test(rest) && tools.some(isAction);
}

const MOVED = new RegExp(
  String.raw`^(?:move|put|shift|bring|postpone)\s+${RECORD}\s+(?:in|into|to)\s+(?<to>\S.*)$`,
  "iu",
);
const TIME = /^\d{4}-\d\d-\d\d(?:\s+(?:at\s+)?\d\d?:\d\d)?$/;

/** A record that is put in another place, or at another time, where its tools have one parameter for that. */
function moved(text: string, tools: readonly Tool[]): string | undefined {
  const { record = "", to = "" } = MOVED.exec(text)?.groups ?? {};
  const noun = words(record).at(0);
  const own = tools.filter((tool) => tool.safety !== "read_only" && resourceNoun(tool) === noun);
  if (record === "" || own.length === 0) return undefined;
  if (TIME.test(to)) {
    const [action, ...others] = own.filter((tool) => {
      const [slot, ...more] = takenBy(tool).filter(({ required }) => required);
      return actionOf(tool) !== undefined && slot !== undefined && more.length === 0 && /^date/.test(slot.format);
    });
    const verb = /\}\/([^/{}]+)$/.exec(action?.transport.path ?? "")?.[1];
    return verb !== undefined && others.length === 0 ? `${verb} ${record} to ${to}` : undefined;
  }
  const update = own.find(({ verb }) => verb === "update");
  const place = update && only(takenBy(update), (slot) => isText(slot) && PLACE.test(slot.name));
  return place && /^\p{Lu}[\p{L}\p{N}]*(?:\s[\p{Lu}\p{N}][\p{L}\p{N}]*)*$/u.test(to)
    ? `set the ${words(place.name).join(" ")} of ${record} to "${to}"`
    : undefined;
}

const NEW = /^(?:report|log|file|raise|record|register|enter|submit)\s+an?\s+new\s+(?<noun>\p{L}+)\b(?<rest>[^\n]*)$/iu;

/** "report a new fault on lift 2: …": a new record, by whatever verb. Undefined for what no tool makes. */
export function newRecord(line: string, tools: readonly Tool[]): string | undefined {
  const { noun = "", rest = "" } = NEW.exec(line)?.groups ?? {};
  const isMade = tools.some((tool) => tool.verb === "create" && resourceNoun(tool) === noun.toLowerCase());
  return isMade ? `create a new ${noun}${rest}` : undefined;
}

/** "add a note to order 12: call first". */
const NOTE =
  /^(?:add|attach|leave|put)\s+(?:an?|the|this)\s+(?<noun>\p{L}+)\s+(?:to|on|for)\s+(?<record>(?:the\s+)?(?<of>\p{L}+)\s+[#\p{L}\p{N}][\p{L}\p{N}_-]*)\s*[:–]\s*(?<text>[^"“”]+)$/iu;

/** What is noted at a record, where that is a text of it: no other records are called so, and no tool adds one. */
function noted(line: string, tools: readonly Tool[]): string | undefined {
  const { noun = "", record = "", of = "", text = "" } = NOTE.exec(line)?.groups ?? {};
  const slotNamed = (tool: Tool): Slot | undefined =>
    only(takenBy(tool), (slot) => isText(slot) && words(slot.name).join(" ") === noun.toLowerCase());
  if (
    noun === "" ||
    tools.some((tool) =>
      [tool.resource, actionOf(tool) ?? "", resourceNoun(tool)].some((one) =>
        words(one).map(stem).includes(stem(noun.toLowerCase())),
      ),
    )
  )
    return undefined;
  const updates = tools.filter(
    (tool) => tool.verb === "update" && resourceNoun(tool) === of.toLowerCase() && slotNamed(tool),
  );
  return updates.length === 1 ? `set the ${noun} of ${record} to "${text.trim()}"` : undefined;
}

/** The command that names its parameters; undefined where the text is none of these forms. */
export function withParameters(text: string, tools: readonly Tool[]): string | undefined {
  const line = text.replace(LEAD, "").replace(/[\s.!]+$/, "");
  if (line.length > MAX_LENGTH || /[\n?]/.test(text)) return undefined;
  const anew = newRecord(line, tools);
  if (anew !== undefined) return anew;
  const created = newRecordForm(line, tools);
  if (created !== undefined) return created;
  const note = noted(line, tools);
  if (note !== undefined) return note;
  const again = /^(?<open>(?:re)?open|close|start|stop|lock|unlock)\s+(?<record>.+?)\s+again$/iu.exec(line)?.groups;
  if (again) return `${again["open"] ?? ""} ${again["record"] ?? ""}`;
  const [, verb = "", rest = ""] = /^(\p{L}+)\s+(.*)$/u.exec(line) ?? [];
  if (verb === "" || isPlural(verb)) return undefined;
  const own = tools.filter((tool) => tool.safety !== "read_only" && actionOf(tool) === stem(verb.toLowerCase()));
  const [form, ...others] = new Set(own.flatMap((tool) => withValues({ verb, rest }, tool, tools) ?? []));
  if (own.length > 0) return others.length === 0 ? form : undefined;
  return moved(line, tools);
}

const HIM =
  /^(?<name>\p{Lu}[\p{L}'’-]*(?:\s+\p{Lu}[\p{L}'’-]*)+)\s[^,;.?!]*[,;.!]\s*(?:so\s+|and\s+)?(?:please\s+|can you\s+)?(?<verb>\p{L}+)\s+(?:him|her)(?:\s+please)?[.!]*$/u;

/** "Oskar Berg is back, please resume him": the command with the name that its sentence begins with. */
export function ofSentence(text: string, tools: readonly Tool[]): string | undefined {
  const { name, verb = "" } = (text.length <= MAX_LENGTH && HIM.exec(text)?.groups) || {};
  const term = stem(verb.toLowerCase());
  const isKnown = tools.some((tool) => actionOf(tool) === term) || [...intentsOf(term)].some((one) => one === "read");
  return name !== undefined && isKnown ? `${verb} ${name}` : undefined;
}

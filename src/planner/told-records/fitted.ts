// A value as it is told of a record, for one field: the whole text is that value, or it is none. Text and a slot in, a value out.

import type { JsonValue } from "../../lib/json.js";
import { isStopWord, words } from "../../tools/search/terms.js";
import { takesNumber } from "../changes/told-parts.js";
import type { Today } from "../prompt/entities.js";
import { readPrompt } from "../prompt/prompt.js";
import { unitOf } from "../prompt/units.js";
import { KEY_NAME, type Slot } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";

const MONEY = /^(?:€|\$|£|eur|euros?|usd|dollars?|gbp|pounds?|chf|francs?|kr)$/i;
/** Fields of money, by a word of their name. */
const PRICED =
  /^(?:price|cost|costs|fee|rate|amount|total|fare|rent|salary|wage|budget|deposit|quote|eur|usd|gbp|chf)$/;
const NUMBER = /^(?<sign>[€$£])?\s?(?<number>-?\d+(?:\.\d+)?)\s*(?<unit>[\p{L}€$£]+[²2]?)?$/u;
/** Fields of what is said at length: such a text is told behind a colon, or in quotes. */
const LONG = /^(?:notes?|comments?|remarks?|description|text|body|message|content|summary|reason|details?)$/;
/** Fields of names: what is written small is rather said of the name. */
const NAMED = /(?:^|_)(?:name|title|label)$/i;
/** A text that says nothing certain. */
const VAGUE =
  /^(?:none|nothing|null|empty|unknown|something|anything|whatever|different|other|others|another|better|worse|higher|lower|less|later|soon|tomorrow|today|tonight|yesterday|available|outdated|invalid|incorrect|broken|bad|good|fine|full|ready|done|late|early|ok|okay|great|nice|known|clear|gone|maybe|tbd|tba|old|new|same|wrong|right|missing|next|last|out|up|down|back|away|off|on)$/i;
const MOST_WORDS = 4;
const MAX_TEXT = 160;

/** Whether a field holds money, by its name. */
export const isPriced = (slot: Slot): boolean =>
  takesNumber(slot) && words(slot.name).some((word) => PRICED.test(word));
export const isPlainText = ({ type, options, format, name }: Slot): boolean =>
  type === "string" && options.length === 0 && format === "" && !KEY_NAME.test(name);

/** Whether a field holds amounts in a unit: as its name says, or money. */
export function isIn(slot: Slot, unit: string): boolean {
  if (MONEY.test(unit)) return isPriced(slot) && !words(slot.name).some((word) => /^(?:kg|km|percent|pct)$/.test(word));
  const known = unitOf(unit);
  const isSame = (word: string): boolean =>
    known !== undefined && unitOf(word)?.size === known.size && unitOf(word)?.measures === known.measures;
  return takesNumber(slot) && words(slot.name).some(isSame);
}

/** An amount and its unit, where a text is nothing else. */
export function amountIn(text: string): { number: number; unit?: string | undefined; isDecimal: boolean } | undefined {
  const { sign, number = "", unit = sign } = NUMBER.exec(text.trim())?.groups ?? {};
  if (number === "" || (sign !== undefined && unit !== sign)) return undefined;
  return { number: Number(number), unit, isDecimal: /\.\d\d$/.test(number) };
}

function numberFor(slot: Slot, text: string): JsonValue | undefined {
  const amount = amountIn(text);
  if (!amount || (amount.unit !== undefined && !isIn(slot, amount.unit))) return undefined;
  return toSlotValue(slot, amount.number);
}

function dayFor(slot: Slot, text: string, today: Today): JsonValue | undefined {
  const said = text.replace(/^(?:on|at|the|by)\s+/i, "");
  const { entities } = readPrompt(said, today);
  const [only, ...others] = entities.filter(({ kind }) => kind === "date" || kind === "time");
  if (!only || others.length > 0 || only.ambiguous === true || only.kind !== "date" || only.through !== undefined)
    return undefined;
  const start = Math.min(only.start, only.clock?.start ?? only.start);
  const end = Math.max(only.end, only.clock?.end ?? only.end);
  if (said.slice(0, start).trim() !== "" || said.slice(end).trim() !== "") return undefined;
  if (slot.format === "date-time") return only.clock && toSlotValue(slot, only.clock.moment);
  return only.clock ? undefined : toSlotValue(slot, only.value);
}

/** Whether some words that stand behind the name of a field, with nothing to mark them, are its value. */
function isCertain(text: string): boolean {
  const parts = text.split(/\s+/);
  if (parts.length > MOST_WORDS || /[,;:?!"“”§()]/.test(text) || parts.some((part) => VAGUE.test(part))) return false;
  const isCalled = parts.every((part) => /^[\p{Lu}\d+]/u.test(part));
  return (
    isCalled || (parts.length < MOST_WORDS && parts.every((part) => /^[\p{L}\d'’-]+$/u.test(part) && !isStopWord(part)))
  );
}

function textFor(slot: Slot, text: string, isMarked: boolean): string | undefined {
  const quoted = /^["“'‘]([^"“”]+)["”'’]$/u.exec(text)?.[1];
  const said = quoted ?? text.replace(/^(?:the|an?)\s+(?=\p{Ll})/u, "");
  const name = words(slot.name);
  if (said === "" || said.length > MAX_TEXT || /[§\n]/.test(said)) return undefined;
  if (name.some((word) => /^(?:e?mail)$/.test(word)))
    return /^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$/.test(said) ? said : undefined;
  if (name.some((word) => /^(?:phone|mobile|tel|telephone|fax)$/.test(word)))
    return /^\+?\d[\d\s()/-]{4,}$/.test(said) ? said : undefined;
  if (quoted !== undefined || (isMarked && !VAGUE.test(said))) return said;
  if (name.some((word) => LONG.test(word)) || (NAMED.test(slot.name) && !/^[\p{Lu}\d]/u.test(said))) return undefined;
  return isCertain(said) ? said : undefined;
}

/** The value of a field that a text says; `isMarked` where a colon stands before it. */
export function fittedValue(
  slot: Slot,
  text: string,
  { today, isMarked }: { today: Today; isMarked: boolean },
): JsonValue | undefined {
  const said = text.trim();
  if (said === "" || KEY_NAME.test(slot.name)) return undefined;
  if (slot.options.length > 0)
    return slot.options.find((option) => words(String(option)).join(" ") === words(said).join(" "));
  if (slot.type === "boolean")
    return /^(?:yes|no|true|false|on|off)$/i.test(said) ? toSlotValue(slot, said) : undefined;
  if (takesNumber(slot)) return numberFor(slot, said);
  if (slot.type !== "string") return undefined;
  if (slot.format.startsWith("date") || /_(?:on|at|date|day)$/.test(slot.name)) return dayFor(slot, said, today);
  if (slot.format !== "") return undefined;
  const value = textFor(slot, said, isMarked);
  return value === undefined ? undefined : toSlotValue(slot, value);
}

// Whether a text can be a value of a slot at all: a code or a name is no day, no phone number and no address, wherever it stands.

import type { Tool } from "../../domain/tool.js";
import { words } from "../../tools/search/terms.js";
import type { Entity } from "../prompt/entities.js";
import { type PromptText, textBefore } from "../prompt/prompt.js";
import { resourceNoun } from "../resource-noun.js";
import { ID_LIKE, pathNames, type Slot } from "../slots/slot.js";
import { isYearName } from "../slots/traits.js";
import { isCode } from "./codes.js";

/** The last words of a name that say what kind of value it holds. */
const TIME = /^(?:on|at|date|day|time|datetime|timestamp|since|until|deadline|due)$/;
const PHONE = /^(?:phone|telephone|tel|mobile|cellphone|fax)$/;
const MAIL = /^e?mail$/;
/** What records are numbered by; a "code" may be of letters alone. */
const NUMBER = /^(?:no|nr|num|number|reference)$/;

/** Whether a slot takes days or times, by its format or its name. */
const isOfTime = ({ format }: Slot, last: string): boolean =>
  /^(?:date|time)/.test(format) || (format === "" && TIME.test(last));

/** Words that say that a key is a day, or a span of them. */
const DAY = /^(?:on|at|when|dates?|days?|times?|since|until|from|to|start|end|weeks?|months?|quarters?|years?)$/;

/** Whether a day that is said in words, as "today", would stand for the key of a record. */
function isDayForKey({ name, format, enclosing }: Slot, { kind, value, text }: Entity, tool: Tool): boolean {
  if (kind !== "date" || String(value) === text || format.startsWith("date")) return false;
  const isKey = pathNames(tool).has(name) && enclosing.length === 0;
  return isKey && ![...words(name), resourceNoun(tool)].some((word) => DAY.test(word));
}

/** Whether a code or a name is of another kind than the values of a slot; a change may give an unusual value to a plain text. */
export function cannotHold(slot: Slot, entity: Entity, tool: Tool): boolean {
  const { safety } = tool;
  if (isDayForKey(slot, entity, tool)) return true;
  const isName = entity.kind === "name" && !/\d/.test(entity.text);
  if (slot.type !== "string" || !(isName || isCode(entity))) return false;
  if (/^(?:date|time)/.test(slot.format)) return true;
  if (safety !== "read_only" || slot.options.length > 0) return false;
  const said = words(slot.name);
  const last = said.at(-1) ?? "";
  const [before = ""] = said.slice(-2);
  if (isOfTime(slot, last) || slot.format === "email" || MAIL.test(last)) return true;
  if (PHONE.test(last) || (/^(?:no|number)$/.test(last) && PHONE.test(before))) return true;
  return isName && NUMBER.test(last) && /\s/.test(entity.text.trim());
}

const YEAR = /^(?:19|20)\d\d$/;

/** Whether a number is a time to a read and no amount: "total weight in 2026". */
export function isYearForAmount({ name, type }: Slot, { text, start }: Entity, prompt: PromptText): boolean {
  if ((type !== "number" && type !== "integer") || isYearName(name) || ID_LIKE.test(name)) return false;
  return YEAR.test(text) && /\b(?:in|during|throughout)\s+$/i.test(textBefore(prompt, start));
}

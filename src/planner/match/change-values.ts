// Whether the value of a change is for another slot than one it might fit: a day that ends something for where it begins, a number
// that counts other things, a day for a field that the prompt does not name. A read may guess, a change may not.

import type { Tool } from "../../domain/tool.js";
import { singularOf } from "../../lib/plural.js";
import { isStopWord, words } from "../../tools/search/terms.js";
import type { Entity } from "../prompt/entities.js";
import { CONNECTORS, isKeyOfNoun } from "../prompt/key-nouns.js";
import { oncePerEntity, type PromptText, type Token, textBefore } from "../prompt/prompt.js";
import { vagueDay } from "../slots/moment.js";
import { KEY_NAME, type Slot, slotsOf } from "../slots/slot.js";
import { isEnd, isStart, traitsOf } from "../slots/traits.js";
import { isRate } from "./kind-score.js";
import { isNoValue } from "./labelled-words.js";
import { intentOfTool } from "./tool-intent.js";

const ENDING = /\b(?:until|till|before|by|to|through|ending|ends|leaving|departing|expiring)\s+(?:on\s+|the\s+)*$/i;
const BEGINNING = /\b(?:from|since|after|starting|starts|beginning|begins|arriving)\s+(?:on\s+|the\s+)*$/i;
/** Words of a name that say nothing of which day it is. */
const UNSPECIFIC = /^(?:at|on|in|by|date|day|time|datetime|of)$/;

/** Which side of a span a slot is for. */
function sideOf(slot: Slot): "begin" | "end" | undefined {
  const name = words(slot.name).join(" ");
  if (isStart(slot) || /^(?:check in|arrival)\b/.test(name)) return "begin";
  return isEnd(slot) || /^(?:check out|departure|until)\b/.test(name) ? "end" : undefined;
}

/** Whether the prompt names a slot before an entity. */
function isNamed({ name }: Slot, { start }: Entity, { tokens }: PromptText): boolean {
  const said = new Set(tokens.filter((token) => token.start < start).map(({ word }) => singularOf(word)));
  const parts = words(name).filter((word) => !UNSPECIFIC.test(word));
  return parts.length > 0 && parts.every((word) => said.has(singularOf(word)));
}

/** What is moved to a day has one: the only one that the tool takes. */
const MOVES_DAY =
  /^\s*(?:please\s+|can you\s+|could you\s+)*(?:move|reschedule|postpone|shift|delay|bring\s+forward)\b/i;

/** Whether a day is for another slot: by its preposition, or because the field of an update is not named. */
function isOtherDay(slot: Slot, entity: Entity, { tool, prompt }: { tool: Tool; prompt: PromptText }): boolean {
  if (isNamed(slot, entity, prompt)) return false;
  const before = textBefore(prompt, entity.start);
  const side = sideOf(slot);
  if ((side === "begin" && ENDING.test(before)) || (side === "end" && BEGINNING.test(before))) return true;
  const days = slotsOf(tool).filter(({ format }) => format.startsWith("date"));
  const parts = words(slot.name).filter((word) => !UNSPECIFIC.test(word));
  if (days.length === 1 && MOVES_DAY.test(prompt.text) && /\b(?:to|until)\s+(?:the\s+)?$/i.test(before)) return false;
  const isField = intentOfTool(tool) === "update" && tool.transport.path?.endsWith("}") === true;
  if (slot.required || !isField || parts.length === 0) return false;
  return (
    days.length > 1 || !parts.some((word) => prompt.tokens.some((token) => singularOf(token.word) === singularOf(word)))
  );
}

/** Whether a day would go to a text that is no day, while the tool takes days elsewhere: "move trip 5 to 7 December" names no town. */
function isNoDay(slot: Slot, entity: Entity, { tool, prompt }: { tool: Tool; prompt: PromptText }): boolean {
  if (entity.kind !== "date" || slot.type !== "string" || slot.format.startsWith("date")) return false;
  if (/date|day|time|due|when|until|since/i.test(slot.name) || isNamed(slot, entity, prompt)) return false;
  return slotsOf(tool).some(({ format }) => format.startsWith("date"));
}

const isContent = (token: Token | undefined): boolean =>
  token !== undefined && !isStopWord(token.word) && !CONNECTORS.has(token.word) && !/^\d/.test(token.word);

/** The thing that a number right before it counts: "credits" in "with 4 credits"; none behind the noun of a key. */
const countedBy = oncePerEntity((prompt, entity): Token | undefined => {
  if (entity.kind !== "number" || entity.sign !== undefined || entity.unit || isKeyOfNoun(entity, prompt))
    return undefined;
  const next = prompt.tokens.find(({ start }) => start >= entity.end);
  if (!next || !/^\s+$/.test(prompt.text.slice(entity.end, next.start))) return undefined;
  const at = prompt.tokens.findLastIndex(({ end }) => end <= entity.start);
  // In "post 3 comment 7" the number belongs to what precedes it, in "2 adults 1 child" to what follows.
  if (/^(?:id|ids|no|nr|number|num|key|code)$/.test(prompt.tokens[at]?.word ?? "")) return undefined;
  if (isContent(prompt.tokens[at]) && !/^\d/.test(prompt.tokens[at - 1]?.word ?? "")) return undefined;
  const isThing = isContent(next) && !isNoValue(next.word);
  return isThing ? next : undefined;
});

/** Whether a text is what something is to be called: "rename guest 8 to Emma Watson". */
function isNewName({ start, kind }: Entity, prompt: PromptText): boolean {
  const isText = kind === "name" || kind === "quoted";
  return isText && RENAMES.test(prompt.text) && /\sto\s+["“'‘]?$/i.test(textBefore(prompt, start));
}

const RENAMES = /^\s*(?:please\s+)?(?:rename|retitle)\b/i;

const isCalled = (slot: Slot, { word }: Token): boolean => traitsOf(slot).called.includes(singularOf(word));

/** Whether a value of a change may well be for something else than this slot. */
export function isUnsure(slot: Slot, entity: Entity, { tool, prompt }: { tool: Tool; prompt: PromptText }): boolean {
  if (vagueDay(slot, entity) !== undefined) return true;
  if (entity.kind === "date" && slot.format.startsWith("date") && isOtherDay(slot, entity, { tool, prompt }))
    return true;
  if (isNoDay(slot, entity, { tool, prompt })) return true;
  // "10% more" is no price.
  if (entity.sign === "%" && slot.type === "number" && !isRate(`${slot.name} ${slot.description}`)) return true;
  if (isNewName(entity, prompt) && !/name|title|label|subject|summary|headline|text/i.test(slot.name)) return true;
  const counted = countedBy(prompt, entity);
  if (!counted || isCalled(slot, counted)) return false;
  return KEY_NAME.test(slot.name) || slotsOf(tool).some((other) => other !== slot && isCalled(other, counted));
}

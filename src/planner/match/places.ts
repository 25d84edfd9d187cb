// Places of two parts, "Bergen, Norway": one value for a slot that takes a whole place, two for slots that take a part each.

import { ownName, type Tool } from "../../domain/tool.js";
import { isStopWord, stem, terms, words } from "../../tools/search/terms.js";
import { countryCode } from "../prompt/countries.js";
import type { Entity } from "../prompt/entities.js";
import type { PromptText } from "../prompt/prompt.js";
import type { Slot } from "../slots/slot.js";

/** Slots that take a place as it is written. */
const PLACE =
  /^(?:location|loc|place|address|destination|origin|where|area|venue|city_?state|(?:from|to|start|end)_?(?:location|place|address))$/i;
/** Slots that take the second part of a place by itself. */
const PART = /^(?:state|country|region|province|county)(?:_?(?:name|code))?$/i;
/** A description that shows or names both parts: "in the format of City, State", "such as Salem, OR". */
const BOTH_PARTS =
  /\bcity(?: name)?(?:,? and|,|\/)\s*(?:the\s+)?(?:its\s+)?(?:state|country|region)\b|\b\p{Lu}[\p{L} ]+, \p{Lu}(?:\p{Lu}|\p{Ll}+)\b/u;

const isOneOf = (slots: readonly Slot[], name: RegExp): boolean => slots.some((slot) => name.test(slot.name));

/** Where the part of a place behind a comma ends: "Norway" of "Bergen", "OR" of "Bend". */
function tailEnd({ end }: { end: number }, { text, entities }: PromptText): number | undefined {
  const code = /^,\s+\p{Lu}{2,3}(?![\p{L}\p{N}])/u.exec(text.slice(end))?.[0];
  if (code !== undefined) return end + code.length;
  const next = entities.find(({ start }) => start >= end);
  return next?.kind === "name" && /^,\s+$/.test(text.slice(end, next.start)) ? next.end : undefined;
}

/**
 * The place that a name gives to a slot: with the part behind its comma where the slot takes both. Undefined where the slot asks for
 * both parts and the prompt has one, and for the second part of a place.
 */
export function placeFor(
  slot: Slot,
  entity: Entity,
  { slots, prompt }: { slots: readonly Slot[]; prompt: PromptText },
): Entity | undefined {
  if (entity.kind !== "name" || slot.type !== "string" || isOneOf(slots, PART)) return entity;
  const isPlace = PLACE.test(slot.name);
  const wantsBoth = (isPlace || /city/i.test(slot.name)) && BOTH_PARTS.test(slot.description);
  if (!isPlace && !wantsBoth) return entity;
  const isTail = prompt.entities.some((other) => other.kind === "name" && tailEnd(other, prompt) === entity.end);
  if (isTail) return undefined;
  const tail = tailEnd(entity, prompt);
  if (tail === undefined) return wantsBoth ? undefined : entity;
  const end = tailEnd({ end: tail }, prompt) ?? tail;
  const text = prompt.text.slice(entity.start, end);
  return { ...entity, text, value: text, end };
}

const IN_LOWER_CASE =
  /\b(?:in|at|near|for|from|of)\s+(\p{Ll}[\p{Ll}-]+(?:\s\p{Ll}[\p{Ll}-]+){0,2})(?=\s*(?:[?.!,;]|$)|\s(?:today|tomorrow|now|please|on|with|and)\b)/gu;
const CITY = /^(?:city|town|location|place)(?:_?name)?$|^(?:city|location)$/i;
const COUNTRY = /^country(?:_?(?:name|code))?$/i;

/** "weather in paris": a place in lower case, for the only text a tool requires; a country is one wherever there is a slot for it. */
export function placesInLowerCase(
  slots: readonly Slot[],
  { tool, prompt }: { tool: Tool; prompt: PromptText },
): Entity[] {
  if (tool.safety !== "read_only") return [];
  const texts = slots.filter(({ required, type }) => required && type === "string");
  const city = texts.length === 1 && texts[0] !== undefined && CITY.test(texts[0].name);
  const country = isOneOf(slots, COUNTRY);
  const own = new Set([
    ...terms(ownName(tool)),
    ...terms(tool.resource),
    ...slots.flatMap(({ label, description }) => [...label, ...terms(description)]),
  ]);
  return [...prompt.text.matchAll(IN_LOWER_CASE)].flatMap(({ index, 0: whole, 1: text = "" }) => {
    const isPlace = country
      ? countryCode(text) !== undefined
      : city && words(text).every((word) => !isStopWord(word) && !own.has(stem(word)));
    const start = index + whole.length - text.length;
    const end = start + text.length;
    const value = text.replace(/(?<![\p{L}])\p{Ll}/gu, (letter) => letter.toUpperCase());
    const isFree = prompt.entities.every((other) => other.start >= end || other.end <= start);
    return isPlace && isFree ? [{ kind: "name", value, text, start, end }] : [];
  });
}

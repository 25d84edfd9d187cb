// A text that a change is given without the name of a field: the reason behind a colon or "because", and the only quoted text for the
// only text that a tool needs: "cancel order 5: out of stock", "comment on issue 3: \"looks good\"".

import { ownName, type Tool } from "../../domain/tool.js";
import { stem, words } from "../../tools/search/terms.js";
import type { Entity } from "../prompt/entities.js";
import type { PromptText } from "../prompt/prompt.js";
import { resourceNoun } from "../resource-noun.js";
import { pathNames, type Slot } from "../slots/slot.js";
import { actionOf } from "./tool-intent.js";

/** A text, the slot it goes into, and where all of it begins. */
interface ClauseText {
  slot: Slot;
  entity: Entity;
  from: number;
}

/** Names of fields that say why, or what is to be known besides. */
const REASON = /(?:^|_)(?:reason|cause|explanation|justification|note|notes|comment|remark|remarks|message|memo)$/i;
const BECAUSE = /[\s,]+because\s+(?:of\s+)?(?=\S)/gi;
const COLON = /:\s+(?=\S)/g;
/** Where a reason ends and something else is wished for. */
const MORE =
  /[;?!]|\.\s+\S|\b(?:and|then)\s+(?:also\s+)?(?:please\s+)?(?:set|change|mark|move|delete|cancel|send|notify|add|create|update|make)\b/i;

/** The text from a position to the end of the prompt, without its final stop. */
function textFrom(start: number, { text }: PromptText): Entity {
  const value = text.slice(start).replace(/(?<![\s.])[\s.]+$/, "");
  return { kind: "quoted", value, text: value, start, end: start + value.length };
}

/** The reason that a prompt gives for what is done to a record. */
function reasonIn(slots: readonly Slot[], tool: Tool, prompt: PromptText): ClauseText[] {
  const takers = slots.filter(
    ({ name, type, options, format }) =>
      REASON.test(name) && type === "string" && options.length === 0 && format === "",
  );
  const [slot] = takers;
  if (
    takers.length !== 1 ||
    !slot ||
    (actionOf(tool) === undefined && tool.verb !== "action" && tool.verb !== "delete")
  )
    return [];
  const [because] = [...prompt.text.matchAll(BECAUSE)];
  const [colon] = [...prompt.text.matchAll(COLON)];
  const found = because ?? colon;
  if (!found) return [];
  const entity = textFrom(found.index + found[0].length, prompt);
  // What is quoted is a text already, and a name before the colon is that of a field.
  if (entity.text === "" || MORE.test(entity.text) || /["“”]/.test(entity.text)) return [];
  const before = prompt.text.slice(0, found.index);
  const isBehindKey = prompt.entities.some(
    ({ kind, end }) => /^(?:number|id|name)$/.test(kind) && end === before.replace(/(?:[\s,]+please)?\s*$/i, "").length,
  );
  // "stay 5: cancel it" gives no reason.
  const verbs = [actionOf(tool), stem(words(ownName(tool))[0] ?? "")];
  if (!prompt.tokens.some(({ term, end }) => end <= found.index && verbs.includes(term))) return [];
  // The word that says that it is a reason belongs to it.
  const start = found.index + found[0].search(/\S/);
  return because || isBehindKey ? [{ slot, entity: { ...entity, start }, from: found.index }] : [];
}

/** The texts that a tool needs, and that are no keys. */
function neededTexts(slots: readonly Slot[], tool: Tool): Slot[] {
  const keys = pathNames(tool);
  return slots.filter(
    ({ name, required, type, options, format }) =>
      required &&
      !keys.has(name) &&
      type === "string" &&
      options.length === 0 &&
      format === "" &&
      !/(?:^|_)id$|Id$/.test(name),
  );
}

/** The text behind the key of what it is added to, for the only text that a tool needs: "add a note to job 5: brakes done". */
function addedText(slots: readonly Slot[], tool: Tool, prompt: PromptText): ClauseText[] {
  const [slot, ...others] = neededTexts(slots, tool);
  const [colon] = [...prompt.text.matchAll(COLON)];
  if (tool.verb !== "create" || !tool.transport.path?.includes("}/") || !slot || others.length > 0 || !colon) return [];
  const isBehindKey = prompt.entities.some(({ kind, end }) => /^(?:number|id)$/.test(kind) && end === colon.index);
  const entity = textFrom(colon.index + colon[0].length, prompt);
  if (!isBehindKey || entity.text === "" || MORE.test(entity.text) || /["“”]/.test(entity.text)) return [];
  return [{ slot, entity, from: colon.index }];
}

/** The only quoted text of a prompt, for the only text that a tool needs. */
function quotedText(slots: readonly Slot[], tool: Tool, { entities, text }: PromptText): ClauseText[] {
  const needed = neededTexts(slots, tool);
  const quotes = entities.filter(({ kind }) => kind === "quoted");
  const [slot] = needed;
  const [entity] = quotes;
  if (needed.length !== 1 || quotes.length !== 1 || !slot || !entity) return [];
  const before = text.slice(0, entity.start).replace(/["“'‘`]$/, "");
  const noun = resourceNoun(tool).split(" ").at(-1) ?? "";
  const isBehindKey = entities.some(({ kind, end }) => /^(?:number|id)$/.test(kind) && end === before.trimEnd().length);
  const isOwn =
    /[:,]\s*$/.test(before) || isBehindKey || (noun !== "" && before.trimEnd().toLowerCase().endsWith(` ${noun}`));
  return isOwn ? [{ slot, entity, from: before.replace(/[:,]?\s*$/, "").length }] : [];
}

/** The texts that a change is given without the name of a field; none for a slot that has one. */
export function clauseTexts(slots: readonly Slot[], tool: Tool, prompt: PromptText): ClauseText[] {
  return [...reasonIn(slots, tool, prompt), ...addedText(slots, tool, prompt), ...quotedText(slots, tool, prompt)];
}

// Whether an entity can be the key that a slot wants: no measure, no year, and not the key of another noun.

import type { Tool } from "../../domain/tool.js";
import type { Entity } from "../prompt/entities.js";
import { isKeyOfNoun, isMeasure, nounBefore } from "../prompt/key-nouns.js";
import { type PromptText, textBefore } from "../prompt/prompt.js";
import { ID_LIKE, KEY_NAME, type Slot } from "../slots/slot.js";
import { GENERIC_TERMS } from "./labels.js";

/** Whether an entity is a name in plain words, which is looked up: only capitals may be a key. */
const isPlainWords = ({ kind, text }: Entity): boolean =>
  kind === "email" || /\s/.test(text) || (kind === "name" && /\p{Ll}/u.test(text));

/** Whether an entity can't be the key that this slot of a tool's path wants: a measure, a year, a new value. */
export function cannotBeKey(slot: Slot, entity: Entity, { tool, prompt }: { tool: Tool; prompt: PromptText }): boolean {
  if (isMeasure(entity, prompt)) return true;
  const looksUp = tool.safety !== "read_only" || tool.transport.path !== undefined;
  if (looksUp && KEY_NAME.test(slot.name) && isPlainWords(entity)) return true;
  if (entity.kind !== "number" || /year/i.test(slot.name)) return false;
  if (Number(entity.value) < 0) return true;
  // The number of "25OFF" is only a part of the key.
  if (/^\p{L}/u.test(prompt.text.slice(entity.end))) return true;
  const before = textBefore(prompt, entity.start);
  const year = Number(entity.value) >= 1900 && Number(entity.value) <= 2100;
  if (year && /\b(?:in|from|since|during|of|year)\s+$/i.test(before)) return true;
  return tool.safety !== "read_only" && /\bto\s+$/i.test(before);
}

/** Whether a key belongs to a noun that is only a part of this slot's name: "section 9" is no assignee's section. */
export function isPartlyNamed({ label }: Slot, entity: Entity, prompt: PromptText): boolean {
  const noun = isKeyOfNoun(entity, prompt) ? nounBefore(entity, prompt) : undefined;
  if (!noun || !label.includes(noun.term)) return false;
  return label.some((term) => !GENERIC_TERMS.has(term) && !prompt.terms.has(term));
}

/** Whether a number is the key of another noun: in "order 5's customer" it is the order's, whatever follows. */
export function isKeyOfOther(
  slot: Slot,
  entity: Entity,
  { prompt, labels }: { prompt: PromptText; labels: ReadonlySet<string> },
): boolean {
  const before = nounBefore(entity, prompt);
  return before !== undefined && ID_LIKE.test(slot.name) && !labels.has(before.term);
}

// Whether an entity can be the key that a slot wants: no measure, no year, and not the key of another noun.

import type { Tool } from "../../domain/tool.js";
import type { Entity } from "../prompt/entities.js";
import { isCount, isKeyOfNoun, isMeasure, nounBefore } from "../prompt/key-nouns.js";
import { type PromptText, textBefore } from "../prompt/prompt.js";
import { isUnitWord } from "../prompt/units.js";
import { ID_LIKE, KEY_NAME, type Slot } from "../slots/slot.js";
import { type PlacementContext, placementOf } from "./key-placement.js";
import { GENERIC_TERMS } from "./labels.js";

/** Whether an entity is a name in plain words, which is looked up: only capitals may be a key. */
const isPlainWords = ({ kind, text }: Entity): boolean =>
  kind === "email" || /\s/.test(text) || (kind === "name" && /\p{Ll}/u.test(text));

/** Names of parameters that take a key people give, as "N1". */
const CODE_NAME = /^code$/i;

/** Prepositions that a number describes records with: "students in 10". */
const DESCRIBING = /\b(?:in|with|worth|having)\s+$/i;

/** Whether a number is in a unit, counts or describes: "45 minutes", "the first 3 trips", but not "student 2 grades". */
function isAmount(slot: Slot, entity: Entity, context: PlacementContext): boolean {
  if (isUnitWord(entity.unit?.text ?? "")) return true;
  const counts = isCount(entity, context.prompt) || DESCRIBING.test(textBefore(context.prompt, entity.start));
  return counts && placementOf(slot, entity, context) !== "own";
}

/** Whether an entity can't be the key that this slot of a tool's path wants: a measure, a year, a new value. */
export function cannotBeKey(slot: Slot, entity: Entity, { tool, prompt }: { tool: Tool; prompt: PromptText }): boolean {
  if (isMeasure(entity, prompt)) return true;
  const looksUp = tool.safety !== "read_only" || tool.transport.path !== undefined;
  if (looksUp && (KEY_NAME.test(slot.name) || CODE_NAME.test(slot.name)) && isPlainWords(entity)) return true;
  if (entity.kind !== "number" || /year/i.test(slot.name)) return false;
  if (tool.safety === "read_only" && isAmount(slot, entity, { tool, prompt })) return true;
  if (Number(entity.value) < 0) return true;
  // The number of "25OFF" is only a part of the key.
  if (/^\p{L}/u.test(prompt.text.slice(entity.end))) return true;
  const year = Number(entity.value) >= 1900 && Number(entity.value) <= 2100;
  if (year && entity.day !== undefined) return true;
  return tool.safety !== "read_only" && /\bto\s+$/i.test(textBefore(prompt, entity.start));
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

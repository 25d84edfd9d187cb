// Guesses for reads: required slots get the entities that are left, where their kind leaves little choice.

import type { Entity } from "../prompt/entities.js";
import { overlaps } from "../prompt/entities.js";
import { normalise } from "../slots/normalise.js";
import { keysOf, type Slot } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";
import { isOfOther, isTopic } from "./assignments.js";
import { entityRuns } from "./entity-runs.js";
import { type Filling, setSlot } from "./filled-slots.js";
import { cannotHold } from "./held-kinds.js";
import { cannotBeKey, isKeyOfOther } from "./key-evidence.js";
import { type Placement, placementOf } from "./key-placement.js";
import { labelsOf, ownerTerms } from "./labels.js";
import { allowsOperator } from "./operators.js";
import { placeFor } from "./places.js";

/** Never guessed: a word of the prompt must not be sent as a credential. */
const SECRET = /api_?key|access_?key|secret|password|token|app_?id|credential/i;

/** A slot for a time: a name is none. */
const DATE = /(?:^|_)(?:date|time|day|year)$|(?:Date|Time)$/;

/** What slots such as side1 and side2 have in common. */
const rowOf = ({ name }: Slot): string | undefined => /^(.*?)_?\d+$/.exec(name)?.[1];

const isText = ({ type }: Slot): boolean => type === "string" || type === "any";

/** The kinds of entities a slot may be guessed from, the likeliest first. */
function kindsFor({ type }: Slot): readonly Entity["kind"][] {
  if (type === "number" || type === "integer") return ["number"];
  if (type === "array") return ["list", "quoted", "name", "number", "id"];
  return ["quoted", "name", "id", "url", "email"];
}

/** Fills the open required slots from the entities no slot has used, in the order of the schema. */
export function guessSlots({ tool, slots, prompt, filled }: Filling): void {
  const used = [...filled.used];
  const free = prompt.entities.filter((entity) => !used.some((one) => overlaps(one, entity)) && !isTopic(entity, tool));
  const open = slots.filter((slot) => slot.required && !filled.filled.has(slot) && !SECRET.test(slot.name));
  // Slots that differ by a number take their values in order; of others several values leave more than one way.
  const isRow = (slot: Slot): boolean =>
    open.some((other) => other !== slot && rowOf(other) !== undefined && rowOf(other) === rowOf(slot));
  const rivals = (slot: Slot): Slot[] =>
    open.filter((other) => kindsFor(other).some((kind) => kindsFor(slot).includes(kind)));
  const digits = free.some(({ kind, text }) => kind === "number" && /\d/.test(text));
  const keys = new Set(keysOf(tool));
  const taken = new Set<Entity>();
  // Of a tool without a path only its own words say what its keys are.
  const isElsewhere = (placement: Placement): boolean =>
    placement === "other" || (placement === "foreign" && tool.transport.path !== undefined);
  const mayBeKey = (slot: Slot, entity: Entity): boolean =>
    !cannotBeKey(slot, entity, { tool, prompt }) &&
    !cannotHold(slot, entity, tool) &&
    !isOfOther(entity, tool, prompt) &&
    !isElsewhere(placementOf(slot, entity, { tool, prompt })) &&
    !isKeyOfOther(slot, entity, { prompt, labels: labelsOf(slot, ownerTerms(slot, tool)) });
  for (const slot of open) {
    const kinds = kindsFor(slot);
    const candidates = free
      .filter((entity) => allowsOperator({ slot, entity, score: 0 }, tool, prompt))
      .flatMap((entity) => placeFor(slot, entity, { slots, prompt }) ?? [])
      .filter(({ kind, text }) => kind !== "number" || !digits || /\d/.test(text))
      .filter((entity) => !keys.has(slot) || mayBeKey(slot, entity))
      .filter((entity) => !taken.has(entity) && kinds.includes(entity.kind));
    const row = rivals(slot).filter((other) => rowOf(other) === rowOf(slot) && isRow(slot)).length;
    const wanted = row > 0 ? row - taken.size : 1;
    if (rivals(slot).length !== Math.max(1, row) || (slot.type !== "array" && candidates.length !== wanted)) continue;
    if (DATE.test(slot.name) && isText(slot) && candidates.every(({ text }) => !/\d/.test(text))) continue;
    const entity = candidates
      .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || a.start - b.start)
      .find((one) => toSlotValue(slot, one.value) !== undefined);
    if (!entity) continue;
    const run = slot.type === "array" ? entityRuns(prompt, slot).find((one) => one.includes(entity)) : undefined;
    setSlot(filled, slot, toSlotValue(slot, run ? run.map((one) => one.value) : normalise(slot, entity)));
    for (const one of [entity, ...(run ?? [])]) {
      taken.add(one);
      filled.used.add(one);
    }
  }
}

// Entities in a row: "3, 4, and 5" for a slot that takes a list.
import type { Entity } from "../prompt/entities.js";
import type { PromptText } from "../prompt/prompt.js";
import type { Slot } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";
import { type Assignment, FORMS } from "./assignment.js";

/** The runs of entities that a list of this slot's items may be made of, in the order of the prompt. */
export function entityRuns(prompt: PromptText, slot: Slot): Entity[][] {
  const wanted = slot.items === "number" || slot.items === "integer" ? ["number"] : ["quoted", "name", "id"];
  const runs: Entity[][] = [];
  for (const entity of prompt.entities) {
    if (!wanted.includes(entity.kind)) continue;
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && /^[\s,;]*(?:(?:and|or|&)\s*)?$/i.test(prompt.text.slice(last.end, entity.start)))
      run.push(entity);
    else runs.push([entity]);
  }
  return runs;
}

/** Runs of two and more entities, offered to the lists a tool requires. */
export function listAssignments(slots: readonly Slot[], prompt: PromptText): Assignment[] {
  const out: Assignment[] = [];
  for (const slot of slots) {
    if (slot.type !== "array" || !slot.required) continue;
    for (const run of entityRuns(prompt, slot)) {
      const [first] = run;
      const last = run.at(-1);
      if (!first || !last || run.length < 2) continue;
      const text = prompt.text.slice(first.start, last.end);
      const value = run.map((one) => one.value);
      const entity: Entity = { ...first, value, text, end: last.end, kind: "list" };
      if (toSlotValue(slot, value) !== undefined) out.push({ slot, entity, score: FORMS.listOfEntities.weight });
    }
  }
  return out;
}

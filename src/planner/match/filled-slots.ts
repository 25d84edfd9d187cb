// The arguments of a tool while they are filled: what has a value, from which entity, and how certain it is.

import type { Tool } from "../../domain/tool.js";
import type { JsonObject, JsonValue } from "../../lib/json.js";
import type { Entity } from "../prompt/entities.js";
import type { PromptText } from "../prompt/prompt.js";
import { type Slot, setValueAt } from "../slots/slot.js";

/** A tool's arguments, as far as the prompt gives them. */
export interface FilledSlots {
  args: JsonObject;
  /** Required, and not in the prompt. */
  missing: Slot[];
  /** The entities that went into arguments. */
  used: Set<Entity>;
  /** Slots with a value that the prompt gives a reason for; the others were guessed. */
  certain: Set<Slot>;
  /** Every slot that has a value. */
  filled: Set<Slot>;
  /** The prompt without the texts and the maps that were taken whole. */
  rest: PromptText;
}

/** What the steps of filling work on. */
export interface Filling {
  tool: Tool;
  /** The slots the prompt can fill. */
  slots: readonly Slot[];
  /** The prompt without the maps in it. */
  prompt: PromptText;
  filled: FilledSlots;
}

/** Gives a slot its value; an invalid one is left out. */
export function setSlot(filled: FilledSlots, slot: Slot, value: JsonValue | undefined): void {
  if (value === undefined) return;
  setValueAt(filled.args, slot.path, value);
  filled.filled.add(slot);
}

// The keys of the record that "it" refers to, for a call that needs them. Conversation in, arguments out.

import type { Tool } from "../../domain/tool.js";
import type { JsonObject, JsonValue } from "../../lib/json.js";
import { idOf } from "../answer/rows.js";
import { referredRecord, type Situation } from "../conversation.js";
import { keyedCollection } from "../resource-noun.js";
import { pathNames, type Slot, setValueAt } from "../slots/slot.js";
import { toSlotValue } from "../slots/slot-value.js";

/**
 * What is still missing once the keys of the record that "it" refers to are put into `args`: its own, and those of what holds it as
 * the call had them that found it. All of them or none.
 */
export function withReferredKeys(
  tool: Tool,
  args: JsonObject,
  { missing, situation }: { missing: readonly Slot[]; situation: Situation },
): Slot[] {
  const names = [...pathNames(tool)];
  const keys = missing.filter(({ name }) => names.includes(name));
  const own = keys.at(-1);
  const referred = own && referredRecord(keyedCollection(tool, own.name), situation);
  if (!referred) return [...missing];
  const { record, holders } = referred;
  const values = keys.map((key): [Slot, JsonValue | undefined] => {
    const value = key === own ? idOf(record, key.name) : holders[names.indexOf(key.name)];
    return [key, value === null || value === undefined ? undefined : toSlotValue(key, value)];
  });
  if (values.some(([, value]) => value === undefined)) return [...missing];
  for (const [key, value] of values) setValueAt(args, key.path, value ?? null);
  return missing.filter((slot) => !keys.includes(slot));
}

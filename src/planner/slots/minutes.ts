// Values in minutes: a name that ends in "min" and is no bound.
import type { Tool } from "../../domain/tool.js";
import { words } from "../../tools/search/terms.js";

/** Of a slot, what tells. */
interface Named {
  name: string;
  label: string[];
  type: string;
  inMinutes?: true;
}

/** What takes time; another filter that ends in "min" is rather a least value, also where there is no greatest. */
const TAKES_TIME =
  /time|duration|length|long|wait|delay|break|interval|pause|prep|cook|walk|ride|drive|travel|setup|session/i;

/** Whether a name ends in "min" for minutes: nothing beside it is called so with "max", or without either. */
export function isInMinutes(name: string, names: readonly string[]): boolean {
  const said = words(name);
  if (said.length < 2 || said.at(-1) !== "min") return false;
  const base = said.slice(0, -1).join(" ");
  const others = new Set(names.map((one) => words(one).join(" ")));
  return ![`${base} max`, `max ${base}`, base].some((one) => others.has(one));
}

/** Marks what is in minutes, which is no part of what it is called by. */
export function markMinutes(slots: readonly Named[], { transport, safety }: Tool): void {
  const isFilter = safety === "read_only" && transport.table === undefined;
  const names = slots.map(({ name }) => name);
  for (const slot of slots) {
    if (!/^(?:number|integer)$/.test(slot.type) || !isInMinutes(slot.name, names)) continue;
    if (isFilter && !TAKES_TIME.test(slot.name)) continue;
    slot.inMinutes = true;
    slot.label = slot.label.slice(0, -1);
  }
}

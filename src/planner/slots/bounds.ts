// Filters that are named by the operator they stand for, as the planner calls those of a database's list: `below_price` is
// `price < …`. And names that only look like a bound: `duration_min` may be minutes.

import { words } from "../../tools/search/terms.js";

/** The operators a column is compared by beside being equal: in the tool's arguments, and for a person. */
export const COLUMN_BOUNDS: Readonly<Record<string, { operator: string; sign: string }>> = {
  below: { operator: "lt", sign: "<" },
  above: { operator: "gt", sign: ">" },
  max: { operator: "lte", sign: "≤" },
  min: { operator: "gte", sign: "≥" },
};

/** The column and the bound that such a name says; undefined for another name. */
export function boundOf(name: string): { column: string; operator: string; sign: string } | undefined {
  const [, prefix = "", column = ""] = /^([a-z]+)_(.+)$/.exec(name) ?? [];
  const bound = Object.hasOwn(COLUMN_BOUNDS, prefix) ? COLUMN_BOUNDS[prefix] : undefined;
  return bound && { column, ...bound };
}

/** Whether a name ends in "min" for minutes: nothing beside it is called so with "max", or without either. */
export function isInMinutes(name: string, names: readonly string[]): boolean {
  const said = words(name);
  if (said.length < 2 || said.at(-1) !== "min") return false;
  const base = said.slice(0, -1).join(" ");
  const others = new Set(names.map((one) => words(one).join(" ")));
  return ![`${base} max`, `max ${base}`, base].some((one) => others.has(one));
}

// Filters that are named by the operator they stand for, as the planner calls those of a database's list: `below_price` is
// `price < …`.

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

// What the values of a difference are, so that both sides are written with one precision. Pure but for the reader's zone.
import { decimalsOf } from "../../src/lib/decimals.js";
import type { JsonValue } from "../../src/lib/json.js";
import { type Column, columnsOf } from "./column.js";

/** The last name of a path: "city" of "address.city", "quantity" of "lines[0].quantity". */
const leafOf = (path: string): string => /([^.[\]]+)(?:\[\d+\])*$/.exec(path)?.[1] ?? path;

/** The column of some values of a field: it loses no digit, and of moments it never says how long ago they are. */
export function differenceColumn(path: string, values: readonly JsonValue[]): Column | undefined {
  const name = leafOf(path);
  const rows = values.map((value) => ({ [name]: value }));
  const [column] = columnsOf([name], rows, { now: Number.NEGATIVE_INFINITY });
  if (column === undefined) return undefined;
  const digits = values.map((value) => (typeof value === "number" ? decimalsOf(value) : 0));
  return { ...column, decimals: column.scale === 1 ? Math.max(column.decimals, ...digits) : column.decimals };
}

// Which conditions suit a column, and how they are written for people. Pure.
import { toJson } from "../../../src/lib/json.js";
import { type Column, isNumeric } from "../../values/column.js";
import type { Filter, FilterOp } from "../../values/query.js";

/** The conditions as they are displayed. */
export const OP_NAMES: Readonly<Record<FilterOp, string>> = {
  eq: "is",
  ne: "is not",
  lt: "less than",
  le: "at most",
  gt: "more than",
  ge: "at least",
  contains: "contains",
  starts: "starts with",
  empty: "is empty",
  not_empty: "is not empty",
  in: "is one of",
};

const SIGNS: Partial<Record<FilterOp, string>> = { eq: "=", ne: "≠", lt: "<", le: "≤", gt: ">", ge: "≥", in: "is" };

/** The conditions that suit a column, the usual one first. */
export function filterOps(column: Column): readonly FilterOp[] {
  if (isNumeric(column)) return ["ge", "le", "gt", "lt", "eq", "ne", "empty", "not_empty"];
  if (column.kind === "time") return ["ge", "lt", "starts", "empty", "not_empty"];
  if (column.kind === "id") return ["eq", "starts", "contains", "ne", "empty", "not_empty"];
  return ["contains", "eq", "starts", "ne", "empty", "not_empty"];
}

/** A condition in a few words: "price ≥ 20". */
export function filterText({ field, op, value }: Filter): string {
  const name = SIGNS[op] ?? OP_NAMES[op];
  if (value === undefined) return `${field} ${name}`;
  const list = Array.isArray(value)
    ? value.map(String).join(", ")
    : typeof value === "object"
      ? toJson(value)
      : String(value);
  return `${field} ${name} ${list === "" ? "nothing" : list}`;
}

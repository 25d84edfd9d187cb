// Conditions as they are typed, `price>=10`, as the conditions of a query. Pure.
import { usageError } from "../../domain/error.js";
import type { FieldCondition, FilterOp } from "../../domain/result-query.js";
import { type JsonValue, parseJson } from "../../lib/json.js";

const CONDITION = /^([^=!<>~]+)(!=|<=|>=|=|<|>|~)(.*)$/s;
const OPS: Readonly<Record<string, FilterOp>> = {
  "=": "eq",
  "!=": "ne",
  "<": "lt",
  "<=": "le",
  ">": "gt",
  ">=": "ge",
  "~": "contains",
};
/** What is typed like one of these is meant as one. */
const TYPED = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?|true|false|null)$/;

/** One condition. Nothing behind `=` asks for empty fields, behind `!=` for the others. Throws StartError. */
export function parseCondition(text: string): FieldCondition {
  const [, field = "", sign = "", typed = ""] = CONDITION.exec(text) ?? [];
  const op = OPS[sign];
  if (!op || field.trim() === "")
    throw usageError(
      `--filter ${JSON.stringify(text)} is no condition: write field=value, or !=, <, <=, >, >= or ~ in place of =.`,
    );
  if (typed === "" && (op === "eq" || op === "ne"))
    return { field: field.trim(), op: op === "eq" ? "empty" : "not_empty" };
  const value: JsonValue = TYPED.test(typed) ? parseJson(typed) : typed;
  return { field: field.trim(), op, value };
}

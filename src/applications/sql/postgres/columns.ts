// Columns of the catalogue from rows of the server's: kinds, lengths, and what CHECKs and domains say of them. Pure.

import type { Column, ColumnKind } from "../catalogue.js";
import type { ColumnRow } from "./catalogue-queries.js";
import { type Fact, factsOf } from "./check-expression.js";
import { decimalOrText } from "./values.js";

/** By the name that `format_type` gives a type of the server's own. */
const KINDS: Readonly<Record<string, ColumnKind>> = {
  smallint: "integer",
  integer: "integer",
  bigint: "integer",
  oid: "integer",
  numeric: "decimal",
  real: "float",
  "double precision": "float",
  boolean: "boolean",
  text: "text",
  "character varying": "text",
  bpchar: "text",
  name: "text",
  uuid: "uuid",
  date: "date",
  "time without time zone": "time",
  "time with time zone": "time",
  "timestamp without time zone": "timestamp",
  "timestamp with time zone": "timestamptz",
  interval: "interval",
  json: "json",
  jsonb: "json",
  bytea: "bytes",
};

/** Kinds whose bounds a CHECK may give in the column's fields. */
const NUMERIC: ReadonlySet<ColumnKind> = new Set(["integer", "decimal", "float"]);

/** The header that the length of a varchar, or the digits of a numeric, are counted with. */
const TYPMOD_HEADER = 4;

/** What a value of a type is. */
export function columnKindOf({
  type,
  type_kind,
  category,
  has_order = true,
}: Pick<ColumnRow, "type" | "type_kind" | "category"> & Partial<Pick<ColumnRow, "has_order">>): ColumnKind {
  const known = KINDS[type];
  if (known) return known;
  if (type_kind === "e") return "text";
  if (category === "A" && type.endsWith("[]")) return "array";
  if (category === "S") return "text";
  return has_order ? "other" : "opaque";
}

function numberOf(text: string | undefined): number | string | undefined {
  const value = decimalOrText(text ?? "");
  return typeof value === "number" || typeof value === "string" ? value : String(value);
}

/** Puts a fact into the fields of its column; false when there is no field for it. */
function applyFact(column: Column, { operator, values }: Fact): boolean {
  const [value] = values;
  if (operator === "in") {
    if (column.kind !== "text") return false;
    column.values = column.values ? column.values.filter((one) => values.includes(one)) : values;
    return true;
  }
  if (operator === "length") {
    column.maxLength = Math.min(column.maxLength ?? Number.POSITIVE_INFINITY, Number(value));
    return true;
  }
  if (!NUMERIC.has(column.kind)) return false;
  const bound = numberOf(value);
  if (operator === ">=") column.minimum = bound;
  else if (operator === ">") column.exclusiveMinimum = bound;
  else if (operator === "<=") column.maximum = bound;
  else if (operator === "<") column.exclusiveMaximum = bound;
  return true;
}

/** Puts what a CHECK says into the fields of the columns; true when nothing of it is left to be said in words. */
export function applyCheck(expression: string, columnOf: (name: string) => Column | undefined): boolean {
  const facts = factsOf(expression);
  if (!facts) return false;
  let isWhole = true;
  for (const fact of facts) {
    const column = columnOf(fact.column);
    if (!column || !applyFact(column, fact)) isWhole = false;
  }
  return isWhole;
}

function lengthOf({ type, typmod }: ColumnRow): number | undefined {
  return (type === "character varying" || type === "bpchar") && typmod > TYPMOD_HEADER
    ? typmod - TYPMOD_HEADER
    : undefined;
}

/** A column, without what CHECKs of its table say. */
export function toColumn(row: ColumnRow, labels: readonly string[] | undefined): Column {
  const column: Column = {
    name: row.name,
    kind: columnKindOf(row),
    type: row.type,
    isNullable: !row.not_null,
    hasDefault: row.has_default,
    isGenerated: row.generated,
  };
  if (labels) column.values = labels;
  const maxLength = lengthOf(row);
  if (maxLength !== undefined) column.maxLength = maxLength;
  if (row.comment) column.comment = row.comment;
  return column;
}

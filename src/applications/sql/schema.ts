// JSON Schemas of columns, and of the conditions and rows that the tools of a table take. What many columns share stands once, in
// the definitions of the document. Pure.
import type { JsonObject, JsonValue } from "../../lib/json.js";
import type { Column, ColumnKind, Dialect, ForeignKey } from "./catalogue.js";

const INTEGER: JsonObject = { type: "integer" };
const NUMBER: JsonObject = { type: "number" };
const TEXT: JsonObject = { type: "string" };

const SCHEMAS: Readonly<Record<ColumnKind, JsonObject>> = {
  integer: INTEGER,
  // A text keeps every digit; a number keeps those of a double.
  decimal: { type: ["number", "string"] },
  float: NUMBER,
  boolean: { type: "boolean" },
  text: TEXT,
  uuid: { type: "string", format: "uuid" },
  date: { type: "string", format: "date" },
  time: TEXT,
  timestamp: TEXT,
  timestamptz: TEXT,
  interval: TEXT,
  json: {},
  bytes: TEXT,
  array: { type: ["array", "string"] },
  other: TEXT,
  opaque: TEXT,
};

/** A floating-point number of PostgreSQL may be one that JSON has not; results have such texts, too. */
const POSTGRES_SCHEMAS: Readonly<Partial<Record<ColumnKind, JsonObject>>> = {
  float: { type: ["number", "string"], pattern: "^(?:NaN|-?Infinity|-?\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?)$" },
};

/** SQLite keeps any value in any column, so that only what a column was declared for can be said. */
const SQLITE_SCHEMAS: Readonly<Partial<Record<ColumnKind, JsonObject>>> = {
  decimal: NUMBER,
  timestamp: { type: ["string", "number"] },
  other: { type: ["string", "number", "boolean"] },
};

const DIALECT_SCHEMAS: Readonly<Record<Dialect, Readonly<Partial<Record<ColumnKind, JsonObject>>>>> = {
  sqlite: SQLITE_SCHEMAS,
  postgres: POSTGRES_SCHEMAS,
  mysql: {},
};

const HINTS: Readonly<Partial<Record<ColumnKind, string>>> = {
  bytes: "bytes as data:…;base64,…",
  json: "JSON",
  time: "time as 09:30:00",
  timestamp: "date and time as 2026-11-21 09:30:00",
  timestamptz: "time as 2026-11-21T09:30:00Z",
  interval: "interval such as 1 day 02:00:00",
};

const BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] as const;

/** A value of a column, without whether it may be null; `description` is added by what uses it. */
function valueSchema(column: Column, dialect: Dialect): JsonObject {
  const { kind, values, maxLength } = column;
  const schema: JsonObject = { ...(DIALECT_SCHEMAS[dialect][kind] ?? SCHEMAS[kind]) };
  if (values) schema["enum"] = [...values];
  if (maxLength !== undefined && kind === "text") schema["maxLength"] = maxLength;
  const isNumber = kind === "integer" || kind === "float" || kind === "decimal";
  for (const bound of BOUNDS) {
    const limit = column[bound];
    if (typeof limit === "number" && isNumber) schema[bound] = limit;
  }
  return schema;
}

function orNull(schema: JsonObject): JsonObject {
  const { type, enum: values } = schema;
  if (type === undefined) return schema;
  const types = [type].flat() as JsonValue[];
  const nullable: JsonObject = { ...schema, type: [...types, "null"] };
  if (Array.isArray(values)) nullable["enum"] = [...values, null];
  return nullable;
}

/** What a column means, in words; "" when there is nothing to say. */
function meaning(column: Column, reference: string | undefined): string {
  const { kind, comment, type } = column;
  const bounds = BOUNDS.flatMap((bound) =>
    typeof column[bound] === "string"
      ? [`${bound.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} ${column[bound]}`]
      : [],
  );
  const typed = (kind === "other" || kind === "opaque") && type !== "" ? type : HINTS[kind];
  return [comment, reference, typed, ...bounds].filter((part) => part !== undefined && part !== "").join("; ");
}

/** How a column is described: its schema's facts, and where the values of a foreign key come from. */
export interface DescribedBy {
  dialect: Dialect;
  reference: string | undefined;
}

/** An argument that sets the column. */
export function columnSchema(column: Column, { dialect, reference }: DescribedBy): JsonObject {
  const value = valueSchema(column, dialect);
  const description = meaning(column, reference);
  const schema = column.isNullable ? orNull(value) : value;
  return description === "" ? schema : { ...schema, description };
}

/** An argument that names a row by the column: never null. */
export function keySchema(column: Column, by: DescribedBy): JsonObject {
  return columnSchema({ ...column, isNullable: false }, by);
}

/** Definitions of the operators, by the names that `filterSchema` refers to. */
const ORDERED = ["eq", "ne", "lt", "lte", "gt", "gte"];
const MAX_IN = 1_000;

function operators(value: JsonObject, names: readonly string[], isText: boolean): JsonObject {
  const texts = isText ? ["contains", "starts_with", "ends_with"] : [];
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(names.map((name) => [name, value])),
      in: { type: "array", items: value, maxItems: MAX_IN },
      ...Object.fromEntries(texts.map((name) => [name, { ...TEXT, description: "whatever the case" }])),
      is_null: { type: "boolean" },
    },
    additionalProperties: false,
    minProperties: 1,
  };
}

type OperatorSet =
  | "number_operators"
  | "decimal_operators"
  | "text_operators"
  | "value_operators"
  | "boolean_operators"
  | "any_operators";

const OPERATOR_SETS: Readonly<Record<OperatorSet, JsonObject>> = {
  number_operators: operators(NUMBER, ORDERED, false),
  decimal_operators: operators({ type: ["number", "string"] }, ORDERED, false),
  text_operators: operators(TEXT, ORDERED, true),
  value_operators: operators(TEXT, ORDERED, false),
  boolean_operators: operators({ type: "boolean" }, ["eq", "ne"], false),
  any_operators: operators({}, ORDERED, true),
};

const SET_OF: Readonly<Record<ColumnKind, OperatorSet | undefined>> = {
  integer: "number_operators",
  float: "number_operators",
  decimal: "decimal_operators",
  boolean: "boolean_operators",
  text: "text_operators",
  uuid: "value_operators",
  date: "value_operators",
  time: "value_operators",
  timestamp: "value_operators",
  timestamptz: "value_operators",
  interval: "value_operators",
  // Whether it is there is all that can be asked of what has no order.
  json: undefined,
  bytes: undefined,
  array: undefined,
  other: "text_operators",
  opaque: "text_operators",
};

/** Whether rows can be put in order by columns of this kind. */
export function isSortable(kind: ColumnKind): boolean {
  return SET_OF[kind] !== undefined;
}

function operatorSetOf({ kind }: Column, dialect: Dialect): OperatorSet | undefined {
  if (dialect === "sqlite" && (kind === "timestamp" || kind === "other")) return "any_operators";
  // Its columns of numbers hold texts too, and infinity is one in JSON.
  if (dialect === "sqlite" && (kind === "integer" || kind === "float")) return "decimal_operators";
  if (dialect === "postgres" && kind === "float") return "decimal_operators";
  return SET_OF[kind];
}

/** A condition on a column: a value, or what it is compared with and how. */
export function filterSchema(column: Column, { dialect, reference }: DescribedBy): JsonObject {
  const set = operatorSetOf(column, dialect);
  const description = meaning(column, reference);
  const about: JsonObject = description === "" ? {} : { description };
  if (set === undefined)
    return { ...about, type: "object", properties: { is_null: { type: "boolean" } }, additionalProperties: false };
  const {
    minimum: _,
    maximum: __,
    exclusiveMinimum: ___,
    exclusiveMaximum: ____,
    maxLength: _____,
    ...plain
  } = valueSchema(column, dialect);
  const none: JsonObject[] = column.isNullable ? [{ type: "null" }] : [];
  return { ...about, anyOf: [plain, { $ref: `#/$defs/${set}` }, ...none] };
}

/** The definitions that the conditions of these columns refer to. */
export function filterDefinitions(columns: readonly Column[], dialect: Dialect): JsonObject {
  const used = new Set(columns.map((column) => operatorSetOf(column, dialect)));
  return Object.fromEntries(Object.entries(OPERATOR_SETS).filter(([name]) => used.has(name as OperatorSet)));
}

/** The foreign key that a column is, alone or with others. */
export function foreignKeyOf(column: Column, keys: readonly ForeignKey[]): ForeignKey | undefined {
  return keys.find(({ columns }) => columns.includes(column.name));
}

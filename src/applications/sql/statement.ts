// Selections and changes as the text of statements, for every dialect. Names are always quoted, values are always parameters.
// Pure; how a dialect spells things is its Syntax, how a value is bound is its driver's business.
import type { JsonObject, JsonValue } from "../../lib/json.js";
import type { TableName } from "./catalogue.js";
import type { Change, ColumnType, Condition, Operator, Selection } from "./database.js";

/** How a dialect spells what is not the same in all of them. */
export interface Syntax {
  /** A name of a table or column in quotes. */
  quote(name: string): string;
  /** The place of the parameter number `position`, from 1, with the cast that its column needs. */
  parameter(position: number, column: ColumnType): string;
  /** A column as it is selected, in the form that the driver reads without losing anything; named as the column is. */
  result(column: ColumnType): string;
  /** A column as a text. */
  text(column: ColumnType): string;
  /** Whether a text is like a pattern whatever the case; a backslash escapes in the pattern. */
  like(text: string, pattern: string): string;
  /** Whether a value is a number, where columns of numbers hold others too. */
  isNumber?(text: string): string;
  /** Whether NULL comes before all values in ascending order. */
  isNullFirst: boolean;
  /** What follows the table of an INSERT that names no column. */
  noColumns: string;
}

/** A value, and the column that says how it is bound. */
export interface Parameter {
  value: JsonValue;
  column: ColumnType;
}

/** One statement and its parameters, in the order of their positions. */
export interface Statement {
  sql: string;
  parameters: readonly Parameter[];
}

/** What a pattern of LIKE is bound as. */
const PATTERN: ColumnType = { name: "", kind: "text", type: "text" };

const NEVER = "1 = 0";

/** Gives a parameter its place. */
type Bind = (value: JsonValue, column: ColumnType) => string;

/** Collects parameters in the order in which their places are made. */
function createParameters(syntax: Syntax): { list: Parameter[]; bind: Bind } {
  const list: Parameter[] = [];
  return {
    list,
    bind: (value, column) => syntax.parameter(list.push({ value, column }), column),
  };
}

/** A table or view in quotes, with its schema where it has one. */
export function quotedTable({ schema, name }: TableName, syntax: Pick<Syntax, "quote">): string {
  return schema === undefined ? syntax.quote(name) : `${syntax.quote(schema)}.${syntax.quote(name)}`;
}

/** A column as it is compared and put in order: what has no order is compared as a text. */
function comparable(column: ColumnType, syntax: Syntax): string {
  return column.kind === "opaque" ? syntax.text(column) : syntax.quote(column.name);
}

/** How a value is bound that a column is compared with. */
function comparedAs(column: ColumnType): ColumnType {
  return column.kind === "opaque" ? { ...PATTERN, name: column.name } : column;
}

const COMPARISONS = { eq: "=", lt: "<", lte: "<=", gt: ">", gte: ">=" } as const;

/** A text as part of a pattern of LIKE. */
const escaped = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");

function patternOf(operator: "contains" | "starts_with" | "ends_with", value: JsonValue): string {
  const text = escaped(String(value));
  return `${operator === "starts_with" ? "" : "%"}${text}${operator === "ends_with" ? "" : "%"}`;
}

function oneOf(column: ColumnType, values: readonly JsonValue[], { syntax, bind }: Making): string {
  const name = comparable(column, syntax);
  const places = values.filter((one) => one !== null).map((one) => bind(one, comparedAs(column)));
  const alternatives = [
    ...(places.length > 0 ? [`${name} IN (${places.join(", ")})`] : []),
    ...(places.length < values.length ? [`${name} IS NULL`] : []),
  ];
  return alternatives.length === 0 ? NEVER : `(${alternatives.join(" OR ")})`;
}

interface Making {
  syntax: Syntax;
  bind: Bind;
}

/** NULL equals NULL, and is another value than any that is none: what a person means, not what SQL does. */
function conditionText({ column, operator, value }: Condition, making: Making): string {
  const { syntax } = making;
  const name = comparable(column, syntax);
  const bind: Bind = (one, as) => making.bind(one, as === PATTERN ? as : comparedAs(as));
  const isNull = (negated: boolean): string => `${name} IS ${negated ? "NOT " : ""}NULL`;
  switch (operator) {
    case "is_null":
      return isNull(value !== true);
    case "eq":
      return value === null ? isNull(false) : `${name} = ${bind(value, column)}`;
    case "ne":
      return value === null ? isNull(true) : `(${name} <> ${bind(value, column)} OR ${isNull(false)})`;
    case "lt":
    case "lte":
      return `${name} ${COMPARISONS[operator]} ${bind(value, column)}`;
    case "gt":
    case "gte": {
      // What is no number is greater than all, and no person means it.
      const isNumber = typeof value === "number" || typeof value === "bigint";
      const guard = isNumber && syntax.isNumber ? ` AND ${syntax.isNumber(name)}` : "";
      return `${name} ${COMPARISONS[operator]} ${bind(value, column)}${guard}`;
    }
    case "in":
      return oneOf(column, Array.isArray(value) ? value : [value], making);
    case "contains":
    case "starts_with":
    case "ends_with":
      return syntax.like(syntax.text(column), bind(patternOf(operator, value), PATTERN));
    default:
      return operator satisfies never;
  }
}

/** What comes after a value in the order of one column. */
function isAfter(order: Selection["order"][number], value: JsonValue, { syntax, bind }: Making): string {
  const { column, isDescending } = order;
  const name = comparable(column, syntax);
  const nullComesFirst = syntax.isNullFirst !== isDescending;
  if (value === null) return nullComesFirst ? `${name} IS NOT NULL` : NEVER;
  const beyond = `${name} ${isDescending ? "<" : ">"} ${bind(value, comparedAs(column))}`;
  return nullComesFirst ? beyond : `(${beyond} OR ${name} IS NULL)`;
}

/** Rows that come after the one with these values: later in the first column, or equal there and later in the next, and so on. */
function keysetText(order: Selection["order"], after: JsonObject, making: Making): string {
  const alternatives = order.map((last, at) => {
    const equal = order
      .slice(0, at)
      .map(({ column }) => conditionText({ column, operator: "eq", value: after[column.name] ?? null }, making));
    return [...equal, isAfter(last, after[last.column.name] ?? null, making)].join(" AND ");
  });
  return alternatives.length === 0 ? NEVER : `(${alternatives.map((one) => `(${one})`).join(" OR ")})`;
}

/** Rows of a table. */
export function selectStatement(selection: Selection, syntax: Syntax): Statement {
  const { table, columns, where, order, after, limit } = selection;
  const { list, bind } = createParameters(syntax);
  const making = { syntax, bind };
  const conditions = where.map((condition) => conditionText(condition, making));
  if (after) conditions.push(keysetText(order, after, making));
  const sorting = order.map(
    ({ column, isDescending }) => `${comparable(column, syntax)}${isDescending ? " DESC" : ""}`,
  );
  const sql = [
    `SELECT ${columns.map((column) => syntax.result(column)).join(", ")} FROM ${quotedTable(table, syntax)}`,
    ...(conditions.length > 0 ? [`WHERE ${conditions.join(" AND ")}`] : []),
    ...(sorting.length > 0 ? [`ORDER BY ${sorting.join(", ")}`] : []),
    // A number that was checked to be one; some dialects take no parameter here.
    ...(limit === undefined ? [] : [`LIMIT ${Math.trunc(limit)}`]),
  ].join(" ");
  return { sql, parameters: list };
}

/** The columns of a row that are named, with their values, in the order of the table. */
function assignments(change: Pick<Change, "columns">, values: JsonObject): Parameter[] {
  return change.columns.flatMap((column) => {
    const value = Object.hasOwn(values, column.name) ? values[column.name] : undefined;
    return value === undefined ? [] : [{ column, value }];
  });
}

/** The condition that names one row by its key. */
function keyText({ columns, keyColumns, key }: Pick<Change, "columns" | "keyColumns" | "key">, making: Making): string {
  const ofKey = columns.filter(({ name }) => keyColumns.includes(name));
  return ofKey
    .map((column) => conditionText({ column, operator: "eq", value: key[column.name] ?? null }, making))
    .join(" AND ");
}

/** Columns that a change gives back, where the dialect can. */
interface ChangeTextOptions {
  returning?: readonly ColumnType[];
}

function returningText(syntax: Syntax, { returning = [] }: ChangeTextOptions): string {
  return returning.length === 0 ? "" : ` RETURNING ${returning.map((column) => syntax.result(column)).join(", ")}`;
}

/** One row, whole, by its key; of what is left of the change only table, columns and key count. */
export function rowStatement(
  change: Pick<Change, "table" | "columns" | "keyColumns" | "key">,
  syntax: Syntax,
): Statement {
  const { list, bind } = createParameters(syntax);
  const columns = change.columns.map((column) => syntax.result(column)).join(", ");
  const where = keyText(change, { syntax, bind });
  return { sql: `SELECT ${columns} FROM ${quotedTable(change.table, syntax)} WHERE ${where}`, parameters: list };
}

/** The change of one row: INSERT, UPDATE or DELETE by its key. */
export function changeStatement(change: Change, syntax: Syntax, options: ChangeTextOptions = {}): Statement {
  const { list, bind } = createParameters(syntax);
  const making = { syntax, bind };
  const table = quotedTable(change.table, syntax);
  const returning = returningText(syntax, options);
  const set = assignments(change, change.values);
  switch (change.operation) {
    case "create": {
      const names = set.map(({ column }) => syntax.quote(column.name)).join(", ");
      const values = set.map(({ column, value }) => bind(value, column)).join(", ");
      const row = set.length === 0 ? syntax.noColumns : `(${names}) VALUES (${values})`;
      return { sql: `INSERT INTO ${table} ${row}${returning}`, parameters: list };
    }
    case "update": {
      const pairs = set.map(({ column, value }) => `${syntax.quote(column.name)} = ${bind(value, column)}`).join(", ");
      return { sql: `UPDATE ${table} SET ${pairs} WHERE ${keyText(change, making)}${returning}`, parameters: list };
    }
    case "delete":
      return { sql: `DELETE FROM ${table} WHERE ${keyText(change, making)}${returning}`, parameters: list };
    default:
      return change.operation satisfies never;
  }
}

/** Whether an operator compares texts, whatever the case. */
export function isTextOperator(operator: Operator): boolean {
  return operator === "contains" || operator === "starts_with" || operator === "ends_with";
}

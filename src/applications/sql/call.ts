// The arguments of a call on a database as what a driver takes: a selection, a change, a query. Checked against the description, so
// that no name that the database does not have gets into a statement. Pure.
import { isObject, type JsonObject, type JsonValue, listOf, objectOf, textsOf } from "../../lib/json.js";
import { CallError } from "../transport.js";
import {
  type Change,
  type ColumnType,
  type Condition,
  isOperator,
  OPERATORS,
  type Operator,
  type Restoration,
  type Selection,
} from "./database.js";
import type { SqlDescription } from "./description.js";
import { isSortable } from "./schema.js";
import { isTextOperator } from "./statement.js";

/** What is asked of a database. */
export type SqlCall =
  | { kind: "select"; selection: Selection }
  | { kind: "query"; sql: string; parameters: readonly JsonValue[] }
  | { kind: "change"; change: Change | Restoration }
  | {
      kind: "routine";
      routine: Extract<SqlDescription, { operation: "routine" }>["routine"];
      isVolatile: boolean;
      arguments: (ColumnType & { value: JsonValue })[];
    };

type TableDescription = Extract<SqlDescription, { columns: unknown }>;

/** Finds a column by what it is called as an argument, or by its own name. Throws CallError when there is none. */
function createColumns({ columns, table }: TableDescription): (name: string) => ColumnType {
  const byArgument = new Map<string, ColumnType>();
  for (const { name, kind, type } of columns) byArgument.set(name, { name, kind, type });
  for (const { name, kind, type, argument } of columns)
    if (argument !== undefined) byArgument.set(argument, { name, kind, type });
  return (name) => {
    const column = byArgument.get(name);
    if (!column) throw new CallError(`${table.name} has no column ${name}`);
    return column;
  };
}

function conditionsOf(column: ColumnType, filter: JsonValue): Condition[] {
  if (!isObject(filter)) {
    if (Array.isArray(filter)) throw new CallError(`${column.name}: a list is given as {"in": […]}`);
    return [{ column, operator: "eq", value: filter }];
  }
  return Object.entries(filter).map(([operator, value]) => {
    if (!isOperator(operator))
      throw new CallError(`${column.name}: ${operator} is no operator; known: ${OPERATORS.join(", ")}`);
    checkOperand(operator, value, column);
    return { column, operator, value };
  });
}

function checkOperand(operator: Operator, value: JsonValue, { name }: ColumnType): void {
  const fault =
    operator === "in"
      ? !Array.isArray(value) && "takes a list"
      : operator === "is_null"
        ? typeof value !== "boolean" && "takes true or false"
        : isTextOperator(operator) && typeof value !== "string" && "takes a text";
  if (fault) throw new CallError(`${name}: ${operator} ${fault}`);
}

function orderOf(names: readonly string[], columnOf: (name: string) => ColumnType): Selection["order"] {
  return names.map((text) => ({ column: columnOf(text.replace(/^-/, "")), isDescending: text.startsWith("-") }));
}

/**
 * The order with the key behind it, so that it is the same each time and can be gone on with. Where there is no key all columns
 * together are as good, but for rows that are the same in every one.
 */
function completed(
  order: Selection["order"],
  { key, columns }: TableDescription,
  { columnOf, isPaged }: { columnOf: (name: string) => ColumnType; isPaged: boolean },
): Selection["order"] {
  const named = new Set(order.map(({ column }) => column.name));
  const all = isPaged ? columns.filter(({ kind }) => isSortable(kind)).map(({ name }) => name) : [];
  const rest = (key.length > 0 ? key : all).filter((name) => !named.has(name));
  return [...order, ...rest.map((name) => ({ column: columnOf(name), isDescending: false }))];
}

/** The values of the last row in the columns of the order, by the names of the columns. */
function afterOf(after: JsonObject, order: Selection["order"], { columns }: TableDescription): JsonObject {
  if (order.length === 0) throw new CallError("after needs an order: give order_by");
  const given = new Map(
    columns.flatMap(({ name, argument = name }): [string, JsonValue][] => {
      // The row has the names of the database, each of which may be what another column is called as an argument.
      const found = [name, argument].find((one) => Object.hasOwn(after, one));
      return found === undefined ? [] : [[name, after[found] ?? null]];
    }),
  );
  const missing = order.filter(({ column }) => !given.has(column.name)).map(({ column }) => column.name);
  if (missing.length > 0) throw new CallError(`after needs the values of ${missing.join(", ")} of the last row`);
  return Object.fromEntries(order.map(({ column }) => [column.name, given.get(column.name) ?? null]));
}

function selectionOf(description: TableDescription, args: JsonObject): Selection {
  const columnOf = createColumns(description);
  const wanted = new Set(textsOf(args["columns"]).map((name) => columnOf(name).name));
  const { limit, after } = args;
  const isPaged = (limit ?? after ?? null) !== null;
  const order = completed(orderOf(textsOf(args["order_by"]), columnOf), description, { columnOf, isPaged });
  return {
    table: description.table,
    columns: description.columns
      .filter(({ name }) => wanted.size === 0 || wanted.has(name))
      .map(({ name, kind, type }) => ({ name, kind, type })),
    where: Object.entries(objectOf(args["where"])).flatMap(([name, filter]) => conditionsOf(columnOf(name), filter)),
    order,
    ...(isObject(after) && { after: afterOf(after, order, description) }),
    ...(limit !== undefined && limit !== null && { limit: Math.min(Number(limit), Number.MAX_SAFE_INTEGER) }),
  };
}

function changeOf(description: TableDescription, operation: Change["operation"], args: JsonObject): Change {
  const columnOf = createColumns(description);
  const keyColumns = description.key;
  const given = Object.entries(args).map(([name, value]): [string, JsonValue] => [columnOf(name).name, value]);
  const isOfKey = ([column]: [string, JsonValue]): boolean => operation !== "create" && keyColumns.includes(column);
  // Made of entries: a column may be called __proto__.
  const key = Object.fromEntries(given.filter(isOfKey));
  const values = Object.fromEntries(given.filter((one) => !isOfKey(one)));
  const missing = operation === "create" ? [] : keyColumns.filter((name) => (key[name] ?? null) === null);
  if (missing.length > 0) throw new CallError(`${missing.join(", ")}: the whole key is needed, to name one row`);
  if (operation === "update" && Object.keys(values).length === 0) throw new CallError("no column to change is given");
  if (operation === "delete" && Object.keys(values).length > 0) throw new CallError("only the key is taken");
  const { table, columns } = description;
  return {
    operation,
    table,
    columns: columns.map(({ name, kind, type }) => ({ name, kind, type })),
    keyColumns,
    key,
    values,
  };
}

/** What a call of the tool that is described comes to. Throws CallError for arguments that it does not take. */
export function callOf(description: SqlDescription, args: JsonObject): SqlCall {
  switch (description.operation) {
    case "list":
      return { kind: "select", selection: selectionOf(description, args) };
    case "create":
    case "update":
    case "delete":
      return { kind: "change", change: changeOf(description, description.operation, args) };
    case "query":
      return { kind: "query", sql: String(args["sql"] ?? ""), parameters: listOf(args["parameters"]) };
    case "routine": {
      const { routine, is_volatile: isVolatile, parameters } = description;
      const given = parameters.flatMap(({ name, kind, type, argument = name }) => {
        const value = Object.hasOwn(args, argument) ? args[argument] : undefined;
        return value === undefined ? [] : [{ name, kind, type, value }];
      });
      return { kind: "routine", routine, isVolatile, arguments: given };
    }
    default:
      return description satisfies never;
  }
}

// What a database says of itself, as a schema document: a tool for each thing that can be done with a table, a view or a function,
// and one for free queries. Pure. Source: docs/databases.md, "Tools".
import type { JsonObject, JsonValue } from "../../lib/json.js";
import { singularOf } from "../../lib/plural.js";
import type { Imported } from "../source.js";
import type { Column, DatabaseCatalogue, Table, TableName } from "./catalogue.js";
import type { SqlDescription } from "./description.js";
import { action, object, queryAction, routineAction, shortText } from "./document-parts.js";
import { createToolNames, nameArguments, nameTables } from "./names.js";
import {
  columnSchema,
  type DescribedBy,
  filterDefinitions,
  filterSchema,
  foreignKeyOf,
  isSortable,
  keySchema,
} from "./schema.js";

/** Checks of a table that are quoted. */
const MAX_CHECKS = 10;

const idOf = ({ schema, name }: TableName): string => JSON.stringify([schema ?? null, name]);

/** A table on its way to tools. */
interface Making {
  catalogue: DatabaseCatalogue;
  table: Table;
  /** What its tools are called behind the word for what they do. */
  name: string;
  /** What each column is called as an argument. */
  args: readonly string[];
  /** The names of the tables that can be listed, by `idOf`. */
  names: ReadonlyMap<string, string>;
  toolName(name: string): string;
}

/** Where the values of a foreign key come from: "id of a shelf (list_shelves)". */
function referenceText(column: Column, { table, names }: Making): string | undefined {
  const key = foreignKeyOf(column, table.foreignKeys);
  const other = key && names.get(idOf(key.references));
  if (!key || other === undefined) return undefined;
  const noun = singularOf(key.references.name).replaceAll("_", " ");
  const referred = key.referencedColumns[key.columns.indexOf(column.name)] ?? "id";
  return `${referred} of ${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun} (list_${other})`;
}

function byOf(column: Column, making: Making): DescribedBy {
  return { dialect: making.catalogue.dialect, reference: referenceText(column, making) };
}

/** The schemas of some columns as properties, under their argument names. */
function properties(
  making: Making,
  of: (column: Column) => boolean,
  schema: (column: Column, by: DescribedBy) => JsonObject,
): JsonObject {
  const { table, args } = making;
  return Object.fromEntries(
    table.columns.flatMap((column, at): [string, JsonValue][] =>
      of(column) ? [[args[at] ?? column.name, schema(column, byOf(column, making))]] : [],
    ),
  );
}

function listParameters(making: Making): JsonObject {
  const { table, args } = making;
  const sortable = args.filter((_, at) => isSortable(table.columns[at]?.kind ?? "other"));
  const where = properties(making, () => true, filterSchema);
  return object({
    where: {
      type: "object",
      description: "conditions, all of which a row meets",
      properties: where,
      additionalProperties: false,
    },
    order_by: {
      type: "array",
      description: 'columns, "-" before one for descending',
      items: { type: "string", enum: sortable.flatMap((name) => [name, `-${name}`]) },
    },
    columns: {
      type: "array",
      description: "only these columns",
      items: { type: "string", enum: [...args] },
      minItems: 1,
    },
    after: {
      type: "object",
      description:
        "only rows behind this one in the order: the last row of the page before, with its order and key columns",
    },
    limit: { type: "integer", minimum: 1, description: "rows; all without it" },
  });
}

/** What the transport has to know of a table, for one operation. */
function transportOf(making: Making, operation: "list" | "create" | "update" | "delete"): JsonObject {
  const { catalogue, table, args } = making;
  const description: SqlDescription = {
    kind: "sql",
    dialect: catalogue.dialect,
    operation,
    table: table.name,
    columns: table.columns.map(({ name, kind, type }, at) => {
      const argument = args[at] ?? name;
      return argument === name ? { name, kind, type } : { name, kind, type, argument };
    }),
    key: [...table.key],
  };
  return description as JsonObject;
}

/** What only the sentence of a table says: its comment, and rules that no argument shows. */
function aboutTable({ comment, checks }: Table): string {
  const rules = checks.slice(0, MAX_CHECKS).map(shortText);
  return [comment && shortText(comment), rules.length > 0 ? `Rules: ${rules.join("; ")}` : undefined]
    .filter((part) => part)
    .join(" ");
}

function listAction(making: Making): JsonObject {
  const { table, name } = making;
  const what = table.kind.endsWith("view") ? `the view ${table.name.name}` : `the table ${table.name.name}`;
  const about = aboutTable(table);
  return action(
    making.toolName(`list_${name}`),
    `Rows of ${what}, filtered, in order, page by page.${about && ` ${about}`}`,
    {
      verb: "list",
      safety: "read_only",
      parameters: listParameters(making),
      transport: transportOf(making, "list"),
    },
  );
}

function createAction(making: Making): JsonObject {
  const { table, name, args } = making;
  const isSet = ({ isGenerated }: Column): boolean => !isGenerated;
  const required = args.filter((_, at) => {
    const column = table.columns[at];
    return column && isSet(column) && !column.isNullable && !column.hasDefault;
  });
  const about = aboutTable(table);
  return action(
    making.toolName(`create_${name}`),
    `Add a row to the table ${table.name.name}.${about && ` ${about}`}`,
    {
      verb: "create",
      safety: "mutating",
      parameters: object(properties(making, isSet, columnSchema), required),
      transport: transportOf(making, "create"),
    },
  );
}

const keyArguments = ({ table, args }: Making): string[] =>
  args.filter((_, at) => table.key.includes(table.columns[at]?.name ?? ""));

function updateAction(making: Making): JsonObject {
  const { table, name } = making;
  const isKey = (column: Column): boolean => table.key.includes(column.name);
  const keys = properties(making, isKey, keySchema);
  const others = properties(making, (column) => !isKey(column) && !column.isGenerated, columnSchema);
  const about = aboutTable(table);
  const key = table.key.join(", ");
  return action(
    making.toolName(`update_${name}`),
    `Change columns of one row of the table ${table.name.name}, named by ${key}.${about && ` ${about}`}`,
    {
      verb: "update",
      safety: "mutating",
      parameters: { ...object({ ...keys, ...others }, keyArguments(making)), minProperties: table.key.length + 1 },
      transport: transportOf(making, "update"),
    },
  );
}

function deleteAction(making: Making): JsonObject {
  const { table, name } = making;
  const keys = properties(making, (column) => table.key.includes(column.name), keySchema);
  return action(
    making.toolName(`delete_${name}`),
    `Delete one row of the table ${table.name.name}, named by ${table.key.join(", ")}.`,
    {
      verb: "delete",
      safety: "destructive",
      parameters: object(keys, keyArguments(making)),
      transport: transportOf(making, "delete"),
    },
  );
}

function tableActions(making: Making): JsonObject[] {
  const { table } = making;
  const { can, key, columns } = table;
  const isChangeable = columns.some(({ name, isGenerated }) => !key.includes(name) && !isGenerated);
  return [
    ...(can.select ? [listAction(making)] : []),
    ...(can.insert ? [createAction(making)] : []),
    ...(can.update && key.length > 0 && isChangeable ? [updateAction(making)] : []),
    ...(can.delete && key.length > 0 ? [deleteAction(making)] : []),
  ];
}

/** Why not everything can be done with a table; undefined when it can, or is a view. */
function lacking({ kind, key, can }: Table): string | undefined {
  if (kind.endsWith("view") || key.length > 0 || !(can.update || can.delete)) return undefined;
  return "update and delete: no primary key names one row";
}

/** The document of a database, and what became of everything in it. `address` is what it may be called where it is served. */
export function toDocument(catalogue: DatabaseCatalogue, address: string): Pick<Imported, "document" | "report"> {
  const { dialect, tables, routines } = catalogue;
  const toolName = createToolNames();
  const tableNames = nameTables(tables.map(({ name }) => name));
  const names = new Map(
    tables.flatMap(({ name, can }, at): [string, string][] =>
      can.select ? [[idOf(name), tableNames[at] ?? name.name]] : [],
    ),
  );
  const skipped = catalogue.skipped.map(({ name, reason }) => ({ operation: name, reason }));
  const resources: JsonObject[] = [];
  let imported = 0;
  for (const [at, table] of tables.entries()) {
    const name = tableNames[at] ?? table.name.name;
    const args = nameArguments(table.columns.map((column) => column.name));
    const actions = tableActions({ catalogue, table, name, args, names, toolName });
    const reason = actions.length === 0 ? "the role may do nothing with it" : lacking(table);
    if (reason !== undefined) skipped.push({ operation: table.name.name, reason });
    if (actions.length === 0) continue;
    imported++;
    resources.push({ name: table.name.name, description: table.comment ? shortText(table.comment) : "", actions });
  }
  const routineNames = nameTables(routines.map(({ name }) => name));
  const functions = routines.map((routine, at) =>
    routineAction(routine, { name: toolName(routineNames[at] ?? routine.name.name), dialect }),
  );
  if (functions.length > 0) resources.push({ name: "functions", description: "", actions: functions });
  if (catalogue.noQuery === undefined)
    resources.push({ name: "query", description: "", actions: [queryAction(toolName("query"), dialect)] });
  else skipped.push({ operation: "query", reason: catalogue.noQuery });
  return {
    document: {
      version: 1,
      source: "sql",
      base_url: address,
      auth: {},
      resources,
      $defs: filterDefinitions(
        tables.flatMap(({ columns }) => columns),
        dialect,
      ),
    },
    report: {
      operations: tables.length + routines.length + catalogue.skipped.length,
      imported: imported + routines.length,
      things: routines.length > 0 ? "tables, views and functions" : "tables and views",
      skipped,
      renamed: [],
      readsByWords: [],
      warnings: [...catalogue.warnings],
    },
  };
}

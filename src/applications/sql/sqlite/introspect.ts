// What is in a SQLite file, in the terms that all dialects share.
import type { Database } from "better-sqlite3";
import type { Column, DatabaseCatalogue, ForeignKey, Table } from "../catalogue.js";
import { readChecks } from "./checks.js";
import { readForeignKeys, readTables, type SqliteColumn, type SqliteForeignKey, type SqliteTable } from "./tables.js";

const ACTIONS: Readonly<Record<string, ForeignKey["onDelete"]>> = {
  CASCADE: "cascade",
  "SET NULL": "set null",
  "SET DEFAULT": "set default",
  RESTRICT: "restrict",
};

function columnOf(column: SqliteColumn, table: SqliteTable, facts: Partial<Column> | undefined): Column {
  const { name, kind, type, isNotNull, keyPosition, isGenerated } = column;
  const isKey = keyPosition > 0;
  return {
    name,
    kind,
    type,
    isNullable: !isNotNull && !isKey,
    hasDefault: (column.default !== null && !isGenerated) || (isKey && table.hasIntegerKey),
    isGenerated,
    ...facts,
  };
}

function foreignKeyOf(key: SqliteForeignKey, tables: ReadonlyMap<string, SqliteTable>): ForeignKey[] {
  const other = tables.get(key.references.toLowerCase());
  if (!other) return [];
  return [
    {
      columns: key.columns.map(({ from }) => from),
      references: { name: other.name },
      // Without names it refers to the primary key.
      referencedColumns: key.columns.map(({ to }, at) => to ?? other.key[at] ?? ""),
      onDelete: ACTIONS[key.onDelete.toUpperCase()] ?? "no action",
    },
  ];
}

function toTable(table: SqliteTable, foreignKeys: readonly ForeignKey[]): Table {
  const isView = table.type === "view";
  const { facts, others } = isView ? { facts: new Map<string, Partial<Column>>(), others: [] } : readChecks(table.sql);
  return {
    name: { name: table.name },
    kind: isView ? "view" : "table",
    columns: table.columns.map((column) => columnOf(column, table, facts.get(column.name.toLowerCase()))),
    key: isView ? [] : table.key,
    foreignKeys,
    checks: others,
    can: { select: true, insert: !isView, update: !isView, delete: !isView },
  };
}

const REASONS: Readonly<Partial<Record<SqliteTable["type"], string>>> = {
  virtual: "a virtual table, which is made by a module and not kept as rows",
  shadow: "belongs to a virtual table",
};

/** Reads the whole catalogue. Throws what the driver throws. */
export function introspectSqlite(db: Database): DatabaseCatalogue {
  const all = readTables(db);
  const byName = new Map(all.map((table) => [table.name.toLowerCase(), table]));
  const keys = new Map<string, ForeignKey[]>();
  for (const key of readForeignKeys(db, all))
    keys.set(key.table, [...(keys.get(key.table) ?? []), ...foreignKeyOf(key, byName)]);
  const tables: Table[] = [];
  const skipped: { name: string; reason: string }[] = [];
  for (const table of all) {
    const reason = REASONS[table.type] ?? (table.columns.length === 0 ? "its columns cannot be read" : undefined);
    if (reason === undefined) tables.push(toTable(table, keys.get(table.name) ?? []));
    else skipped.push({ name: table.name, reason });
  }
  const warnings = tables.length === 0 ? ["The database has no tables."] : [];
  return { dialect: "sqlite", tables, routines: [], skipped, warnings };
}

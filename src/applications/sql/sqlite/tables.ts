// What SQLite says of its tables: columns, keys, foreign keys, triggers. For introspection, and for what a change has to know of the
// tables it may reach.
import type { Database } from "better-sqlite3";
import type { ColumnKind } from "../catalogue.js";
import { sqliteSyntax } from "./syntax.js";
import { sqliteKindOf } from "./values.js";

/** A column as SQLite has it. */
export interface SqliteColumn {
  name: string;
  kind: ColumnKind;
  type: string;
  isNotNull: boolean;
  default: string | null;
  /** Its position in the primary key, from 1; 0 when it is not in it. */
  keyPosition: number;
  isGenerated: boolean;
}

/** A table or view as SQLite has it. */
export interface SqliteTable {
  name: string;
  type: "table" | "view" | "virtual" | "shadow";
  isStrict: boolean;
  columns: readonly SqliteColumn[];
  /** Names of the columns of the primary key, in its order. */
  key: readonly string[];
  /** What its rowid can be called; undefined when it has none, or columns have all of its names. */
  rowid: string | undefined;
  /** Whether the one column of its key is the rowid. */
  hasIntegerKey: boolean;
  /** Its CREATE statement. */
  sql: string;
}

/** A foreign key as SQLite has it. */
export interface SqliteForeignKey {
  /** Of the table that refers. */
  table: string;
  references: string;
  columns: readonly { from: string; to: string | null }[];
  onDelete: string;
  onUpdate: string;
}

interface ListedTable {
  name: string;
  type: SqliteTable["type"];
  wr: number;
  strict: number;
}

interface ListedColumn {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
  hidden: number;
}

function columnOf({ name, type, notnull, dflt_value, pk, hidden }: ListedColumn): SqliteColumn {
  return {
    name,
    kind: sqliteKindOf(type),
    type,
    isNotNull: notnull !== 0,
    default: dflt_value,
    keyPosition: pk,
    isGenerated: hidden === 2 || hidden === 3,
  };
}

const ROWID_NAMES = ["rowid", "_rowid_", "oid"];

function describe({ name, type, wr, strict }: ListedTable, columns: readonly SqliteColumn[], sql: string): SqliteTable {
  const key = columns.filter(({ keyPosition }) => keyPosition > 0).sort((a, b) => a.keyPosition - b.keyPosition);
  const taken = new Set(columns.map((column) => column.name.toLowerCase()));
  return {
    name,
    type,
    isStrict: strict !== 0,
    columns,
    key: key.map((column) => column.name),
    rowid: wr === 0 && type === "table" ? ROWID_NAMES.find((one) => !taken.has(one)) : undefined,
    hasIntegerKey: wr === 0 && key.length === 1 && key[0]?.type.toUpperCase() === "INTEGER",
    sql,
  };
}

/** All tables and views of the file but SQLite's own, in the order of their names. Throws what the driver throws. */
export function readTables(db: Database): SqliteTable[] {
  const listed = db
    .prepare(
      "SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
    )
    .all() as ListedTable[];
  const texts = new Map(
    (
      db.prepare("SELECT name, sql FROM main.sqlite_schema WHERE type IN ('table', 'view')").all() as {
        name: string;
        sql: string | null;
      }[]
    ).map(({ name, sql }) => [name, sql ?? ""]),
  );
  const columns = db.prepare(
    "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?, 'main') WHERE hidden <> 1",
  );
  return listed.map((table) => {
    let found: ListedColumn[] = [];
    try {
      found = columns.all(table.name) as ListedColumn[];
    } catch {
      // A view of what is gone, or a virtual table whose module is not there: it has no columns here, and is skipped for that.
    }
    return describe(table, found.map(columnOf), texts.get(table.name) ?? "");
  });
}

/** All foreign keys of these tables. */
export function readForeignKeys(db: Database, tables: readonly SqliteTable[]): SqliteForeignKey[] {
  const list = db.prepare(
    `SELECT id, "table" AS other, "from" AS "from", "to" AS "to", on_delete, on_update FROM pragma_foreign_key_list(?, 'main') ORDER BY id, seq`,
  );
  return tables.flatMap(({ name, type }) => {
    if (type !== "table") return [];
    const keys = new Map<number, SqliteForeignKey & { columns: { from: string; to: string | null }[] }>();
    for (const row of list.all(name) as ListedForeignKey[]) {
      const { id, other, from, to, on_delete: onDelete, on_update: onUpdate } = row;
      const key = keys.get(id) ?? { table: name, references: other, columns: [], onDelete, onUpdate };
      key.columns.push({ from, to });
      keys.set(id, key);
    }
    return [...keys.values()];
  });
}

interface ListedForeignKey {
  id: number;
  other: string;
  from: string;
  to: string | null;
  on_delete: string;
  on_update: string;
}

/** The texts of the triggers of each table or view, by its name in lower case. */
export function readTriggers(db: Database): ReadonlyMap<string, string[]> {
  const found = db.prepare("SELECT tbl_name AS name, sql FROM main.sqlite_schema WHERE type = 'trigger'").all() as {
    name: string;
    sql: string;
  }[];
  const triggers = new Map<string, string[]>();
  for (const { name, sql } of found)
    triggers.set(name.toLowerCase(), [...(triggers.get(name.toLowerCase()) ?? []), sql]);
  return triggers;
}

/** The columns by which a row of a table is told from others: its rowid, or the key of a table without one. */
export function rowIdentity({ rowid, key }: SqliteTable): readonly string[] {
  return rowid === undefined ? key : [rowid];
}

/** `"a" IS ? AND "b" IS ?`: one row, exactly. */
export function identityCondition(table: SqliteTable): string {
  return rowIdentity(table)
    .map((name) => `${sqliteSyntax.quote(name)} IS ?`)
    .join(" AND ");
}

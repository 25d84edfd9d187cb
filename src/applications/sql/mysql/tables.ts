// What a MySQL or MariaDB database says of its tables: columns, keys, foreign keys, CHECKs and triggers, from information_schema; of the
// whole database at sync, of one table within a change.
import { createHash } from "node:crypto";
import { toJson } from "../../../lib/json.js";
import type { Column, ColumnKind, ForeignKey, Table } from "../catalogue.js";
import { DatabaseFailure } from "../database.js";
import { applyCheck } from "../postgres/columns.js";
import type { MysqlSession, TextRow } from "./session.js";

/** A table with what the catalogue does not tell. */
export interface MysqlTable extends Table {
  name: { name: string };
  /** Of views there is none. */
  engine: string;
  hasTriggers: boolean;
  /** The column that the server counts up; undefined for none. */
  counted: string | undefined;
  /** Names of the columns that the role may read. */
  isWhole: boolean;
}

/** A foreign key, from the side of the table that it refers to. */
export interface MysqlReference {
  child: string;
  childColumns: string[];
  parent: string;
  parentColumns: string[];
  onDelete: ForeignKey["onDelete"];
}

const KINDS: Readonly<Record<string, ColumnKind>> = {
  tinyint: "integer",
  smallint: "integer",
  mediumint: "integer",
  int: "integer",
  bigint: "integer",
  year: "integer",
  bit: "integer",
  decimal: "decimal",
  float: "float",
  double: "float",
  char: "text",
  varchar: "text",
  tinytext: "text",
  text: "text",
  mediumtext: "text",
  longtext: "text",
  enum: "text",
  set: "text",
  binary: "bytes",
  varbinary: "bytes",
  tinyblob: "bytes",
  blob: "bytes",
  mediumblob: "bytes",
  longblob: "bytes",
  date: "date",
  time: "time",
  datetime: "timestamp",
  timestamp: "timestamptz",
  json: "json",
  uuid: "uuid",
};

const COLUMNS = `SELECT TABLE_NAME, COLUMN_NAME, DATA_TYPE, COLUMN_TYPE, IS_NULLABLE, COLUMN_DEFAULT, EXTRA,
  CHARACTER_MAXIMUM_LENGTH, COLUMN_COMMENT, PRIVILEGES FROM information_schema.COLUMNS`;

function enumValues(type: string): string[] | undefined {
  if (!type.startsWith("enum(")) return undefined;
  return [...type.matchAll(/'((?:[^']|'')*)'/g)].map(([, value = ""]) => value.replaceAll("''", "'"));
}

function toColumn([, name, base, type, isNullable, given, extra, length, comment]: TextRow): Column {
  const declared = type ?? "";
  const facts = (extra ?? "").toLowerCase();
  const column: Column = {
    name: name ?? "",
    kind: /^tinyint\(1\)/.test(declared) ? "boolean" : (KINDS[base ?? ""] ?? "other"),
    type: declared,
    isNullable: isNullable === "YES",
    // MariaDB writes the default NULL out.
    hasDefault: (given !== null && given !== "NULL") || /auto_increment|default_generated/.test(facts),
    isGenerated: /virtual|stored|persistent/.test(facts),
  };
  const values = enumValues(declared);
  if (values) column.values = values;
  if (/^(var)?char$/.test(base ?? "") && length) column.maxLength = Number(length);
  if (column.kind === "integer" && /unsigned/.test(declared)) column.minimum = 0;
  if (comment) column.comment = comment;
  return column;
}

/** A CHECK in the words that the reader of PostgreSQL's understands. */
const translated = (check: string): string =>
  check
    .replaceAll(/_utf8mb[34]\\?'/g, "'")
    .replaceAll("\\'", "'")
    .replaceAll("`", '"')
    .replaceAll(/\bin \(([^()]*)\)/gi, "= ANY (ARRAY[$1])")
    .replaceAll(/(\S+) between (\S+) and (\S+)/gi, "$1 >= $2 AND $1 <= $3")
    .replaceAll(/\band\b/g, "AND");

function applyChecks(columns: readonly Column[], checks: readonly string[]): string[] {
  return checks.filter((check) => {
    const json = /^\(?json_valid\(`([^`]+)`\)\)?$/.exec(check)?.[1];
    const column = columns.find(({ name }) => name === json);
    if (column) column.kind = "json";
    return !column && !applyCheck(translated(check), (name) => columns.find((one) => one.name === name));
  });
}

/** The primary key, or the only unique one whose columns are never null. */
function keyOf(indexes: readonly TextRow[], columns: readonly Column[]): string[] {
  const byName = new Map<string, { columns: string[]; isWhole: boolean }>();
  for (const [, index, column, part] of indexes) {
    const known = byName.get(index ?? "") ?? { columns: [], isWhole: true };
    known.columns.push(column ?? "");
    if (part !== null || column === null) known.isWhole = false;
    byName.set(index ?? "", known);
  }
  const primary = byName.get("PRIMARY");
  if (primary?.isWhole) return primary.columns;
  const isNeverNull = (name: string): boolean => columns.some((one) => one.name === name && !one.isNullable);
  const neverNull = [...byName.values()].filter((one) => one.isWhole && one.columns.every(isNeverNull));
  return neverNull.length === 1 ? (neverNull[0]?.columns ?? []) : [];
}

/** The foreign keys within a database. */
export async function readReferences(database: string, session: MysqlSession): Promise<MysqlReference[]> {
  const rows = await session.run(
    `SELECT k.CONSTRAINT_NAME, k.TABLE_NAME, k.COLUMN_NAME, k.REFERENCED_TABLE_NAME, k.REFERENCED_COLUMN_NAME, r.DELETE_RULE
     FROM information_schema.KEY_COLUMN_USAGE k JOIN information_schema.REFERENTIAL_CONSTRAINTS r
       ON r.CONSTRAINT_SCHEMA = k.CONSTRAINT_SCHEMA AND r.CONSTRAINT_NAME = k.CONSTRAINT_NAME AND r.TABLE_NAME = k.TABLE_NAME
     WHERE k.TABLE_SCHEMA = ? AND k.REFERENCED_TABLE_SCHEMA = ? ORDER BY k.TABLE_NAME, k.CONSTRAINT_NAME, k.ORDINAL_POSITION`,
    [database, database],
  );
  const found = new Map<string, MysqlReference>();
  for (const [name, child, column, parent, referred, rule] of rows) {
    const onDelete = (rule ?? "").toLowerCase() as ForeignKey["onDelete"];
    const known = found.get(`${child}.${name}`) ?? {
      child: child ?? "",
      childColumns: [],
      parent: parent ?? "",
      parentColumns: [],
      onDelete,
    };
    known.childColumns.push(column ?? "");
    known.parentColumns.push(referred ?? "");
    found.set(`${child}.${name}`, known);
  }
  return [...found.values()];
}

async function readChecks(database: string, session: MysqlSession): Promise<TextRow[]> {
  const [version] = await session.run("SELECT VERSION()");
  const isMariaDb = /mariadb/i.test(version?.[0] ?? "");
  return session.run(
    isMariaDb
      ? "SELECT TABLE_NAME, CHECK_CLAUSE FROM information_schema.CHECK_CONSTRAINTS WHERE CONSTRAINT_SCHEMA = ?"
      : `SELECT t.TABLE_NAME, c.CHECK_CLAUSE FROM information_schema.CHECK_CONSTRAINTS c JOIN information_schema.TABLE_CONSTRAINTS t
           ON t.CONSTRAINT_SCHEMA = c.CONSTRAINT_SCHEMA AND t.CONSTRAINT_NAME = c.CONSTRAINT_NAME WHERE c.CONSTRAINT_SCHEMA = ?`,
    [database],
  );
}

const of = (rows: readonly TextRow[], table: string | null): TextRow[] => rows.filter(([name]) => name === table);

/** The tables and views of a database, or the one with this name. */
export async function readMysqlTables(database: string, session: MysqlSession, only?: string): Promise<MysqlTable[]> {
  const scope = only === undefined ? "TABLE_SCHEMA = ?" : "TABLE_SCHEMA = ? AND TABLE_NAME = ?";
  const values = only === undefined ? [database] : [database, only];
  const tables = await session.run(
    `SELECT TABLE_NAME, TABLE_TYPE, ENGINE, TABLE_COMMENT FROM information_schema.TABLES WHERE ${scope} ORDER BY TABLE_NAME`,
    values,
  );
  const columns = await session.run(`${COLUMNS} WHERE ${scope} ORDER BY TABLE_NAME, ORDINAL_POSITION`, values);
  const indexes = await session.run(
    `SELECT TABLE_NAME, INDEX_NAME, COLUMN_NAME, SUB_PART FROM information_schema.STATISTICS
     WHERE ${scope} AND NON_UNIQUE = 0 ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX`,
    values,
  );
  const checks = await readChecks(database, session);
  const references = await readReferences(database, session);
  const triggers = await session.run(
    "SELECT EVENT_OBJECT_TABLE FROM information_schema.TRIGGERS WHERE EVENT_OBJECT_SCHEMA = ?",
    [database],
  );
  return tables.map(([name, type, engine, comment]): MysqlTable => {
    const all = of(columns, name ?? "");
    const readable = all.filter((row) => (row[9] ?? "").includes("select"));
    const made = readable.map(toColumn);
    const isBase = type === "BASE TABLE";
    const isSafe = isBase && engine === "InnoDB";
    const may = (verb: string): boolean => all.some((row) => (row[9] ?? "").includes(verb));
    const table: MysqlTable = {
      name: { name: name ?? "" },
      kind: isBase ? "table" : "view",
      engine: engine ?? "",
      columns: made,
      checks: applyChecks(
        made,
        of(checks, name ?? "").map(([, clause]) => clause ?? ""),
      ),
      key: keyOf(of(indexes, name ?? ""), made),
      foreignKeys: references
        .filter(({ child }) => child === name)
        .map(({ childColumns, parent, parentColumns, onDelete }) => ({
          columns: childColumns,
          references: { name: parent },
          referencedColumns: parentColumns,
          onDelete,
        })),
      can: {
        select: made.length > 0,
        insert: isSafe && may("insert"),
        update: isSafe && may("update"),
        // Not told of columns; who may insert and update may usually delete, and is told otherwise at the call.
        delete: isSafe && may("update"),
      },
      hasTriggers: triggers.some(([one]) => one === name),
      counted: all.find((row) => /auto_increment/i.test(row[6] ?? ""))?.[1] ?? undefined,
      isWhole: readable.length === all.length,
    };
    if (isBase && comment) table.comment = comment;
    return table;
  });
}

/** A table within a change. Throws DatabaseFailure `schema_changed` when it is not there. */
export async function tableNamed(name: string, database: string, session: MysqlSession): Promise<MysqlTable> {
  const [table] = await readMysqlTables(database, session, name);
  if (table) return table;
  throw new DatabaseFailure(
    "schema_changed",
    `there is no table ${name} any more: the database has changed; run agentd sync sql again`,
    { details: { table: name } },
  );
}

/** Of what the rows of these tables depend on. */
export function columnsHash(tables: readonly MysqlTable[]): string {
  const shapes = tables.map(({ name, key, columns }) =>
    toJson([name.name, key, columns.map((one) => [one.name, one.type, one.isNullable, one.isGenerated])]),
  );
  return createHash("sha256")
    .update(toJson([...new Set(shapes)].sort()))
    .digest("hex");
}

// The catalogue of a PostgreSQL database: a few queries of the whole of it at once, in one transaction, made into tables and routines.
// What cannot become a tool is named with its reason.
import type { Column, DatabaseCatalogue, ForeignKey, Routine, Table } from "../catalogue.js";
import type { CallLimits } from "../database.js";
import {
  COLUMNS_QUERY,
  CONSTRAINTS_QUERY,
  type ColumnRow,
  type ConstraintRow,
  ENUMS_QUERY,
  type EnumRow,
  RELATIONS_QUERY,
  type RelationRow,
  ROUTINES_QUERY,
  type RoutineRow,
  UNIQUES_QUERY,
  type UniqueRow,
} from "./catalogue-queries.js";
import { applyCheck, toColumn } from "./columns.js";
import type { PostgresConnections } from "./connections.js";
import { ROLE_RECIPE, tooPowerful } from "./role.js";
import { toRoutines } from "./routines.js";
import type { PostgresSession } from "./session.js";
import { shownName, toName } from "./usual-schema.js";

const KINDS: Readonly<Record<RelationRow["kind"], Table["kind"]>> = {
  r: "table",
  p: "partitioned table",
  v: "view",
  m: "materialized view",
  f: "foreign table",
};

const ON_DELETE: Readonly<Record<string, ForeignKey["onDelete"]>> = {
  a: "no action",
  r: "restrict",
  c: "cascade",
  n: "set null",
  d: "set default",
};

async function rowsOf<Row>(session: PostgresSession, query: string): Promise<Row[]> {
  const { rows } = await session.run(`SELECT row_to_json(one)::text FROM (${query}) one`);
  return rows.map(([text]) => JSON.parse(text ?? "null") as Row);
}

function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => number): Map<number, Row[]> {
  const groups = new Map<number, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

interface Grouped {
  columns: Map<number, ColumnRow[]>;
  constraints: Map<number, ConstraintRow[]>;
  uniques: Map<number, UniqueRow[]>;
  enums: Map<number, readonly string[]>;
  domainChecks: Map<number, ConstraintRow[]>;
}

/** The primary key, or the only unique key whose columns are never null. */
function keyOf(uniques: readonly UniqueRow[], columns: readonly Column[]): readonly string[] {
  const primary = uniques.find((one) => one.primary);
  if (primary) return primary.columns;
  const neverNull = uniques.filter((one) =>
    one.columns.every((name) => columns.some((column) => column.name === name && !column.isNullable)),
  );
  return neverNull.length === 1 ? (neverNull[0]?.columns ?? []) : [];
}

function foreignKeysOf(constraints: readonly ConstraintRow[]): ForeignKey[] {
  return constraints
    .filter(({ kind }) => kind === "f")
    .map((row) => ({
      columns: row.columns,
      references: toName(row.target_schema ?? "", row.target ?? ""),
      referencedColumns: row.target_columns,
      onDelete: ON_DELETE[row.on_delete] ?? "no action",
    }));
}

/** The columns that the role may read, and the CHECKs that their fields cannot say. */
function columnsOf(
  rows: readonly ColumnRow[],
  checks: readonly string[],
  grouped: Grouped,
): { columns: Column[]; left: string[] } {
  const left: string[] = [];
  const columns = rows.map((row) => {
    const column = toColumn(row, grouped.enums.get(row.type_oid));
    for (const { expression } of row.domain ? (grouped.domainChecks.get(row.domain) ?? []) : [])
      if (expression && !applyCheck(expression, (name) => (name === "VALUE" ? column : undefined)))
        left.push(expression.replaceAll(/\bVALUE\b/g, row.name));
    return column;
  });
  for (const check of checks)
    if (!applyCheck(check, (name) => columns.find((column) => column.name === name))) left.push(check);
  return { columns, left };
}

function canDo(row: RelationRow): Table["can"] {
  const isTable = (row.kind === "r" || row.kind === "p") && !row.instead;
  return {
    select: row.select,
    insert: isTable && row.insert,
    update: isTable && row.update,
    delete: isTable && row.delete,
  };
}

function toTable(row: RelationRow, grouped: Grouped): Table {
  const constraints = grouped.constraints.get(row.oid) ?? [];
  const checks = constraints.filter(({ kind }) => kind === "c").map(({ expression }) => expression ?? "");
  const readable = (grouped.columns.get(row.oid) ?? []).filter((column) => column.select);
  const { columns, left } = columnsOf(readable, checks, grouped);
  const table: Table = {
    name: toName(row.schema, row.name),
    kind: KINDS[row.kind],
    columns,
    key: keyOf(grouped.uniques.get(row.oid) ?? [], columns),
    foreignKeys: foreignKeysOf(constraints),
    checks: left,
    can: canDo(row),
  };
  if (row.comment) table.comment = row.comment;
  return table;
}

/** Why a relation is left out; undefined when it is not. */
function relationReason(row: RelationRow): string | undefined {
  if (row.of_extension) return "it belongs to an extension";
  if (!row.usage) return `the role may not use the schema ${row.schema}`;
  if (!row.select) return "the role may not read it";
  return undefined;
}

/** What a table loses, said where a person may expect it. */
function lostTools(row: RelationRow): string | undefined {
  if (row.kind === "f") return "a foreign table is listed only: what is written there cannot be rolled back";
  if (row.instead) return "rules rewrite what is written to it: listed only";
  return undefined;
}

async function readAll(
  session: PostgresSession,
): Promise<{ relations: RelationRow[]; routines: RoutineRow[]; grouped: Grouped }> {
  await session.run("SET LOCAL search_path = ''");
  const relations = await rowsOf<RelationRow>(session, RELATIONS_QUERY);
  const columns = await rowsOf<ColumnRow>(session, COLUMNS_QUERY);
  const constraints = await rowsOf<ConstraintRow>(session, CONSTRAINTS_QUERY);
  const uniques = await rowsOf<UniqueRow>(session, UNIQUES_QUERY);
  const enums = await rowsOf<EnumRow>(session, ENUMS_QUERY);
  const routines = await rowsOf<RoutineRow>(session, ROUTINES_QUERY);
  const grouped = {
    columns: groupBy(columns, (row) => row.relation),
    constraints: groupBy(constraints, (row) => row.relation),
    uniques: groupBy(uniques, (row) => row.relation),
    enums: new Map(enums.map(({ type, labels }) => [type, labels])),
    domainChecks: groupBy(
      constraints.filter(({ domain }) => domain !== 0),
      (row) => row.domain,
    ),
  };
  return { relations, routines, grouped };
}

/** See Database.introspect. `allowsSuperuser`: whether a role that reaches beyond tables may have the free query. */
export async function introspectPostgres(
  connections: PostgresConnections,
  { limits, allowsSuperuser }: { limits: CallLimits; allowsSuperuser: boolean },
): Promise<DatabaseCatalogue> {
  const session = await connections.open("READ ONLY", limits);
  try {
    const powers = connections.powersOf(session);
    const { relations, routines, grouped } = await readAll(session);
    const tables: Table[] = [];
    const skipped: { name: string; reason: string }[] = [];
    for (const row of relations) {
      const name = shownName(row);
      const reason = relationReason(row);
      if (reason) skipped.push({ name, reason });
      else {
        const table = toTable(row, grouped);
        tables.push(table);
        const lost = lostTools(row);
        if (lost) skipped.push({ name, reason: lost });
      }
    }
    const callable: { routines: Routine[]; skipped: DatabaseCatalogue["skipped"] } = toRoutines(routines);
    const catalogue: DatabaseCatalogue = {
      dialect: "postgres",
      tables,
      routines: callable.routines,
      skipped: [...skipped, ...callable.skipped],
      warnings: [`PostgreSQL ${powers.serverVersion}, as the role ${powers.role}`],
    };
    const reason = allowsSuperuser ? undefined : tooPowerful(powers);
    if (reason) catalogue.noQuery = `${reason}; ${ROLE_RECIPE}`;
    return catalogue;
  } finally {
    await connections.release(session);
  }
}

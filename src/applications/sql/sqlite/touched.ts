// Everything a change touches, cascades and triggers included: temporary triggers on every table that it may reach write down old
// rows and keys; they are of this connection alone and leave no trace. Runs inside the transaction of the change.
import type { Database } from "better-sqlite3";
import { sqliteSyntax } from "./syntax.js";
import {
  identityCondition,
  readForeignKeys,
  readTables,
  readTriggers,
  rowIdentity,
  type SqliteForeignKey,
  type SqliteTable,
} from "./tables.js";
import type { SqliteValue } from "./values.js";

const { quote } = sqliteSyntax;

/** A row that was touched, by its identity, with its values in the order of the columns. */
export interface TouchedValues {
  table: SqliteTable;
  id: readonly SqliteValue[];
  before: readonly SqliteValue[] | null;
  after: readonly SqliteValue[] | null;
}

/** What a change may reach. */
export interface Reach {
  tables: readonly SqliteTable[];
  /** Whether deleted rows may go unseen: something replaces rows, which fires no trigger. */
  replaces: boolean;
  /** Names of virtual tables that triggers write to: nothing can be seen there. */
  unseen: readonly string[];
  hasTriggers: boolean;
}

const acts = ({ onDelete, onUpdate }: SqliteForeignKey): boolean =>
  [onDelete, onUpdate].some((action) => /^(cascade|set null|set default)$/i.test(action));

/** Everything a change of these tables may reach: by foreign keys that act, and by what the texts of triggers name. */
export function reachOf(db: Database, names: readonly string[]): Reach {
  const all = readTables(db);
  const keys = readForeignKeys(db, all).filter(acts);
  const triggers = readTriggers(db);
  const reached = new Set<SqliteTable>(all.filter(({ name }) => names.includes(name)));
  const texts: string[] = [];
  // A set is walked in the order of insertion, what is added on the way too.
  for (const { name } of reached) {
    const children = keys.filter(({ references }) => references.toLowerCase() === name.toLowerCase());
    for (const { table } of children) for (const other of all) if (other.name === table) reached.add(other);
    const own = (triggers.get(name.toLowerCase()) ?? []).join("\n").toLowerCase();
    if (own === "") continue;
    texts.push(own);
    for (const other of all)
      if ([other.name, other.name.replaceAll('"', '""')].some((text) => own.includes(text.toLowerCase())))
        reached.add(other);
  }
  const tables = [...reached].filter(({ type }) => type === "table");
  const isReplacing =
    texts.some((text) => /\breplace\b/.test(text)) ||
    tables.some(({ sql }) => /\bon\s+conflict\s+replace\b/i.test(sql));
  return {
    tables: tables.filter((table) => rowIdentity(table).length > 0),
    replaces: isReplacing,
    unseen: [
      ...[...reached].filter(({ type }) => type === "virtual"),
      ...tables.filter((table) => rowIdentity(table).length === 0),
    ].map(({ name }) => name),
    hasTriggers: texts.length > 0,
  };
}

/** The names of the columns that keep the identity of a row and its values in the log of a table. */
const ids = (table: SqliteTable): string[] => rowIdentity(table).map((_, at) => `i${at}`);
const values = (table: SqliteTable): string[] => table.columns.map((_, at) => `v${at}`);

const of = (row: "OLD" | "NEW", names: readonly string[]): string[] => names.map((name) => `${row}.${quote(name)}`);

/** The triggers of one table: values before a change, and the keys of rows that came and went. */
function triggerTexts(table: SqliteTable, log: string): string[] {
  const on = `ON main.${quote(table.name)} FOR EACH ROW`;
  const identity = rowIdentity(table);
  const names = table.columns.map(({ name }) => name);
  const old = [...of("OLD", identity), ...of("OLD", names)].join(", ");
  const keep = `INSERT INTO ${log} (op, ${[...ids(table), ...values(table)].join(", ")}) VALUES ('v', ${old});`;
  const note = (op: "i" | "d", row: "OLD" | "NEW"): string =>
    `INSERT INTO ${log} (op, ${ids(table).join(", ")}) VALUES ('${op}', ${of(row, identity).join(", ")});`;
  const moved = identity.map((name) => `OLD.${quote(name)} IS NOT NEW.${quote(name)}`).join(" OR ");
  return [
    `CREATE TEMP TRIGGER ${log}_bu BEFORE UPDATE ${on} BEGIN ${keep} END`,
    `CREATE TEMP TRIGGER ${log}_bd BEFORE DELETE ${on} BEGIN ${keep} END`,
    `CREATE TEMP TRIGGER ${log}_ai AFTER INSERT ${on} BEGIN ${note("i", "NEW")} END`,
    `CREATE TEMP TRIGGER ${log}_ad AFTER DELETE ${on} BEGIN ${note("d", "OLD")} END`,
    `CREATE TEMP TRIGGER ${log}_au AFTER UPDATE ${on} WHEN ${moved} BEGIN ${note("d", "OLD")} ${note("i", "NEW")} END`,
  ];
}

/** What is written down while a change runs. */
export interface TouchLog {
  reach: Reach;
  /** The rows that were touched so far, in the order of their keys. */
  rows(): Generator<TouchedValues>;
  /** Takes the triggers away; the change can be committed then. */
  drop(): void;
}

/** Starts to write down what happens to everything in reach. Must be called inside a transaction. */
export function openTouchLog(db: Database, reach: Reach, prefix = "agentd_touched"): TouchLog {
  const logs = reach.tables.map((table, at) => ({ table, log: `${prefix}_${at}` }));
  for (const { table, log } of logs) {
    db.exec(`CREATE TEMP TABLE ${log} (seq INTEGER PRIMARY KEY, op, ${[...ids(table), ...values(table)].join(", ")})`);
    for (const text of triggerTexts(table, log)) db.exec(text);
  }
  return {
    reach,
    *rows() {
      for (const { table, log } of logs) yield* touchedRows(db, table, log);
    },
    drop() {
      for (const { log } of logs) {
        for (const suffix of ["bu", "bd", "ai", "ad", "au"]) db.exec(`DROP TRIGGER temp.${log}_${suffix}`);
        db.exec(`DROP TABLE temp.${log}`);
      }
    },
  };
}

/**
 * The rows of one table. Whether a row was there before is counted back from whether it is there now: triggers may come in
 * any order, and one may change a row before its creation is written down.
 */
function* touchedRows(db: Database, table: SqliteTable, log: string): Generator<TouchedValues> {
  const identity = ids(table);
  const columns = table.columns.map(({ name }) => quote(name)).join(", ");
  const touched = db
    .prepare(
      `SELECT ${identity.join(", ")}, min(CASE op WHEN 'v' THEN seq END), sum(op = 'i'), sum(op = 'd') FROM temp.${log} GROUP BY ${identity.join(", ")} ORDER BY ${identity.join(", ")}`,
    )
    .safeIntegers(true)
    .raw(true);
  const current = db
    .prepare(`SELECT ${columns} FROM main.${quote(table.name)} WHERE ${identityCondition(table)}`)
    .safeIntegers(true)
    .raw(true);
  const first = db
    .prepare(`SELECT ${values(table).join(", ")} FROM temp.${log} WHERE seq = ?`)
    .safeIntegers(true)
    .raw(true);
  for (const row of touched.all() as SqliteValue[][]) {
    const id = row.slice(0, identity.length);
    const [seq = null, inserted = 0n, deleted = 0n] = row.slice(identity.length) as (bigint | null)[];
    const after = (current.get(...id) as SqliteValue[] | undefined) ?? null;
    const wasThere = (after ? 1n : 0n) - (inserted ?? 0n) + (deleted ?? 0n) > 0n;
    const before = wasThere && seq !== null ? ((first.get(seq) as SqliteValue[] | undefined) ?? null) : null;
    if (before || after) yield { table, id, before, after };
  }
}

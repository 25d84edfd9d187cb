// Rows of a SQLite database, some at a time: of a statement the daemon made, or of one SELECT of a person's or a model's, which can
// neither write nor reach another file.
import type { Database, Statement } from "better-sqlite3";
import type { JsonObject } from "../../../lib/json.js";
import { type ColumnType, DatabaseFailure } from "../database.js";
import type { Parameter } from "../statement.js";
import { rowSize, type SqliteValue, sqliteKindOf, toBound, toRow } from "./values.js";

/** Rows that are handed over together, and characters after which fewer are. */
const BATCH_ROWS = 500;
const BATCH_CHARS = 256 * 1024;
/** Characters of one row; a longer one fits no result. */
const MAX_ROW = 8 * 1024 * 1024;

/** Comments and space, then the word that a statement begins with. */
const FIRST_WORD = /^(?:\s|--[^\n]*(?:\n|$)|\/\*[\s\S]*?(?:\*\/|$)|\()*([a-z]*)/i;
const READING = new Set(["select", "with", "values", "explain"]);
/** Tells where the file is, or gives an address in memory: no business of whoever may ask questions. A name has no second spelling. */
const FORBIDDEN_NAME = /pragma_database_list|fts3_tokenizer/i;

const refused = (message: string): DatabaseFailure => new DatabaseFailure("refused", message);

/** A statement that only reads. Throws DatabaseFailure for any other. */
function prepareQuery(db: Database, sql: string): Statement {
  const word = FIRST_WORD.exec(sql)?.[1]?.toLowerCase() ?? "";
  // SQLite reads no further, so that something else would run than is shown.
  if (sql.includes("\0")) throw refused("a statement cannot hold the character NUL; nothing was run");
  if (!READING.has(word)) throw refused("only one SELECT, VALUES or WITH … SELECT can be asked; nothing was run");
  const name = FORBIDDEN_NAME.exec(sql)?.[0];
  if (name !== undefined) throw refused(`${name} cannot be used here; nothing was run`);
  let statement: Statement;
  try {
    statement = db.prepare(sql);
  } catch (error) {
    // The driver's own, not SQLite's: more than one statement, or none.
    if (error instanceof RangeError) throw refused("one statement at a time; nothing was run");
    throw error;
  }
  if (!statement.reader || !statement.readonly) throw refused("this statement would change something; nothing was run");
  return statement;
}

/** Names of the columns, each once: a second "id" is "id_2". */
function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let own = name;
    for (let round = 2; taken.has(own); round++) own = `${name}_${round}`;
    taken.add(own);
    return own;
  });
}

/** The rows of a person's or a model's statement, whose placeholders may have numbers (`?1`, `$1`): names, for the driver. */
function askedRows(statement: Statement, bound: readonly SqliteValue[]): IterableIterator<unknown> {
  for (const values of [bound, [Object.fromEntries(bound.map((value, at) => [at + 1, value]))]]) {
    try {
      return statement.iterate(...values);
    } catch (error) {
      // The driver's own: too many or too few of them, or names.
      if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    }
  }
  throw new DatabaseFailure(
    "invalid_value",
    "parameters takes one value for each placeholder of the statement, in order",
  );
}

/** Runs a statement; each step gives some rows. `columns` is undefined for a statement of a person's or a model's. */
export function* readRows(
  db: Database,
  {
    sql,
    parameters,
    columns,
  }: { sql: string; parameters: readonly Parameter[]; columns?: readonly ColumnType[] | undefined },
): Generator<{ columns: string[]; rows: JsonObject[] }, void> {
  const statement = (columns ? db.prepare(sql) : prepareQuery(db, sql)).safeIntegers(true).raw(true);
  const found = statement.columns();
  const names = columns ? columns.map(({ name }) => name) : uniqueNames(found.map(({ name }) => name));
  const types = names.map((name, at) => ({ name, kind: columns?.[at]?.kind ?? sqliteKindOf(found[at]?.type ?? "") }));
  const bound = parameters.map(({ value, column }) => toBound(value, column));
  let rows: JsonObject[] = [];
  let size = 0;
  for (const row of (columns ? statement.iterate(...bound) : askedRows(statement, bound)) as IterableIterator<
    SqliteValue[]
  >) {
    const own = rowSize(row);
    if (own > MAX_ROW)
      throw refused("one row is longer than a result may be; ask for fewer columns, or for a part of the text");
    size += own;
    rows.push(toRow(row, types));
    if (rows.length < BATCH_ROWS && size < BATCH_CHARS) continue;
    yield { columns: names, rows };
    [rows, size] = [[], 0];
  }
  yield { columns: names, rows };
}

// The rows that a change is known to touch: the one it names, and for a delete all that foreign keys take with it. Each is read and
// locked before the change and read again after it. What is held is the most that can be put back.
import { keyTexts, type RowTexts } from "../row-texts.js";
import { toArrayText } from "./array-text.js";
import {
  columnList,
  quotedRelation,
  type Reference,
  type Relation,
  referencesTo,
  relationIdentity,
  relationOf,
  toTexts,
  typeOf,
} from "./relations.js";
import type { PostgresSession } from "./session.js";
import { quoteName } from "./syntax.js";

/** Source: docs/reference.md, "Effects". */
const MAX_HELD_ROWS = 1_000;
const MAX_HELD_BYTES = 16 * 1024 * 1024;

/** One row before and after. */
export interface HeldRow {
  relation: Relation;
  key: RowTexts;
  before: RowTexts | null;
  after: RowTexts | null;
  /** How often the change updates it, as the server counts. */
  updates: number;
}

/** The rows of a change, in the order in which they were found: the row itself, then what refers to it. */
export class HeldRows {
  readonly #rows = new Map<string, HeldRow>();
  #bytes = 0;
  /** Why something is not held; undefined when nothing is known to be missing. */
  gap: string | undefined;

  get rows(): HeldRow[] {
    return [...this.#rows.values()];
  }

  find(relation: Relation, row: RowTexts): HeldRow | undefined {
    return this.#rows.get(`${relation.oid} ${relationIdentity(relation, row)}`);
  }

  /** False when it is one too many. */
  add(row: HeldRow): boolean {
    for (const text of Object.values(row.before ?? row.after ?? {})) this.#bytes += text?.length ?? 0;
    if (this.#rows.size >= MAX_HELD_ROWS || this.#bytes > MAX_HELD_BYTES) {
      this.gap = `it touches more than ${MAX_HELD_ROWS} rows, or more than ${MAX_HELD_BYTES / 1024 / 1024} MiB`;
      return false;
    }
    this.#rows.set(`${row.relation.oid} ${relationIdentity(row.relation, row.key)}`, row);
    return true;
  }
}

/** Reads rows whose columns have one of these groups of values. */
export async function rowsWhere(
  relation: Relation,
  {
    columns,
    types,
    rows,
    limit,
  }: { columns: readonly string[]; types: readonly string[]; rows: readonly (string | null)[][]; limit: number },
  { session, lock }: { session: PostgresSession; lock: boolean },
): Promise<RowTexts[]> {
  // Lists of texts: a list of lists would be taken for a single one.
  const lists = types.map((_, at) => `pg_catalog.unnest($${at + 1}::pg_catalog.text[])`).join(", ");
  const names = types.map((_, at) => `c${at}`);
  const values = types.map((type, at) => `c${at}::${type}`).join(", ");
  const arrays = columns.map((_, at) => toArrayText(rows.map((row) => row[at] ?? null)));
  const sql =
    `SELECT ${columnList(relation)} FROM ${quotedRelation(relation)} ` +
    `WHERE (${columns.map(quoteName).join(", ")}) IN (SELECT ${values} FROM ROWS FROM (${lists}) one(${names.join(", ")})) ` +
    `LIMIT ${limit}${lock && relation.lockable ? " FOR UPDATE" : ""}`;
  const answer = await session.run(sql, arrays);
  return answer.rows.map((row) => toTexts(relation, row));
}

interface Closure {
  held: HeldRows;
  session: PostgresSession;
  relations: Map<number, Relation>;
}

async function childRelation(oid: number, { relations, session }: Closure): Promise<Relation> {
  const relation = relations.get(oid) ?? (await relationOf(oid, session));
  relations.set(oid, relation);
  return relation;
}

/** The rows that one foreign key takes along; those that are deleted with their parents are given back. */
async function holdChildren(reference: Reference, parents: readonly HeldRow[], closure: Closure): Promise<HeldRow[]> {
  const { held, session } = closure;
  const parent = parents[0]?.relation;
  if (!parent) return [];
  const child = await childRelation(reference.child, closure);
  if (child.key.length === 0 || !child.readable) {
    held.gap ??= `rows of ${child.name} cannot be told apart or read`;
    return [];
  }
  const found = await rowsWhere(
    child,
    {
      columns: reference.child_columns,
      types: reference.parent_columns.map((name) => typeOf(parent, name)),
      rows: parents.map(({ before }) => reference.parent_columns.map((name) => before?.[name] ?? null)),
      limit: MAX_HELD_ROWS + 1,
    },
    { session, lock: true },
  );
  const deleted: HeldRow[] = [];
  for (const before of found) {
    const known = held.find(child, before);
    const row = known ?? { relation: child, key: keyTexts(child.key, before), before, after: null, updates: 0 };
    if (!known && !held.add(row)) break;
    if (reference.action !== "c") row.updates++;
    else if (!known || known.updates > 0) {
      row.updates = 0;
      deleted.push(row);
    }
  }
  return deleted;
}

/** Holds all that deleting a held row takes along by foreign keys. */
export async function holdReferences(root: HeldRow, held: HeldRows, session: PostgresSession): Promise<void> {
  const closure: Closure = { held, session, relations: new Map([[root.relation.oid, root.relation]]) };
  const references = new Map<number, Reference[]>();
  for (let parents = [root]; parents.length > 0 && !held.gap; ) {
    const next: HeldRow[] = [];
    for (const oid of new Set(parents.map(({ relation }) => relation.oid))) {
      const known = references.get(oid) ?? (await referencesTo(oid, session));
      references.set(oid, known);
      const ofTable = parents.filter(({ relation }) => relation.oid === oid);
      for (const reference of known) next.push(...(await holdChildren(reference, ofTable, closure)));
    }
    parents = next;
  }
}

/** Reads rows by their keys; gives what finds the row of a key, or null where it is gone. */
export async function rowsByKeys(
  relation: Relation,
  keys: readonly RowTexts[],
  how: { session: PostgresSession; lock: boolean },
): Promise<(key: RowTexts) => RowTexts | null> {
  const found = await rowsWhere(
    relation,
    {
      columns: relation.key,
      types: relation.key.map((name) => typeOf(relation, name)),
      rows: keys.map((key) => relation.key.map((name) => key[name] ?? null)),
      limit: keys.length,
    },
    how,
  );
  const byIdentity = new Map(found.map((row) => [relationIdentity(relation, row), row]));
  return (key) => byIdentity.get(relationIdentity(relation, key)) ?? null;
}

/** Reads all held rows again. */
export async function readAgain(held: HeldRows, session: PostgresSession): Promise<void> {
  const rows = held.rows;
  for (const relation of new Set(rows.map((row) => row.relation))) {
    const ofTable = rows.filter((row) => row.relation === relation);
    const find = await rowsByKeys(
      relation,
      ofTable.map(({ key }) => key),
      { session, lock: false },
    );
    for (const row of ofTable) row.after = find(row.key);
  }
}

// Taking a change back, in one transaction: every row is compared with what the change left, put back as it was found, and compared
// again. Anything else than exactly that is rolled back. Deleting never takes along what refers to a row.
import type { Evidence } from "../../transport.js";
import { type ChangeOptions, type ChangeOutcome, DatabaseFailure, type Restoration } from "../database.js";
import {
  inPossibleOrder,
  noRoom,
  type ReturningRow,
  restoreRows,
  schemaChanged,
  toReturningRow,
} from "../restoration.js";
import type { RowTexts } from "../row-texts.js";
import { countsNow, type TransactionCounts } from "./counts.js";
import { postgresEvidence } from "./evidence.js";
import { finish } from "./finish.js";
import { type HeldRow, HeldRows, readAgain, rowsByKeys } from "./held-rows.js";
import type { ReadContext } from "./read.js";
import {
  quotedRelation,
  type Relation,
  readableColumns,
  referencesTo,
  relationNamed,
  shapeHash,
  typeOf,
} from "./relations.js";
import type { PostgresSession } from "./session.js";
import { quoteName } from "./syntax.js";
import type { GrowingTypeTable } from "./type-table.js";
import { shownName } from "./usual-schema.js";

/** A row on its way back. */
type Returning = HeldRow & ReturningRow;

/** The tables of the images. Throws DatabaseFailure `schema_changed` when they are not what they were. */
async function relationsOf({ images, schemaHash }: Restoration, session: PostgresSession): Promise<Relation[]> {
  const byName = new Map<string, Relation>();
  const relations: Relation[] = [];
  for (const { table } of images) {
    const name = `${table.schema ?? ""}.${table.name}`;
    const relation = byName.get(name) ?? (await relationNamed(table, session));
    byName.set(name, relation);
    relations.push(relation);
  }
  if (shapeHash(relations) !== schemaHash) throw schemaChanged([...byName.values()].map(shownName));
  return relations;
}

/** The rows as they are now, locked. */
async function currentRows(
  restoration: Restoration,
  relations: readonly Relation[],
  session: PostgresSession,
): Promise<Returning[]> {
  const rows = restoration.images.map(
    (image, at): Returning => ({ ...toReturningRow(image), relation: relations[at] as Relation, updates: 0 }),
  );
  for (const relation of new Set(relations)) {
    const ofTable = rows.filter((row) => row.relation === relation);
    const find = await rowsByKeys(
      relation,
      ofTable.map(({ key }) => key),
      { session, lock: true },
    );
    for (const row of ofTable) row.before = find(row.key);
  }
  return rows;
}

function insertStatement(relation: Relation, row: RowTexts): { sql: string; values: (string | null)[] } {
  const columns = relation.columns.filter(({ computed }) => !computed);
  const places = columns.map(({ type }, at) => `$${at + 1}::${type}`).join(", ");
  const names = columns.map(({ name }) => quoteName(name)).join(", ");
  return {
    sql: `INSERT INTO ${quotedRelation(relation)} (${names}) OVERRIDING SYSTEM VALUE VALUES (${places})`,
    values: columns.map(({ name }) => row[name] ?? null),
  };
}

/** The condition that names a row by its key, its places from `first` on. */
function keyCondition(relation: Relation, first: number): string {
  return relation.key.map((name, at) => `${quoteName(name)} = $${first + at}::${typeOf(relation, name)}`).join(" AND ");
}

async function putBack(row: Returning, session: PostgresSession): Promise<void> {
  const { relation, before, target } = row;
  const key = relation.key.map((name) => row.key[name] ?? null);
  if (!target) {
    await session.run(`DELETE FROM ${quotedRelation(relation)} WHERE ${keyCondition(relation, 1)}`, key);
    return;
  }
  if (!before) {
    const { sql, values } = insertStatement(relation, target);
    await session.run(sql, values);
    return;
  }
  const columns = readableColumns(relation).filter(({ name, computed }) => !computed && before[name] !== target[name]);
  if (columns.length === 0) return;
  const set = columns.map(({ name, type }, at) => `${quoteName(name)} = $${at + 1}::${type}`).join(", ");
  await session.run(
    `UPDATE ${quotedRelation(relation)} SET ${set} WHERE ${keyCondition(relation, columns.length + 1)}`,
    [...columns.map(({ name }) => target[name] ?? null), ...key],
  );
  row.updates = 1;
}

/** Whether other rows would go, or lose their reference, with this one. */
async function hasFollowers({ relation, before, target }: Returning, session: PostgresSession): Promise<boolean> {
  if (target || !before) return false;
  for (const reference of await referencesTo(relation.oid, session)) {
    const conditions = reference.child_columns.map(
      (name, at) => `${quoteName(name)} = $${at + 1}::${typeOf(relation, reference.parent_columns[at] ?? "")}`,
    );
    const { rows } = await session.run(
      "SELECT n.nspname, c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = $1::pg_catalog.oid",
      [String(reference.child)],
    );
    const [schema, name] = rows[0] ?? [];
    const found = await session.run(
      `SELECT 1 FROM ${quotedRelation({ schema: schema ?? "", name: name ?? "" })} WHERE ${conditions.join(" AND ")} LIMIT 1`,
      reference.parent_columns.map((column) => before[column] ?? null),
    );
    if (found.rows.length > 0) return true;
  }
  return false;
}

/** Puts one row back; false when another one has to go first. */
async function tryToPutBack(row: Returning, session: PostgresSession): Promise<boolean> {
  if (await hasFollowers(row, session)) return false;
  await session.run("SAVEPOINT agentd_row");
  try {
    await putBack(row, session);
    await session.run("RELEASE SAVEPOINT agentd_row");
    return true;
  } catch (error) {
    if (!(error instanceof DatabaseFailure) || error.code !== "constraint_violation") throw error;
    await session.run("ROLLBACK TO SAVEPOINT agentd_row");
    if (error.details["sqlstate"] === "23503") return false;
    throw noRoom(error);
  }
}

/** Puts all back; gives the order in which they could go. */
async function putAllBack(rows: readonly Returning[], session: PostgresSession): Promise<Returning[]> {
  await session.run("SET CONSTRAINTS ALL DEFERRED");
  const { order, left } = await inPossibleOrder(rows, (row) => tryToPutBack(row, session));
  if (left.length > 0) {
    const tables = [...new Set(left.map(({ relation }) => shownName(relation)))];
    throw new DatabaseFailure(
      "conflict",
      `other rows refer to rows of ${tables.join(", ")}, or those that they refer to are gone; nothing was put back`,
      { details: { tables } },
    );
  }
  await session.run("SET CONSTRAINTS ALL IMMEDIATE");
  return order;
}

/** Puts all back; gives the counts from before. The server counts what is rolled back too: with the order found, it begins anew. */
async function putBackCounted(rows: readonly Returning[], session: PostgresSession): Promise<TransactionCounts> {
  const counts = await countsNow(session);
  await session.run("SAVEPOINT agentd_order");
  const order = await putAllBack(rows, session);
  if (order.every((row, at) => row === rows[at])) return counts;
  await session.run("ROLLBACK TO SAVEPOINT agentd_order");
  const countsAgain = await countsNow(session);
  await putAllBack(order, session);
  return countsAgain;
}

/** Puts rows back in the session's transaction. Throws DatabaseFailure when that is not exactly what was there; the caller rolls back. */
export async function putBackExactly(
  restoration: Restoration,
  { session, types }: { session: PostgresSession; types: GrowingTypeTable },
): Promise<{ evidence: Evidence; fingerprint: string }> {
  const relations = await relationsOf(restoration, session);
  const rows = await currentRows(restoration, relations, session);
  const held = new HeldRows();
  for (const row of rows) held.add(row);
  const countsBefore = await restoreRows(rows, restoration, {
    tableOf: ({ relation }) => shownName(relation),
    putBack: () => putBackCounted(rows, session),
    readAgain: () => readAgain(held, session),
  });
  const setIn = ({ relation }: HeldRow): string[] => relation.columns.map(({ name }) => name);
  const found = await postgresEvidence({ held, countsBefore, row: null, setIn }, { session, types });
  const { complete, note } = found.evidence.effect;
  if (!complete) throw new DatabaseFailure("partial", `${note ?? "not all is known"}; nothing was put back`);
  return found;
}

/** See Database.change, for a restoration. */
export async function restorePostgres(
  { connections, types }: ReadContext,
  restoration: Restoration,
  options: ChangeOptions,
): Promise<ChangeOutcome> {
  const session = await connections.open("READ WRITE", options);
  try {
    const { evidence, fingerprint } = await putBackExactly(restoration, { session, types });
    const preview = { effect: evidence.effect, fingerprint, undo: evidence.undo };
    const outcome = await finish({ evidence, preview, options, session, connections });
    return outcome === "changed" ? { kind: "changed", preview } : { kind: "done", row: null, preview };
  } finally {
    await connections.release(session);
  }
}

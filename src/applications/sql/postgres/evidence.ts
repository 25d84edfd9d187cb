// What a change did, from the rows that were held and what the server counted: the effect as people see it, whether it can be taken
// back, and the images that take it back. The images hold the server's own texts; what is shown is JSON.
import type { Effect, TableCounts } from "../../../domain/effect.js";
import type { JsonObject } from "../../../lib/json.js";
import type { Evidence, Preview } from "../../transport.js";
import type { Restoration, RowImage } from "../database.js";
import { createFingerprint } from "../fingerprint.js";
import { RowCounts } from "../row-counts.js";
import type { RowTexts } from "../row-texts.js";
import { countsBetween, countsNow, isCounting, type TransactionCounts } from "./counts.js";
import type { HeldRow, HeldRows } from "./held-rows.js";
import { rowObject } from "./read.js";
import { type Relation, readableColumns, shapeHash } from "./relations.js";
import type { PostgresSession } from "./session.js";
import type { GrowingTypeTable } from "./type-table.js";
import { shownName, toName } from "./usual-schema.js";

/** What was found while a change ran. */
export interface Evidenced {
  held: HeldRows;
  countsBefore: TransactionCounts;
  /** The row that the statement gave back. */
  row: RowTexts | null;
  /** Names of the columns that the call itself sets in a row: for the fingerprint. */
  setIn(row: HeldRow): readonly string[];
}

/** What the held rows say that was counted. */
function expectedCounts(rows: readonly HeldRow[]): TableCounts[] {
  const counts = new RowCounts();
  for (const row of rows) counts.add(shownName(row.relation), row);
  return counts.all.filter(({ inserted, updated, deleted }) => inserted + updated + deleted > 0);
}

/** Rows that move between partitions are deleted and inserted for the server. */
const normalised = ({ name, inserted, updated, deleted }: TableCounts): string => {
  const moved = Math.min(inserted, deleted);
  return `${name} ${inserted - moved} ${updated + moved} ${deleted - moved}`;
};

/** The tables whose counts are not those of the held rows. */
function beyond(counted: readonly TableCounts[], expected: readonly TableCounts[]): TableCounts[] {
  const known = new Set(expected.map(normalised));
  return counted.filter((one) => !known.has(normalised(one)));
}

function shownRow(relation: Relation, row: RowTexts | null, types: GrowingTypeTable): JsonObject | null {
  if (!row) return null;
  const columns = readableColumns(relation);
  return rowObject(
    columns.map(({ name }) => row[name] ?? null),
    columns.map(({ name }) => name),
    { fields: columns.map(({ name, type_oid }) => ({ name, dataTypeID: type_oid })), types },
  );
}

function changesOf(rows: readonly HeldRow[], types: GrowingTypeTable): Effect["changes"] {
  return rows.map(({ relation, key, before, after }) => {
    const shown = shownRow(relation, before ?? after, types);
    return {
      resource: shownName(relation),
      key: Object.fromEntries(Object.keys(key).map((name) => [name, shown?.[name] ?? null])),
      before: shownRow(relation, before, types),
      after: shownRow(relation, after, types),
    };
  });
}

interface Beyond {
  more: readonly TableCounts[];
  isCounted: boolean;
  isEmptied: boolean;
}

function noteOf(held: HeldRows, { more, isCounted, isEmptied }: Beyond): string | undefined {
  const notes: string[] = [];
  // With a gap the counts go beyond the rows anyway, whether there are triggers or not.
  if (held.gap) notes.push(held.gap);
  else if (more.length > 0)
    notes.push(
      `triggers or rules of the database change more than the rows shown: ${more.map(({ name }) => name).join(", ")}`,
    );
  if (isEmptied)
    notes.push("a table is emptied or rebuilt as a whole, whose rows are not counted and do not come back");
  if (!isCounted) notes.push("the server does not count rows (track_counts is off), so that triggers are not seen");
  return notes.length > 0 ? notes.join("; ") : undefined;
}

/** The rows as they were found and as they are left; `inexact` says why they are not all that was changed. */
export function restorationOf(rows: readonly HeldRow[], inexact?: string): Restoration {
  const images = rows.map(
    ({ relation, key, before, after }): RowImage => ({
      table: toName(relation.schema, relation.name),
      key,
      before,
      after,
    }),
  );
  const schemaHash = shapeHash(rows.map(({ relation }) => relation));
  return { operation: "restore", images, schemaHash, ...(inexact !== undefined && { inexact }) };
}

/** Of the rows as they were found and as they are left, by their texts, and how much was touched; see createFingerprint. */
function fingerprintOf(rows: readonly HeldRow[], tables: readonly TableCounts[], setIn: Evidenced["setIn"]): string {
  const fingerprint = createFingerprint();
  for (const row of rows) {
    const { relation, key, before, after } = row;
    const columns = readableColumns(relation).map((column) => ({
      name: column.name,
      kind: column.clock ? ("timestamptz" as const) : ("other" as const),
      hasDefault: column.has_default,
    }));
    fingerprint.add({ table: shownName(relation), key, before, after, columns, set: setIn(row) });
  }
  return fingerprint.digest(tables);
}

/** What is known of a change that is not run: the rows as they are now. `why` is the reason. */
export async function foreseenPreview(
  held: HeldRows,
  why: string,
  { session, types }: { session: PostgresSession; types: GrowingTypeTable },
): Promise<Preview> {
  const { rows } = held;
  const tables = expectedCounts(rows);
  await learnTypes(rows, { session, types });
  const effect: Effect = { tables, changes: changesOf(rows, types), complete: false, note: why };
  return { effect, fingerprint: fingerprintOf(rows, tables, () => []), undo: "partial" };
}

async function learnTypes(
  rows: readonly HeldRow[],
  { session, types }: { session: PostgresSession; types: GrowingTypeTable },
): Promise<void> {
  await types.learn(
    rows.flatMap(({ relation }) => relation.columns.map(({ type_oid }) => type_oid)),
    session,
  );
}

/** Everything that is kept of a change, before it is final. */
export async function postgresEvidence(
  { held, countsBefore, setIn }: Evidenced,
  { session, types }: { session: PostgresSession; types: GrowingTypeTable },
): Promise<{ evidence: Evidence; fingerprint: string }> {
  const { rows } = held;
  const isCounted = await isCounting(session);
  const expected = expectedCounts(rows);
  const now = await countsNow(session);
  const isEmptied = now.files !== countsBefore.files;
  const tables = isCounted ? countsBetween(countsBefore, now) : expected;
  const more = beyond(tables, expected);
  await learnTypes(rows, { session, types });
  const isHidden = rows.some(({ relation }) => relation.columns.some(({ readable }) => !readable));
  const complete = isCounted && !isEmptied && more.length === 0 && !held.gap;
  const effect: Effect = { tables, changes: changesOf(rows, types), complete };
  const note = noteOf(held, { more, isCounted, isEmptied });
  if (note) effect.note = note;
  const evidence: Evidence = { effect, undo: "impossible" };
  if (rows.length > 0 && !isHidden && !held.gap) {
    evidence.undo = complete ? "possible" : "partial";
    evidence.images = restorationOf(rows, complete ? undefined : note) as unknown as JsonObject;
  }
  const { rows: transaction } = await session.run("SELECT pg_catalog.pg_current_xact_id()::text");
  if (transaction[0]?.[0]) evidence.transaction = transaction[0][0];
  return { evidence, fingerprint: fingerprintOf(rows, tables, setIn) };
}

// One change in one transaction: the rows are read and locked, the statement runs, everything it touched is read again and counted, the
// evidence is kept, and only then it is final. What is rolled back instead is a preview of it.
import type { JsonObject } from "../../../lib/json.js";
import type { Evidence } from "../../transport.js";
import { type Change, type ChangeOptions, type ChangeOutcome, DatabaseFailure } from "../database.js";
import { keyTexts, type RowTexts } from "../row-texts.js";
import { changeStatement } from "../statement.js";
import { countsNow } from "./counts.js";
import { type Evidenced, foreseenPreview, postgresEvidence } from "./evidence.js";
import { finish } from "./finish.js";
import { type HeldRow, HeldRows, holdReferences, readAgain, rowsWhere } from "./held-rows.js";
import { outsideReason } from "./outside.js";
import { toParameterText } from "./parameters.js";
import { type ReadContext, rowObject } from "./read.js";
import { columnList, type Relation, readableColumns, relationNamed, toTexts, typeOf } from "./relations.js";
import { tryRestoration } from "./restoration-trial.js";
import type { PostgresSession } from "./session.js";
import { POSTGRES_SYNTAX } from "./syntax.js";
import type { GrowingTypeTable } from "./type-table.js";
import { qualifiedName } from "./usual-schema.js";

function notFound(change: Change): DatabaseFailure {
  return new DatabaseFailure("not_found", `${change.table.name} has no row with this key`, {
    details: { table: change.table.name, key: change.key },
  });
}

/** The row that a change names, locked. Throws DatabaseFailure `not_found`. */
async function holdTarget(change: Change, relation: Relation, session: PostgresSession): Promise<HeldRows> {
  const held = new HeldRows();
  const typed = change.keyColumns.map((name) => change.columns.find((column) => column.name === name));
  const values = typed.map((column) => (column ? toParameterText(change.key[column.name] ?? null, column) : null));
  const [before] = await rowsWhere(
    relation,
    {
      columns: change.keyColumns,
      types: change.keyColumns.map((name) => typeOf(relation, name)),
      rows: [values],
      limit: 1,
    },
    { session, lock: true },
  );
  if (!before) throw notFound(change);
  const row = {
    relation,
    key: keyTexts(relation.key, before),
    before,
    after: null,
    updates: change.operation === "update" ? 1 : 0,
  };
  held.add(row);
  if (change.operation === "delete") await holdReferences(row, held, session);
  return held;
}

/** Runs the statement; gives the row that it left, or that it deleted. */
async function runStatement(change: Change, relation: Relation, session: PostgresSession): Promise<RowTexts> {
  const { sql, parameters } = changeStatement({ ...change, table: qualifiedName(change.table) }, POSTGRES_SYNTAX);
  const values = parameters.map(({ value, column }) => toParameterText(value, column));
  const answer = await session.run(`${sql} RETURNING ${columnList(relation)}`, values);
  const [row] = answer.rows;
  if (!row)
    throw new DatabaseFailure(
      "refused",
      `${change.table.name} was left as it is: a trigger, a rule or a policy of the database keeps this row from being changed`,
      { details: { table: change.table.name } },
    );
  // Deferred constraints and triggers would otherwise come with COMMIT, after everything was read.
  await session.run("SET CONSTRAINTS ALL IMMEDIATE");
  return toTexts(relation, row);
}

async function run(
  change: Change,
  held: HeldRows,
  { relation, session }: { relation: Relation; session: PostgresSession },
): Promise<Evidenced> {
  const countsBefore = await countsNow(session);
  const row = await runStatement(change, relation, session);
  if (change.operation === "create" && relation.key.length > 0)
    held.add({ relation, key: keyTexts(relation.key, row), before: null, after: row, updates: 0 });
  else if (change.operation === "create")
    held.gap = `${change.table.name} has no key by which its rows could be told apart`;
  await readAgain(held, session);
  const setIn = (one: HeldRow): readonly string[] =>
    one.relation === relation && one.after ? Object.keys(change.values) : [];
  return { held, countsBefore, row, setIn };
}

/** Fills in what the rows will be as far as it is known without running anything. */
function foresee({ operation, columns, values }: Change, held: HeldRows): void {
  const [target] = held.rows;
  for (const row of held.rows) if (row.updates > 0) row.after = row.before;
  if (operation !== "update" || !target?.before) return;
  const set = columns.flatMap((column): [string, string | null][] => {
    const value = values[column.name];
    return value === undefined ? [] : [[column.name, toParameterText(value, column)]];
  });
  target.after = { ...target.before, ...Object.fromEntries(set) };
}

/** The row of a tool's result: the columns that it knows. */
function resultOf(
  change: Change,
  { held, row }: Evidenced,
  { relation, types }: { relation: Relation; types: GrowingTypeTable },
): JsonObject {
  const target = held.rows.find((one) => one.relation === relation);
  const texts = change.operation === "delete" ? target?.before : (target?.after ?? row);
  const known = new Set(change.columns.map(({ name }) => name));
  const columns = readableColumns(relation).filter(({ name }) => known.has(name));
  return rowObject(
    columns.map(({ name }) => texts?.[name] ?? null),
    columns.map(({ name }) => name),
    { fields: columns.map(({ name, type_oid }) => ({ name, dataTypeID: type_oid })), types },
  );
}

/** See Database.change. */
export async function changeRows(context: ReadContext, change: Change, options: ChangeOptions): Promise<ChangeOutcome> {
  const { connections, types } = context;
  const session = await connections.open("READ WRITE", options);
  try {
    const relation = await relationNamed(change.table, session);
    const held = change.operation === "create" ? new HeldRows() : await holdTarget(change, relation, session);
    const outside = await outsideReason(relation, held.rows, session);
    if (outside) foresee(change, held);
    const foreseen = outside && (await foreseenPreview(held, outside, { session, types }));
    if (foreseen && !options.commit) return { kind: "done", row: null, preview: foreseen };
    if (foreseen && options.expected !== undefined && options.expected !== foreseen.fingerprint)
      return { kind: "changed", preview: foreseen };
    const evidenced = await run(change, held, { relation, session });
    const { evidence, fingerprint } = await postgresEvidence(evidenced, { session, types });
    if (outside) {
      evidence.effect.complete = false;
      markInexact(evidence, outside.replace(/^[^:]*because /, ""));
    }
    const why = evidence.undo === "possible" && (await tryRestoration(held.rows, { session, types }));
    if (why) markInexact(evidence, why);
    const preview = { effect: evidence.effect, fingerprint, undo: evidence.undo };
    const expected = foreseen ? undefined : options.expected;
    const ending = { evidence, preview, options: { ...options, expected }, session, connections };
    if ((await finish(ending)) === "changed") return { kind: "changed", preview };
    return { kind: "done", row: resultOf(change, evidenced, { relation, types }), preview };
  } finally {
    await connections.release(session);
  }
}

/** What is not in the rows of a change, such as what triggers do outside the database, comes back with no undo. */
function markInexact(evidence: Evidence, reason: string): void {
  if (evidence.images) evidence.images = { ...evidence.images, inexact: reason };
  evidence.effect.note = [evidence.effect.note, reason].filter((part) => part).join("; ");
  if (evidence.undo === "possible") evidence.undo = "partial";
}

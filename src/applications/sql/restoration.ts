// Taking a change back where values come as texts: every row is compared with what the change left, put back as it was found, and compared
// again. Knows no statements. What cannot be put back exactly is refused; the caller rolls back.
import type { JsonObject } from "../../lib/json.js";
import { DatabaseFailure, type Restoration, type RowImage } from "./database.js";
import { type RowTexts, toRowTexts } from "./row-texts.js";

/** Most rows that are named. */
const MAX_NAMED = 20;

/** Why rows are compared before they are put back. */
const CONFLICT = { code: "conflict", message: "rows are no longer what the call left" };
/** Why they are compared again afterwards. */
const OTHERWISE = {
  code: "partial",
  message: "triggers of the database leave other rows than those that were there before",
};

/** A row on its way back. */
export interface ReturningRow {
  key: RowTexts;
  /** As it is found, and as it is read again in the end. */
  before: RowTexts | null;
  after: RowTexts | null;
  /** As the change left it, and as it was before the change. */
  expected: RowTexts | null;
  target: RowTexts | null;
}

/** The row of an image, of which nothing has been read yet. */
export function toReturningRow({ key, before, after }: RowImage): ReturningRow {
  return {
    key: toRowTexts(key),
    before: null,
    after: null,
    expected: after && toRowTexts(after),
    target: before && toRowTexts(before),
  };
}

/** A row as it is and as it should be; null where there is, or should be, none. */
interface ComparedRow {
  /** As people name it. */
  table: string;
  key: RowTexts;
  is: RowTexts | null;
  should: RowTexts | null;
}

/** How a row differs; undefined when it does not. */
function difference({ is, should }: ComparedRow): { now: string; columns?: string[] } | undefined {
  if (!is && !should) return undefined;
  if (!is) return { now: "gone" };
  if (!should) return { now: "there" };
  const columns = Object.keys({ ...is, ...should }).filter((name) => is[name] !== should[name]);
  return columns.length > 0 ? { now: "different", columns } : undefined;
}

/** Throws DatabaseFailure with this code when a row is not what it should be; names rows and columns, no values. */
function refuseDifferences(rows: readonly ComparedRow[], { code, message }: { code: string; message: string }): void {
  const differing = rows.flatMap((row) => {
    const found = difference(row);
    return found ? [{ table: row.table, key: row.key, ...found }] : [];
  });
  if (differing.length === 0) return;
  const named = new Set(differing.map(({ table, now, columns }) => `${table} (${columns ? columns.join(", ") : now})`));
  throw new DatabaseFailure(code, `${message}: ${[...named].slice(0, MAX_NAMED).join("; ")}; nothing was put back`, {
    details: { rows: differing.length, differing: differing.slice(0, MAX_NAMED) as unknown as JsonObject[] },
  });
}

/** What is said when the columns of these tables are others than those of the images. */
export function schemaChanged(tables: Iterable<string>): DatabaseFailure {
  return new DatabaseFailure(
    "schema_changed",
    `the columns of ${[...tables].join(", ")} are no longer what they were at the call: nothing was put back`,
  );
}

/** What is said when a constraint refuses a row. */
export function noRoom({ message, details }: DatabaseFailure): DatabaseFailure {
  return new DatabaseFailure(
    "conflict",
    `what is there now leaves no room for what was there: ${message}; nothing was put back`,
    { details },
  );
}

/** How a database puts its rows back. */
interface RestorationSteps<Row, Result> {
  /** The table of a row, as people name it. */
  tableOf(row: Row): string;
  putBack(): Promise<Result>;
  /** Reads `after` of every row. */
  readAgain(): Promise<void>;
}

/** Puts rows back. Throws DatabaseFailure `conflict` or `partial` when that is not exactly what was there. */
export async function restoreRows<Row extends ReturningRow, Result>(
  rows: readonly Row[],
  { inexact }: Restoration,
  { tableOf, putBack, readAgain }: RestorationSteps<Row, Result>,
): Promise<Result> {
  const compared = (is: "before" | "after", should: "expected" | "target"): ComparedRow[] =>
    rows.map((row) => ({ table: tableOf(row), key: row.key, is: row[is], should: row[should] }));
  refuseDifferences(compared("before", "expected"), CONFLICT);
  if (inexact !== undefined) throw new DatabaseFailure("partial", `${inexact}; nothing was put back`);
  const result = await putBack();
  await readAgain();
  refuseDifferences(compared("after", "target"), OTHERWISE);
  return result;
}

/**
 * Rows refer to one another: what cannot go yet, where `putBack` gives false, is tried again after the others. The order in which
 * rows could go, and those that are left.
 */
export async function inPossibleOrder<Row>(
  rows: readonly Row[],
  putBack: (row: Row) => Promise<boolean>,
): Promise<{ order: Row[]; left: Row[] }> {
  const order: Row[] = [];
  let left = [...rows];
  for (let before = Number.POSITIVE_INFINITY; left.length > 0 && left.length < before; ) {
    before = left.length;
    const refused: Row[] = [];
    for (const row of left) ((await putBack(row)) ? order : refused).push(row);
    left = refused;
  }
  return { order, left };
}

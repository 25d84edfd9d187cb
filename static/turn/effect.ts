// An effect as tables of differences: for each table the rows that change, and of each row what was and what is. Pure.
import { differencesBetween, type Effect, type RowChange } from "../../src/domain/effect.js";
import { distinctNames } from "../../src/lib/distinct-names.js";
import { canonicalJson, type JsonObject, type JsonValue } from "../../src/lib/json.js";
import type { CallStatus } from "./call-status.js";

/** The heading of an effect by the status of its call, undefined where it is not known: only a call that succeeded has changed anything. */
export function effectLabel(status: CallStatus | undefined): string {
  switch (status) {
    case "ok":
      return "What changed";
    case "held":
    case "pending":
    case "running":
      return "What will change";
    case "dry_run":
      return "What would change";
    default:
      return "What it was to change";
  }
}

/** How many rows of a table are touched. */
type Counts = Omit<NonNullable<Effect["tables"]>[number], "name">;

/** One value of a row; a side that is undefined is not there. */
export interface CellDifference {
  before: JsonValue | undefined;
  after: JsonValue | undefined;
  isChanged: boolean;
}

export interface RowDifference {
  kind: "inserted" | "updated" | "deleted";
  cells: CellDifference[];
}

/** What changes in one table. */
export interface TableDifference {
  name: string;
  /** "2 updated, 1 deleted". */
  counts: string;
  columns: string[];
  /** Those that are shown; `hidden` are further ones. */
  rows: RowDifference[];
  hidden: number;
}

const kindOf = ({ before, after }: RowChange): RowDifference["kind"] =>
  before === null ? "inserted" : after === null ? "deleted" : "updated";

const fieldOf = (row: JsonObject | null, column: string): JsonValue | undefined =>
  row !== null && Object.hasOwn(row, column) ? row[column] : undefined;

function cellOf({ before, after }: RowChange, column: string): CellDifference {
  const [left, right] = [fieldOf(before, column), fieldOf(after, column)];
  const isSame = left !== undefined && right !== undefined && canonicalJson(left) === canonicalJson(right);
  return { before: left, after: right, isChanged: !isSame };
}

/** A row that changes with the values that differ within others (`address.city`) beside what stays, in place of the whole ones. */
function byPath(change: RowChange): RowChange {
  const { before, after } = change;
  if (before === null || after === null) return change;
  const differences = differencesBetween(before, after);
  const isSame = (name: string) => before[name] !== undefined && !cellOf(change, name).isChanged;
  const same = Object.entries(before).filter(([name]) => isSame(name));
  const side = (of: "before" | "after"): JsonObject => {
    const there = differences.flatMap((one): [string, JsonValue][] =>
      one[of] === undefined ? [] : [[one.path, one[of]]],
    );
    return Object.fromEntries([...same, ...there]);
  };
  return { ...change, before: side("before"), after: side("after") };
}

/** The key first; of rows that are only updated, the columns that change. */
function columnsOf(changes: readonly RowChange[]): string[] {
  const keys = changes.flatMap(({ key }) => Object.keys(key));
  const others = changes.flatMap((change) => {
    const all = Object.keys({ ...change.before, ...change.after });
    return kindOf(change) === "updated" ? all.filter((column) => cellOf(change, column).isChanged) : all;
  });
  return [...new Set([...keys, ...others])];
}

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** The field that a key of the call is in its row: `productId` is its `id`; undefined where no field has its value. */
function ownKey({ before, after }: RowChange, name: string, value: JsonValue): string | undefined {
  const row = before ?? after ?? {};
  if (Object.hasOwn(row, name)) return name;
  const ends = (field: string): boolean => field !== "" && plainName(name).endsWith(plainName(field));
  return Object.keys(row).find((field) => ends(field) && canonicalJson(row[field] ?? null) === canonicalJson(value));
}

/** A change whose key has the names of its row, in which a key without a field of its own stands as it is. */
function withKey(change: RowChange): RowChange {
  const named = Object.entries(change.key).map(([name, value]) => [ownKey(change, name, value) ?? name, value]);
  const key = Object.fromEntries(named) as JsonObject;
  const side = (row: JsonObject | null): JsonObject | null => (row === null ? null : { ...key, ...row });
  return { ...change, key, before: side(change.before), after: side(change.after) };
}

function countsText({ inserted, updated, deleted }: Counts): string {
  const parts: [number, string][] = [
    [inserted, "added"],
    [updated, "changed"],
    [deleted, "deleted"],
  ];
  return parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count.toLocaleString()} ${word}`)
    .join(", ");
}

function countsOf(changes: readonly RowChange[]): Counts {
  const count = (kind: RowDifference["kind"]): number => changes.filter((change) => kindOf(change) === kind).length;
  return { inserted: count("inserted"), updated: count("updated"), deleted: count("deleted") };
}

/** The tables an effect touches: those with rows in their order, then those that are only counted. */
export function tablesOf({ changes, tables = [] }: Effect): TableDifference[] {
  const names = new Set([...changes.map(({ resource }) => resource), ...tables.map(({ name }) => name)]);
  return [...names].map((name) => {
    const own = changes.filter(({ resource }) => resource === name).map((change) => byPath(withKey(change)));
    const counted = tables.find((table) => table.name === name) ?? countsOf(own);
    const columns = columnsOf(own);
    return {
      name,
      counts: countsText(counted),
      columns,
      rows: own.map((change) => ({
        kind: kindOf(change),
        cells: columns.map((column) => cellOf(change, column)),
      })),
      hidden: Math.max(0, counted.inserted + counted.updated + counted.deleted - own.length),
    };
  });
}

/** What becomes of a row, in a word. */
export const CHANGE_NAMES: Readonly<Record<RowDifference["kind"], string>> = {
  inserted: "added",
  updated: "changed",
  deleted: "deleted",
};

/** The rows of a table that change as plain rows: a column in which a row changes is there twice, as it was and as it is. */
export function differenceRows({ columns, rows }: TableDifference): JsonObject[] {
  const isChanged = columns.map((_, at) => rows.some(({ kind, cells }) => kind === "updated" && cells[at]?.isChanged));
  const own = columns.flatMap((column, at) => (isChanged[at] ? [`${column} before`, `${column} after`] : [column]));
  const names = distinctNames([...own, "change"]);
  return rows.map(({ kind, cells }) => {
    const values = cells.flatMap(({ before = null, after = null }, at) =>
      isChanged[at] ? [before, after] : [kind === "deleted" ? before : after],
    );
    // What becomes of the row comes first, and gives way to a column of the same name.
    const fields = [...values, CHANGE_NAMES[kind]].map((value, i): [string, JsonValue] => [names[i] ?? "", value]);
    return Object.fromEntries([fields.at(-1) ?? ["", null], ...fields.slice(0, -1)]);
  });
}

/** A field that changes. */
interface FieldDifference extends CellDifference {
  name: string;
}

/** The fields of a row that are others after a change; none for a row that comes or goes. */
export function fieldDifferences({ before, after }: RowChange): FieldDifference[] {
  if (before === null || after === null) return [];
  return differencesBetween(before, after).map((one) => ({
    name: one.path,
    before: one.before,
    after: one.after,
    isChanged: true,
  }));
}

/** The fields that change, where a single row does: what stands in one line. */
export function changedFields({ changes, tables = [] }: Effect): FieldDifference[] {
  const [only, ...others] = changes;
  const touched = tables.reduce((sum, { inserted, updated, deleted }) => sum + inserted + updated + deleted, 0);
  return only && others.length === 0 && touched <= 1 ? fieldDifferences(only) : [];
}

const isPlainList = (value: JsonValue | undefined): value is JsonValue[] =>
  Array.isArray(value) && value.every((item) => typeof item !== "object" || item === null);

/** What of a list is not in the other one, each as often as it is there more. */
function missingIn(list: readonly JsonValue[], other: readonly JsonValue[]): JsonValue[] {
  const left = new Map<string, number>();
  for (const item of other) left.set(canonicalJson(item), (left.get(canonicalJson(item)) ?? 0) + 1);
  return list.filter((item) => {
    const count = left.get(canonicalJson(item)) ?? 0;
    left.set(canonicalJson(item), count - 1);
    return count <= 0;
  });
}

/** What came into a list of plain values and what left it; undefined for other values, and where only the order is another one. */
export function listDifference(
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): { added: JsonValue[]; removed: JsonValue[] } | undefined {
  if (!isPlainList(before) || !isPlainList(after)) return undefined;
  const [added, removed] = [missingIn(after, before), missingIn(before, after)];
  return added.length + removed.length === 0 ? undefined : { added, removed };
}

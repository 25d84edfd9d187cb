// Where the rows of a range of time can be, so that a search need not look at all others. Rows have no order of time, only that in
// which they were written: a clock may be set, or be a year wrong until the network corrects it.
// Source: docs/reference.md, "History".
import type { Database } from "better-sqlite3";
import type { HistoryQuery } from "../../../domain/record.js";

/** Ids between which rows are: `after` < id < `before`. */
export interface IdRange {
  after: number;
  before: number;
}

interface DatedRow {
  id: number;
  ts: string;
}

/** Parts of the history of which each is looked at or left out; their ends are read at once, in some milliseconds. */
const PARTS = 256;
/** A clock that was wrong by less than this hides nothing. */
const CLOCK_ERROR_MS = 24 * 3_600_000;

const END = Number.MAX_SAFE_INTEGER;

const FIRST_AND_LAST = "SELECT (SELECT min(id) FROM history) AS first, (SELECT max(id) FROM history) AS last";

const timeOf = (row: DatedRow): number => Date.parse(row.ts);

/**
 * Whether rows between two can be of the time. Between two rows of a right clock are their times; where the time goes back the clock was set,
 * and the rows may have any.
 */
function canHold([first, second]: readonly [DatedRow, DatedRow], { from, to }: { from: number; to: number }): boolean {
  const [one, other] = [timeOf(first), timeOf(second)];
  if (one - other > CLOCK_ERROR_MS) return true;
  return Math.max(one, other) >= from - CLOCK_ERROR_MS && Math.min(one, other) <= to + CLOCK_ERROR_MS;
}

/** Makes the look at where the rows of a query's time can be: ranges that do not overlap, ascending. */
export function createTimeRanges(db: Database): (query: Pick<HistoryQuery, "from" | "to">) => IdRange[] {
  const ends = db.prepare<[], { first: number | null; last: number | null }>(FIRST_AND_LAST);
  const rowFrom = db.prepare<[number], DatedRow>("SELECT id, ts FROM history WHERE id >= ? ORDER BY id LIMIT 1");
  /** Rows at even distances, the first and the last among them. */
  const spread = (): DatedRow[] => {
    const { first, last } = ends.get() ?? { first: null, last: null };
    const rows: DatedRow[] = [];
    if (first === null || last === null) return rows;
    for (let part = 0; part <= PARTS; part++) {
      const id = first + Math.floor(((last - first) * part) / PARTS);
      const row = id > (rows.at(-1)?.id ?? 0) ? rowFrom.get(id) : undefined;
      if (row) rows.push(row);
    }
    return rows;
  };
  return ({ from, to }) => {
    if (from === undefined && to === undefined) return [{ after: 0, before: END }];
    const time = {
      from: from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from),
      to: to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to),
    };
    const rows = spread();
    const ranges: IdRange[] = [];
    for (const [at, row] of rows.entries()) {
      const next = rows[at + 1];
      if (!canHold([row, next ?? row], time)) continue;
      const before = next ? next.id + 1 : END;
      const latest = ranges.at(-1);
      if (latest && latest.before >= row.id) latest.before = before;
      else ranges.push({ after: row.id - 1, before });
    }
    return ranges;
  };
}

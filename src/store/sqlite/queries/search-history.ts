// The history by what no index answers: text, part of a name, several values, a time. Rows are looked at one after the other, in
// steps of milliseconds between which other work of the event loop goes on, so that a search of a million rows stops nobody.
// Source: docs/reference.md, "History".
import { setImmediate as pause } from "node:timers/promises";
import type { Database, Statement } from "better-sqlite3";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import type { HistoryEntry, HistoryQuery, HistorySearch, SearchedHistory } from "../../../domain/record.js";
import { createSemaphore } from "../../../lib/semaphore.js";
import type { RowFiles } from "./kept-results.js";
import { likePattern, spellings } from "./like.js";
import { createList, createRead } from "./list-history.js";
import { createTimeRanges, type IdRange } from "./time-ranges.js";

/** One step keeps the event loop no longer than this, but for a row that takes longer by itself. */
const STEP_MS = 8;
/** Searches that take their steps in turn; of two hundred nothing else would get a turn. */
const AT_ONCE = 2;
/** Rows that are read in one step where an index finds them. */
const STEP_ROWS = 200;

/** The filters that an index answers, in SQL and in the query alike. */
const EXACT = ["session_id", "asked_by", "application", "tool", "status"] as const;

/** Conditions over the history in SQL, and the values of their parameters. */
interface Conditions {
  /** Answered by an index. */
  exact: string[];
  /** Answered by looking at a row. */
  looked: string[];
  values: Record<string, string>;
}

/** The conditions of a text anywhere in a row. */
function textConditions(text: string, values: Record<string, string>): string {
  return spellings(text)
    .flatMap((spelling, index) => {
      values[`text${index}`] = likePattern(spelling);
      return ["tool", "arguments", "request", "result"].map((column) => `${column} LIKE @text${index} ESCAPE '\\'`);
    })
    .join(" OR ");
}

/** What a query asks for beyond a range of ids. */
export function conditionsOf(query: Omit<HistoryQuery, "limit">): Conditions {
  const { statuses, safety, tool_contains, from, to, q } = query;
  const exact: string[] = [];
  const looked: string[] = [];
  const values: Record<string, string> = {};
  const look = (condition: string, name: string, value: string | undefined): void => {
    if (value === undefined) return;
    looked.push(condition);
    values[name] = value;
  };
  for (const column of EXACT) {
    const value = query[column];
    if (value === undefined) continue;
    exact.push(`${column} = @${column}`);
    values[column] = value;
  }
  const oneOf = (column: string): string => `${column} IN (SELECT value FROM json_each(@${column}_list))`;
  look("ts >= @from", "from", from);
  look("ts <= @to", "to", to);
  look(oneOf("status"), "status_list", statuses && JSON.stringify(statuses));
  look(oneOf("safety"), "safety_list", safety && JSON.stringify(safety));
  look("tool LIKE @part ESCAPE '\\'", "part", tool_contains === undefined ? undefined : likePattern(tool_contains));
  // Last of all: it reads the whole row.
  if (q !== undefined) looked.push(`(${textConditions(q, values)})`);
  return { exact, looked, values };
}

/** Whether a query has conditions that no index answers. */
function needsSearch(query: Omit<HistoryQuery, "limit">): boolean {
  return conditionsOf(query).looked.length > 0;
}

/** The statement that looks at rows in their order, for a query. */
export function lookSql({ exact, looked }: Conditions, isForward: boolean): string {
  const where = ["id > @after", "id < @before", ...exact].join(" AND ");
  return `SELECT id, ${looked.map((one) => `(${one})`).join(" AND ") || "1"} AS fits FROM history WHERE ${where} ORDER BY id ${isForward ? "ASC" : "DESC"}`;
}

/** The parts of ranges that a query asks for. */
function within({ after = 0, before = Number.MAX_SAFE_INTEGER }: HistoryQuery, ranges: readonly IdRange[]): IdRange[] {
  return ranges
    .map((range) => ({ after: Math.max(after, range.after), before: Math.min(before, range.before) }))
    .filter((range) => range.before - range.after > 1);
}

/** Looks at rows for the time of a step; the range is what is left, undefined when nothing is. */
function lookOn(
  statement: Statement,
  { values, range, wanted }: { values: Record<string, string>; range: IdRange; wanted: number },
  isForward: boolean,
): { found: number[]; left: IdRange | undefined } {
  const found: number[] = [];
  const end = performance.now() + STEP_MS;
  for (const row of statement.iterate({ ...values, ...range })) {
    const { id, fits } = row as { id: number; fits: number | null };
    if (fits === 1) found.push(id);
    if (found.length >= wanted || performance.now() > end)
      return { found, left: isForward ? { ...range, after: id } : { ...range, before: id } };
  }
  return { found, left: undefined };
}

/** The rows of a query that indexes answer, newest first, a few at a time. */
async function listInSteps(
  list: (query: HistoryQuery) => HistoryEntry[],
  query: HistoryQuery,
  signal: AbortSignal | undefined,
): Promise<HistoryEntry[]> {
  const isForward = query.after !== undefined && query.before === undefined;
  const entries: HistoryEntry[] = [];
  let range: Pick<HistoryQuery, "after" | "before"> = {};
  for (;;) {
    const limit = Math.min(STEP_ROWS, query.limit - entries.length);
    const step = list({ ...query, ...range, limit });
    if (isForward) step.reverse();
    entries.push(...step);
    const last = step.at(-1);
    if (!last || step.length < limit || entries.length >= query.limit) return isForward ? entries.reverse() : entries;
    range = isForward ? { after: last.id } : { before: last.id };
    await pause();
    signal?.throwIfAborted();
  }
}

/** Makes the search of a history; a short query that indexes answer is answered at once. Rejects with the reason of a signal that aborts. */
export function createSearch(
  db: Database,
  orm: BetterSQLite3Database,
  files: RowFiles,
): (query: HistoryQuery, search: HistorySearch) => Promise<SearchedHistory> {
  const read = createRead(orm, files);
  const timeRanges = createTimeRanges(db);
  const list = createList(orm, files);
  const scans = createSemaphore(AT_ONCE);
  const look = async (query: HistoryQuery, { budgetMs, signal }: HistorySearch): Promise<SearchedHistory> => {
    const isForward = query.after !== undefined && query.before === undefined;
    const conditions = conditionsOf(query);
    const statement = db.prepare(lookSql(conditions, isForward));
    const ranges = within(query, timeRanges(query));
    if (!isForward) ranges.reverse();
    let left = ranges.shift();
    const end = performance.now() + budgetMs;
    const entries: HistoryEntry[] = [];
    while (left && entries.length < query.limit) {
      const { values } = conditions;
      const step = lookOn(statement, { values, range: left, wanted: query.limit - entries.length }, isForward);
      left = step.left ?? ranges.shift();
      for (const id of step.found) {
        const entry = read(id, query.results);
        if (entry) entries.push(entry);
      }
      if (performance.now() > end) break;
      await pause();
      signal?.throwIfAborted();
    }
    if (isForward) entries.reverse();
    return left && entries.length < query.limit ? { entries, left } : { entries };
  };
  return async (query, search) => {
    const { signal = new AbortController().signal } = search;
    if (needsSearch(query)) return scans.run(() => look(query, search), signal);
    if (query.limit <= STEP_ROWS) return { entries: list(query) };
    return scans.run(async () => ({ entries: await listInSteps(list, query, signal) }), signal);
  };
}

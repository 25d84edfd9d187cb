// GET /history: rows of the record. A search of a long record answers what it has found within its time, and where to go on. Large
// results are read one by one as they are sent: all of them together may be more than the memory holds.
// Source: docs/reference.md, "History".

import type { Agent } from "../../domain/agent.js";
import type { HistoryEntry } from "../../domain/record.js";
import { toJson } from "../../lib/json.js";
import { createSlices } from "../../lib/slices.js";
import { queryOf } from "../access/admit.js";
import { parseHistoryQuery } from "../request/query.js";
import type { StreamTimes } from "../response/event-stream.js";
import { goneSignal, sendJsonPieces } from "../response/respond.js";
import type { Route } from "../route.js";

/** A person waits that long for the first rows; a client that wants all asks again. */
const SEARCH_MS = 2_000;

/** Where a search ended that did not look at all rows. */
const SEARCH_BEFORE = "X-Search-Before";
const SEARCH_AFTER = "X-Search-After";

/** Rows with all there is of them; one that was deleted since is left out. */
async function* wholeRows(agent: Agent, rows: readonly HistoryEntry[]): AsyncGenerator<HistoryEntry, void, void> {
  for (const row of rows) {
    if (row.result_bytes === undefined && row.effect_bytes === undefined) yield row;
    else yield* await agent.history({ before: row.id + 1, after: row.id - 1, limit: 1 });
  }
}

/** The text of a list of rows, in pieces. */
async function* rowTexts(
  rows: Iterable<HistoryEntry> | AsyncIterable<HistoryEntry>,
  signal: AbortSignal,
): AsyncGenerator<string, void, void> {
  const slices = createSlices(signal);
  let before = "[";
  for await (const row of rows) {
    yield before + toJson(row);
    before = ",";
    if (slices.isOver()) await slices.pause();
  }
  yield before === "[" ? "[]" : "]";
}

/** The route over an agent. */
export function historyRoute(agent: Agent, { stalledMs }: StreamTimes): Route {
  return {
    method: "get",
    path: "/history",
    async handle(req, res) {
      const query = parseHistoryQuery(queryOf(req.url));
      const signal = goneSignal(req, res);
      const found = await agent.searchHistory({ ...query, results: "small" }, { budgetMs: SEARCH_MS, signal });
      const { entries, left } = found;
      const isForward = query.after !== undefined && query.before === undefined;
      if (left) res.setHeader(isForward ? SEARCH_AFTER : SEARCH_BEFORE, isForward ? left.after : left.before);
      const rows = query.results === "small" ? entries : wholeRows(agent, entries);
      await sendJsonPieces(res, { pieces: rowTexts(rows, signal), signal, stalledMs });
    },
  };
}

// GET /history: rows of the record. A search of a long record answers what it has found within its time, and where to go on. Large
// results are read one by one as they are sent: all of them together may be more than the memory holds.
// Source: docs/reference.md, "History".

import type { Response } from "express";
import type { Agent } from "../../domain/agent.js";
import type { HistoryEntry } from "../../domain/record.js";
import { toJson } from "../../lib/json.js";
import { createSlices } from "../../lib/slices.js";
import { queryOf } from "../access/admit.js";
import { parseHistoryQuery } from "../request/query.js";
import { drained, goneSignal, sendJson } from "../response/respond.js";
import type { Route } from "../route.js";

/** A person waits that long for the first rows; a client that wants all asks again. */
const SEARCH_MS = 2_000;
/** Characters of an answer that is sent at once, with its length. */
const MAX_AT_ONCE = 1024 * 1024;

/** Where a search ended that did not look at all rows. */
const SEARCH_BEFORE = "X-Search-Before";
const SEARCH_AFTER = "X-Search-After";

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";

/** Rows with all there is of them; one that was deleted since is left out. */
async function* wholeRows(agent: Agent, rows: readonly HistoryEntry[]): AsyncGenerator<HistoryEntry, void, void> {
  for (const row of rows) {
    if (row.result_bytes === undefined && row.effect_bytes === undefined) yield row;
    else yield* await agent.history({ before: row.id + 1, after: row.id - 1, limit: 1 });
  }
}

/** Sends rows as a list, in its client's time. */
async function sendRows(res: Response, rows: AsyncIterable<HistoryEntry>, signal: AbortSignal): Promise<void> {
  const slices = createSlices(signal);
  let text = "[";
  let isFirst = true;
  for await (const row of rows) {
    text += `${isFirst ? "" : ","}${toJson(row)}`;
    isFirst = false;
    if (slices.isOver()) await slices.pause();
    if (text.length < MAX_AT_ONCE) continue;
    if (!res.headersSent) res.writeHead(200, { "Content-Type": "application/json" });
    if (!res.write(text)) await drained(res, signal);
    text = "";
  }
  if (res.headersSent) res.end(`${text}]`);
  else sendJson(res, `${text}]`);
}

/** The route. */
export function historyRoute(agent: Agent): Route {
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
      if (query.results === "small") return sendJson(res, toJson(entries));
      try {
        await sendRows(res, wholeRows(agent, entries), signal);
      } catch (error) {
        // Of its client, which has gone or takes nothing, nothing is logged.
        if (!signal.aborted && !isAbort(error)) throw error;
        res.destroy();
      }
    },
  };
}

// GET /history: rows of the record. A search of a long record answers what it has found within its time, and where to go on.
// Source: docs/reference.md, "History".
import type { Agent } from "../../domain/agent.js";
import { toJson } from "../../lib/json.js";
import { queryOf } from "../access/admit.js";
import { parseHistoryQuery } from "../request/query.js";
import { sendJson } from "../response/respond.js";
import type { Route } from "../route.js";

/** A person waits that long for the first rows; a client that wants all asks again. */
const SEARCH_MS = 2_000;

/** Where a search ended that did not look at all rows. */
const SEARCH_BEFORE = "X-Search-Before";
const SEARCH_AFTER = "X-Search-After";

/** The route. */
export function historyRoute(agent: Agent): Route {
  return {
    method: "get",
    path: "/history",
    async handle(req, res) {
      const query = parseHistoryQuery(queryOf(req.url));
      const gone = new AbortController();
      res.once("close", () => gone.abort());
      const { entries, left } = await agent.searchHistory(query, { budgetMs: SEARCH_MS, signal: gone.signal });
      const isForward = query.after !== undefined && query.before === undefined;
      if (left) res.setHeader(isForward ? SEARCH_AFTER : SEARCH_BEFORE, isForward ? left.after : left.before);
      sendJson(res, toJson(entries));
    },
  };
}

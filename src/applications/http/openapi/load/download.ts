// One GET request for a text that a description is made of, over the connections that all of a sync share. What redirects, statuses
// and bodies mean is the caller's business.
import { type Connections, openConnections } from "../../../../lib/connections.js";
import { type Answer, dispatch } from "../../../../lib/http-exchange.js";

let connections: Promise<Connections> | undefined;

/** Asks once. Rejects with what kept it from being answered, or the reason of `time`, which ends it at any point. */
export async function download(url: URL, headers: Record<string, string>, time: AbortSignal): Promise<Answer> {
  // Only the time for all texts together is limited.
  connections ??= openConnections({ headersTimeout: 0, bodyTimeout: 0 });
  const { origin, pathname, search } = url;
  const way = await (await connections).wayTo(origin);
  time.throwIfAborted();
  const exchange = dispatch(way, { origin, path: pathname + search, method: "GET", headers });
  time.addEventListener("abort", () => exchange.abort(time.reason), { once: true });
  return exchange.answer;
}

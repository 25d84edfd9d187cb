// Which applications their last call did not reach, as the record tells it: nothing is sent to them to find out.
import { signal } from "@preact/signals";
import type { HistoryEntry } from "../../src/domain/record.js";
import { objectOf } from "../../src/lib/json.js";
import { requestList } from "./api.js";
import { applications } from "./daemon.js";

/** With more of them the page does not ask: each is a request. */
const MAX_ASKED = 8;

/** Calls looked at: arguments that were refused here say nothing of the application. */
const MAX_LOOKED = 5;

/** What a call says that found no way to its application. */
const UNREACHED =
  /^(?:connection_(?:refused|failed|closed|reset)|dns_failure|unreachable|tls_error|proxy_error|network_error)$/;

interface Unreached {
  /** The call, in the history. */
  row: number;
  message: string;
}

/** Those that were not reached, by their names. */
export const unreached = signal<ReadonlyMap<string, Unreached>>(new Map());

async function lastCall(application: string): Promise<[string, Unreached] | undefined> {
  const query = new URLSearchParams({ application, status: "ok,error", limit: String(MAX_LOOKED), results: "small" });
  const calls = await requestList<HistoryEntry>(`/history?${query}`, "history");
  const last = calls.find(({ request }) => request !== null);
  const { error, message } = objectOf(last?.result);
  if (last?.status !== "error" || typeof error !== "string" || !UNREACHED.test(error)) return undefined;
  return [application, { row: last.id, message: typeof message === "string" ? message : error }];
}

/** Looks up the last call of each application. */
export async function loadReach(): Promise<void> {
  const asked = applications.peek().filter(({ error }) => error === undefined);
  const found = asked.length > MAX_ASKED ? [] : await Promise.all(asked.map(({ name }) => lastCall(name)));
  const next = new Map(found.filter((one) => one !== undefined));
  if (next.size > 0 || unreached.peek().size > 0) unreached.value = next;
}

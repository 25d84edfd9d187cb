// The audit of a record: what reached the target and what clients were told, against the rows and the transcripts.
import assert from "node:assert/strict";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { HistoryEntry, SessionSummary, TranscriptTurn } from "../../src/domain/record.js";
import { SqliteDatabase } from "../../src/lib/sqlite.js";
import { openRecoveredReader } from "../../src/open.js";
import type { Served } from "../support/spawn.js";
import type { RecordedRequest } from "../support/target.js";
import type { Subject } from "./client.js";
import type { Tally } from "./fault.js";

const PAGE = 2_000;
/** Names that a problem lists. */
const MAX_NAMED = 5;

/** Asks for a path as it is: a fuzz opens sessions named "..", which `fetch` would resolve. */
async function getJson<T>(daemon: Served, path: string): Promise<T> {
  const asked = get({ host: "127.0.0.1", port: daemon.port, path });
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  const body = await text(answer);
  assert(answer.statusCode === 200, `GET ${path} gave ${answer.statusCode}: ${body.slice(0, 200)}`);
  return JSON.parse(body) as T;
}

/** Every row of the history, newest first, page by page. */
export async function historyOf(daemon: Served): Promise<HistoryEntry[]> {
  const rows: HistoryEntry[] = [];
  for (;;) {
    const last = rows.at(-1);
    const page = await getJson<HistoryEntry[]>(daemon, `/history?limit=${PAGE}${last ? `&before=${last.id}` : ""}`);
    rows.push(...page);
    if (page.length < PAGE) return rows;
  }
}

/** The name in the body of a request: what identifies it on both sides. */
export function nameOf({ body }: RecordedRequest): string {
  return String((JSON.parse(body.toString("utf8")) as { name?: string }).name);
}

/** How often each of these is there. */
export function counted(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** What is there more than once: its name as often as it is too many. */
const surplus = (counts: ReadonlyMap<string, number>): string[] =>
  [...counts].flatMap(([name, count]) => Array<string>(count - 1).fill(name));

const some = (names: readonly string[]): string => names.slice(0, MAX_NAMED).join(", ");

/**
 * Counts requests without a row, and names that are at the target or in the record twice. Throws where a row says another thing than
 * what happened or a client was told.
 */
export async function auditRecord(daemon: Subject, seen: readonly RecordedRequest[], tally: Tally): Promise<void> {
  // Calls of the daemon's own tools, and those that were refused for their arguments, have no name and reach no target.
  const rows = (await historyOf(daemon)).filter((row) => row.arguments["name"] !== undefined);
  const atTarget = counted(seen.map(nameOf));
  const recorded = counted(rows.map((row) => String(row.arguments["name"])));
  const lost = [...atTarget.keys()].filter((name) => !recorded.has(name));
  tally.lost = lost.length;
  if (lost.length > 0) tally.problems.push(`without a row: ${some(lost)}`);
  const [sentTwice, recordedTwice] = [surplus(atTarget), surplus(recorded)];
  tally.duplicates = sentTwice.length + recordedTwice.length;
  if (sentTwice.length > 0) tally.problems.push(`sent twice: ${some(sentTwice)}`);
  if (recordedTwice.length > 0) tally.problems.push(`on record twice: ${some(recordedTwice)}`);
  const open = rows.filter((row) => row.status === "pending");
  assert(open.length === 0, `${open.length} rows are pending though nothing runs (${open[0]?.id})`);
  const done = new Set(rows.flatMap((row) => (row.status === "ok" ? [String(row.arguments["name"])] : [])));
  const invented = [...done].filter((name) => !atTarget.has(name));
  assert(invented.length === 0, `on record as done, and never sent: ${some(invented)}`);
  const told = [...daemon.heard.results];
  const wrong = told.filter(([name, status]) => status === "error" && done.has(name)).map(([name]) => name);
  assert(wrong.length === 0, `a client was told that they failed, and on record they are done: ${some(wrong)}`);
  const forgotten = told.filter(([name, status]) => status === "ok" && !done.has(name)).map(([name]) => name);
  assert(
    forgotten.length === 0,
    `a client was told that they are done, and the record does not say so: ${some(forgotten)}`,
  );
}

/** Every session ends in finished turns that begin with their prompt, and has every turn whose end a client was told. */
export async function auditTranscripts(daemon: Subject): Promise<void> {
  const missing = new Map(daemon.heard.turns);
  let before = "";
  for (;;) {
    const page = await getJson<SessionSummary[]>(
      daemon,
      `/-/sessions?limit=200${before && `&before=${encodeURIComponent(before)}`}`,
    );
    for (const { session_id } of page) {
      const path = `/-/sessions/${encodeURIComponent(session_id)}`;
      const { turns } = await getJson<{ turns: TranscriptTurn[] }>(daemon, path);
      for (const turn of turns) {
        assert(turn.status !== "running", `a turn of ${session_id} reads running though nothing runs`);
        assert(turn.messages[0]?.role === "user", `a turn of ${session_id} does not begin with its prompt`);
      }
      const told = missing.get(session_id) ?? 0;
      assert(turns.length >= told, `${session_id} has ${turns.length} turns, and clients saw the end of ${told}`);
      missing.delete(session_id);
    }
    const last = page.at(-1);
    if (page.length < 200 || !last) break;
    before = last.session_id;
  }
  assert(missing.size === 0, `sessions whose turns clients saw are not on record: ${some([...missing.keys()])}`);
}

/** The hash chain and the database file in a directory without a daemon. */
export async function auditFile(dir: string): Promise<void> {
  const reader = await openRecoveredReader(dir, () => {});
  const verdict = await reader.verify();
  await reader.close();
  assert(verdict.ok, `the hash chain is broken: ${verdict.reason}`);
  const db = new SqliteDatabase(join(dir, "history.db"), { readonly: true });
  const found = String(db.pragma("integrity_check", { simple: true }));
  db.close();
  assert(found === "ok", `integrity_check: ${found}`);
}

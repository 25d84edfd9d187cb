// `agentd history --follow`: rows as they are written, newest last, and once more when a call in flight or held became something
// else. Four times a second it asks the database whether it was written to, which costs microseconds and reads no row when it was not;
// watching files would need as much of a fallback, because the write-ahead log goes and comes with the daemon.

import { setTimeout as sleep } from "node:timers/promises";
import { namedApplications } from "../../data-dir/application-files.js";
import type { HistoryStatus } from "../../domain/history-status.js";
import type { HistoryEntry, HistoryQuery } from "../../domain/record.js";
import { openRecoveredReader } from "../../open.js";
import type { RecordReader } from "../../store/reader.js";
import { endlessLines } from "../terminal/history-rows.js";
import { onInterrupt } from "../terminal/interrupt.js";
import { jsonText, print, warn } from "../terminal/output.js";

const POLL_INTERVAL_MS = 250;
/** Rows not final, to be looked at again; there is never nearly as much of them. */
const MAX_OPEN_ROWS = 10_000;

const isOpen = ({ status }: HistoryEntry): boolean => status === "pending" || status === "held";

/** What was seen of the history so far. */
interface Seen {
  newest: number;
  /** Status by id, of the rows that may still change. */
  open: Map<number, HistoryStatus>;
}

/** The newest rows to begin with, oldest first, and where to go on. All filters apply but the status, which may change. */
function begin(reader: RecordReader, query: HistoryQuery): Promise<{ entries: HistoryEntry[]; seen: Seen }> {
  const { status: _, ...filter } = query;
  return reader.inSnapshot(async () => {
    const pending = await reader.history({ ...filter, status: "pending", limit: MAX_OPEN_ROWS });
    const held = await reader.history({ ...filter, status: "held", limit: MAX_OPEN_ROWS });
    const open = new Map([...pending, ...held].map((entry) => [entry.id, entry.status]));
    const entries = await reader.history(query);
    return { entries: entries.reverse(), seen: { newest: await reader.newestId(), open } };
  });
}

/** What has changed: rows that are no longer what they were, then new ones, in pieces. */
async function* changes(
  reader: RecordReader,
  query: HistoryQuery,
  seen: Seen,
): AsyncGenerator<HistoryEntry[], void, void> {
  const { status: _, limit: __, ...filter } = query;
  const known = await reader.rows([...seen.open.keys()]);
  const changed = known.filter((entry) => entry.status !== seen.open.get(entry.id));
  seen.open = new Map(known.filter(isOpen).map((entry) => [entry.id, entry.status]));
  yield changed;
  for await (const piece of reader.scan({ ...filter, after: seen.newest })) {
    for (const entry of piece) {
      if (isOpen(entry)) seen.open.set(entry.id, entry.status);
      seen.newest = entry.id;
    }
    yield piece;
  }
}

/** Prints the newest rows and goes on until a signal, or until stdout is closed. Throws StartError when the record is gone. */
export async function followHistory(dir: string, query: HistoryQuery, json: boolean): Promise<number> {
  const reader = await openRecoveredReader(dir, warn);
  const stop = new AbortController();
  const release = onInterrupt(() => stop.abort());
  process.stdout.once("error", () => stop.abort());
  const lines = endlessLines(namedApplications(dir, undefined).names.length > 0);
  const textOf = (entries: readonly HistoryEntry[]): string => {
    const wanted = entries.filter(({ status }) => query.status === undefined || status === query.status);
    return json ? wanted.map((entry) => `${jsonText(entry)}\n`).join("") : lines.rows(wanted);
  };
  try {
    let version = await reader.version();
    const { entries, seen } = await begin(reader, query);
    const first = textOf(entries);
    // Their widths are known once the first rows are.
    if (!json) print(lines.headings());
    print(first);
    while (!stop.signal.aborted) {
      await sleep(POLL_INTERVAL_MS, undefined, { signal: stop.signal }).catch(() => {});
      const now = await reader.version();
      if (now === version) continue;
      version = now;
      for await (const piece of changes(reader, query, seen)) print(textOf(piece));
    }
    return 0;
  } finally {
    release();
    await reader.close();
  }
}

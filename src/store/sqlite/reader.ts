// The record of a data directory, only to look at: beside a running daemon, beside a command that holds the directory, or
// alone. Takes no lock that a writer could meet, migrates nothing and sweeps nothing: what is in flight stays in flight.

import fs from "node:fs";
import path from "node:path";
import type { Database } from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { RECORD_FILE } from "../../data-dir/directory.js";
import { AppError, StartError } from "../../domain/error.js";
import type { HistoryEntry, HistoryQuery, SessionSummary } from "../../domain/record.js";
import { backup } from "./backup.js";
import { type Verdict, verifyChain } from "./chain.js";
import { createList, toEntry } from "./history.js";
import { isOlder, openQuietly, unreadable } from "./open-read-only.js";
import { createSessions } from "./sessions.js";
import type { HistoryRow } from "./tables.js";

/** A piece of a scan: bounded in rows and in text, since one result can be a megabyte. */
const PIECE_ROWS = 500;
const PIECE_CHARS = 1024 * 1024;

/** Which rows; the newest `limit` of them are the caller's to choose. */
export type HistoryFilter = Omit<HistoryQuery, "limit">;

/** The record, to look at. Every method throws StartError, naming the file, when it is damaged or was replaced. */
export interface Reader {
  /** Newest first. */
  history(query: HistoryQuery): HistoryEntry[];
  sessions(query: { limit: number }): SessionSummary[];
  /** Oldest first, in pieces; between two of them nothing is held, so that a slow consumer keeps no one waiting. */
  scan(filter: HistoryFilter): Generator<HistoryEntry[], void, void>;
  /** These rows, by id. */
  rows(ids: readonly number[]): HistoryEntry[];
  /** The largest id; 0 when there is none. */
  newestId(): number;
  /** Another number whenever somebody wrote to the record since the last question. */
  version(): number;
  /** Several looks at one moment, also over several turns of the event loop. Writers go on; their log grows until it is over. */
  atOnce<T>(look: () => T | Promise<T>): Promise<T>;
  /** Whether there is something that only a running process can have left so: calls or turns under way, expired confirmations. */
  isUnsettled(): boolean;
  verify(): Promise<Verdict>;
  /** Copies the record as it is now. Throws AppError when `target` exists or can't be written. */
  backup(target: string, signal?: AbortSignal): Promise<void>;
  close(): void;
}

const UNSETTLED = `
  SELECT EXISTS (SELECT 1 FROM history WHERE status = 'pending')
      OR EXISTS (SELECT 1 FROM turns WHERE status = 'running')
      OR EXISTS (SELECT 1 FROM confirmations WHERE status = 'pending' AND expires_at <= ?)`;

/** What `filter` asks for, oldest first. */
function scanSql(filter: HistoryFilter): string {
  const conditions = ["id > @after", "id < @before"];
  for (const column of ["session_id", "tool", "status"] as const)
    if (filter[column] !== undefined) conditions.push(`${column} = @${column}`);
  return `SELECT * FROM history WHERE ${conditions.join(" AND ")} ORDER BY id`;
}

function createScan(db: Database): (filter: HistoryFilter) => HistoryEntry[] {
  return (filter) => {
    const rows = db.prepare(scanSql(filter)).iterate({ after: 0, before: Number.MAX_SAFE_INTEGER, ...filter });
    const piece: HistoryEntry[] = [];
    let chars = 0;
    for (const row of rows as IterableIterator<HistoryRow>) {
      piece.push(toEntry(row));
      chars += row.arguments.length + (row.result?.length ?? 0);
      if (piece.length >= PIECE_ROWS || chars >= PIECE_CHARS) break;
    }
    return piece;
  };
}

/** Opens the record in `dir`. Throws StartError, naming the file and the way out, when there is none that can be read. */
export function openReader(dir: string): Reader {
  const file = path.join(dir, RECORD_FILE);
  const failure = (error: unknown): unknown =>
    error instanceof StartError || error instanceof AppError ? error : unreadable(file, error);
  const guarded = <T>(look: () => T): T => {
    try {
      return look();
    } catch (error) {
      throw failure(error);
    }
  };
  const db = openQuietly(dir, file);
  try {
    if (isOlder(db))
      throw new StartError(
        `${file} was written by an older agentd. Start agentd serve with this one, which brings it up to date.`,
      );
    return guarded(() => createReader(db, file, { guarded, failure }));
  } catch (error) {
    db.close();
    throw error;
  }
}

interface Guards {
  guarded<T>(look: () => T): T;
  failure(error: unknown): unknown;
}

function createReader(db: Database, file: string, { guarded, failure }: Guards): Reader {
  const { ino } = fs.statSync(file);
  const orm = drizzle(db);
  const list = createList(orm);
  const sessions = createSessions(db, orm);
  const piece = createScan(db);
  const byId = db.prepare("SELECT * FROM history WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id");
  const newest = db.prepare("SELECT coalesce(max(id), 0) FROM history").pluck();
  const unsettled = db.prepare(UNSETTLED).pluck();
  const atOnce = async <T>(look: () => T | Promise<T>): Promise<T> => {
    db.exec("BEGIN");
    try {
      return await look();
    } catch (error) {
      throw failure(error);
    } finally {
      if (db.inTransaction) db.exec("ROLLBACK");
    }
  };
  return {
    history: (query) => guarded(() => list(query)),
    sessions: (query) => guarded(() => sessions.list(query)),
    *scan(filter) {
      let after = filter.after ?? 0;
      for (;;) {
        const found = guarded(() => piece({ ...filter, after }));
        const last = found.at(-1);
        if (!last) return;
        yield found;
        after = last.id;
      }
    },
    rows: (ids) => guarded(() => (byId.all(JSON.stringify(ids)) as HistoryRow[]).map(toEntry)),
    newestId: () => guarded(() => newest.get() as number),
    version() {
      if (fs.statSync(file, { throwIfNoEntry: false })?.ino !== ino)
        throw new StartError(`${file} was deleted or replaced meanwhile. Start the command again.`);
      return guarded(() => db.pragma("data_version", { simple: true }) as number);
    },
    atOnce,
    isUnsettled: () => guarded(() => unsettled.get(new Date().toISOString()) === 1),
    verify: () => atOnce(() => verifyChain(db)),
    // In a snapshot, because a copy begins anew whenever another process writes between two of its steps.
    backup: (target, signal) =>
      atOnce(async () => {
        newest.get();
        await backup(db, target, signal);
      }),
    close: () => db.close(),
  };
}

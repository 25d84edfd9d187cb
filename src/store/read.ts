// The record of a data directory, only to look at: beside a running daemon, beside a command that holds the directory, or
// alone. Takes no lock that a writer could meet, migrates nothing and sweeps nothing: what is in flight stays in flight.
// The file is opened so that it could be written, with writing switched off: a connection that could not write would leave
// the write-ahead log's two files behind when it is the last to close.
import fs from "node:fs";
import path from "node:path";
import SqliteDatabase, { type Database } from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { AppError, messageOf, StartError } from "../error.js";
import { backup } from "./backup.js";
import { type Verdict, verifyChain } from "./chain.js";
import { wayOut } from "./fault.js";
import { RECORD_FILE } from "./files.js";
import { createList, toEntry } from "./history.js";
import { checkVersion, newestVersion } from "./migrate.js";
import { createSessions } from "./sessions.js";
import type { HistoryEntry, HistoryQuery, SessionSummary } from "./store.js";
import type { HistoryRow } from "./tables.js";

/** How long to wait while another process recovers or closes the record; nothing else runs here. */
const TIMEOUT_MS = 2000;
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

function statOf(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): StartError {
  return new StartError(`cannot read ${file}: ${messageOf(error)}. ${wayOut(error)}`, { cause: error });
}

/** Whether anything was ever recorded in `dir`. Throws StartError when that is no place for a record. */
export function hasRecord(dir: string): boolean {
  const place = statOf(dir);
  if (place && !place.isDirectory()) throw new StartError(`${dir} is not a directory. Is --data-dir right?`);
  const file = path.join(dir, RECORD_FILE);
  const found = statOf(file);
  // Opening a FIFO would wait for a writer.
  if (found && !found.isFile())
    throw new StartError(`cannot read ${file}: it is not a regular file. Is --data-dir right?`);
  return found !== undefined && found.size > 0;
}

function openQuietly(dir: string, file: string): Database {
  if (!hasRecord(dir))
    throw new StartError(
      `there is no record at ${file} yet; the first agentd serve or agentd run makes it. Is --data-dir right?`,
    );
  const db = new SqliteDatabase(file, { fileMustExist: true, timeout: TIMEOUT_MS });
  try {
    db.pragma("query_only = ON");
    db.pragma("trusted_schema = OFF");
    db.pragma("cell_size_check = ON");
    checkVersion(db, file);
    if (db.pragma("user_version", { simple: true }) !== newestVersion())
      throw new StartError(
        `${file} was written by an older agentd. Run agentd serve once, which brings it up to date.`,
      );
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

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
  return guarded(() => createReader(openQuietly(dir, file), file, { guarded, failure }));
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

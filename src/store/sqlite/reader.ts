// The RecordReader of a SQLite file. Takes no lock that a writer could meet, migrates nothing and recovers nothing: what is in
// flight stays in flight.

import fs from "node:fs";
import path from "node:path";
import type { Database } from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { AppError, StartError } from "../../domain/error.js";
import type { HistoryEntry, TranscriptTurn } from "../../domain/record.js";
import { openImages } from "../images.js";
import type { HistoryFilter, RecordReader } from "../reader.js";
import { openResultFiles } from "../results.js";
import { copyDatabase } from "./backup.js";
import { unreadable } from "./open-read-only.js";
import { createConfirmationReads } from "./queries/confirmations.js";
import { toEntry } from "./queries/entry.js";
import { createRowFiles, type RowFiles } from "./queries/kept-results.js";
import { conditionsOf, createSearch } from "./queries/search-history.js";
import { createSessionQueries } from "./queries/sessions.js";
import { createReadTranscript } from "./queries/transcript.js";
import type { HistoryRow } from "./tables.js";
import { verifyChain } from "./verify.js";

/** A piece of a scan: bounded in rows and in text, since one result can be a megabyte. */
const PIECE_ROWS = 500;
const PIECE_CHARS = 1024 * 1024;

/** A reader that can also tell whether its file needs recovery. */
export interface SqliteReader extends RecordReader {
  /** Whether there is a state that only a running process can have left: calls or turns under way, expired confirmations. */
  needsRecovery(): boolean;
}

const NEEDS_RECOVERY = `
  SELECT EXISTS (SELECT 1 FROM history WHERE status = 'pending')
      OR EXISTS (SELECT 1 FROM turns WHERE status = 'running')
      OR EXISTS (SELECT 1 FROM confirmations WHERE status = 'pending' AND expires_at <= ?)`;

function createScan(db: Database, files: RowFiles): (filter: HistoryFilter) => HistoryEntry[] {
  return (filter) => {
    const { exact, looked, values } = conditionsOf(filter);
    const where = ["id > @after", "id < @before", ...exact, ...looked].join(" AND ");
    const { after = 0, before = Number.MAX_SAFE_INTEGER } = filter;
    const rows = db.prepare(`SELECT * FROM history WHERE ${where} ORDER BY id`).iterate({ ...values, after, before });
    const piece: HistoryEntry[] = [];
    let chars = 0;
    for (const row of rows as IterableIterator<HistoryRow>) {
      piece.push(toEntry(row, files));
      chars += row.arguments.length + (row.result?.length ?? 0) + (row.effect?.length ?? 0);
      if (piece.length >= PIECE_ROWS || chars >= PIECE_CHARS) break;
    }
    return piece;
  };
}

/** The reader of a database that is open, of this version, and closed with the reader. Throws StartError. */
export function createReader(db: Database, file: string): SqliteReader {
  const failure = (error: unknown): unknown =>
    error instanceof StartError || error instanceof AppError ? error : unreadable(file, error);
  const guarded = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw failure(error);
    }
  };
  return guarded(() => prepareReader(db, file, { guarded, failure }));
}

interface Guards {
  guarded<T>(read: () => T): T;
  failure(error: unknown): unknown;
}

function prepareReader(db: Database, file: string, { guarded, failure }: Guards): SqliteReader {
  const { ino } = fs.statSync(file);
  const orm = drizzle(db);
  const dir = path.dirname(file);
  const resultFiles = openResultFiles(dir);
  const files = createRowFiles(db, openImages(dir).has, resultFiles);
  const search = createSearch(db, orm, files);
  const sessions = createSessionQueries(orm);
  const transcript = createReadTranscript(orm);
  const piece = createScan(db, files);
  const byId = db.prepare("SELECT * FROM history WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id");
  const newest = db.prepare("SELECT coalesce(max(id), 0) FROM history").pluck();
  const recovery = db.prepare(NEEDS_RECOVERY).pluck();
  const inSnapshot = async <T>(read: () => Promise<T>): Promise<T> => {
    db.exec("BEGIN");
    try {
      return await read();
    } catch (error) {
      throw failure(error);
    } finally {
      if (db.inTransaction) db.exec("ROLLBACK");
    }
  };
  return {
    async history(query) {
      try {
        return (await search(query, { budgetMs: Number.POSITIVE_INFINITY })).entries;
      } catch (error) {
        throw failure(error);
      }
    },
    sessions: async (query) => guarded(() => sessions.list(query)),
    conversation: (session_id) =>
      inSnapshot(async () => {
        const session = sessions.summary(session_id);
        if (!session) return undefined;
        const turns: TranscriptTurn[] = [];
        for await (const turn of transcript(session_id)) turns.push(turn);
        return { session, turns };
      }),
    waiting: async (limit) => guarded(() => createConfirmationReads(orm).list({ status: "pending", limit })),
    async *scan(filter) {
      let after = filter.after ?? 0;
      for (;;) {
        const found = guarded(() => piece({ ...filter, after }));
        const last = found.at(-1);
        if (!last) return;
        yield found;
        after = last.id;
      }
    },
    rows: async (ids) =>
      guarded(() => (byId.all(JSON.stringify(ids)) as HistoryRow[]).map((row) => toEntry(row, files))),
    keptRows: async ({ id, ts, kept }) => kept && resultFiles.open({ id, ts }, kept),
    newestId: async () => guarded(() => newest.get() as number),
    async version() {
      if (fs.statSync(file, { throwIfNoEntry: false })?.ino !== ino)
        throw new StartError(`${file} was deleted or replaced meanwhile. Start the command again.`);
      return guarded(() => db.pragma("data_version", { simple: true }) as number);
    },
    inSnapshot,
    needsRecovery: () => guarded(() => recovery.get(new Date().toISOString()) === 1),
    verify: () => inSnapshot(async () => verifyChain(db)),
    // In a snapshot, because a copy begins anew whenever another process writes between two of its steps.
    backup: (target, signal) =>
      inSnapshot(async () => {
        newest.get();
        await copyDatabase(db, target, signal);
      }),
    close: async () => void db.close(),
  };
}

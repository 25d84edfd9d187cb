// The interface to the record for commands that only read: beside a running daemon, beside a command that holds the data
// directory, or alone. Asynchronous, as the Store is, so that a database server can stand behind it one day.

import type { Confirmation, HistoryEntry, HistoryQuery, SessionSummary, TranscriptTurn } from "../domain/record.js";
import type { Rows } from "../results/rows.js";

/** Which rows; the newest `limit` of them are the caller's to choose. */
export type HistoryFilter = Omit<HistoryQuery, "limit">;

/** What recomputing the hash chain found; `firstBad` is the id of the first row that does not fit. */
export interface Verification {
  ok: boolean;
  /** Completed rows before the first that does not fit. */
  rows: number;
  firstBad?: number;
  reason?: string;
}

/** What a look at the whole file says of a record. */
export interface RecordState {
  file: string;
  /** Migrations applied, and those this program knows. */
  version: number;
  newest: number;
  journalMode: string;
  /** What is wrong with the file; undefined when nothing is. */
  damage: string | undefined;
}

/** The record, read-only. Every method throws StartError, naming the file, when it is damaged or was replaced. */
export interface RecordReader {
  /** Newest first. */
  history(query: HistoryQuery): Promise<HistoryEntry[]>;
  sessions(query: { limit: number }): Promise<SessionSummary[]>;
  /** Undefined for an unknown session. */
  conversation(session_id: string): Promise<{ session: SessionSummary; turns: TranscriptTurn[] } | undefined>;
  /** The calls that are held for a decision, oldest first; one may have expired and not be marked so yet. */
  waiting(limit: number): Promise<Confirmation[]>;
  /** Oldest first, in pieces; no lock is held between two of them, so that a slow consumer keeps no writer waiting. */
  scan(filter: HistoryFilter): AsyncGenerator<HistoryEntry[], void, void>;
  /** These rows, by id. */
  rows(ids: readonly number[]): Promise<HistoryEntry[]>;
  /** All rows of a result that is kept whole; undefined when that is gone. */
  keptRows(entry: HistoryEntry): Promise<Rows | undefined>;
  /** The largest id; 0 when there is none. */
  newestId(): Promise<number>;
  /** Another number whenever the record was written to since the last call. */
  version(): Promise<number>;
  /** Several reads of one snapshot, also over several turns of the event loop. Writers go on; their log grows until it is over. */
  inSnapshot<T>(read: () => Promise<T>): Promise<T>;
  /** Recomputes the hash chain over completed rows. */
  verify(): Promise<Verification>;
  /** Copies the record as it is now. Throws AppError when `target` exists or can't be written. */
  backup(target: string, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

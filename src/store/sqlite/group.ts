// Group commit: the operations that wait become one transaction and share one sync; each has an outcome of its own. Runs in the
// writer thread, and knows operations only by their names.
import type { Database } from "better-sqlite3";
import { messageOf } from "../../domain/error.js";
import { WRITES, type WriteName } from "./writes.js";

/** One operation as it crosses between the threads. */
export type WriteRequest = [name: WriteName, ...values: unknown[]];
/** What became of it: its value, or why it was not written; a fatal failure is that of every further write, too. */
export type WriteOutcome = { value: unknown } | { error: string; isFatal?: boolean };

/** What a group runs on. */
interface GroupContext {
  db: Database;
  run(request: WriteRequest): unknown;
  /** Inside the transaction, behind the last write. */
  beforeCommit(): void;
  /** After a rollback, for what is kept in memory. */
  onRollback(): void;
}

/**
 * Makes the function that commits a group, in order, and returns the outcomes in the same order. When one operation fails, or the
 * commit, all are rolled back and each runs in a transaction of its own, so that a failure is only that of the operation it belongs
 * to. Throws only when the transaction cannot begin (the database is locked); nothing was written then.
 */
export function createGroupCommit({
  db,
  run,
  beforeCommit,
  onRollback,
}: GroupContext): (group: readonly WriteRequest[]) => WriteOutcome[] {
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  let isSynced = true;
  const setSync = (group: readonly WriteRequest[]): void => {
    const needed = group.some(([name]) => !WRITES[name].isRelaxed);
    if (needed !== isSynced) db.exec(`PRAGMA synchronous = ${needed ? "FULL" : "NORMAL"}`);
    isSynced = needed;
  };
  const inTransaction = (group: readonly WriteRequest[]): WriteOutcome[] => {
    setSync(group);
    begin.run();
    try {
      const outcomes = group.map((request) => ({ value: run(request) }));
      beforeCommit();
      commit.run();
      return outcomes;
    } catch (error) {
      // SQLite itself has rolled back after some failures, a full disk among them.
      if (db.inTransaction) db.exec("ROLLBACK");
      onRollback();
      return group.map(() => ({ error: messageOf(error) }));
    }
  };
  const alone = (request: WriteRequest): WriteOutcome[] => {
    try {
      return inTransaction([request]);
    } catch (error) {
      return [{ error: messageOf(error) }];
    }
  };
  return (group) => {
    const outcomes = inTransaction(group);
    const isWritten = outcomes.every((outcome) => "value" in outcome);
    return isWritten || group.length === 1 ? outcomes : group.flatMap(alone);
  };
}

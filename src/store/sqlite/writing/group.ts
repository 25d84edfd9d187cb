// Group commit: the writes of one moment become one transaction; each has an outcome of its own.
import type { Database } from "better-sqlite3";
import { messageOf } from "../../../domain/error.js";

/** What became of a write: its value, or why it was not written. */
export type WriteOutcome = { value: unknown } | { error: string };

/** What a group runs on. */
interface GroupContext {
  db: Database;
  /** Inside the transaction, behind the last write. */
  beforeCommit(): void;
  /** After a rollback, for what is kept in memory. */
  onRollback(): void;
}

/**
 * Makes the function that commits a group, in order, and returns the outcomes in the same order. When one write fails, or the
 * commit, all are rolled back and each runs in a transaction of its own, so that a failure is only that of the write it belongs
 * to. Throws only when the transaction cannot begin (the database is locked); nothing was written then.
 */
export function createGroupCommit({
  db,
  beforeCommit,
  onRollback,
}: GroupContext): (group: readonly (() => unknown)[]) => WriteOutcome[] {
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const inTransaction = (group: readonly (() => unknown)[]): WriteOutcome[] => {
    begin.run();
    try {
      const outcomes = group.map((write) => ({ value: write() }));
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
  const alone = (write: () => unknown): WriteOutcome[] => {
    try {
      return inTransaction([write]);
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

// Every write to the record. The writes of one moment are one transaction, which costs some ten microseconds and waits for no disk;
// its sync runs off the loop and is shared (log-sync.ts), and those who wait for it go on one by one (release.ts). Order is kept.
// While another process, or a checkpoint, locks the database, writes wait, without the loop waiting with them.
import { setTimeout as pause } from "node:timers/promises";
import type { Database } from "better-sqlite3";
import { isBusy } from "../../../data-dir/sqlite-failure.js";
import { AppError, messageOf } from "../../../domain/error.js";
import { leaveOwnership } from "../owner.js";
import type { Queries } from "../queries/queries.js";
import { type Checkpoints, createCheckpoints } from "./checkpoints.js";
import { createGroupCommit, type WriteOutcome } from "./group.js";
import { type LogSync, openLogSync } from "./log-sync.js";
import { createRecordGuard, type RecordFiles, type RecordGuard } from "./record-guard.js";
import { createRelease } from "./release.js";

/** How long a write waits for another process's lock. */
const BUSY_WAIT_MS = 700;
const BUSY_PAUSE_MS = 5;

/** How long a write waits for those that others of its group ask for when they go on: a commit for each would cost as much as they do. */
const GATHER_MS = 5;

/** How old a look at the files may be for the other writes: the looks would cost as much as they do. */
const LOOK_EVERY_MS = 1_000;

/** A write of nothing, which looks at the log. */
const LOOK: WriteKind = { what: "anything", isSynced: false, looks: true };

/** What may wait for the lock or the disk: far more than the turns that run at once can ask for. A disk that hangs refuses calls. */
const MAX_WAITING = 10_000;

/** A write: what it is called when it fails, and when its promise resolves. */
export interface WriteKind {
  what: string;
  /**
   * Whether it is on the disk when its promise resolves, so that a power cut does not undo it. Otherwise it is within a second. The
   * death of the process undoes nothing that is committed.
   */
  isSynced: boolean;
  /** Refused also when the files of the record went away a moment ago, as what is synced is. */
  looks?: true;
  /** Whether it is the end of something on record already: it is written also after the lock alone has gone. */
  completes?: true;
}

export interface Writer {
  /** Runs `write` in a transaction. Rejects with AppError `audit_unavailable` when it cannot be kept; nothing of it stays then. */
  run<Value>(kind: WriteKind, write: () => Value): Promise<Value>;
  /** Refuses every further write with this message, and warns. */
  refuse(reason: string): void;
  /** Whether every further write is refused, which was said. */
  isRefused(): boolean;
  /** Moves what the log holds into the database soon. */
  checkpoint(): void;
  /** Writes and syncs what waits. Nothing is written afterwards. */
  close(): Promise<void>;
}

interface Waiting {
  kind: WriteKind;
  write: () => unknown;
  /** From when on it may wait for a lock. */
  since: number;
  resolve(value: unknown): void;
  reject(error: AppError): void;
}

function unavailable(what: string, reason: string): AppError {
  const message = `the record is unavailable: cannot write ${what}: ${reason}`;
  return new AppError("audit_unavailable", message, { retryAfter: 5 });
}

/** The writer of an open record. */
export function createWriter(queries: Queries, files: RecordFiles, onWarning: (message: string) => void): Writer {
  return new RecordWriter(queries, files, onWarning);
}

class RecordWriter implements Writer {
  private readonly db: Database;
  private readonly onWarning: (message: string) => void;
  private readonly guard: RecordGuard;
  private readonly commit: (group: readonly (() => unknown)[]) => WriteOutcome[];
  private readonly log: LogSync;
  private readonly checkpoints: Checkpoints;
  private readonly release = createRelease();
  /** Oldest first. */
  private queue: Waiting[] = [];
  /** Not resolved yet: those in the queue and those that wait for a sync. */
  private waiting = 0;
  private refusal: string | undefined;
  /** Whether the refusal, if there is one, leaves out what completes. */
  private isCompleting = true;
  private lookedAt = Number.NEGATIVE_INFINITY;

  constructor({ db, history }: Queries, files: RecordFiles, onWarning: (message: string) => void) {
    this.db = db;
    this.onWarning = onWarning;
    this.commit = createGroupCommit({
      db,
      beforeCommit: () => {
        history.saveEnd();
        this.guard.noteCommit();
      },
      onRollback: () => history.reload(),
    });
    this.log = openLogSync(files.log.file, (error) =>
      this.refuse(`the disk does not keep what is written: ${messageOf(error)}; restart agentd`),
    );
    this.guard = createRecordGuard(db, files, this.log.read);
    this.checkpoints = createCheckpoints(files.record.file, onWarning);
  }

  run<Value>(kind: WriteKind, write: () => Value): Promise<Value> {
    return new Promise<Value>((resolve, reject) => {
      if (this.refusal !== undefined && !(kind.completes && this.isCompleting))
        return reject(unavailable(kind.what, this.refusal));
      if (this.waiting >= MAX_WAITING) return reject(unavailable(kind.what, "too much waits for the disk already"));
      this.waiting++;
      const since = performance.now();
      const one = { kind, write, since, resolve: resolve as (value: unknown) => void, reject };
      if (this.queue.push(one) === 1) this.gather(since + GATHER_MS);
    });
  }

  /** Commits what is queued once nobody goes on any more who may ask for more, at `latest` (milliseconds of the clock). */
  private gather(latest: number): void {
    setImmediate(() => {
      if (this.release.isUnderWay() && performance.now() < latest) this.gather(latest);
      else this.flush();
    });
  }

  refuse(reason: string): void {
    this.isCompleting = false;
    this.refuseFurther(reason, "nothing more is recorded");
  }

  private refuseFurther(reason: string, extent: string): void {
    if (this.refusal !== undefined) return;
    this.refusal = reason;
    this.onWarning(`${extent}, and no call is made: ${reason}`);
  }

  isRefused(): boolean {
    return this.refusal !== undefined;
  }

  checkpoint(): void {
    this.checkpoints.request();
    this.lookedAt = Number.NEGATIVE_INFINITY;
    void this.run(LOOK, () => {}).catch(() => {});
  }

  async close(): Promise<void> {
    this.refusal ??= "the record is closed";
    this.isCompleting = false;
    for (this.flush(); this.queue.length > 0; ) await pause(BUSY_PAUSE_MS);
    await this.checkpoints.close();
    try {
      this.guard.checkRecord();
      this.guard.checkLock();
      leaveOwnership(this.db);
    } catch {
      // The record is not this one any more; the next start tells.
    }
    await this.log.close();
    this.release.all();
  }

  /** Commits what is queued. While another process locks the database, what has waited long enough is refused, and the rest tries again. */
  private flush(): void {
    if (this.queue.length === 0) return;
    try {
      this.look(this.queue.some(({ kind }) => kind.isSynced || kind.looks));
    } catch (error) {
      this.refuse(messageOf(error));
      this.fail(this.queue.length, error);
      return;
    }
    if (this.queue.length === 0) return;
    try {
      this.settle(this.commit(this.queue.map(({ write }) => write)));
    } catch (error) {
      const latest = isBusy(error) ? this.longestWait() : Number.POSITIVE_INFINITY;
      this.fail(this.queue.filter(({ since }) => since <= latest).length, error);
      if (this.queue.length > 0) setTimeout(() => this.flush(), BUSY_PAUSE_MS);
    }
  }

  /** What waits for a lock since then or longer is refused. A checkpoint ends by itself: a slow disk is no reason to refuse a call. */
  private longestWait(): number {
    return this.checkpoints.isUnderWay() ? Number.NEGATIVE_INFINITY : performance.now() - BUSY_WAIT_MS;
  }

  private fail(count: number, error: unknown): void {
    this.settle(Array.from({ length: count }, () => ({ error: messageOf(error) })));
  }

  /** Takes the oldest from the queue, with what became of each. */
  private settle(outcomes: readonly WriteOutcome[]): void {
    const settled = this.queue.splice(0, outcomes.length);
    const isSynced = settled.some(({ kind }, at) => kind.isSynced && "value" in (outcomes[at] ?? {}));
    const synced = isSynced ? this.log.now() : undefined;
    if (!synced) this.log.soon();
    for (const [at, outcome] of outcomes.entries()) {
      const { kind, resolve, reject } = settled[at] as Waiting;
      const goOn = (settle: () => void): void =>
        this.release.add(() => {
          this.waiting--;
          settle();
        });
      const refuse = (reason: string): void => goOn(() => reject(unavailable(kind.what, reason)));
      const accept = (value: unknown): void => goOn(() => resolve(value));
      if ("error" in outcome) refuse(outcome.error);
      else if (!kind.isSynced) accept(outcome.value);
      else
        synced?.then(
          () => accept(outcome.value),
          (error) => refuse(messageOf(error)),
        );
    }
  }

  /** Whether the files of the record are what they were; throws when they are not. Without its lock only what completes is left. */
  private look(isDue: boolean): void {
    const now = performance.now();
    if (!isDue && now - this.lookedAt < LOOK_EVERY_MS) return;
    this.lookedAt = now;
    this.checkpoints.note(this.guard.checkRecord());
    try {
      this.guard.checkLock();
    } catch (error) {
      this.refuseFurther(messageOf(error), "nothing new is recorded");
      const completing = this.queue.filter(({ kind }) => kind.completes);
      this.queue = this.queue.filter(({ kind }) => !kind.completes);
      this.fail(this.queue.length, error);
      this.queue = completing;
    }
  }
}

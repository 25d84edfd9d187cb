// One connection at work: its statements always go by the extended protocol, where a text is one statement and values are parameters,
// and its rows come as the server's texts. One timer holds for all of it; when it ends, or the
// call is stopped, the server is asked to cancel.
import type { Socket } from "node:net";
import type pg from "pg";
import type { CallLimits } from "../database.js";
import { cancelledFailure, DatabaseFailure, type StatementOrigin } from "../database.js";
import { postgresFailure } from "./failure.js";

/** What a statement gave, every value as the server's text. */
export interface ServerAnswer {
  fields: readonly { name: string; dataTypeID: number }[];
  rows: (string | null)[][];
  /** Rows touched. */
  count: number;
}

/** Values keep the form that `values.ts` reads, whatever the role or the database sets. */
const SESSION_SETTINGS = [
  "SET LOCAL timezone = 'UTC'",
  "SET LOCAL datestyle = 'ISO'",
  "SET LOCAL intervalstyle = 'postgres'",
  "SET LOCAL bytea_output = 'hex'",
  "SET LOCAL extra_float_digits = 1",
  "SET LOCAL xmlbinary = 'base64'",
  "SET LOCAL cursor_tuple_fraction = 1",
];

/** A server that does not answer to a cancel in this time has its connection cut. */
const CANCEL_PATIENCE_MS = 2_000;
/** Bytes of one answer: it is in the memory of the daemon before anything of it can be handed on. */
const MAX_ANSWER_BYTES = 80 * 1024 * 1024;
/** What a slow reader of the rows may take between two statements, beyond the time of the call. */
const IDLE_MARGIN_MS = 5_000;

const RAW_TYPES = { getTypeParser: () => (text: string | Buffer) => text };

const socketOf = (client: pg.PoolClient): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** A transaction on a connection of its own. */
export class PostgresSession {
  readonly client: pg.PoolClient;
  readonly limits: CallLimits;
  readonly #cancel: (processId: number) => Promise<void>;
  readonly #timer: NodeJS.Timeout;
  /** Why nothing more is run. */
  #stopped: DatabaseFailure | undefined;
  #cancelling: Promise<void> | undefined;
  #patience: NodeJS.Timeout | undefined;
  #isTooLarge = false;
  #isOpen = false;
  #isLost = false;

  /** `cancel` asks the server, by another connection, to end what the process with this id does. */
  constructor(client: pg.PoolClient, limits: CallLimits, cancel: (processId: number) => Promise<void>) {
    this.client = client;
    this.limits = limits;
    this.#cancel = cancel;
    this.#timer = setTimeout(() => this.#stop(this.#timeout()), limits.timeoutMs);
    if (limits.signal?.aborted) this.#stopped = cancelledFailure();
    limits.signal?.addEventListener("abort", this.#onAbort, { once: true });
  }

  readonly #onAbort = (): void => this.#stop(cancelledFailure());

  #stop(reason: DatabaseFailure): void {
    if (this.#stopped) return;
    this.#stopped = reason;
    this.#patience = setTimeout(() => this.#cut(), CANCEL_PATIENCE_MS);
    const processId = (this.client as unknown as { processID: number }).processID;
    this.#cancelling = this.#cancel(processId).catch(() => this.#cut());
  }

  /** Whether the connection may not be used again. */
  get isLost(): boolean {
    return this.#isLost;
  }

  #cut(): void {
    this.#isLost = true;
    socketOf(this.client).destroy();
  }

  #timeout(): DatabaseFailure {
    return new DatabaseFailure(
      "timeout",
      `the database took longer than ${this.limits.timeoutMs} ms: ask for less, or raise the application's timeout_ms`,
    );
  }

  async begin(mode: "READ ONLY" | "READ WRITE"): Promise<void> {
    const { timeoutMs, lockMs } = this.limits;
    // One round trip; the text is our own.
    const text = [
      `BEGIN ISOLATION LEVEL READ COMMITTED ${mode}`,
      `SET LOCAL statement_timeout = ${Math.ceil(timeoutMs)}`,
      `SET LOCAL lock_timeout = ${Math.ceil(lockMs)}`,
      `SET LOCAL idle_in_transaction_session_timeout = ${Math.ceil(timeoutMs) + IDLE_MARGIN_MS}`,
      ...SESSION_SETTINGS,
    ].join(";");
    await this.#guard("own", () => this.client.query(text));
    this.#isOpen = true;
  }

  /** Runs one statement. Throws DatabaseFailure. */
  async run(
    sql: string,
    values: readonly (string | null)[] = [],
    origin: StatementOrigin = "own",
  ): Promise<ServerAnswer> {
    // It would end the text on the way to the server, and the rest would be read as something else.
    if (sql.includes("\0")) throw new DatabaseFailure("invalid_value", "a statement cannot hold the character NUL");
    return await this.#guard(origin, async () => {
      const result = await this.client.query<(string | null)[]>({
        text: sql,
        values: [...values],
        rowMode: "array",
        queryMode: "extended",
        types: RAW_TYPES,
      } as pg.QueryArrayConfig);
      return { fields: result.fields, rows: result.rows, count: result.rowCount ?? 0 };
    });
  }

  async #guard<T>(origin: StatementOrigin, work: () => Promise<T>): Promise<T> {
    if (this.#stopped) throw this.#stopped;
    const socket = socketOf(this.client);
    const start = socket.bytesRead;
    const watch = (): void => {
      if (socket.bytesRead - start <= MAX_ANSWER_BYTES) return;
      this.#isTooLarge = true;
      this.#cut();
    };
    socket.on("data", watch);
    try {
      return await work();
    } catch (error) {
      if (this.#isTooLarge)
        throw new DatabaseFailure(
          "refused",
          "what the database answers is too large; ask for fewer rows or columns, or for a part of the text",
        );
      const failure = postgresFailure(error, origin);
      if (failure.code === "connection_failed") this.#isLost = true;
      throw this.#stopped ?? failure;
    } finally {
      socket.off("data", watch);
    }
  }

  async commit(): Promise<void> {
    await this.run("COMMIT");
    this.#isOpen = false;
  }

  /** Ends what is open and stops the timer; never throws. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    this.limits.signal?.removeEventListener("abort", this.#onAbort);
    // A cancel that comes later would end what runs here next.
    await this.#cancelling;
    if (this.#isOpen && !this.#isLost)
      await this.client.query("ROLLBACK").catch(() => {
        this.#isLost = true;
      });
    clearTimeout(this.#patience);
  }
}

// Connections to one MySQL or MariaDB database: a capped pool, the settings of a session, and a timer that ends what takes too long.
// Statements go by the prepared protocol only, which takes one statement and substitutes nothing.
import type { Socket } from "node:net";
import type { Readable } from "node:stream";
import mysql from "mysql2/promise";
import { type CallLimits, cancelledFailure, DatabaseFailure, type StatementOrigin } from "../database.js";
import { mysqlFailure } from "./failure.js";
import type { MysqlParameter } from "./values.js";

/** Calls at the same time; a further one waits. */
const MAX_CONNECTIONS = 4;
const IDLE_MS = 30_000;
const CONNECT_MS = 10_000;
const MAX_PREPARED = 100;

/** Refuses what does not fit instead of cutting it, whatever the server's default is. */
const SQL_MODE = "STRICT_TRANS_TABLES,STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION";

export type TextRow = (string | null)[];

/** A column of an answer: its name, and the numbers that the protocol has for its type. */
export interface AnswerColumn {
  name: string;
  columnType: number;
  columnLength: number;
}

interface AnswerRow {
  columns: readonly AnswerColumn[];
  row: readonly unknown[];
}

/** A transaction on a connection of its own. */
export interface MysqlSession {
  /** Runs one statement; rows come as arrays. Throws DatabaseFailure. */
  run(sql: string, values?: readonly MysqlParameter[]): Promise<TextRow[]>;
  /** The same for a change: what it did. */
  change(sql: string, values: readonly MysqlParameter[]): Promise<{ affected: number; insertId: string }>;
  /** Rows as they arrive. */
  stream(sql: string, values: readonly MysqlParameter[]): AsyncIterable<TextRow>;
  /** The same for a free statement: values as the driver reads them, with their columns. */
  rows(sql: string, values: readonly MysqlParameter[]): AsyncIterable<AnswerRow>;
  commit(): Promise<void>;
  /** Rolls back what is open; never throws. `isCut`: a statement is still running. */
  release(isCut?: boolean): Promise<void>;
}

/** Lends sessions. */
export interface MysqlConnections {
  readonly database: string;
  open(mode: "READ ONLY" | "READ WRITE", limits: CallLimits): Promise<MysqlSession>;
  close(): Promise<void>;
}

function tlsOf(mode: string | null): mysql.SslOptions | undefined {
  switch (mode?.toUpperCase()) {
    case "REQUIRED":
      return { rejectUnauthorized: false };
    case "VERIFY_CA":
    case "VERIFY_IDENTITY":
      return { rejectUnauthorized: true };
    default:
      return undefined;
  }
}

/** The driver's own reading of an address would take any of its options from it. */
function optionsOf(location: string): mysql.PoolOptions & { database: string } {
  const url = new URL(location);
  const options: mysql.PoolOptions & { database: string } = {
    host: url.hostname.replace(/^\[|\]$/g, "") || "localhost",
    port: url.port ? Number(url.port) : 3306,
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
    charset: "utf8mb4",
    connectTimeout: CONNECT_MS,
    connectionLimit: MAX_CONNECTIONS,
    maxIdle: MAX_CONNECTIONS,
    idleTimeout: IDLE_MS,
    maxPreparedStatements: MAX_PREPARED,
    multipleStatements: false,
    decimalNumbers: false,
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    jsonStrings: true,
    rowsAsArray: true,
    connectAttributes: { program_name: "agentd" },
  };
  const ssl = tlsOf(url.searchParams.get("ssl-mode") ?? url.searchParams.get("sslmode"));
  return ssl ? { ...options, ssl } : options;
}

const textRow = (row: unknown): TextRow =>
  (row as unknown[]).map((value) => (value === null || typeof value === "string" ? value : String(value)));

/** What the driver's promises are made on. */
interface CoreConnection {
  readonly stream: Socket;
  execute(
    sql: string,
    values: readonly unknown[],
  ): { on(event: "fields", listener: (columns?: AnswerColumn[]) => void): void; stream(): Readable };
}

/** The rows of a statement as they arrive. Throws what the driver does. */
async function* answerRows(
  core: CoreConnection,
  sql: string,
  values: readonly MysqlParameter[],
): AsyncGenerator<AnswerRow> {
  let columns: readonly AnswerColumn[] = [];
  const command = core.execute(sql, [...values]);
  command.on("fields", (found) => {
    columns = found ?? [];
  });
  const rows = command.stream();
  const lost = Object.assign(new Error("the connection ended"), { code: "PROTOCOL_CONNECTION_LOST" });
  // The driver tells no stream of rows that its connection has ended.
  const onClose = (): void => void rows.destroy(lost);
  core.stream.once("close", onClose);
  try {
    for await (const row of rows) {
      // Of a statement without rows the driver gives how many it touched.
      if (!Array.isArray(row)) throw new DatabaseFailure("refused", "this statement gives no rows");
      yield { columns, row };
    }
  } finally {
    core.stream.off("close", onClose);
  }
}

/** When a statement that reads ends at the server: a little after this side has given it up. */
const SERVER_TIME_MS = 1_000;

/** The settings of a session. How long a statement may take is a comment that MariaDB reads (seconds), and one for MySQL (milliseconds). */
function sessionSettings(mode: "READ ONLY" | "READ WRITE", { timeoutMs, lockMs }: CallLimits): string {
  const lockSeconds = Math.max(1, Math.ceil(lockMs / 1000));
  const ms = mode === "READ ONLY" ? timeoutMs + SERVER_TIME_MS : undefined;
  return `SET SESSION sql_mode = '${SQL_MODE}', time_zone = '+00:00', innodb_lock_wait_timeout = ${lockSeconds}, lock_wait_timeout = ${lockSeconds}
    /*M!100101 , max_statement_time = ${ms === undefined ? "DEFAULT" : ms / 1000} */ /*!50708 , max_execution_time = ${ms ?? "DEFAULT"} */`;
}

function createSession(connection: mysql.PoolConnection, { timeoutMs, signal }: CallLimits): MysqlSession {
  const { connection: core } = connection as unknown as { connection: CoreConnection };
  let stopped: DatabaseFailure | undefined;
  const stop = (reason: DatabaseFailure): void => {
    stopped ??= reason;
    // The driver waits for the server's end of the connection, which comes when the server next looks for its client.
    core.stream.destroy(reason);
    connection.destroy();
  };
  const timeout = new DatabaseFailure(
    "timeout",
    `the database took longer than ${timeoutMs} ms: ask for less, or raise the application's timeout_ms`,
  );
  const timer = setTimeout(stop, timeoutMs, timeout);
  const onAbort = (): void => stop(cancelledFailure());
  signal?.addEventListener("abort", onAbort, { once: true });
  const failureOf = (error: unknown, origin?: StatementOrigin): DatabaseFailure =>
    stopped ?? mysqlFailure(error, origin);
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw failureOf(error);
    }
  };
  async function* rowsOf(
    sql: string,
    values: readonly MysqlParameter[],
    origin: StatementOrigin,
  ): AsyncGenerator<AnswerRow> {
    try {
      yield* answerRows(core, sql, values);
      if (stopped) throw stopped;
    } catch (error) {
      throw failureOf(error, origin);
    }
  }
  return {
    run: (sql, values = []) =>
      guard(async () => {
        const [rows] = await connection.execute<mysql.RowDataPacket[]>(sql, [...values]);
        return rows.map(textRow);
      }),
    change: (sql, values) =>
      guard(async () => {
        const [header] = await connection.execute<mysql.ResultSetHeader>(sql, [...values]);
        return { affected: header.affectedRows, insertId: String(header.insertId) };
      }),
    async *stream(sql, values) {
      for await (const { row } of rowsOf(sql, values, "own")) yield textRow(row);
    },
    rows: (sql, values) => rowsOf(sql, values, "free"),
    commit: () => guard(() => connection.commit()),
    async release(isCut = false) {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      if (isCut || stopped) connection.destroy();
      else
        await connection.rollback().then(
          () => connection.release(),
          () => connection.destroy(),
        );
    },
  };
}

/** Opens nothing yet: the first session connects. Throws DatabaseFailure for an address without a database. */
export function openMysqlPool(location: string): MysqlConnections {
  const options = optionsOf(location);
  if (options.database === "")
    throw new DatabaseFailure(
      "connection_failed",
      "the location names no database: write mysql://USER@HOST:PORT/DATABASE",
    );
  const pool = mysql.createPool(options);
  return {
    database: options.database,
    async open(mode, limits) {
      let connection: mysql.PoolConnection;
      try {
        connection = await pool.getConnection();
      } catch (error) {
        throw mysqlFailure(error);
      }
      if (limits.signal?.aborted) {
        connection.release();
        throw cancelledFailure();
      }
      const session = createSession(connection, limits);
      try {
        await connection.query(sessionSettings(mode, limits));
        await connection.query(`START TRANSACTION ${mode}`);
        return session;
      } catch (error) {
        await session.release(true);
        throw limits.signal?.aborted ? cancelledFailure() : mysqlFailure(error);
      }
    },
    close: () => pool.end(),
  };
}

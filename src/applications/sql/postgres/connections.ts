// The connections to one database: a capped pool, what each role may do, and cancelling. Gives sessions and takes them back.
import pg from "pg";
import { type CallLimits, DatabaseFailure } from "../database.js";
import { isConnectionLost, postgresFailure } from "./failure.js";
import { POWERS_QUERY, powersOf, type RolePowers } from "./role.js";
import { PostgresSession } from "./session.js";

/** Calls at the same time; a further one waits. More would take connections from the application itself. */
const MAX_CONNECTIONS = 4;
const IDLE_MS = 30_000;
const CONNECT_MS = 10_000;

/** Lends sessions of one database. */
export interface PostgresConnections {
  /** A session with an open transaction; the caller must give it to `release`. Throws DatabaseFailure. */
  open(mode: "READ ONLY" | "READ WRITE", limits: CallLimits): Promise<PostgresSession>;
  /** Rolls back what is open. `isSoiled`: what was run may have left something in the session. Never throws. */
  release(session: PostgresSession, isSoiled?: boolean): Promise<void>;
  powersOf(session: PostgresSession): RolePowers;
  close(): Promise<void>;
}

/**
 * The address as the driver takes it. It treats the weaker modes of TLS as verify-full and warns of that on every start; here they
 * are written as what they are.
 */
function connectionString(location: string): string {
  if (/[?&]uselibpqcompat=/.test(location)) return location;
  return location.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/, "$1verify-full");
}

function configOf(location: string): pg.ClientConfig {
  return {
    connectionString: connectionString(location),
    application_name: "agentd",
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  };
}

function createPool(location: string): pg.Pool {
  const pool = new pg.Pool({
    ...configOf(location),
    max: MAX_CONNECTIONS,
    idleTimeoutMillis: IDLE_MS,
    allowExitOnIdle: true,
  });
  // An idle connection that the server ends is no failure of any call; one at work fails by its statement.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** A connection of the pool. Throws DatabaseFailure. */
async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    // Without its cause: the driver's message may quote the address, which holds the password.
    if (error instanceof TypeError || error instanceof URIError)
      throw new DatabaseFailure(
        "connection_failed",
        "the location is no address of a PostgreSQL database: write postgres://USER@HOST:PORT/DATABASE",
      );
    throw postgresFailure(error);
  }
}

/** Asks the server, by a connection outside the pool, to end what another one does. */
async function cancel(location: string, processId: number): Promise<void> {
  const client = new pg.Client(configOf(location));
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("SELECT pg_catalog.pg_cancel_backend($1)", [processId]);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Opens nothing yet: the first session connects. */
export function openPool(location: string): PostgresConnections {
  const pool = createPool(location);
  const powers = new WeakMap<object, RolePowers>();

  const release = async (session: PostgresSession, isSoiled = false): Promise<void> => {
    await session.end();
    let isLost = session.isLost;
    if (isSoiled && !isLost) await session.client.query("DISCARD ALL").catch(() => (isLost = true));
    session.client.release(isLost);
  };

  return {
    async open(mode, limits) {
      for (;;) {
        const client = await connect(pool);
        const isUsed = powers.has(client);
        const session = new PostgresSession(client, limits, (processId) => cancel(location, processId));
        try {
          await session.begin(mode);
          if (!isUsed) powers.set(client, powersOf((await session.run(POWERS_QUERY)).rows[0]));
          return session;
        } catch (error) {
          await release(session);
          // The server ended it while it lay idle: nothing was done, and another one may do.
          if (!isUsed || !isConnectionLost(error)) throw error;
        }
      }
    },
    release,
    powersOf(session) {
      const known = powers.get(session.client);
      if (!known) throw new Error("a session of other connections");
      return known;
    },
    async close() {
      await pool.end();
    },
  };
}

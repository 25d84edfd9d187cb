// What became of a transaction, by its id: the server knows for a while after it has ended.
import type { PostgresConnections } from "./connections.js";

const LIMITS = { timeoutMs: 10_000, lockMs: 1_000 };
/** One that is still at work, after its connection was lost, is asked about again. */
const PATIENCE_MS = [50, 200, 500, 1_000, 2_000];

async function ask(connections: PostgresConnections, transaction: string): Promise<string | null | undefined> {
  const session = await connections.open("READ ONLY", LIMITS);
  try {
    const { rows } = await session.run("SELECT pg_catalog.pg_xact_status($1::pg_catalog.xid8)", [transaction]);
    return rows[0]?.[0];
  } finally {
    await connections.release(session);
  }
}

/** See Database.transactionStatus. */
export async function transactionStatusOf(
  connections: PostgresConnections,
  transaction: string,
): Promise<"committed" | "aborted" | undefined> {
  if (!/^\d{1,20}$/.test(transaction)) return undefined;
  for (const waitMs of PATIENCE_MS) {
    const status = await ask(connections, transaction);
    if (status === "committed" || status === "aborted") return status;
    if (status !== "in progress") return undefined;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
  return undefined;
}

// The end of a change: compared with what a person saw, put on record, made final. When the connection is lost in the moment of COMMIT,
// the server is asked what became of the transaction.
import type { Evidence, Preview } from "../../transport.js";
import { type ChangeOptions, DatabaseFailure } from "../database.js";
import type { PostgresConnections } from "./connections.js";
import type { PostgresSession } from "./session.js";
import { transactionStatusOf } from "./transaction-status.js";

interface Ending {
  evidence: Evidence;
  preview: Preview;
  options: ChangeOptions;
  session: PostgresSession;
  connections: PostgresConnections;
}

/** `changed`: nothing was done. Without `commit` nothing is done either. Throws DatabaseFailure, and whatever `keep` throws. */
export async function finish({
  evidence,
  preview,
  options,
  session,
  connections,
}: Ending): Promise<"done" | "changed"> {
  if (options.expected !== undefined && options.expected !== preview.fingerprint) return "changed";
  if (!options.commit) return "done";
  await options.keep?.(evidence);
  try {
    await session.commit();
  } catch (error) {
    if (!session.isLost || !evidence.transaction) throw error;
    const status = await transactionStatusOf(connections, evidence.transaction).catch(() => undefined);
    if (status === "committed") return "done";
    if (status === "aborted") throw error;
    throw new DatabaseFailure(
      "connection_failed",
      "the connection was lost while the change became final: it may be done or not; look before trying again",
      { cause: error },
    );
  }
  return "done";
}

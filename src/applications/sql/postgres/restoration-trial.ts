// Whether a change could be taken back as it was: tried in its own transaction, behind a savepoint, before anybody says yes to it.
import { DatabaseFailure } from "../database.js";
import { restorationOf } from "./evidence.js";
import type { HeldRow } from "./held-rows.js";
import { putBackExactly } from "./restore.js";
import type { PostgresSession } from "./session.js";
import type { GrowingTypeTable } from "./type-table.js";

/** Why not; undefined when it could. What was tried is rolled back. */
export async function tryRestoration(
  rows: readonly HeldRow[],
  { session, types }: { session: PostgresSession; types: GrowingTypeTable },
): Promise<string | undefined> {
  await session.run("SAVEPOINT agentd_trial");
  let why: string | undefined;
  try {
    await putBackExactly(restorationOf(rows), { session, types });
  } catch (error) {
    const isVerdict = error instanceof DatabaseFailure && error.code !== "timeout" && !session.isLost;
    if (!isVerdict) throw error;
    why = `taking it back would not leave everything as it was: ${error.message.replace(/; nothing was put back$/, "")}`;
  }
  await session.run("ROLLBACK TO SAVEPOINT agentd_trial");
  return why;
}

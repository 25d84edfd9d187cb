// What sessions and days took, as far as they have limits: checked and raised in one transaction of the writer, so that prompts side
// by side cannot both take the last. Runs inside the caller's transaction.
import type { Database } from "better-sqlite3";
import type { ReachedLimit } from "../../../domain/limits.js";
import {
  type Counts,
  isLimited,
  LIMIT_SCOPES,
  type LimitScope,
  NO_COUNTS,
  reachedLimit,
} from "../../../domain/limits.js";
import type { Use } from "../../store.js";

/** Counts, synchronously. */
export interface UseQueries {
  /** Counts what is about to be taken; a limit that forbids it is returned, and nothing counted. */
  take(use: Use, kind: "calls" | "model_calls"): ReachedLimit | undefined;
  addTokens(use: Use, tokens: number): void;
  counts(scope: LimitScope, name: string): Counts;
}

/** The scopes of a use that are counted, with the names of their rows. A call that belongs to no session counts in the day alone. */
function counted({ session_id, day, limits }: Use): { scope: LimitScope; name: string }[] {
  const names: Record<LimitScope, string> = { session: session_id, day };
  return LIMIT_SCOPES.filter((scope) => names[scope] !== "" && isLimited(limits, scope)).map((scope) => ({
    scope,
    name: names[scope],
  }));
}

/** The counts of a database that is open and migrated. */
export function createUseQueries(db: Database): UseQueries {
  const find = db.prepare("SELECT calls, model_calls, tokens FROM use_counts WHERE scope = ? AND name = ?");
  const raise = db.prepare(
    `INSERT INTO use_counts (scope, name, calls, model_calls, tokens) VALUES (@scope, @name, @calls, @model_calls, @tokens)
     ON CONFLICT (scope, name) DO UPDATE SET
       calls = calls + excluded.calls, model_calls = model_calls + excluded.model_calls, tokens = tokens + excluded.tokens`,
  );
  const queries: UseQueries = {
    take(use, kind) {
      const scopes = counted(use);
      for (const { scope, name } of scopes) {
        const reached = reachedLimit(use.limits, { scope, counts: queries.counts(scope, name), kind });
        if (reached) return reached;
      }
      for (const one of scopes) raise.run({ ...one, ...NO_COUNTS, [kind]: 1 });
      return undefined;
    },
    addTokens(use, tokens) {
      for (const one of counted(use)) raise.run({ ...one, ...NO_COUNTS, tokens });
    },
    counts: (scope, name) => (find.get(scope, name) as Counts | undefined) ?? NO_COUNTS,
  };
  return queries;
}

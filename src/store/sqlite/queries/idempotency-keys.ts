// Keys of prompts: which turn a key belongs to, for a day at least. A key is on disk before its turn begins; until then its row has
// the prompt, so that the next start can say that it was interrupted. Detached turns that wait have one of their own. Runs inside the caller's transaction.
import type { Database } from "better-sqlite3";
import { agedFirst, type Retention } from "../../rules.js";
import type { KeyClaim, KeyHolder } from "../../store.js";

/** For how long a key is known. */
export const KEY_KEEP_DAYS = 1;
/** Looked at in one step, and deleted. */
const MAX_KEYS = 20_000;
const MAX_DELETED = 1_000;

type WaitingKey = Pick<KeyClaim, "session_id" | "turn_id" | "prompt" | "client" | "asked_by">;

/** Keys, synchronously. `now` is the time of the event, ISO 8601. */
export interface KeyQueries {
  /** Takes a free key; says in any case which turn has it. */
  claim(claim: KeyClaim, now: string): KeyHolder;
  /** Frees the key of a turn that has not begun. */
  release(turn_id: string): void;
  /** The turn has begun, if it has a key at all. */
  markBegun(turn_id: string): void;
  /** The turns that have a key and have not begun, in order. */
  waiting(): WaitingKey[];
  /** Deletes some of the keys that are old enough; how many. */
  forget(retention: Retention): number;
}

/** The keys of a database that is open and migrated. */
export function createKeyQueries(db: Database): KeyQueries {
  const take = db.prepare(
    `INSERT INTO idempotency_keys (scope, key, fingerprint, session_id, turn_id, prompt, client, asked_by, created_at)
     VALUES (@scope, @key, @fingerprint, @session_id, @turn_id, @prompt, @client, @asked_by, @now) ON CONFLICT DO NOTHING`,
  );
  const find = db.prepare("SELECT fingerprint, session_id, turn_id FROM idempotency_keys WHERE scope = ? AND key = ?");
  const release = db.prepare("DELETE FROM idempotency_keys WHERE turn_id = ? AND prompt IS NOT NULL");
  const markBegun = db.prepare("UPDATE idempotency_keys SET prompt = NULL WHERE turn_id = ?");
  const waiting = db.prepare(
    "SELECT session_id, turn_id, prompt, client, asked_by FROM idempotency_keys WHERE prompt IS NOT NULL ORDER BY id",
  );
  const oldest = db.prepare(`SELECT id, created_at FROM idempotency_keys ORDER BY id LIMIT ${MAX_KEYS}`);
  const forget = db.prepare(
    `DELETE FROM idempotency_keys WHERE id IN
     (SELECT id FROM idempotency_keys WHERE id <= ? AND prompt IS NULL ORDER BY id LIMIT ${MAX_DELETED})`,
  );
  return {
    claim(claim, now) {
      take.run({ ...claim, now });
      return find.get(claim.scope, claim.key) as KeyHolder;
    },
    release: (turn_id) => void release.run(turn_id),
    markBegun: (turn_id) => void markBegun.run(turn_id),
    waiting: () => waiting.all() as WaitingKey[],
    forget(retention) {
      const keys = oldest.all() as { id: number; created_at: string }[];
      const { count } = agedFirst(
        keys.map(({ created_at }) => created_at),
        retention,
      );
      const last = keys[count - 1];
      return last ? forget.run(last.id).changes : 0;
    },
  };
}

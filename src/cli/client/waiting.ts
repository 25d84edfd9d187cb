// Which confirmations wait for a person, from those the record calls pending.
import type { Confirmation } from "../../domain/record.js";

/** More than a person looks through. */
export const MAX_WAITING = 1000;

/** Those that can still be decided, oldest first; one that is over may not be marked so yet. */
export function toWaiting(pending: readonly Confirmation[]): Confirmation[] {
  return pending
    .filter(({ expires_at }) => Date.parse(expires_at) > Date.now())
    .sort((a, b) => (a.created_at < b.created_at ? -1 : 1));
}

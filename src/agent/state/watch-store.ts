// A store whose writes are told as changes once they are on record: whatever is kept passes here, so nothing else has to tell.
import type { DaemonChange } from "../../domain/change.js";
import type { HistoryStatus } from "../../domain/history-status.js";
import type { Confirmation } from "../../domain/record.js";
import type { Store } from "../../store/store.js";

/** What a decision makes of the row of its call. */
function statusOf({ status, input }: Confirmation): HistoryStatus {
  if (status !== "approved") return "denied";
  return input ? "ok" : "pending";
}

/** The same store; `onChange` must not throw. */
export function watchStore(store: Store, onChange: (change: DaemonChange) => void): Store {
  const row = (id: number, status: HistoryStatus): void => onChange({ kind: "history", id, status });
  const session = (session_id: string): void => onChange({ kind: "session", session_id });
  /** A turn ends by its name alone. */
  const sessionOf = new Map<string, string>();
  const watched: Partial<Store> = {
    async beginCall(intent) {
      const id = await store.beginCall(intent);
      row(id, "pending");
      return id;
    },
    async recordCall(intent, completion) {
      const id = await store.recordCall(intent, completion);
      row(id, completion.status);
      return id;
    },
    async recordAttempt(id, completion) {
      const attempt = await store.recordAttempt(id, completion);
      row(attempt, completion.status);
      return attempt;
    },
    async completeCall(id, completion) {
      const isCompleted = await store.completeCall(id, completion);
      row(id, completion.status);
      return isCompleted;
    },
    async hold(intent, confirmation) {
      const held = await store.hold(intent, confirmation);
      row(held.history_id, "held");
      onChange({ kind: "confirmation", id: held.id, session_id: held.session_id, status: held.status });
      return held;
    },
    async extend(id, expires_at) {
      const extended = await store.extend(id, expires_at);
      if (extended) onChange({ kind: "confirmation", id, session_id: extended.session_id, status: extended.status });
      return extended;
    },
    async claim(claim, result) {
      const decided = await store.claim(claim, result);
      if (!decided) return undefined;
      const { id, session_id, status, history_id } = decided;
      onChange({ kind: "confirmation", id, session_id, status });
      row(history_id, statusOf(decided));
      return decided;
    },
    async beginTurn(turn) {
      const copied = await store.beginTurn(turn);
      sessionOf.set(turn.turn_id, turn.session_id);
      session(turn.session_id);
      return copied;
    },
    async endTurn(end) {
      await store.endTurn(end);
      const session_id = sessionOf.get(end.turn_id);
      sessionOf.delete(end.turn_id);
      if (session_id !== undefined) session(session_id);
    },
    async appendDecisionNotices(session_id, maxChars) {
      const notices = await store.appendDecisionNotices(session_id, maxChars);
      if (notices.length > 0) session(session_id);
      return notices;
    },
    async appendNotice(session_id, text) {
      const notice = await store.appendNotice(session_id, text);
      session(session_id);
      return notice;
    },
    async renameSession(session_id, title) {
      const isRenamed = await store.renameSession(session_id, title);
      if (isRenamed) session(session_id);
      return isRenamed;
    },
    async deleteSession(session_id) {
      const isDeleted = await store.deleteSession(session_id);
      if (isDeleted) onChange({ kind: "session", session_id, deleted: true });
      return isDeleted;
    },
  };
  return { ...store, ...watched };
}

// What can be asked of the writer thread, by name, and what each is called when it fails. Everything that crosses is plain text and
// numbers: JSON is made into text on the way, because copying a value costs more than its text, and the text is what is stored.
import type { Message } from "../../domain/message.js";
import type { TurnStart } from "../store.js";
import type { ClaimRow, HeldRow } from "./confirmations.js";
import type { CompletionRow, IntentRow } from "./history.js";
import { pruneHistory } from "./prune.js";
import type { Queries } from "./queries.js";
import type { TurnEndRow } from "./sessions.js";

/** The writes; each runs inside the transaction of its group. */
export interface Writes {
  beginCall(intent: IntentRow): number;
  recordCall(intent: IntentRow, completion: CompletionRow): number;
  completeCall(id: number, completion: CompletionRow): boolean;
  beginTurn(turn: TurnStart, now: string): void;
  endTurn(turn: TurnEndRow, now: string): void;
  appendDecisionNotices(session_id: string, maxChars: number): Message[];
  markNotified(confirmation_id: string): void;
  deleteSession(session_id: string): boolean;
  hold(intent: IntentRow, call: HeldRow): void;
  claim(claim: ClaimRow, result: string): boolean;
  /** Returns how many rows were deleted; see prune.ts. */
  pruneHistory(cutoff: string): number;
  /** Writes nothing: fails as any write would. */
  check(): void;
}

export type WriteName = keyof Writes;

interface WriteInfo {
  /** What could not be written, for the error. */
  what: string;
  /**
   * Without a sync of its own: the transcript survives any death of the process at once, and a power cut from the next call's
   * commit on, whose sync covers the log as a whole. A call's own row is synced before its request leaves.
   */
  isRelaxed?: true;
}

export const WRITES: Readonly<Record<WriteName, WriteInfo>> = {
  beginCall: { what: "the call's row" },
  recordCall: { what: "the call's row" },
  completeCall: { what: "the call's result" },
  beginTurn: { what: "the turn", isRelaxed: true },
  endTurn: { what: "the transcript", isRelaxed: true },
  appendDecisionNotices: { what: "the transcript", isRelaxed: true },
  markNotified: { what: "the transcript", isRelaxed: true },
  deleteSession: { what: "the deletion" },
  hold: { what: "the confirmation" },
  claim: { what: "the decision" },
  pruneHistory: { what: "the pruned history" },
  check: { what: "anything", isRelaxed: true },
};

/** The operations on an open record. */
export function createWrites({ db, history, sessions, confirmations, notices }: Queries): Writes {
  return {
    beginCall: (intent) => history.begin(intent, "pending"),
    recordCall: (intent, completion) => history.record(intent, completion),
    completeCall: (id, completion) => history.finish(id, completion, "pending"),
    beginTurn: (turn, now) => sessions.begin(turn, now),
    endTurn: (turn, now) => sessions.end(turn, now),
    appendDecisionNotices: (session_id, maxChars) => notices.append(maxChars, session_id),
    markNotified: (id) => notices.mark(id),
    deleteSession: (session_id) => sessions.delete(session_id),
    hold: (intent, call) => confirmations.hold(intent, call),
    claim: (claim, result) => confirmations.claim(claim, result),
    pruneHistory: (cutoff) => pruneHistory(db, cutoff),
    check: () => {},
  };
}

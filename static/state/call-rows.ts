// The history rows of one session, each of which is loaded once it is complete.
import type { HistoryStatus } from "../../src/domain/history-status.js";
import type { HistoryEntry } from "../../src/domain/record.js";
import type { Turn } from "../turn/turn.js";
import { requestList } from "./api.js";

/** How many rows complete the cards of a reloaded conversation; older cards display what the model received. */
const FIRST_ROWS = 100;
/** Rows of new turns that complete their cards. */
const NEW_ROWS = 1000;

/** Whether a call is not over. */
export function isOpen(status: HistoryStatus | undefined): boolean {
  return status === "held" || status === "pending";
}

export class CallRows {
  private readonly session: string;
  /** Rows up to this one were loaded when they were complete: after a turn only newer ones are. */
  private newest = 0;

  constructor(session: string) {
    this.session = session;
  }

  /** The newest rows; `turns` says which turns are not over. */
  first(turns: () => readonly Turn[]): Promise<HistoryEntry[]> {
    return this.load(`limit=${FIRST_ROWS}`, turns);
  }

  /** Those that may be new since. */
  next(turns: () => readonly Turn[]): Promise<HistoryEntry[]> {
    return this.load(`limit=${NEW_ROWS}&after=${this.newest}`, turns);
  }

  private async load(which: string, turns: () => readonly Turn[]): Promise<HistoryEntry[]> {
    const query = `${which}&session_id=${encodeURIComponent(this.session)}&results=small`;
    const rows = await requestList<HistoryEntry>(`/history?${query}`, "history");
    const running = new Set(turns().flatMap((turn) => (turn.status === "running" ? turn.turn_id : [])));
    const open = rows.findLast((row) => isOpen(row.status) || running.has(row.turn_id));
    this.newest = Math.max(this.newest, open === undefined ? (rows[0]?.id ?? 0) : open.id - 1);
    return rows;
  }
}

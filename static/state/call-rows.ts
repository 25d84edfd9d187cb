// The history rows of one session, each of which is loaded once it is complete.
import type { HistoryStatus } from "../../src/domain/history-status.js";
import type { HistoryEntry } from "../../src/domain/record.js";
import { shortenedIn } from "../../src/domain/shortened-result.js";
import type { Turn } from "../turn/turn.js";
import { requestList } from "./api.js";
import { localTimeOf } from "./clock.js";
import { loadKeptRow } from "./results.js";

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
  /** When calls that were not over began, as the rows loaded last say. */
  private began = new Map<string, number>();
  private readonly askedAgain = new Set<number>();

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

  /** When a call that was not over began, in milliseconds since 1970 by this clock; undefined where no row says so. */
  beganAt(turn_id: string, call_id: string): number | undefined {
    return this.began.get(`${turn_id} ${call_id}`);
  }

  /** The rows of lists that came shortened and are kept whole a little after the turn; each is asked for once. Never throws. */
  async keptLater(turns: readonly Turn[]): Promise<HistoryEntry[]> {
    const wanted = turns.flatMap(({ items }) =>
      items.flatMap((item) => {
        const isShortened = item.kind === "call" && item.kept === undefined && shortenedIn(item.result ?? null);
        return isShortened && item.history_id !== undefined ? [item.history_id] : [];
      }),
    );
    const ids = wanted.filter((id) => !this.askedAgain.has(id));
    for (const id of ids) this.askedAgain.add(id);
    // What is gone stays as it came.
    const rows = await Promise.all(ids.map((id) => loadKeptRow(id).catch(() => [])));
    return rows.flat();
  }

  private async load(which: string, turns: () => readonly Turn[]): Promise<HistoryEntry[]> {
    const query = `${which}&session_id=${encodeURIComponent(this.session)}&results=small`;
    const rows = await requestList<HistoryEntry>(`/history?${query}`, "history");
    const open = rows.filter((row) => isOpen(row.status));
    this.began = new Map(open.map((row) => [`${row.turn_id} ${row.call_id}`, localTimeOf(row.ts)]));
    const running = new Set(turns().flatMap((turn) => (turn.status === "running" ? turn.turn_id : [])));
    const oldest = rows.findLast((row) => isOpen(row.status) || running.has(row.turn_id));
    this.newest = Math.max(this.newest, oldest === undefined ? (rows[0]?.id ?? 0) : oldest.id - 1);
    return rows;
  }
}

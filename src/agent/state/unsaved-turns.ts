// Turns whose end could not be written: kept in memory, bounded, and tried again every few seconds, at the latest before the
// session's next turn begins, so that its transcript stays in order. One that never gets through reads `interrupted` after
// the next start.
import type { Log } from "../../lib/log.js";
import type { Store, TurnEnd } from "../../store/store.js";

/** A disk that was full or locked is often well again within seconds. */
const RETRY_MS = 2_000;
/** Only turns running when the disk failed get here, since none begins without its row. */
const MAX_CHARS = 32 * 1024 * 1024;

export interface UnsavedTurns {
  /** Keeps the end of a session's newest turn until it can be written. */
  add(session_id: string, end: TurnEnd): void;
  /** Writes what is left of the session's newest turn. Throws when that cannot be done yet: no further turn may begin then. */
  settle(session_id: string): Promise<void>;
  /** For a session that was deleted. */
  forget(session_id: string): void;
  /** A last try. Never throws. */
  close(): Promise<void>;
}

interface Waiting {
  end: TurnEnd;
  chars: number;
  /** Set while it is being written. */
  saving: Promise<void> | undefined;
}

/** The ends of turns that `store` could not take. */
export function createUnsavedTurns(store: Pick<Store, "endTurn">, log: Log): UnsavedTurns {
  const waiting = new Map<string, Waiting>();
  let chars = 0;
  let timer: NodeJS.Timeout | undefined;

  const forget = (session_id: string): void => {
    chars -= waiting.get(session_id)?.chars ?? 0;
    waiting.delete(session_id);
  };
  const save = async (session_id: string, kept: Waiting): Promise<void> => {
    try {
      await store.endTurn(kept.end);
      if (waiting.get(session_id) === kept) forget(session_id);
    } finally {
      kept.saving = undefined;
    }
  };
  const settle = async (session_id: string): Promise<void> => {
    const kept = waiting.get(session_id);
    if (kept) await (kept.saving ??= save(session_id, kept));
  };
  /** Each by itself: what could not be written still waits. */
  const settleAll = () => Promise.allSettled([...waiting.keys()].map(settle));
  const schedule = (): void => {
    timer ??= setTimeout(async () => {
      await settleAll();
      timer = undefined;
      if (waiting.size > 0) schedule();
    }, RETRY_MS).unref();
  };

  return {
    settle,
    forget,
    add(session_id, end) {
      const size = end.messages.reduce((sum, message) => sum + message.text.length, 0);
      if (chars + size > MAX_CHARS) {
        log.error({ turn_id: end.turn_id }, "too much could not be saved; this turn will read interrupted");
        return;
      }
      chars += size;
      waiting.set(session_id, { end, chars: size, saving: undefined });
      schedule();
    },
    async close() {
      clearTimeout(timer);
      await settleAll();
      if (waiting.size > 0) log.error({ turns: waiting.size }, "turns could not be saved; they will read interrupted");
    },
  };
}

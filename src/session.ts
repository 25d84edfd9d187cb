// What a session holds in memory: the messages the model still sees and the large results it may read again.
// The store has everything; a session that left memory comes back from there as if it had never gone.
import type { JsonValue } from "./json.js";
import type { Message } from "./message.js";
import type { Store } from "./store/store.js";
import { repair, trim } from "./transcript.js";

/** A session in memory. */
export interface Session {
  readonly id: string;
  /** Whether it had turns before this one. */
  resumed: boolean;
  /** Trimmed and repaired; the model's own history. */
  messages: Message[];
  /** Results that were cut for the model, newest last, by call id. */
  readonly results: Map<string, JsonValue>;
}

export interface Sessions {
  /** The session of this id, from memory or from the store; a new one when neither knows it. */
  open(id: string): Promise<Session>;
  /** Adds messages and trims. */
  add(session: Session, messages: readonly Message[]): void;
  forget(id: string): void;
}

/** Sessions kept in memory at once; the longest unused leave first. A few kilobytes each. */
const MAX_SESSIONS = 1_000;
/** Large results kept for one session, and for all: each can be megabytes. */
const MAX_RESULTS = 4;
const MAX_RESULTS_IN_ALL = 16;

/** Sessions over a store, their messages trimmed to `historyLimit`. */
export function createSessions(store: Store, historyLimit: number): Sessions {
  // A Map keeps insertion order: the first key is the longest unused.
  const kept = new Map<string, Session>();

  const shed = (): void => {
    while (kept.size > MAX_SESSIONS) {
      const oldest = kept.keys().next();
      if (oldest.done) return;
      kept.delete(oldest.value);
    }
    let results = 0;
    for (const session of [...kept.values()].reverse()) {
      results += session.results.size;
      if (results > MAX_RESULTS_IN_ALL) session.results.clear();
    }
  };

  return {
    async open(id) {
      const known = kept.get(id);
      if (known) {
        kept.delete(id);
        kept.set(id, known);
        known.resumed = true;
        return known;
      }
      const stored = await store.messages(id, historyLimit * 2);
      const messages = repair(trim(stored, historyLimit));
      const session: Session = { id, resumed: stored.length > 0, messages, results: new Map() };
      kept.set(id, session);
      shed();
      return session;
    },
    add(session, messages) {
      session.messages = repair(trim([...session.messages, ...messages], historyLimit));
      for (const key of session.results.keys()) {
        if (session.results.size <= MAX_RESULTS) break;
        session.results.delete(key);
      }
      shed();
    },
    forget(id) {
      kept.delete(id);
    },
  };
}

// What a session holds in memory: the messages the model still sees and the large results it may read again.
// The store has everything; a session that left memory comes back from there as if it had never gone.
import { createResultRoom, type KeptResults } from "./kept-results.js";
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
  /** Results that were cut for the model. */
  readonly results: KeptResults;
}

export interface Sessions {
  /** The session of this id, from memory or from the store; a new one when neither knows it. */
  open(id: string): Promise<Session>;
  /** Adds messages and trims. */
  add(session: Session, messages: readonly Message[]): void;
  forget(id: string): void;
  /** Lets go of everything the sessions keep. */
  close(): Promise<void>;
}

/** Sessions kept in memory at once; the longest unused leave first. A few kilobytes each. */
const MAX_SESSIONS = 200;

/** Sessions over a store, their messages trimmed to `historyLimit`. */
export function createSessions(store: Store, historyLimit: number): Sessions {
  // A Map keeps insertion order: the first key is the longest unused.
  const kept = new Map<string, Session>();

  const room = createResultRoom();

  const forget = (id: string): void => {
    kept.get(id)?.results.clear();
    kept.delete(id);
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
      const session: Session = { id, resumed: stored.length > 0, messages, results: room.open() };
      kept.set(id, session);
      const oldest = kept.keys().next();
      if (kept.size > MAX_SESSIONS && !oldest.done) forget(oldest.value);
      return session;
    },
    add(session, messages) {
      session.messages = repair(trim([...session.messages, ...messages], historyLimit));
    },
    forget,
    close: () => room.close(),
  };
}

// What a session holds in memory: the messages the model still sees and the large results it may read again.
// The store has everything; a session that left memory comes back from there as if it had never gone.

import type { Message } from "../../domain/message.js";
import { toJson } from "../../lib/json.js";
import { createResultCache, type SessionResults } from "../../results/cache.js";
import type { Store } from "../../store/store.js";
import { repair, trim } from "./transcript.js";

/** A session in memory. */
export interface Session {
  readonly id: string;
  /** Whether it had turns before this one. */
  resumed: boolean;
  /** Trimmed and repaired; the model's own history. */
  messages: Message[];
  /** Results that were cut for the model. */
  readonly results: SessionResults;
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

/** Sessions kept in memory at once; the longest unused leave first. A few kilobytes each, as a rule. */
const MAX_SESSIONS = 200;
/** Characters all of them keep together: a model that talks without end says megabytes. */
const MAX_CHARS = 32 * 1024 * 1024;

/** Characters of what a message carries beside its text: arguments, thoughts, and what a vendor wants back. */
function extraOf(message: Message): number {
  if (message.role === "user") return (message.context ?? []).reduce((sum, { text }) => sum + text.length, 0);
  if (message.role !== "assistant") return 0;
  const thoughts = message.reasoning?.length ?? 0;
  if (message.calls.length === 0 && !message.meta) return thoughts;
  return (
    thoughts +
    toJson([message.meta ?? null, ...message.calls.flatMap((call) => [call.arguments, call.meta ?? null])]).length
  );
}

/** Messages are never changed, and a session's are summed up with every turn. */
const sizes = new WeakMap<Message, number>();

function sizeOf(messages: readonly Message[]): number {
  let sum = 0;
  for (const message of messages) {
    let size = sizes.get(message);
    if (size === undefined) sizes.set(message, (size = message.text.length + extraOf(message)));
    sum += size;
  }
  return sum;
}

/** Sessions over a store, their messages trimmed to what `historyLimit` says at that time. */
export function createSessions(store: Store, historyLimit: () => number): Sessions {
  // A Map keeps insertion order: the first key is the longest unused.
  const kept = new Map<string, { session: Session; chars: number }>();

  const results = createResultCache();

  let chars = 0;

  const forget = (id: string): void => {
    const entry = kept.get(id);
    if (!entry) return;
    entry.session.results.clear();
    chars -= entry.chars;
    kept.delete(id);
  };
  /** Lets go of the longest unused until the rest fits; one alone is kept whatever its size. */
  const shed = (): void => {
    for (const id of kept.keys()) {
      if (kept.size <= 1 || (kept.size <= MAX_SESSIONS && chars <= MAX_CHARS)) return;
      forget(id);
    }
  };
  const keep = (session: Session): void => {
    const entry = { session, chars: sizeOf(session.messages) };
    chars += entry.chars - (kept.get(session.id)?.chars ?? 0);
    kept.set(session.id, entry);
    shed();
  };

  return {
    async open(id) {
      const known = kept.get(id);
      if (known) {
        kept.delete(id);
        kept.set(id, known);
        known.session.resumed = true;
        return known.session;
      }
      const stored = await store.messages(id, historyLimit() * 2);
      // A turn and a decision on a held call may both have come to read it.
      const meanwhile = kept.get(id);
      if (meanwhile) return meanwhile.session;
      const messages = repair(trim(stored, historyLimit()));
      const session: Session = { id, resumed: stored.length > 0, messages, results: results.open() };
      keep(session);
      return session;
    },
    add(session, messages) {
      session.messages = repair(trim([...session.messages, ...messages], historyLimit()));
      // Let go while its turn ran: a copy read again from the record lacks these.
      if (kept.get(session.id)?.session === session) keep(session);
      else forget(session.id);
    },
    forget,
    close: () => results.close(),
  };
}

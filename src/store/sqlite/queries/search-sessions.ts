// Sessions by words in their titles, prompts and answers, the last used first. Messages are looked at one after the other, in steps of
// milliseconds between which other work of the event loop goes on.
// Source: docs/reference.md, "Sessions and turns".
import type { Database } from "better-sqlite3";
import type { Message } from "../../../domain/message.js";
import type { SessionSearch, SessionSummary } from "../../../domain/record.js";
import { parseJson } from "../../../lib/json.js";
import { createSemaphore } from "../../../lib/semaphore.js";
import { createSlices } from "../../../lib/slices.js";
import { likePattern, spellings } from "./like.js";

/** Searches that take their steps in turn; of a hundred nothing else would get a turn. */
const AT_ONCE = 2;
/** Sessions whose titles are read at once. */
const WINDOW = 200;
/** Characters of what is shown of a text, and of those before the words. */
const MATCH_CHARS = 160;
const CHARS_BEFORE = 48;

const SESSIONS = `
  SELECT id, session_id, last_turn, coalesce(given_title, title) AS title FROM sessions
  WHERE last_turn > 0 AND last_turn < ? ORDER BY last_turn DESC LIMIT ${WINDOW}`;
/** A prompt or an answer; the text of a tool or a notice is neither. */
const SPOKEN = `(body LIKE '{"role":"user"%' OR body LIKE '{"role":"assistant"%')`;

interface SearchedSession {
  id: number;
  session_id: string;
  last_turn: number;
  title: string;
}

interface MessageRow {
  id: number;
  turn: number;
  /** Null for one that does not have the words. */
  body: string | null;
}

/** The part of a text that has the words; undefined without them. */
function excerpt(text: string, words: string): string | undefined {
  const at = text.toLowerCase().indexOf(words);
  if (at < 0) return undefined;
  const start = Math.max(0, at - CHARS_BEFORE);
  const part = text
    .slice(start, start + MATCH_CHARS)
    .replace(/\s+/g, " ")
    .trim()
    .toWellFormed();
  return `${start > 0 ? "…" : ""}${part}${start + MATCH_CHARS < text.length ? "…" : ""}`;
}

/** What reads the messages of sessions for some words, as far as the time of a step goes. */
function createLook(db: Database, q: string) {
  const words = q.toLowerCase();
  const values = spellings(q).map(likePattern);
  const hasWords = values.map(() => "body LIKE ? ESCAPE '\\'").join(" OR ");
  const rows = db.prepare(`
    SELECT id, turn, CASE WHEN ${SPOKEN} AND (${hasWords}) THEN body END AS body
    FROM messages WHERE session = ? AND id > ? ORDER BY id`);
  const turnName = db.prepare("SELECT turn_id FROM turns WHERE id = ?").pluck();
  return (
    session: number,
    after: number,
    isDue: () => boolean,
  ): { match?: SessionSummary["match"]; after?: number } => {
    let found: { turn: number; text: string } | undefined;
    for (const row of rows.iterate(...values, session, after)) {
      const { id, turn, body } = row as MessageRow;
      const message = body === null ? undefined : (parseJson(body) as unknown as Message);
      const text = message && excerpt(message.text, words);
      if (text !== undefined) {
        found = { turn, text };
        break;
      }
      if (isDue()) return { after: id };
    }
    if (!found) return {};
    return { match: { turn_id: turnName.get(found.turn) as string, text: found.text } };
  };
}

/** Makes the search; `summary` reads the entry of a session. */
export function createSessionSearch(
  db: Database,
  summary: (session_id: string) => SessionSummary | undefined,
): (search: SessionSearch) => Promise<SessionSummary[]> {
  const sessions = db.prepare(SESSIONS);
  const position = db.prepare("SELECT last_turn FROM sessions WHERE session_id = ?").pluck();
  const scans = createSemaphore(AT_ONCE);
  const find = async ({ q, limit, before, signal }: SessionSearch): Promise<SessionSummary[]> => {
    const slices = createSlices(signal);
    const look = createLook(db, q);
    const found: SessionSummary[] = [];
    const add = (session_id: string, match?: SessionSummary["match"]): void => {
      const one = summary(session_id);
      if (one) found.push(match ? { ...one, match } : one);
    };
    let last = before === undefined ? Number.MAX_SAFE_INTEGER : ((position.get(before) as number | undefined) ?? 0);
    for (;;) {
      const page = sessions.all(last) as SearchedSession[];
      for (const { id, session_id, title } of page) {
        const isTitled = title.toLowerCase().includes(q.toLowerCase());
        if (isTitled) add(session_id);
        for (let after: number | undefined = 0; after !== undefined && !isTitled; ) {
          const looked = look(id, after, slices.isOver);
          if (looked.match) add(session_id, looked.match);
          after = looked.after;
          if (slices.isOver()) await slices.pause();
        }
        if (found.length >= limit) return found;
      }
      const end = page.at(-1);
      if (!end || page.length < WINDOW) return found;
      last = end.last_turn;
    }
  };
  return (search) => scans.run(() => find(search), search.signal ?? new AbortController().signal);
}

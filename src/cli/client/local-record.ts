// The record itself, read beside the process that holds the directory, if any.
import type { SessionSummary } from "../../domain/record.js";
import type { JsonValue } from "../../lib/json.js";
import { hasRecord, openRecoveredReader } from "../../open.js";
import { markdownOf } from "../../server/response/markdown-transcript.js";
import type { RecordReader } from "../../store/reader.js";
import { warn } from "../terminal/output.js";
import type { RecordClient } from "./client.js";

const EMPTY: RecordClient = {
  history: async () => [],
  sessions: async () => [],
  conversation: async () => undefined,
  close: async () => {},
};
/** Conversations that a search looks through, newest first. */
const MAX_SEARCHED = 10_000;

/** The newest conversations that have a text in their title, a prompt or an answer, as GET /-/sessions finds them. */
async function searchSessions(reader: RecordReader, limit: number, q: string): Promise<SessionSummary[]> {
  const wanted = q.toLowerCase();
  const found: SessionSummary[] = [];
  for (const session of await reader.sessions({ limit: MAX_SEARCHED })) {
    const { turns = [] } = (await reader.conversation(session.session_id)) ?? {};
    const texts = turns.flatMap(({ prompt, messages }) => [
      prompt,
      ...messages.flatMap((message) => (message.role === "assistant" ? [message.text] : [])),
    ]);
    if ([session.title, ...texts].some((text) => text.toLowerCase().includes(wanted))) found.push(session);
    if (found.length >= limit) break;
  }
  return found;
}

/** Opens the record of a data directory; nothing is created where there is none. Throws StartError. */
export async function openLocalRecord(dataDir: string): Promise<RecordClient> {
  if (!(await hasRecord(dataDir))) return EMPTY;
  const reader = await openRecoveredReader(dataDir, warn);
  return {
    history: (query) => reader.history(query),
    sessions: (limit, q) => (q === undefined ? reader.sessions({ limit }) : searchSessions(reader, limit, q)),
    async conversation(session_id) {
      const found = await reader.conversation(session_id);
      if (!found) return undefined;
      const { session, turns } = found;
      const json = { session_id, title: session.title, turns } as unknown as JsonValue;
      let markdown = "";
      for await (const piece of markdownOf({ session_id, title: session.title }, turns)) markdown += piece;
      return { json, title: session.title, turns, markdown };
    },
    close: () => reader.close(),
  };
}

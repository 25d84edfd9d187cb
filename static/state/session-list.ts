// What the sidebar does with sessions: finds them by words, gives them titles, saves them as files.
import { signal } from "@preact/signals";
import type { SessionSummary } from "../../src/domain/record.js";
import { announce } from "./announcement.js";
import { errorText, requestBlob, requestJson, requestList } from "./api.js";
import { loadSessions } from "./daemon.js";

/** A search begins after a pause of this length in the typing. */
const TYPING_PAUSE_MS = 200;
/** Sessions that are found at once. */
const MAX_FOUND = 100;

/** The words that are searched for. */
export const sessionWords = signal("");
/** What was found; undefined while all are listed. */
export const foundSessions = signal<readonly SessionSummary[] | undefined>(undefined);
/** Why nothing could be found, or "". */
export const searchError = signal("");

let timer: ReturnType<typeof setTimeout> | undefined;
let search = new AbortController();

async function find(words: string): Promise<void> {
  const { signal } = search;
  const query = new URLSearchParams({ q: words, limit: String(MAX_FOUND) });
  try {
    const found = await requestList<SessionSummary>(`/-/sessions?${query}`, "sessions", { signal });
    if (signal.aborted) return;
    foundSessions.value = found;
    searchError.value = "";
    announce(found.length === 0 ? "No session found." : `${found.length} found.`);
  } catch (error) {
    if (!signal.aborted) searchError.value = errorText(error);
  }
}

/** Lists the sessions with these words, after a pause in the typing; "" lists all again. */
export function searchSessions(words: string): void {
  sessionWords.value = words;
  clearTimeout(timer);
  search.abort();
  search = new AbortController();
  searchError.value = "";
  if (words.trim() === "") foundSessions.value = undefined;
  else timer = setTimeout(() => void find(words.trim()), TYPING_PAUSE_MS);
}

/** Searches again: a session was renamed or deleted. */
export function searchAgain(): void {
  if (foundSessions.peek() !== undefined) void find(sessionWords.peek().trim());
}

/** Gives a session a title; "" returns to its first prompt. Never throws. */
export async function renameSession(session_id: string, title: string): Promise<void> {
  try {
    await requestJson(`/-/sessions/${encodeURIComponent(session_id)}`, { method: "PATCH", body: { title } });
  } catch (error) {
    announce(errorText(error));
  }
  await loadSessions().catch(() => {});
  searchAgain();
}

/** The forms in which a conversation is saved. */
const FORMATS = {
  Markdown: { type: "text/markdown", ending: "md" },
  JSON: { type: "application/json", ending: "json" },
} as const;

/** Saves a conversation as a file. Never throws. */
export async function exportSession(
  { session_id, title }: SessionSummary,
  format: keyof typeof FORMATS,
): Promise<void> {
  const { type, ending } = FORMATS[format];
  try {
    const blob = await requestBlob(`/-/sessions/${encodeURIComponent(session_id)}`, type);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${title.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60) || "conversation"}.${ending}`;
    link.click();
    URL.revokeObjectURL(link.href);
  } catch (error) {
    announce(errorText(error));
  }
}

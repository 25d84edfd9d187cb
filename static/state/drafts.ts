// What is typed and not sent, kept in this browser for each session, so that neither a reload nor a token that is refused loses any of
// it. Who signs out takes it away.
import { signedOut } from "./token.js";

const STORAGE_KEY = "agentd.drafts";
/** Drafts that are kept, the newest, and for how long. */
const MAX_DRAFTS = 20;
const KEEP_MS = 30 * 24 * 3_600_000;
/** Characters of a draft; a longer one does not outlive a reload. */
const MAX_LENGTH = 20_000;

interface Draft {
  text: string;
  at: number;
}

function stored(): Record<string, Draft> {
  try {
    return JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}") as Record<string, Draft>;
  } catch {
    return {};
  }
}

/** The draft of a session, "" for none; that of a new chat goes by "". */
export function storedDraft(session: string): string {
  const draft = stored()[session];
  return typeof draft?.text === "string" ? draft.text : "";
}

/** Keeps the draft of a session. */
export function storeDraft(session: string, text: string): void {
  if (signedOut.peek()) return;
  const now = Date.now();
  const others = Object.entries(stored()).filter(([key, { at }]) => key !== session && now - at < KEEP_MS);
  const isKept = text.trim() !== "" && text.length <= MAX_LENGTH;
  const all: [string, Draft][] = isKept ? [...others, [session, { text, at: now }]] : others;
  const newest = all.sort(([, a], [, b]) => b.at - a.at).slice(0, MAX_DRAFTS);
  try {
    if (newest.length === 0) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, JSON.stringify(Object.fromEntries(newest)));
  } catch {
    // There is more than a browser stores: this one does not outlive a reload.
  }
}

/** Removes every draft. */
export function forgetDrafts(): void {
  localStorage.removeItem(STORAGE_KEY);
}

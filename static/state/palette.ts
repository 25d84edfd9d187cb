// What the palette finds: commands and sessions by their names, a wrong letter included, and from the daemon tools, texts of sessions and recorded calls.
import { signal } from "@preact/signals";
import type { HistoryEntry, SessionSummary } from "../../src/domain/record.js";
import type { Tool } from "../../src/domain/tool.js";
import { hasNearWords } from "../values/near-words.js";
import { requestList } from "./api.js";
import { sessions } from "./daemon.js";
import { paletteCommands } from "./palette-commands.js";
import { navigate } from "./route.js";

/** One thing to choose. */
export interface Found {
  id: string;
  group: "Commands" | "Sessions" | "Tools" | "History";
  label: string;
  /** What is said of it beside its name. */
  note?: string | undefined;
  run(): void;
}

/** Entries of a group. */
const MAX_OF_GROUP = 6;
const TYPING_PAUSE_MS = 150;

/** What was found, by groups. */
export const found = signal<readonly Found[]>([]);

let timer: ReturnType<typeof setTimeout> | undefined;
let search = new AbortController();

const openSession = (session: string) => () => navigate({ kind: "chat", session });

function toSession({ session_id, title, match }: SessionSummary): Found {
  const run = openSession(session_id);
  return { id: `session-${session_id}`, group: "Sessions", label: title, note: match?.text, run };
}

function toTool({ name, description }: Tool): Found {
  return {
    id: `tool-${name}`,
    group: "Tools",
    label: name,
    note: description,
    run: () => navigate({ kind: "tool", tool: name }),
  };
}

function toCall({ id, tool, status, ts }: HistoryEntry): Found {
  const run = () => navigate({ kind: "history", row: id });
  return { id: `call-${id}`, group: "History", label: tool, note: `${status} · ${new Date(ts).toLocaleString()}`, run };
}

/** What is known here. */
function here(words: string): Found[] {
  const has = (text: string): boolean => text.toLowerCase().includes(words.toLowerCase());
  const nearest = <T>(all: readonly T[], textOf: (one: T) => string): T[] => {
    const named = all.filter((one) => has(textOf(one)));
    return [...named, ...all.filter((one) => !named.includes(one) && hasNearWords(textOf(one), words))];
  };
  const all = paletteCommands();
  const commands = nearest(all, ({ label, words: others }) => `${label} ${others}`).map(
    ({ label, note, run }): Found => {
      return { id: `command-${label}`, group: "Commands", label, note, run };
    },
  );
  const named = nearest(sessions.peek(), ({ title }) => title);
  return [
    ...commands.slice(0, words === "" ? all.length : MAX_OF_GROUP),
    ...named.slice(0, MAX_OF_GROUP).map(toSession),
  ];
}

async function ask(words: string): Promise<void> {
  const { signal } = search;
  const query = (limit: number) => new URLSearchParams({ q: words, limit: String(limit) });
  const list = <T>(path: string, field: string): Promise<T[]> =>
    requestList<T>(`${path}?${query(MAX_OF_GROUP)}`, field, { signal }).catch(() => []);
  const [tools, texts, calls] = await Promise.all([
    list<Tool>("/-/tools/search", "tools"),
    list<SessionSummary>("/-/sessions", "sessions"),
    list<HistoryEntry>("/history", "history"),
  ]);
  if (signal.aborted) return;
  const known = here(words);
  const others = texts.map(toSession).filter(({ id }) => known.every((one) => one.id !== id));
  found.value = [...known, ...others.slice(0, MAX_OF_GROUP), ...tools.map(toTool), ...calls.map(toCall)];
}

/** Finds what has these words. */
export function findAnything(words: string): void {
  clearTimeout(timer);
  search.abort();
  search = new AbortController();
  found.value = here(words.trim());
  if (words.trim() !== "") timer = setTimeout(() => void ask(words.trim()), TYPING_PAUSE_MS);
}

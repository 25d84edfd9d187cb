// What can be done from the keyboard, as one table: the keys, the list of keys and the palette are made of it. A key alone counts outside
// of fields; Esc stops a turn from anywhere (composer.tsx).
import { effect, signal } from "@preact/signals";
import { current, currentId, newChat } from "./conversations.js";
import { sessions } from "./daemon.js";
import { focusPrompt } from "./focus.js";
import { drawerOpen, navigate, type PageName, view } from "./route.js";

/** What stands in front of the page. */
export const overlay = signal<"palette" | "keys" | null>(null);

/** Whether the sidebar is hidden, on a wide screen. */
export const sidebarHidden = signal(false);

/** One thing to do. */
interface Command {
  label: string;
  /** As KeyboardEvent has it; two are pressed one after the other. */
  keys: readonly string[];
  run(): void;
}

/** Opens the session that stands so many places below the present one in the list. */
function step(by: number): void {
  const list = sessions.peek();
  const at = list.findIndex(({ session_id }) => session_id === currentId.peek());
  const next = list[at < 0 ? 0 : at + by];
  if (next !== undefined) navigate({ kind: "chat", session: next.session_id });
}

const page = (kind: PageName) => () => navigate({ kind });

function writePrompt(): void {
  if (view.peek().kind !== "chat") newChat();
  // The chat is there with the next frame.
  requestAnimationFrame(focusPrompt);
}

function stop(): void {
  const conversation = current.peek();
  if (conversation?.busy.peek()) void conversation.stop();
}

/** Everything but the palette's own key. */
export const COMMANDS: readonly Command[] = [
  { label: "New chat", keys: ["n"], run: newChat },
  { label: "Write a prompt", keys: ["/"], run: writePrompt },
  { label: "Stop the running turn", keys: ["x"], run: stop },
  { label: "Next session", keys: ["j"], run: () => step(1) },
  { label: "Previous session", keys: ["k"], run: () => step(-1) },
  { label: "Show or hide the sidebar", keys: ["b"], run: () => (sidebarHidden.value = !sidebarHidden.peek()) },
  { label: "Go to the tools", keys: ["g", "t"], run: page("tools") },
  { label: "Go to the history", keys: ["g", "h"], run: page("history") },
  { label: "Go to the approvals", keys: ["g", "a"], run: page("confirmations") },
  { label: "Go to the settings", keys: ["g", "s"], run: page("settings") },
  { label: "Show the keys", keys: ["?"], run: () => (overlay.value = "keys") },
];

const STORAGE_KEY = "agentd.letter-keys";

function storedLetterKeys(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== "off";
  } catch {
    return true;
  }
}

/**
 * Whether keys without Ctrl or the like do anything in this browser; the palette has the same commands.
 * Source: https://www.w3.org/TR/WCAG22/#character-key-shortcuts
 */
export const letterKeys = signal(storedLetterKeys());

/** Switches them, and keeps the choice in this browser. */
export function setLetterKeys(isOn: boolean): void {
  letterKeys.value = isOn;
  try {
    localStorage.setItem(STORAGE_KEY, isOn ? "on" : "off");
  } catch {
    // It holds until the page is closed.
  }
}

/** How long the second of two keys may take. */
const PAIR_MS = 1_500;

let first = { key: "", at: 0 };

/** Whether a key is typed into something. */
function isTyped({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, select, textarea"));
}

function onKey(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey } = event;
  if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === "k") {
    event.preventDefault();
    overlay.value = overlay.peek() === "palette" ? null : "palette";
    return;
  }
  if (ctrlKey || metaKey || altKey || event.isComposing || event.defaultPrevented || isTyped(event)) return;
  if (!letterKeys.peek() || document.querySelector("dialog[open], [role=menu]") !== null) return;
  const pair = performance.now() - first.at < PAIR_MS ? [first.key, key] : [];
  first = { key, at: performance.now() };
  const command = COMMANDS.find(({ keys }) => keys.join(" ") === pair.join(" ") || keys.join(" ") === key);
  if (!command) return;
  event.preventDefault();
  first = { key: "", at: 0 };
  command.run();
}

/** Listens for the keys until the function it returns is called. */
export function followKeys(): () => void {
  addEventListener("keydown", onKey);
  // The button that opens the drawer brings a hidden sidebar back.
  const stop = effect(() => {
    if (!drawerOpen.value || !sidebarHidden.peek()) return;
    sidebarHidden.value = false;
    drawerOpen.value = false;
  });
  return () => {
    removeEventListener("keydown", onKey);
    stop();
  };
}

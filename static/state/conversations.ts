// Which conversations are open in this page. One in which something happens or waits stays open while another is displayed; an idle
// one is closed when it is left, so that an open page holds no more sockets than it needs.
import { computed, effect, signal, untracked } from "@preact/signals";
import { Conversation } from "./conversation.js";
import { focusPrompt } from "./focus.js";
import { navigate, view } from "./route.js";
import { signedOut } from "./token.js";

const opened = signal<ReadonlyMap<string, Conversation>>(new Map());
/** The id of the new chat without a prompt; it gets its path with its first one. */
const newChatId = signal(newSessionId());

/** A random UUID (RFC 9562, version 4); crypto.randomUUID is missing on plain http addresses other than loopback. */
function newSessionId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The id of the conversation the address names; null on the other pages. */
export const currentId = computed(() => (view.value.kind === "chat" ? (view.value.session ?? newChatId.value) : null));

/** The conversation the address names. */
export const current = computed(() => (currentId.value === null ? undefined : opened.value.get(currentId.value)));

/** Ids of the open conversations that run a turn. */
export const runningIds = computed(
  () => new Set([...opened.value.values()].filter((one) => one.busy.value).map((one) => one.id)),
);

function isActive(one: Conversation): boolean {
  return one.busy.peek() || one.prompts.waiting.peek().length > 0 || one.draft.peek() !== "";
}

/** Opens what the address names and closes what is idle, and everything where a token is missing. Call it once. */
export function followRoute(): void {
  effect(() => {
    const id = currentId.value;
    const isOut = signedOut.value;
    untracked(() => {
      const kept = [...opened.value].filter(([key, one]) => !isOut && (key === id || id === null || isActive(one)));
      const next = new Map(kept);
      for (const [key, one] of opened.value) if (!next.has(key)) one.close();
      if (id !== null && !isOut && !next.has(id)) next.set(id, new Conversation(id, id === newChatId.value));
      opened.value = next;
    });
  });
}

/** Sends a prompt in the current conversation and gives a new chat its path. One that was deleted is followed by a new one. */
export function sendPrompt(text: string): void {
  if (current.peek()?.deleted.peek()) newChat();
  const conversation = current.peek();
  if (conversation === undefined) return;
  conversation.prompts.add(text);
  if (conversation.id !== newChatId.peek()) return;
  navigate({ kind: "chat", session: conversation.id }, { replace: true });
  newChatId.value = newSessionId();
}

/** Appends a prompt to the draft of the current conversation; it is sent by hand. */
export function writeAgain(prompt: string): void {
  const draft = current.peek()?.draft;
  if (draft === undefined) return;
  draft.value = draft.peek().trim() === "" ? prompt : `${draft.peek()}\n${prompt}`;
  focusPrompt();
}

/** Displays an empty conversation. */
export function newChat(): void {
  navigate({ kind: "chat", session: null });
}

/** Loads an open conversation again, after a decision made outside a running turn. */
export function reloadConversation(session: string): void {
  void opened.peek().get(session)?.reload();
}

/** A session has changed, or is gone, by whatever hand: what an open conversation does not hear of by its events is looked up. */
export function noteSession(session: string, isDeleted: boolean): void {
  const conversation = opened.peek().get(session);
  if (isDeleted) void conversation?.reload();
  else conversation?.lookAgain();
}

/** Looks up what open conversations may have missed. */
export function lookAgain(): void {
  for (const one of opened.peek().values()) one.lookAgain();
}

/** Loads the calls of open conversations that run side by side. */
export async function loadOpenCalls(): Promise<void> {
  await Promise.all([...opened.peek().values()].map((one) => one.loadOpenCalls()));
}

/** Closes a conversation whose session was deleted. */
export function closeDeleted(session: string): void {
  const wasCurrent = currentId.peek() === session;
  const next = new Map(opened.peek());
  next.get(session)?.close();
  next.delete(session);
  opened.value = next;
  if (wasCurrent) navigate({ kind: "chat", session: null }, { replace: true });
}

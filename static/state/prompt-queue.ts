// The prompts of a session that wait in this page, and how the first of them reaches the daemon: as a turn that goes on without this
// page. They are stored with the tab, so that a reload loses none; no prompt is sent twice without a person's word.
import { batch, effect, signal } from "@preact/signals";
import type { Policy } from "../../src/domain/policy.js";
import { ownTimeZone } from "../../src/domain/time-zone.js";
import { ApiError, errorText, requestJson } from "./api.js";
import { chosenModes, MODES } from "./modes.js";
import { choiceOf, type PromptChoice } from "./prompt-choice.js";

/** A prompt and the modes that were on when it was written. */
interface QueuedPrompt {
  key: string;
  text: string;
  modes: Partial<Policy>;
  /** What was chosen for it then. */
  choice?: PromptChoice;
  /** It was sent behind this turn ("" for the first), and it is not known whether it arrived. */
  sentBehind?: string;
}

/** What becomes of the prompts of a queue. */
interface PromptListener {
  /** Whether the next one can be sent now. */
  canSend(): boolean;
  /** The id of the session's last turn, "" when there is none. */
  lastTurn(): string;
  onSend(prompt: QueuedPrompt): void;
  onTaken(key: string, turn_id: string): void;
  onRefused(key: string, reason: string): void;
  /** It stands in the queue again. */
  onReturn(key: string): void;
}

let count = 0;

/** Answers of a proxy that say nothing of what the daemon did. Source: RFC 9110, section 15.6. */
const PROXY_STATUSES = [502, 504];

function storedPrompts(storageKey: string): QueuedPrompt[] {
  const stored = JSON.parse(sessionStorage.getItem(storageKey) ?? "[]") as Omit<QueuedPrompt, "key">[];
  return stored.map((prompt) => ({ ...prompt, key: `local-${++count}` }));
}

function storePrompts(storageKey: string, prompts: readonly QueuedPrompt[]): void {
  try {
    if (prompts.length === 0) sessionStorage.removeItem(storageKey);
    else sessionStorage.setItem(storageKey, JSON.stringify(prompts));
  } catch {
    // There is more than a browser stores: these do not outlive a reload.
  }
}

/** The queue of a session. */
export class PromptQueue {
  readonly waiting = signal<readonly QueuedPrompt[]>([]);
  /** It waits for a person to resume it. */
  readonly paused = signal(false);
  /** The prompt on its way to the daemon. */
  readonly sending = signal<QueuedPrompt | undefined>(undefined);
  private readonly session: string;
  private readonly listener: PromptListener;
  private readonly stopStoring: () => void;
  private link = new AbortController();

  constructor(session: string, listener: PromptListener) {
    const storageKey = `agentd.prompts.${session}`;
    this.session = session;
    this.listener = listener;
    this.waiting.value = storedPrompts(storageKey);
    // They may be days old: a person says whether they are still meant.
    this.pause();
    this.stopStoring = effect(() => {
      const sending = this.sending.value;
      storePrompts(storageKey, [...(sending === undefined ? [] : [sending]), ...this.waiting.value]);
    });
  }

  /** Appends a prompt, under the modes that are on. */
  add(text: string): void {
    this.waiting.value = [
      ...this.waiting.peek(),
      { key: `local-${++count}`, text, modes: chosenModes.peek(), choice: choiceOf(this.session) },
    ];
    // What may have arrived is never sent again by the way.
    if (this.listener.canSend() && this.waiting.peek()[0]?.sentBehind === undefined) this.paused.value = false;
    this.sendNext();
  }

  remove(key: string): void {
    this.waiting.value = this.waiting.peek().filter((prompt) => prompt.key !== key);
  }

  resume(): void {
    this.paused.value = false;
    this.sendNext();
  }

  /** Sends nothing before a person says so, if there is something to send. */
  pause(): void {
    this.paused.value = this.waiting.peek().length > 0;
  }

  /** Sends the next prompt if it can be sent now. */
  sendNext(): void {
    const [first, ...others] = this.waiting.peek();
    if (first === undefined || this.paused.peek() || this.sending.peek() !== undefined || !this.listener.canSend())
      return;
    const next = { ...first, sentBehind: this.listener.lastTurn() };
    batch(() => {
      this.waiting.value = others;
      this.sending.value = next;
      this.listener.onSend(next);
    });
    void this.send(next);
  }

  /** Drops the prompt that may not have arrived, when one of the turns that came since is its. */
  settle(turns: readonly { turn_id: string; prompt: string }[]): void {
    const [first, ...others] = this.waiting.peek();
    if (first?.sentBehind === undefined) return;
    const behind = turns.findIndex(({ turn_id }) => turn_id === first.sentBehind);
    if (behind < 0 && first.sentBehind !== "") return;
    if (!turns.slice(behind + 1).some(({ prompt }) => prompt === first.text)) return;
    this.waiting.value = others;
    this.pause();
  }

  /** The connection is lost: what is on its way may not arrive. */
  interrupt(): void {
    this.link.abort();
    this.link = new AbortController();
  }

  close(): void {
    this.stopStoring();
    this.interrupt();
  }

  private async send(prompt: QueuedPrompt): Promise<void> {
    const { key, text, modes, choice = {} } = prompt;
    // A mode that was on when the prompt was written stays on for it, whatever was clicked while it waited.
    const isOn = MODES.filter(({ name }) => modes[name] || chosenModes.peek()[name]);
    const body = { ...choice, message: text, session_id: this.session, detach: true, time_zone: ownTimeZone() };
    try {
      const answer = (await requestJson("/run", {
        method: "POST",
        body: { ...body, ...Object.fromEntries(isOn.map(({ name }) => [name, true])) },
        signal: this.link.signal,
      })) as { turn_id: string };
      this.sending.value = undefined;
      this.listener.onTaken(key, answer.turn_id);
    } catch (error) {
      batch(() => this.handleFailure(prompt, error));
    }
    this.sendNext();
  }

  private handleFailure(prompt: QueuedPrompt, error: unknown): void {
    this.sending.value = undefined;
    const isRefused = error instanceof ApiError && error.status > 0 && !PROXY_STATUSES.includes(error.status);
    if (isRefused) this.listener.onRefused(prompt.key, errorText(error));
    else {
      this.waiting.value = [prompt, ...this.waiting.peek()];
      this.listener.onReturn(prompt.key);
    }
    this.pause();
  }
}

// An open conversation: its turns, its connection, and its queue of prompts. It goes on while another view is displayed.
// The stored transcript is authoritative: after a lost connection or a decision made elsewhere it is loaded again.

import { batch, signal } from "@preact/signals";
import type { TurnEvent } from "../../src/domain/event.js";
import type { Policy } from "../../src/domain/policy.js";
import type { HistoryEntry, TranscriptTurn } from "../../src/domain/record.js";
import { type JsonObject, toJson } from "../../src/lib/json.js";
import { callLine } from "../turn/call-line.js";
import { turnsOf, withRows } from "../turn/transcript.js";
import { applyEvent, interrupt, startTurn, type Turn } from "../turn/turn.js";
import { announce } from "./announcement.js";
import { ApiError, errorText, requestJson, requestList } from "./api.js";
import { syncClockToEvent } from "./clock.js";
import { loadConfirmations, resolveConfirmation, trackConfirmation } from "./confirmations.js";
import { type Connection, connect } from "./connection.js";
import { loadSessions, sessions } from "./daemon.js";
import { chosenModes, MODES } from "./modes.js";

/** A prompt not sent yet, with the modes that were on when it was written. */
interface QueuedPrompt {
  key: string;
  text: string;
  modes: Partial<Policy>;
}

/** How many history rows complete the cards of a reloaded conversation; older cards display what the model received. */
const HISTORY_ROWS = 100;
/** Rows of one turn that complete its cards. */
const TURN_ROWS = 1000;
/** Deltas are rendered at most this often: faster than the eye, and a long answer is not laid out per token. */
const FLUSH_MS = 40;
/** A long answer is laid out whole each time: another millisecond between two for this many characters leaves time to type. */
const CHARACTERS_PER_MS = 200;
/** How often the transcript is loaded while a turn runs elsewhere (a script, another tab, a page just closed). */
const WATCH_MS = 1500;

/** Bytes of a frame the daemon accepts; a longer one would cost the connection. Source: docs/reference.md, "WebSocket". */
const MAX_FRAME_BYTES = 1_048_576;

let count = 0;

/** One session with the daemon. */
export class Conversation {
  readonly id: string;
  readonly turns = signal<readonly Turn[]>([]);
  readonly queue = signal<readonly QueuedPrompt[]>([]);
  /** The transcript is not here yet; nothing is sent before it is. */
  readonly loading = signal(false);
  /** Why the transcript could not be loaded, or "". */
  readonly loadError = signal("");
  /** A turn sent from here is running. */
  readonly busy = signal(false);
  /** Stop was pressed and the turn has not ended yet. */
  readonly stopping = signal(false);
  /** The queue waits for a person to resume it: a turn was stopped or lost. */
  readonly paused = signal(false);
  /** What is typed and not sent; kept while another view is displayed. */
  readonly draft = signal("");
  readonly connection: Connection;
  /** Events not applied to the turn yet. */
  private unapplied: TurnEvent[] = [];
  private flushTimer: ReturnType<typeof setTimeout> | undefined;
  private watchTimer: ReturnType<typeof setTimeout> | undefined;
  /** Id of the newest history row that was loaded: after a turn only its own rows are. */
  private newestRow = 0;
  /** Whether the daemon can know this session. */
  private stored: boolean;
  /** Whether the connection was lost since it was first opened, so that the transcript may hold more than the page. */
  private wasLost = false;
  /** The prompt of the running turn. */
  private sent: QueuedPrompt | undefined;

  /** `isNew` skips loading a transcript that cannot exist yet. */
  constructor(id: string, isNew: boolean) {
    this.id = id;
    this.stored = !isNew;
    this.loading.value = !isNew;
    this.connection = connect(id, {
      onOpen: () => (this.wasLost ? void this.reload() : this.sendNext()),
      onEvent: (event) => this.handleEvent(event),
      onLoss: () => this.handleLoss(),
    });
    void this.reload();
  }

  /** Sends a prompt, after those in the queue. */
  send(text: string): void {
    this.queue.value = [...this.queue.peek(), { key: `local-${++count}`, text, modes: chosenModes.peek() }];
    if (!this.busy.peek()) this.paused.value = false;
    this.sendNext();
  }

  /** Stops the running turn, here or elsewhere. */
  stop(): void {
    if (this.busy.peek()) {
      this.stopping.value = true;
      this.connection.send('{"type":"cancel"}');
      return;
    }
    const after = () => void this.reload();
    requestJson(`${this.path}/cancel`, { method: "POST" }).then(after, after);
  }

  /** Removes a prompt from the queue. */
  unqueue(key: string): void {
    this.queue.value = this.queue.peek().filter((queued) => queued.key !== key);
  }

  /** Resumes a paused queue. */
  resume(): void {
    this.paused.value = false;
    this.sendNext();
  }

  /** Loads the transcript again, unless a turn is running here. Never throws; `loadError` holds what failed. */
  async reload(): Promise<void> {
    if (this.stored && !this.busy.peek()) {
      try {
        const [transcript, rows] = await Promise.all([
          requestList<TranscriptTurn>(`${this.path}?results=small`, "turns"),
          this.loadRows(`limit=${HISTORY_ROWS}`),
        ]);
        if (this.busy.peek()) return;
        batch(() => {
          this.turns.value = turnsOf(transcript, rows);
          this.endLoading("");
        });
        this.watch();
      } catch (error) {
        // A session without a turn is an empty one, not an error.
        if (error instanceof ApiError && error.status === 404) this.endLoading("");
        else if (this.turns.peek().length === 0) this.endLoading(errorText(error));
      }
    }
    this.sendNext();
  }

  /** Loads the transcript again when the session has more turns than the page: another tab or a script wrote to it. */
  catchUp(): void {
    const turns = sessions.peek().find((one) => one.session_id === this.id)?.turns ?? 0;
    if (turns > this.turns.peek().length && !this.loading.peek()) void this.reload();
  }

  /** Closes the conversation; the daemon stops a turn that runs. */
  close(): void {
    clearTimeout(this.watchTimer);
    clearTimeout(this.flushTimer);
    this.connection.close();
  }

  private get path(): string {
    return `/-/sessions/${encodeURIComponent(this.id)}`;
  }

  private endLoading(error: string): void {
    batch(() => {
      this.loading.value = false;
      this.loadError.value = error;
    });
  }

  private async loadRows(which: string): Promise<HistoryEntry[]> {
    const query = `${which}&session_id=${encodeURIComponent(this.id)}&results=small`;
    const rows = await requestList<HistoryEntry>(`/history?${query}`, "history");
    this.newestRow = Math.max(this.newestRow, rows[0]?.id ?? 0);
    return rows;
  }

  private changeLast(change: (turn: Turn) => Turn): void {
    const turns = this.turns.peek();
    const last = turns.at(-1);
    if (last !== undefined) this.turns.value = [...turns.slice(0, -1), change(last)];
  }

  /** Loads the transcript again soon while something runs that this page gets no events of. */
  private watch(): void {
    clearTimeout(this.watchTimer);
    const last = this.turns.peek().at(-1);
    const calling = last?.items.some((item) => item.kind === "call" && item.status === "pending");
    if (last?.status === "running" || calling) this.watchTimer = setTimeout(() => void this.reload(), WATCH_MS);
  }

  /** Sends the next prompt of the queue if it can be sent now. */
  private sendNext(): void {
    const next = this.queue.peek()[0];
    if (next === undefined || this.busy.peek() || this.paused.peek() || this.loading.peek()) return;
    const frame: JsonObject = { message: next.text };
    // A mode that was on when the prompt was written stays on for it, whatever was clicked while it waited.
    for (const { name } of MODES) if (next.modes[name] || chosenModes.peek()[name]) frame[name] = true;
    const text = toJson(frame);
    const tooLong = new Blob([text]).size > MAX_FRAME_BYTES;
    if (!tooLong && !this.connection.send(text)) return;
    this.stored = true;
    this.sent = next;
    batch(() => {
      this.queue.value = this.queue.peek().slice(1);
      this.busy.value = true;
      this.turns.value = [...this.turns.peek(), startTurn(next.key, next.text)];
    });
    if (!tooLong) return;
    this.handleEvent({
      kind: "error",
      message: "This prompt is longer than the daemon takes (1 MiB). Nothing was sent.",
    });
    this.handleEvent({ kind: "done" });
  }

  private handleEvent(event: TurnEvent): void {
    if (event.kind === "confirmation_required") {
      syncClockToEvent(event.created_at);
      trackConfirmation({ ...event, status: "pending" });
      const { method, short } = callLine(event.request);
      announce(`Approval needed: ${event.tool} (${event.safety}), ${method} ${short}`);
    }
    if (event.kind === "confirmation_resolved") resolveConfirmation(event.id, event.decision);
    // A new session is listed as soon as the daemon knows it, not when its first turn is over.
    if (event.kind === "session" && sessions.peek().every((one) => one.session_id !== this.id))
      loadSessions().catch(() => {});
    this.unapplied.push(event);
    if (event.kind === "assistant_delta") this.flushTimer ??= setTimeout(() => this.flush(), this.flushDelayMs());
    else this.flush();
    if (event.kind === "done") void this.finish();
  }

  private flushDelayMs(): number {
    const last = this.turns.peek().at(-1)?.items.at(-1);
    return FLUSH_MS + (last?.kind === "text" ? last.text.length / CHARACTERS_PER_MS : 0);
  }

  private flush(): void {
    clearTimeout(this.flushTimer);
    this.flushTimer = undefined;
    const events = this.unapplied;
    this.unapplied = [];
    if (events.length > 0) this.changeLast((turn) => events.reduce(applyEvent, turn));
  }

  private async finish(): Promise<void> {
    batch(() => {
      if (this.stopping.peek() && this.queue.peek().length > 0) this.paused.value = true;
      this.busy.value = false;
      this.stopping.value = false;
    });
    const last = this.turns.peek().at(-1);
    const outcome = last?.items.findLast((item) => item.kind === "text" || item.kind === "error");
    announce(outcome !== undefined && "text" in outcome ? outcome.text : "Done.");
    this.sendNext();
    try {
      const rows = last?.items.some((item) => item.kind === "call")
        ? await this.loadRows(`limit=${TURN_ROWS}&after=${this.newestRow}`)
        : [];
      this.turns.value = this.turns.peek().map((turn) => (turn.key === last?.key ? withRows(turn, rows) : turn));
      await Promise.all([loadSessions(), loadConfirmations()]);
      // A turn that ran elsewhere when this one was sent is over by now.
      if (this.turns.peek().some((turn) => turn.status === "running")) await this.reload();
    } catch {
      // The turn itself is displayed; the finer status of its calls comes with the next reload.
    }
  }

  /** The socket is gone, and with it the turn, which the daemon stops. The reload afterwards gives the turn its end. */
  private handleLoss(): void {
    this.wasLost = true;
    this.flush();
    if (!this.busy.peek()) return;
    const last = this.turns.peek().at(-1);
    batch(() => {
      this.busy.value = false;
      this.stopping.value = false;
      // No event answered this prompt, so it may never have arrived: it is queued again instead of vanishing.
      if (last !== undefined && last.turn_id === "" && this.sent !== undefined) {
        this.queue.value = [this.sent, ...this.queue.peek()];
        this.turns.value = this.turns.peek().slice(0, -1);
      } else this.changeLast(interrupt);
      this.paused.value = this.queue.peek().length > 0;
    });
  }
}

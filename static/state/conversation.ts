// An open conversation: its turns, its connection, and the prompts that wait their turn. It goes on while another view is
// shown. The stored transcript is the truth: after a lost connection or a decision made elsewhere it is read again.

import { batch, signal } from "@preact/signals";
import type { TurnEvent } from "../../src/domain/event.js";
import type { Policy } from "../../src/domain/policy.js";
import type { HistoryEntry } from "../../src/domain/record.js";
import { type JsonObject, toJson } from "../../src/lib/json.js";
import { transcriptIn, turnsOf, withRows } from "../turn/transcript.js";
import { afterEvent, breakOff, startTurn, type Turn } from "../turn/turn.js";
import { announce } from "./announcement.js";
import { ApiError, ask, sayError } from "./api.js";
import { hearEvent } from "./clock.js";
import { loadApprovals, note, settle } from "./confirmations.js";
import { type Connection, connect } from "./connection.js";
import { listIn, loadSessions, sessions } from "./daemon.js";
import { chosen, MODES } from "./modes.js";

/** A prompt not sent yet, with the modes that were on when it was written. */
export interface Queued {
  key: string;
  text: string;
  modes: Partial<Policy>;
}

/** How many history rows are read to complete the cards of a reloaded conversation; older cards show what the model saw. */
const ROWS_READ = 100;
/** Deltas are put on the screen at most this often: faster than the eye, and a long answer is not laid out per token. */
const FLUSH_MS = 40;
/** A long answer is laid out whole each time: another millisecond between two for this many characters leaves room to type. */
const CHARACTERS_PER_MS = 200;
/** How often a turn that runs elsewhere (a script, another tab, a page just closed) is looked at. */
const WATCH_MS = 1500;

/** Bytes of a frame the daemon takes; a longer one would cost the connection. Source: reference, section 4. */
const MAX_FRAME = 1_048_576;

let count = 0;

/** One thread with the daemon. */
export class Conversation {
  readonly id: string;
  readonly turns = signal<readonly Turn[]>([]);
  readonly queue = signal<readonly Queued[]>([]);
  /** "loading" until the transcript is here, then why it is not, or "". */
  readonly trouble = signal("");
  /** A turn sent from here is running. */
  readonly busy = signal(false);
  /** Stop was pressed and the turn has not ended yet. */
  readonly stopping = signal(false);
  /** The queue waits for a person to let it go on: a turn was stopped or lost. */
  readonly paused = signal(false);
  /** What is typed and not sent; kept while another view is shown. */
  readonly draft = signal("");
  readonly connection: Connection;
  private arrived: TurnEvent[] = [];
  private flushing: ReturnType<typeof setTimeout> | undefined;
  private watching: ReturnType<typeof setTimeout> | undefined;
  /** Whether the daemon can have heard of this session. */
  private stored: boolean;
  /** Whether the connection was lost since it was first opened, so that the transcript may hold more than the page. */
  private broken = false;
  /** The prompt of the running turn. */
  private sent: Queued | undefined;

  /** `fresh` skips reading a transcript that cannot exist yet. */
  constructor(id: string, fresh: boolean) {
    this.id = id;
    this.stored = !fresh;
    if (!fresh) this.trouble.value = "loading";
    this.connection = connect(id, {
      opened: () => (this.broken ? void this.reload() : this.pump()),
      event: (event) => this.take(event),
      lost: () => this.lose(),
    });
    void this.reload();
  }

  /** Sends a prompt, after those that wait. */
  send(text: string): void {
    this.queue.value = [...this.queue.peek(), { key: `local-${++count}`, text, modes: chosen.peek() }];
    if (!this.busy.peek()) this.paused.value = false;
    this.pump();
  }

  /** Stops the running turn, here or elsewhere. */
  stop(): void {
    if (this.busy.peek()) {
      this.stopping.value = true;
      this.connection.send('{"type":"cancel"}');
      return;
    }
    const after = () => void this.reload();
    ask(`${this.path}/cancel`, { method: "POST" }).then(after, after);
  }

  /** Takes a prompt out of the queue. */
  unqueue(key: string): void {
    this.queue.value = this.queue.peek().filter((queued) => queued.key !== key);
  }

  /** Lets a paused queue go on. */
  resume(): void {
    this.paused.value = false;
    this.pump();
  }

  /** Reads the transcript again, unless a turn is running here. Never throws; `trouble` says what went wrong. */
  async reload(): Promise<void> {
    if (this.stored && !this.busy.peek()) {
      try {
        const [transcript, rows] = await Promise.all([ask(this.path), this.rows()]);
        if (this.busy.peek()) return;
        batch(() => {
          this.turns.value = turnsOf(transcriptIn(transcript), rows);
          this.trouble.value = "";
        });
        this.watch();
      } catch (error) {
        // A session nobody has written to yet is an empty one, not an error.
        if (error instanceof ApiError && error.status === 404) this.trouble.value = "";
        else if (this.turns.peek().length === 0) this.trouble.value = sayError(error);
      }
    }
    this.pump();
  }

  /** Reads the transcript again when the session has more turns than the page: another tab or a script wrote to it. */
  catchUp(): void {
    const turns = sessions.peek().find((one) => one.session_id === this.id)?.turns ?? 0;
    if (turns > this.turns.peek().length && this.trouble.peek() !== "loading") void this.reload();
  }

  /** Leaves the conversation; a turn that runs is stopped by the daemon. */
  close(): void {
    clearTimeout(this.watching);
    clearTimeout(this.flushing);
    this.connection.close();
  }

  private get path(): string {
    return `/-/sessions/${encodeURIComponent(this.id)}`;
  }

  private async rows(): Promise<HistoryEntry[]> {
    return listIn(await ask(`/history?limit=${ROWS_READ}&session_id=${encodeURIComponent(this.id)}`), "history");
  }

  private changeLast(change: (turn: Turn) => Turn): void {
    const turns = this.turns.peek();
    const last = turns.at(-1);
    if (last !== undefined) this.turns.value = [...turns.slice(0, -1), change(last)];
  }

  /** Looks again soon when something is still going on that this page gets no events of. */
  private watch(): void {
    clearTimeout(this.watching);
    const last = this.turns.peek().at(-1);
    const calling = last?.items.some((item) => item.kind === "call" && item.status === "pending");
    if (last?.status === "running" || calling) this.watching = setTimeout(() => void this.reload(), WATCH_MS);
  }

  /** Sends the next prompt if it can go now. */
  private pump(): void {
    const next = this.queue.peek()[0];
    if (next === undefined || this.busy.peek() || this.paused.peek() || this.trouble.peek() === "loading") return;
    const frame: JsonObject = { message: next.text };
    // A mode that was on when the prompt was written stays on for it, whatever was clicked while it waited.
    for (const { name } of MODES) if (next.modes[name] || chosen.peek()[name]) frame[name] = true;
    const text = toJson(frame);
    const tooLong = new Blob([text]).size > MAX_FRAME;
    if (!tooLong && !this.connection.send(text)) return;
    this.stored = true;
    this.sent = next;
    batch(() => {
      this.queue.value = this.queue.peek().slice(1);
      this.busy.value = true;
      this.turns.value = [...this.turns.peek(), startTurn(next.key, next.text)];
    });
    if (!tooLong) return;
    this.take({ kind: "error", message: "This prompt is longer than the daemon takes (1 MiB). Nothing was sent." });
    this.take({ kind: "done" });
  }

  private take(event: TurnEvent): void {
    if (event.kind === "confirmation_required") {
      hearEvent(event.created_at);
      note({ ...event, status: "pending" });
      announce(`Approval needed: ${event.tool}`);
    }
    if (event.kind === "confirmation_resolved") settle(event.id, event.decision);
    // A new session is listed as soon as the daemon knows it, not when its first turn is over.
    if (event.kind === "session" && sessions.peek().every((one) => one.session_id !== this.id))
      loadSessions().catch(() => {});
    this.arrived.push(event);
    if (event.kind === "assistant_delta") this.flushing ??= setTimeout(() => this.flush(), this.flushPause());
    else this.flush();
    if (event.kind === "done") void this.finish();
  }

  private flushPause(): number {
    const last = this.turns.peek().at(-1)?.items.at(-1);
    return FLUSH_MS + (last?.kind === "text" ? last.text.length / CHARACTERS_PER_MS : 0);
  }

  private flush(): void {
    clearTimeout(this.flushing);
    this.flushing = undefined;
    const events = this.arrived;
    this.arrived = [];
    if (events.length > 0) this.changeLast((turn) => events.reduce(afterEvent, turn));
  }

  private async finish(): Promise<void> {
    batch(() => {
      if (this.stopping.peek() && this.queue.peek().length > 0) this.paused.value = true;
      this.busy.value = false;
      this.stopping.value = false;
    });
    const last = this.turns.peek().at(-1);
    const said = last?.items.findLast((item) => item.kind === "text" || item.kind === "error");
    announce(said !== undefined && "text" in said ? said.text : "Done.");
    this.pump();
    try {
      const rows = last?.items.some((item) => item.kind === "call") ? await this.rows() : [];
      this.turns.value = this.turns.peek().map((turn) => (turn.key === last?.key ? withRows(turn, rows) : turn));
      await Promise.all([loadSessions(), loadApprovals()]);
      // A turn that ran elsewhere when this one was sent is over by now.
      if (this.turns.peek().some((turn) => turn.status === "running")) await this.reload();
    } catch {
      // The turn itself is on the screen; the finer status of its calls comes with the next reload.
    }
  }

  /** The socket is gone, and with it the turn: the daemon runs nothing for nobody. The reload after it tells how it ended. */
  private lose(): void {
    this.broken = true;
    this.flush();
    if (!this.busy.peek()) return;
    const last = this.turns.peek().at(-1);
    batch(() => {
      this.busy.value = false;
      this.stopping.value = false;
      // Nothing came back for this prompt, so it may never have arrived: it waits again instead of vanishing.
      if (last !== undefined && last.turn_id === "" && this.sent !== undefined) {
        this.queue.value = [this.sent, ...this.queue.peek()];
        this.turns.value = this.turns.peek().slice(0, -1);
      } else this.changeLast(breakOff);
      this.paused.value = this.queue.peek().length > 0;
    });
  }
}

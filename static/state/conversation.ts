// An open conversation: the turns of a session, whoever prompts them. Its stored transcript is loaded once; from there on it is made
// of events, which go on behind the last one after every loss of the connection. Turns run without this page: leaving it, or losing
// the connection, stops nothing.
import { batch, computed, signal } from "@preact/signals";
import type { TranscriptTurn } from "../../src/domain/record.js";
import { type JsonObject, toJson } from "../../src/lib/json.js";
import { hasOpenCalls, hasUnmadeCalls, withLiveRows } from "../turn/live-rows.js";
import { withTimes } from "../turn/times.js";
import { mergeTurns, turnsOf, withRows } from "../turn/transcript.js";
import {
  applyEvents,
  type FollowedEvent,
  isMissing,
  isWaiting,
  positionIn,
  refuse,
  startTurn,
  type Turn,
} from "../turn/turn.js";
import { announce } from "./announcement.js";
import { ApiError, errorText, requestJson, requestList } from "./api.js";
import { CallRows, isOpen } from "./call-rows.js";
import { localTimeOf } from "./clock.js";
import { loadConfirmations, noteConfirmation } from "./confirmations.js";
import { Connection } from "./connection.js";
import { loadSessions, sessions } from "./daemon.js";
import { PromptQueue } from "./prompt-queue.js";

/** Deltas are applied at most this often: faster than the eye. How often a growing block is rendered is up to it. */
const FLUSH_MS = 40;
/** Turns that end within this time share the requests for their rows: after a loss many may come at once. */
const GATHER_MS = 50;
/** Until what could not be loaded is asked for again. */
const RETRY_MS = 3_000;

/** One session with the daemon. */
export class Conversation {
  readonly id: string;
  readonly turns = signal<readonly Turn[]>([]);
  readonly prompts: PromptQueue;
  /** The transcript is not here yet; nothing is sent before it is. */
  readonly loading = signal(false);
  /** Why the transcript could not be loaded, or "". */
  readonly loadError = signal("");
  /** A turn of the session runs, or waits for that, whoever prompted it. */
  readonly busy = computed(() => this.turns.value.some(({ status }) => status === "running"));
  /** Stop was pressed and the turn has not ended yet. */
  readonly stopping = signal(false);
  /** The session was deleted, elsewhere: it has no turns any more. */
  readonly deleted = signal(false);
  /** What is typed and not sent; kept while another view is displayed. */
  readonly draft = signal("");
  readonly connection: Connection;
  /** Whether events of the session come. */
  private isFollowing = false;
  /** Events not applied to the turns yet. */
  private unapplied: FollowedEvent[] = [];
  private flushTimer: ReturnType<typeof setTimeout> | undefined;
  private rowsTimer: ReturnType<typeof setTimeout> | undefined;
  private readonly rows: CallRows;
  /** Whether the daemon can know this session. */
  private stored: boolean;

  /** `isNew` skips loading a transcript that cannot exist yet. */
  constructor(id: string, isNew: boolean) {
    this.id = id;
    this.rows = new CallRows(id);
    this.stored = !isNew;
    this.loading.value = !isNew;
    this.prompts = new PromptQueue(id, {
      canSend: () => this.isFollowing && !this.busy.peek(),
      lastTurn: () => positionIn(this.turns.peek())?.turn_id ?? "",
      onSend: ({ key, text }) => {
        this.stored = true;
        const started_at = new Date().toISOString();
        this.turns.value = [...this.turns.peek(), { ...startTurn(key, text), started_at }];
      },
      onTaken: (key, turn_id) => this.changeTurn(key, (turn) => ({ ...turn, turn_id })),
      onRefused: (key, reason) => this.changeTurn(key, (turn) => refuse(turn, "failed", reason)),
      onReturn: (key) => {
        this.turns.value = this.turns.peek().filter((turn) => turn.key !== key);
        this.flush();
      },
    });
    const query = new URLSearchParams({ events: "extended", session_id: id });
    this.connection = new Connection(`/chat?${query}`, {
      onOpen: () => this.handleOpen(),
      onFrame: (frame) => this.handleFrame(frame),
      onLoss: () => {
        this.isFollowing = false;
        this.flush();
        this.prompts.interrupt();
      },
    });
    if (this.stored) void this.reload();
  }

  /** Stops the running turn, whoever prompted it. */
  async stop(): Promise<void> {
    this.stopping.value = true;
    try {
      await requestJson(`${this.path}/cancel`, { method: "POST" });
      await this.checkWaiting();
    } catch (error) {
      announce(errorText(error));
      this.stopping.value = false;
    }
  }

  /** Loads the transcript, and follows the session from there. Never throws; `loadError` holds what failed. */
  async reload(): Promise<void> {
    const known = new Set(this.turns.peek().map(({ turn_id }) => turn_id));
    try {
      const [transcript, rows] = await Promise.all([
        requestList<TranscriptTurn>(`${this.path}?results=small`, "turns"),
        this.rows.first(() => this.turns.peek()),
      ]);
      batch(() => {
        const merged = mergeTurns(this.turns.peek(), turnsOf(transcript, rows, localTimeOf), known);
        // One that events ended meanwhile has no rows yet.
        this.turns.value = merged.map((turn) => (turn.status === "running" ? turn : withRows(turn, rows)));
        this.prompts.settle(this.turns.peek());
        this.endLoading("");
      });
    } catch (error) {
      const isUnknown = error instanceof ApiError && error.status === 404;
      if (isUnknown && positionIn(this.turns.peek()) !== null) return this.handleDeletion();
      // A session without a turn is an empty one, not an error.
      if (isUnknown) this.endLoading("");
      else if (this.turns.peek().length === 0) this.endLoading(errorText(error));
    }
    this.follow();
    this.prompts.sendNext();
  }

  /** Calls of turns that are over have no events: what is held may have been decided elsewhere, and is looked up. */
  lookAgain(): void {
    const hasOpenCall = ({ status, items }: Turn) =>
      status !== "running" && items.some((item) => item.kind === "call" && isOpen(item.status));
    if (this.turns.peek().some(hasOpenCall)) void this.reload();
  }

  /** Loads the rows of calls whose events are held back behind those before them. */
  async loadOpenCalls(): Promise<void> {
    if (!this.turns.peek().some(hasOpenCalls)) return;
    const rows = await this.rows.next(() => this.turns.peek());
    // A turn may be over since they were asked for, and they are not asked for again.
    this.turns.value = this.turns
      .peek()
      .map((turn) => (turn.status === "running" ? withLiveRows(turn, rows, localTimeOf) : withRows(turn, rows)));
  }

  /** Closes the conversation; turns go on. */
  close(): void {
    this.isFollowing = false;
    clearTimeout(this.flushTimer);
    clearTimeout(this.rowsTimer);
    this.prompts.close();
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

  private handleDeletion(): void {
    batch(() => {
      this.deleted.value = true;
      this.turns.value = [];
    });
    this.close();
    loadSessions().catch(() => {});
  }

  private changeTurn(key: string, change: (turn: Turn) => Turn): void {
    this.turns.value = this.turns.peek().map((turn) => (turn.key === key ? change(turn) : turn));
    this.flush();
  }

  private handleOpen(): void {
    if (this.loading.peek()) return;
    if (this.stored && positionIn(this.turns.peek()) === null) void this.reload();
    else this.follow();
  }

  /** Asks for the events that are not here, once it is known which those are. */
  private follow(): void {
    if (this.isFollowing || this.loading.peek() || this.loadError.peek() !== "") return;
    const frame = { type: "follow", ...positionIn(this.turns.peek()) };
    if (!this.connection.send(toJson(frame))) return;
    this.isFollowing = true;
    void this.checkWaiting();
  }

  /** A turn that waits for others, and is cancelled or lost before it begins, has no events in the session. */
  private async checkWaiting(): Promise<void> {
    for (const { key, turn_id } of this.turns.peek().filter((turn) => isWaiting(turn) && turn.turn_id !== "")) {
      try {
        const path = `/-/turns/${encodeURIComponent(turn_id)}/events?follow=false`;
        const { status, events } = (await requestJson(path)) as { status: Turn["status"]; events: FollowedEvent[] };
        const [first] = events;
        if (first?.kind !== "error") continue;
        this.changeTurn(key, (turn) => refuse(turn, status, first.message));
        this.prompts.pause();
      } catch (error) {
        if (error instanceof ApiError && error.status === 404)
          this.changeTurn(key, (turn) => refuse(turn, "interrupted", ""));
      }
    }
    this.prompts.sendNext();
  }

  private handleFrame(frame: JsonObject): void {
    if (frame["turn_id"] === undefined) {
      // The session was deleted, or is not what it was when the last event came.
      if (frame["kind"] === "error") void this.handleEnd();
      return;
    }
    const event = frame as unknown as FollowedEvent;
    this.unapplied.push(event);
    if (event.kind === "assistant_delta" || event.kind === "reasoning_delta")
      this.flushTimer ??= setTimeout(() => this.flush(), FLUSH_MS);
    else this.flush();
  }

  private async handleEnd(): Promise<void> {
    this.isFollowing = false;
    await this.reload();
    if (!this.isFollowing && !this.deleted.peek()) this.connection.drop();
  }

  private flush(): void {
    clearTimeout(this.flushTimer);
    this.flushTimer = undefined;
    // Which turn is that of a prompt is known once the daemon has taken it.
    if (this.prompts.sending.peek() !== undefined) return;
    const before = this.turns.peek();
    const events = this.unapplied.filter((event) => isMissing(before, event));
    this.unapplied = [];
    if (events.length === 0) return;
    batch(() => {
      const known = new Set(before);
      const now = Date.now();
      const after = applyEvents(before, events);
      const beganAt = (turn_id: string, call_id: string) => this.rows.beganAt(turn_id, call_id);
      this.turns.value = after.map((turn) => (known.has(turn) ? turn : withTimes(turn, now, beganAt)));
      for (const event of events) this.note(event);
    });
  }

  /** What an event changes beside its turn. */
  private note(event: FollowedEvent): void {
    if (event.kind === "user_prompt") {
      this.stopping.value = false;
      this.prompts.settle(this.turns.peek());
    }
    // A new session is listed as soon as the daemon knows it, not when its first turn is over.
    if (event.kind === "session" && sessions.peek().every((one) => one.session_id !== this.id))
      loadSessions().catch(() => {});
    if (event.kind === "confirmation_required" || event.kind === "confirmation_resolved") noteConfirmation(event);
    // Those of calls that began before the page was here are told by no change.
    if (event.kind === "calls") this.loadOpenCalls().catch(() => {});
    if (event.kind === "done") this.noteEnd(event.turn_id);
  }

  private noteEnd(turn_id: string): void {
    const turn = this.turns.peek().find((one) => one.turn_id === turn_id);
    const outcome = turn?.items.findLast((item) => item.kind === "text" || item.kind === "error");
    announce(outcome !== undefined && "text" in outcome ? outcome.text : "Done.");
    this.stopping.value = false;
    // What a person stopped, here or elsewhere, is not gone on with unasked.
    if (turn?.status === "cancelled" || turn?.status === "interrupted") this.prompts.pause();
    clearTimeout(this.rowsTimer);
    this.rowsTimer = setTimeout(() => void this.complete(), GATHER_MS);
    void this.checkWaiting();
  }

  /** After turns: the finer status of their calls, and the lists. */
  private async complete(): Promise<void> {
    try {
      const rows = await this.rows.next(() => this.turns.peek());
      this.turns.value = this.turns.peek().map((turn) => withRows(turn, rows));
      if (this.turns.peek().some(hasUnmadeCalls)) await this.reload();
      await Promise.all([loadSessions(), loadConfirmations()]);
      const kept = await this.rows.keptLater(this.turns.peek());
      if (kept.length > 0) this.turns.value = this.turns.peek().map((turn) => withRows(turn, kept));
    } catch {
      if (this.isFollowing) this.rowsTimer = setTimeout(() => void this.complete(), RETRY_MS);
    }
  }
}

// The turns under way and who follows them. A turn dies with its daemon, so its events are kept in memory only, bounded for one
// turn and for all; a turn that is over is read from the record. Knows no entry point and reads no record.
import type { TurnEvent } from "../../domain/event.js";
import type { Message } from "../../domain/message.js";
import type { TurnEnd } from "../../store/store.js";
import { LiveTurn, type TurnNames } from "./live-turn.js";

/** Characters of one turn that are kept though the transcript and the history have them, or will have. */
const MAX_TURN_CHARS = 4 * 1024 * 1024;
/** The same for all turns together. */
const MAX_ALL_CHARS = 64 * 1024 * 1024;
/** Ended turns that the record does not have: those never begun, and those whose end the disk refused. */
const MAX_UNRECORDED = 256;

/** How a turn ended, and whether the record has it. */
export interface TurnEnding {
  status: TurnEnd["status"];
  isRecorded: boolean;
}

/** What is told to those who follow a session. */
interface SessionWatcher {
  /** A turn of it has begun. */
  onTurn(turn_id: string): void;
  /** There will be no further turn: the session was deleted, or the daemon stops. */
  onEnd(why: "deleted" | "draining"): void;
}

/** The turns under way, by their ids. */
export class TurnLog {
  private readonly turns = new Map<string, LiveTurn>();
  /** The oldest first. */
  private readonly unrecorded = new Map<string, LiveTurn>();
  private readonly watchers = new Map<string, Set<SessionWatcher>>();
  private chars = 0;
  private isDraining = false;

  /** Lists an accepted turn. */
  open(names: TurnNames): LiveTurn {
    const turn = new LiveTurn(names);
    this.turns.set(turn.turn_id, turn);
    return turn;
  }

  /** Numbers an event and wakes who reads; see `LiveTurn.append`. */
  append(turn: LiveTurn, event: TurnEvent, messages: readonly Message[]): void {
    const before = turn.foldable;
    turn.append(event, messages);
    this.chars += turn.foldable - before;
    if (turn.foldable > MAX_TURN_CHARS) this.fold(turn);
    if (this.chars > MAX_ALL_CHARS) for (const one of this.turns.values()) this.fold(one);
    if (event.kind === "user_prompt")
      for (const watcher of [...(this.watchers.get(turn.session_id) ?? [])]) watcher.onTurn(turn.turn_id);
  }

  /** Ends a turn. Readers that have kept up finish from memory, the others from the record, if it has the turn. */
  close(turn: LiveTurn, { status, isRecorded }: TurnEnding): void {
    this.chars -= turn.foldable;
    turn.foldable = 0;
    this.turns.delete(turn.turn_id);
    // Readers that wait for the next event take the last ones first.
    void turn.close(status).then(() => (isRecorded ? turn.clear() : turn.fold()));
    if (!isRecorded) this.keep(turn);
  }

  get(turn_id: string): LiveTurn | undefined {
    return this.turns.get(turn_id) ?? this.unrecorded.get(turn_id);
  }

  /** The turn of the session that has begun and is not over. */
  running(session_id: string): LiveTurn | undefined {
    return this.of(session_id).find((turn) => turn.last > 0);
  }

  /** Whether a turn of this session runs or waits. */
  hasSession(session_id: string): boolean {
    return this.of(session_id).length > 0;
  }

  /** Follows a session; returns the function that ends it. */
  watch(session_id: string, watcher: SessionWatcher): () => void {
    const others = this.watchers.get(session_id) ?? new Set();
    this.watchers.set(session_id, others.add(watcher));
    if (this.isDraining) watcher.onEnd("draining");
    return () => {
      others.delete(watcher);
      if (others.size === 0 && this.watchers.get(session_id) === others) this.watchers.delete(session_id);
    };
  }

  /** For a session that was deleted. */
  forget(session_id: string): void {
    for (const watcher of [...(this.watchers.get(session_id) ?? [])]) watcher.onEnd("deleted");
    for (const { turn_id, session_id: id } of this.unrecorded.values())
      if (id === session_id) this.unrecorded.delete(turn_id);
  }

  /** No turn begins any more: whoever follows a session has seen its last. */
  drain(): void {
    this.isDraining = true;
    for (const watchers of [...this.watchers.values()]) for (const watcher of [...watchers]) watcher.onEnd("draining");
  }

  /** The turns of a session that run or wait. */
  of(session_id: string): LiveTurn[] {
    return [...this.turns.values()].filter((turn) => turn.session_id === session_id);
  }

  private fold(turn: LiveTurn): void {
    this.chars -= turn.foldable;
    turn.fold();
  }

  private keep(turn: LiveTurn): void {
    this.unrecorded.set(turn.turn_id, turn);
    for (const [id, oldest] of this.unrecorded) {
      if (this.unrecorded.size <= MAX_UNRECORDED) return;
      this.unrecorded.delete(id);
      oldest.clear();
    }
  }
}

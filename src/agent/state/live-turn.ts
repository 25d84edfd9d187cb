// One turn under way: its events so far, numbered, in memory, for any number of readers; and what it leaves for replay once it
// is over. Knows no other turn, no entry point, and reads no record.
import { setImmediate } from "node:timers/promises";
import type { TurnEvent } from "../../domain/event.js";
import type { Message } from "../../domain/message.js";
import type { TurnStatus } from "../../domain/record.js";
import { toJson } from "../../lib/json.js";
import { Waiters } from "../../lib/waiters.js";
import type { KeptEvent, KeptEvents } from "../../store/kept-events.js";
import { type DeltaRun, deltaAfter, joinDeltas } from "./delta-run.js";

/** What an event costs beside its text, about. */
const EVENT_CHARS = 64;
/** Deltas that are joined. */
const RUN_LENGTH = 1024;
/** A shorter result stands with the events in the record, too; longer ones are in the history once. */
const MAX_INLINE_CHARS = 1024;

/** An event with its number; without `event` where its content is to be read from the record, as `kept` says. */
interface LogEntry {
  seq: number;
  event?: TurnEvent;
  /** How the record keeps it; undefined for one that it keeps as it is. */
  kept?: KeptEvent;
}

type EndStatus = Exclude<TurnStatus, "running">;

/** What a turn is called, and what stops it. */
export interface TurnNames {
  turn_id: string;
  session_id: string;
  /** Name of the token of its prompt. */
  asked_by: string;
  cancel(): void;
}

/** How the record keeps an event; undefined for one that it keeps as it is. */
function toKept(event: TurnEvent, messages: readonly Message[], chars: number): KeptEvent | undefined {
  switch (event.kind) {
    case "user_prompt":
      return { kind: "user_prompt", at: 0 };
    case "assistant_message":
    case "reasoning":
      return { kind: event.kind, at: messages.length };
    case "tool_call": {
      const { kind, id, name } = event;
      const at = messages.findLastIndex((message) => message.role === "assistant");
      const message = messages[at];
      const call = message?.role === "assistant" ? message.calls.find((one) => one.id === id) : undefined;
      // The same object where nothing of it had to be hidden.
      return call?.arguments === event.arguments ? { kind, id, name, at: at + 1 } : undefined;
    }
    case "tool_result": {
      const { kind, id, status, duration_ms } = event;
      return chars > MAX_INLINE_CHARS ? { kind, id, status, duration_ms, chars } : undefined;
    }
    default:
      return undefined;
  }
}

function charsOf(event: TurnEvent): number {
  if (event.kind === "assistant_delta" || event.kind === "reasoning_delta") return event.text.length;
  return event.kind === "tool_result" ? toJson(event.result).length : 0;
}

type Kept = LogEntry | DeltaRun;

const isDelta = (entry: Kept): boolean => "ends" in entry || entry.event?.kind === "assistant_delta";
/** A piece of a thought, which a whole one stands for. */
const isThought = (entry: Kept): boolean => !("ends" in entry) && entry.event?.kind === "reasoning_delta";
const isMessage = (entry: Kept): boolean => !("ends" in entry) && entry.event?.kind === "assistant_message";

/** A turn from its acceptance to its end. */
export class LiveTurn {
  readonly turn_id: string;
  readonly session_id: string;
  readonly asked_by: string;
  /** The number of its last event; 0 before the first. */
  last = 0;
  /** Its final state, once no further event will come. */
  end: EndStatus | undefined;
  /** What `fold` would free, in characters. */
  foldable = 0;
  private readonly names: TurnNames;
  private entries: Kept[] = [];
  /** Deltas at the end of the entries that are not joined. */
  private loose = 0;
  /** The text that an error cut off: the transcript has it as a message, which stands for its deltas. */
  private cutOff: KeptEvents[number] | undefined;
  private readonly waiters = new Waiters();
  /** Readers that go on with it in a moment. */
  private pausing = 0;

  constructor(names: TurnNames) {
    this.names = names;
    this.turn_id = names.turn_id;
    this.session_id = names.session_id;
    this.asked_by = names.asked_by;
  }

  /** Stops the turn. */
  cancel(): void {
    this.names.cancel();
  }

  /** Numbers an event. `messages` are those the turn has added to the session so far, without its prompt. */
  append(event: TurnEvent, messages: readonly Message[]): void {
    const seq = ++this.last;
    const chars = charsOf(event);
    if (event.kind === "error") this.cutOff = this.messageCutOff(messages);
    this.entries.push({ seq, event, kept: toKept(event, messages, chars) });
    this.foldable += chars + EVENT_CHARS;
    if (event.kind !== "assistant_delta") this.loose = 0;
    else if (++this.loose === RUN_LENGTH) this.joinLoose();
    void this.waiters.wake();
  }

  /** The first event behind this number. */
  next(after: number): LogEntry | undefined {
    const { entries } = this;
    let [low, high] = [0, entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((entries[middle]?.seq ?? 0) > after) high = middle;
      else low = middle + 1;
    }
    const entry = entries[low];
    if (!entry || !("ends" in entry)) return entry;
    const { seq, text } = deltaAfter(entry, after);
    return { seq, event: { kind: "assistant_delta", text } };
  }

  /** Resolves once there may be more to read, or when the signal aborts. */
  changed(signal: AbortSignal): Promise<void> {
    return this.end ? Promise.resolve() : this.waiters.wait(signal);
  }

  /** Waits for the pause of a reader, which then goes on here: until then, the end of the turn lets go of nothing. */
  async whilePausing(pause: Promise<void>): Promise<void> {
    this.pausing++;
    await pause;
    this.pausing--;
  }

  /** Its events so far, as the record keeps them. */
  toRecord(): KeptEvents {
    const record: KeptEvents = [];
    for (const entry of this.entries) {
      if ("ends" in entry || isDelta(entry) || isThought(entry)) continue;
      if (entry.event?.kind === "error" && this.cutOff) record.push(this.cutOff);
      const event = entry.kept ?? entry.event;
      if (event) record.push([entry.seq, event]);
    }
    return record;
  }

  /** Lets go of what can be had without it: the deltas of complete messages, and long results, which the history has. */
  fold(): void {
    const complete = this.entries.findLastIndex(isMessage);
    this.entries = this.entries.filter((entry, at) => at > complete || !(isDelta(entry) || isThought(entry)));
    for (const entry of this.entries)
      if (!("ends" in entry) && entry.kept?.kind === "tool_result") entry.event = undefined;
    this.foldable = 0;
  }

  /** Wakes the readers for the last time; resolves when all of them have read on, but for those whose clients are slow. */
  async close(end: EndStatus): Promise<void> {
    this.end = end;
    await this.waiters.wake();
    do await setImmediate();
    while (this.pausing > 0);
  }

  /** Lets go of all events; readers go on in the record. */
  clear(): void {
    this.entries = [];
  }

  private joinLoose(): void {
    const deltas = this.entries.splice(-RUN_LENGTH);
    const texts = deltas.map((entry) =>
      "event" in entry && entry.event?.kind === "assistant_delta" ? entry.event.text : "",
    );
    this.entries.push(joinDeltas(texts, this.last));
    this.loose = 0;
  }

  private messageCutOff(messages: readonly Message[]): KeptEvents[number] | undefined {
    const before = this.entries.at(-1);
    const message = messages.at(-1);
    if (!before || !isDelta(before)) return undefined;
    if (message?.role !== "assistant" || message.calls.length > 0 || message.text === "") return undefined;
    return [before.seq, { kind: "assistant_message", at: messages.length }];
  }
}

// The events of a turn as the events of a response, each with a number that follows from those of the turn: the same live, in a
// replay from memory and in one from the record, as far as that has them. A message that stands for its deltas there is one delta, or
// none for a client that had some of them. Source: docs/reference.md, "OpenAI-compatible routes".
import { CONTENT_FILTER_NOTICE, OUTPUT_LIMIT_NOTICE, type TurnEvent } from "../../domain/event.js";
import type { TokenCounts } from "../../domain/usage.js";
import { type JsonObject, toJson } from "../../lib/json.js";
import { CALL_SLOTS, callItem, type ItemStatus, resultItem, TEXT_FORMS, type TextKind } from "./response-items.js";
import { type ResponseNames, type ResponseProgress, type ResponseStatus, responseObject } from "./response-object.js";
import { countTokens } from "./usage.js";

/** Numbers for each event of the turn. */
const SLOTS = 16;
/** Numbers of the events before the first of the turn. */
const CREATED = 0;
const QUEUED = 1;
const STARTED = 2;
/** Of the slots of an item whose text streams. */
const DELTA = 2;

/** An item whose text is under way. */
interface OpenItem {
  kind: TextKind;
  id: string;
  index: number;
  text: string;
}

const IS_PART_OF_REPLY: ReadonlySet<TurnEvent["kind"]> = new Set(["reasoning", "usage", "notice"]);

/** Reads the events of one turn, in order, from its first. */
export class ResponseReader {
  private readonly names: ResponseNames;
  /** The number of the last event that the client has; -1 for none. */
  private readonly after: number;
  private readonly output: JsonObject[] = [];
  private open: OpenItem | undefined;
  /** Up to which of its slots the client has the item that comes whole; -1 for none. */
  private had = -1;
  /** Whether the thought of the reply under way is complete, though its whole text is still to come. */
  private hasThought = false;
  /** The last event that no reply can have begun before. */
  private boundary = 0;
  private status: ResponseStatus = "in_progress";
  private usage: TokenCounts | undefined;
  private error: string | undefined;
  private cut: ResponseProgress["cut"];
  private announced = false;
  private started = false;
  private events: JsonObject[] = [];

  constructor(names: ResponseNames, after = -1) {
    this.names = names;
    this.after = after;
  }

  get isOver(): boolean {
    return this.status !== "in_progress" && this.status !== "queued";
  }

  /** The response as it is now. */
  response(): JsonObject {
    const { names, status, output, usage, error, cut } = this;
    return responseObject(names, { status, output, usage, error, cut });
  }

  /** The events of a turn that waits. */
  queued(): JsonObject[] {
    this.status = "queued";
    this.announce();
    this.emitState(QUEUED, "response.queued");
    return this.taken();
  }

  /** The events of the response that one event of the turn comes to, those that the client has left out. */
  read(seq: number, event: TurnEvent): JsonObject[] {
    if (!this.started) this.start();
    this.usage = countTokens(this.usage, event);
    this.readKind(seq, event);
    if (!IS_PART_OF_REPLY.has(event.kind)) this.boundary = seq;
    return this.taken();
  }

  private readKind(seq: number, event: TurnEvent): void {
    switch (event.kind) {
      case "assistant_delta":
        if (this.open?.kind === "reasoning") this.closeThought(seq);
        this.grow("message", seq, event.text);
        break;
      case "assistant_message":
        this.hasThought = false;
        this.readWhole("message", seq, event.text);
        break;
      case "reasoning_delta":
        if (this.open?.kind !== "message") this.grow("reasoning", seq, event.text);
        break;
      case "reasoning":
        if (!this.hasThought) this.readThought(seq, event.text);
        break;
      case "tool_call":
        this.hasThought = false;
        this.readCall(seq, event);
        break;
      case "tool_result":
        this.readResult(seq, event);
        break;
      case "notice":
        if (event.message === OUTPUT_LIMIT_NOTICE) this.cut = "max_output_tokens";
        if (event.message === CONTENT_FILTER_NOTICE) this.cut = "content_filter";
        break;
      case "error":
        if (this.open) this.close(seq, this.open.text, "incomplete");
        this.error = event.message;
        break;
      case "done":
        this.end(seq);
        break;
      default:
    }
  }

  private start(): void {
    this.started = true;
    this.status = "in_progress";
    this.announce();
    this.emitState(STARTED, "response.in_progress");
  }

  private announce(): void {
    if (this.announced) return;
    this.announced = true;
    this.emitState(CREATED, "response.created");
  }

  private end(seq: number): void {
    if (this.open) this.close(seq, this.open.text, "incomplete");
    if (this.error !== undefined) this.status = this.error.startsWith("cancelled") ? "cancelled" : "failed";
    else this.status = this.cut ? "incomplete" : "completed";
    // There is no event of its own for what was cancelled.
    const type = this.status === "cancelled" ? "failed" : this.status;
    this.emitState(seq * SLOTS + CALL_SLOTS.done, `response.${type}`);
  }

  private closeThought(seq: number): void {
    if (this.open) this.close(seq, this.open.text);
    this.hasThought = true;
  }

  private grow(kind: TextKind, seq: number, text: string): void {
    if (this.open?.kind !== kind) this.begin(kind, seq);
    if (!this.open) return;
    this.open.text += text;
    this.emitText(seq, DELTA, { type: `${TEXT_FORMS[kind].event}.delta`, delta: text });
  }

  /** A whole thought; of one that was not streamed the text may be under way by then, and goes on behind it. */
  private readThought(seq: number, text: string): void {
    const message = this.open?.kind === "message" ? this.open : undefined;
    if (message) this.open = undefined;
    this.readWhole("reasoning", seq, text);
    if (message) this.open = message;
  }

  /** A whole text, whose deltas may have come before it, and of which the client may have a part. */
  private readWhole(kind: TextKind, seq: number, text: string): void {
    if (this.open?.kind !== kind) {
      if (text === "") return;
      if (this.open) this.closeThought(seq);
      this.had = this.slotHad(seq) - TEXT_FORMS[kind].first;
      // What stands for deltas is no continuation of some of them.
      this.grow(kind, seq, text);
    }
    this.close(seq, text);
    this.had = -1;
  }

  /** The slot of the last event that the client has, where that is of the reply that this event completes; -1 for none. */
  private slotHad(seq: number): number {
    const last = Math.floor(this.after / SLOTS);
    return this.after >= 0 && last > this.boundary && last < seq ? this.after % SLOTS : -1;
  }

  private begin(kind: TextKind, seq: number): void {
    const { idPrefix, item, part } = TEXT_FORMS[kind];
    const index = this.output.length;
    this.open = { kind, id: this.idOf(idPrefix, index), index, text: "" };
    const opened = item(this.open.id, "in_progress", []);
    this.output.push(opened);
    this.emitSlot(seq, 0, { type: "response.output_item.added", output_index: index, item: opened });
    this.emitText(seq, 1, { type: "response.content_part.added", part: part("") });
  }

  private close(seq: number, text: string, status: ItemStatus = "completed"): void {
    const { open } = this;
    if (!open) return;
    const { event, part, item } = TEXT_FORMS[open.kind];
    const whole = item(open.id, status, [part(text)]);
    this.output[open.index] = whole;
    const logprobs: JsonObject = open.kind === "message" ? { logprobs: [] } : {};
    this.emitText(seq, 3, { type: `${event}.done`, text, ...logprobs });
    this.emitText(seq, 4, { type: "response.content_part.done", part: part(text) });
    this.emitSlot(seq, 5, { type: "response.output_item.done", output_index: open.index, item: whole });
    this.open = undefined;
  }

  private readCall(seq: number, event: Extract<TurnEvent, { kind: "tool_call" }>): void {
    const index = this.output.length;
    const item_id = this.idOf("fc", index);
    const text = toJson(event.arguments);
    const call = { call_id: event.id, name: event.name, text };
    const at = { item_id, output_index: index };
    const number = seq * SLOTS;
    const begun = callItem(item_id, { ...call, text: "" }, "in_progress");
    const whole = callItem(item_id, call, "completed");
    this.output.push(whole);
    this.emit(number + CALL_SLOTS.added, { type: "response.output_item.added", output_index: index, item: begun });
    this.emit(number + CALL_SLOTS.delta, { type: "response.function_call_arguments.delta", ...at, delta: text });
    const done = { type: "response.function_call_arguments.done", ...at, name: event.name, arguments: text };
    this.emit(number + CALL_SLOTS.text, done);
    this.emit(number + CALL_SLOTS.done, { type: "response.output_item.done", output_index: index, item: whole });
  }

  private readResult(seq: number, event: Extract<TurnEvent, { kind: "tool_result" }>): void {
    const output_index = this.output.length;
    const item = resultItem(this.idOf("fco", output_index), event.id, event.result);
    this.output.push(item);
    const number = seq * SLOTS;
    this.emit(number + CALL_SLOTS.added, { type: "response.output_item.added", output_index, item });
    this.emit(number + CALL_SLOTS.done, { type: "response.output_item.done", output_index, item });
  }

  private idOf(prefix: string, index: number): string {
    return `${prefix}_${this.names.turn_id}_${index}`;
  }

  /** An event of the text that is under way. */
  private emitText(seq: number, slot: number, event: JsonObject): void {
    if (!this.open) return;
    const { id: item_id, index: output_index } = this.open;
    const logprobs: JsonObject = event["type"] === "response.output_text.delta" ? { logprobs: [] } : {};
    this.emitSlot(seq, slot, { ...event, item_id, output_index, content_index: 0, ...logprobs });
  }

  /** An event of the item that is under way, unless the client has it. */
  private emitSlot(seq: number, slot: number, event: JsonObject): void {
    if (this.open && slot > this.had) this.emit(seq * SLOTS + TEXT_FORMS[this.open.kind].first + slot, event);
  }

  private emitState(number: number, type: string): void {
    if (number > this.after) this.emit(number, { type, response: this.response() });
  }

  private emit(sequence_number: number, event: JsonObject): void {
    if (sequence_number > this.after) this.events.push({ ...event, sequence_number });
  }

  private taken(): JsonObject[] {
    const { events } = this;
    this.events = [];
    return events;
  }
}

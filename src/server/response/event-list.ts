// The events of a turn for an answer that is one JSON text. Each becomes a text when it comes: all of them at the end would be one long
// step. Source: docs/reference.md, "Running a prompt".
import type { TurnEvent } from "../../domain/event.js";
import { toJson } from "../../lib/json.js";
import { withSeq } from "./event-stream.js";

/** Events in order. */
export class EventList {
  /** The last complete message; "" for none. */
  result = "";
  /** Of the last event; undefined for none. */
  last: TurnEvent["kind"] | undefined;
  private readonly texts: string[] = [];

  /** Adds an event, which has its number where that is given. */
  add(event: TurnEvent, seq?: number): void {
    this.texts.push(seq === undefined ? toJson(event) : withSeq(event, seq));
    this.last = event.kind;
    if (event.kind === "assistant_message") this.result = event.text;
  }

  /** The JSON text of an object that ends with the events. */
  toJson(members: object): string {
    return `${toJson(members).slice(0, -1)},"events":[${this.texts.join(",")}]}`;
  }
}

// What is sent on the socket of a chat, and what keeps a client that does not read from taking the memory of all others.
// Source: docs/reference.md, "WebSocket".
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { TurnEvent } from "../../domain/event.js";
import type { SessionEvent } from "../../domain/turn-reading.js";
import { toJson } from "../../lib/json.js";
import { sharedJson, withSeq } from "../response/event-stream.js";
import { MAX_UNREAD_BYTES } from "../run/event-sink.js";

/** Bytes of a replay that are sent ahead of what the client has taken. */
const MAX_AHEAD_BYTES = 256 * 1024;

const PING = toJson({ kind: "ping" });
const DONE = toJson({ kind: "done" } satisfies TurnEvent);

/** One admitted socket, as events go out on it. */
export class ChatSocket {
  private readonly ws: WebSocket;
  private readonly socket: Duplex;

  /** `socket` is the connection under the WebSocket. */
  constructor(ws: WebSocket, socket: Duplex) {
    this.ws = ws;
    this.socket = socket;
  }

  get isOpen(): boolean {
    return this.ws.readyState === this.ws.OPEN;
  }

  /** Sends an event; with its number where that is given. */
  send(event: TurnEvent, seq?: number): void {
    this.sendText(seq === undefined ? sharedJson(event) : withSeq(event, seq));
  }

  /** Sends an event with its number and its turn. */
  sendOf({ turn_id, seq, event }: SessionEvent): void {
    this.sendText(withSeq(event, seq, turn_id));
  }

  /** Answers frames that cannot be taken. */
  sendErrors(message: string, times: number): void {
    const text = toJson({ kind: "error", message } satisfies TurnEvent);
    for (let i = 0; i < times && this.isOpen; i++) {
      this.sendText(text);
      this.sendText(DONE);
    }
  }

  /** A sign of life that a browser can see. */
  ping(): void {
    this.sendText(PING);
  }

  /** Resolves once the client has taken enough of what was sent for more to be sent, or has gone. */
  async drained(maxAheadBytes = MAX_AHEAD_BYTES): Promise<void> {
    const { ws } = this;
    if (ws.bufferedAmount > maxAheadBytes)
      await new Promise<void>((resolve) => ws.ping(undefined, undefined, () => resolve()));
  }

  /** Sends a text as one frame. */
  sendText(text: string): void {
    const { ws, socket } = this;
    if (!this.isOpen) return;
    // Frames of one tick leave together: a system call each is most of what a delta costs.
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    ws.send(text);
    // The client does not read: what piles up for it would take the memory of every other turn.
    if (ws.bufferedAmount > MAX_UNREAD_BYTES) ws.terminate();
  }
}

// The events of a call while it is being sent: they reach the turn's stream as they happen, in order, from the one generator
// that is the turn.
import type { ExtendedEvent } from "../domain/event.js";
import { Talk, type TalkContext, type TalkingCall } from "./talk.js";

/** Events that wait to be yielded, until it is closed. */
class Outbox {
  private readonly events: ExtendedEvent[] = [];
  private isClosed = false;
  private wake = (): void => {};

  push(event: ExtendedEvent): void {
    this.events.push(event);
    this.wake();
  }

  close(): void {
    this.isClosed = true;
    this.wake();
  }

  /** Undefined when there will be none. */
  async next(): Promise<ExtendedEvent | undefined> {
    while (this.events.length === 0 && !this.isClosed) await new Promise<void>((resolve) => (this.wake = resolve));
    return this.events.shift();
  }
}

/**
 * Sends a call, and yields what its application says and asks meanwhile. Returns, or throws, what `send` does, once every question
 * of the call has ended.
 */
export async function* whileSending<T>(
  call: TalkingCall,
  context: TalkContext,
  send: (talk: Talk) => Promise<T>,
): AsyncGenerator<ExtendedEvent, T, void> {
  const outbox = new Outbox();
  const talk = new Talk(call, context, (event) => outbox.push(event));
  const sent = send(talk).finally(async () => {
    await talk.end();
    outbox.close();
  });
  // Awaited once everything that was said is out.
  sent.catch(() => {});
  try {
    for (let event = await outbox.next(); event; event = await outbox.next()) yield event;
    return await sent;
  } finally {
    // The consumer may have left: what was sent is awaited, nobody is asked any more.
    await talk.end();
    await sent.catch(() => {});
  }
}

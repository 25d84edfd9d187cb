// The events of a call while it is being sent: they reach the turn's stream as they happen, in order, from the one generator
// that is the turn.
import type { ExtendedEvent } from "../../domain/event.js";
import { Outbox } from "../../lib/outbox.js";
import { Talk, type TalkContext, type TalkingCall } from "./talk.js";

/**
 * Sends a call, and yields what its application says and asks meanwhile. Returns, or throws, what `send` does, once every question
 * of the call has ended.
 */
export async function* whileSending<T>(
  call: TalkingCall,
  context: TalkContext,
  send: (talk: Talk) => Promise<T>,
): AsyncGenerator<ExtendedEvent, T, void> {
  const outbox = new Outbox<ExtendedEvent>();
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

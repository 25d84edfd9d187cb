// A transcript as clients are shown it. The record keeps what the model wrote, because the model receives it again; what the rows
// of its calls hide is hidden here, too.
import type { Message } from "../domain/message.js";
import type { TranscriptTurn } from "../domain/record.js";
import { type RedactContext, redactCall, redactMalformed } from "./calls/redact-arguments.js";

function shownMessage(message: Message, context: RedactContext): Message {
  if (message.role !== "assistant" || message.calls.length === 0) return message;
  const calls = message.calls.map((call) => {
    const action = context.catalogue.action(call.name);
    const shown = { ...call, arguments: redactCall(call, context) };
    if (call.malformed !== undefined) shown.malformed = redactMalformed(call.malformed, action, context.redactor);
    return shown;
  });
  return { ...message, calls };
}

/** The turns with the arguments of their calls as the history has them. */
export function shownTranscript(turns: readonly TranscriptTurn[], context: RedactContext): TranscriptTurn[] {
  return turns.map((turn) => ({ ...turn, messages: turn.messages.map((message) => shownMessage(message, context)) }));
}

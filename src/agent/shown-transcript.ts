// A transcript as clients are shown it. The record keeps what the model wrote, because the model receives it again; what the rows
// of its calls hide is hidden here, too.
import type { Message } from "../domain/message.js";
import type { TranscriptTurn } from "../domain/record.js";
import { type RedactContext, redactCall, redactMalformed } from "./calls/redact-arguments.js";
import type { AgentContext } from "./context.js";

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

/** The turns of a session with the arguments of their calls as the history has them. Throws what `Store.transcript` throws. */
export async function* shownTranscript(
  { store, redactor, applications }: Pick<AgentContext, "store" | "redactor" | "applications">,
  session_id: string,
): AsyncGenerator<TranscriptTurn, void, void> {
  const { catalogue } = applications.current();
  for await (const turn of store.transcript(session_id)) {
    const messages = turn.messages.map((message) => shownMessage(message, { redactor, catalogue }));
    yield { ...turn, messages };
  }
}

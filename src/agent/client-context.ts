// What a client sends along with its prompt: the conversation that it keeps itself goes before the prompt, its instructions behind
// the daemon's own. Kept with the prompt in the transcript, so that this shows what the model saw.
import type { ContextMessage, Message } from "../domain/message.js";

const isInstruction = ({ role }: ContextMessage): boolean => role === "system";
const hasText = ({ text }: ContextMessage): boolean => text.trim() !== "";

/** The user message of a prompt. */
export function promptMessage(text: string, context: readonly ContextMessage[] = []): Message {
  return context.length === 0 ? { role: "user", text } : { role: "user", text, context: [...context] };
}

function toMessage({ role, text }: ContextMessage): Message {
  return role === "assistant" ? { role, text, calls: [] } : { role: "user", text };
}

/** The conversation as the model reads it: before each prompt what came along with it, at most the newest `limit` messages of that. */
export function withContext(messages: readonly Message[], limit: number): Message[] {
  return messages.flatMap((message) => {
    if (message.role !== "user" || !message.context) return [message];
    const { role, text, context } = message;
    const before = context.filter((one) => !isInstruction(one) && hasText(one)).slice(-limit);
    return [...before.map(toMessage), { role, text }];
  });
}

/** What the client of this prompt says the model is to do, in one text; "" where it says nothing. */
export function clientInstructions(context: readonly ContextMessage[] = []): string {
  const texts = context.filter((one) => isInstruction(one) && hasText(one)).map(({ text }) => text.trim());
  return texts.join("\n\n");
}

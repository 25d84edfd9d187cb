// From the messages of a client to a prompt: the newest of the user is what is asked, the others are its context. What chat clients
// ask for by themselves (titles, tags, questions to go on with) is known by how it begins. Texts only.
// Source: docs/reference.md, "OpenAI-compatible routes".
import type { ContextMessage } from "../../domain/message.js";
import { invalidField } from "./errors.js";
import type { ApiMessage } from "./fields.js";

/** The prompt that messages come to. */
export interface ApiPrompt {
  message: string;
  /** What stands before it, the oldest first. */
  context: ContextMessage[];
  /** Whether the client asks by itself, so that nothing may be done. */
  isTask: boolean;
}

/** Kinds of content parts that are text. */
const TEXTS: ReadonlySet<string> = new Set(["text", "input_text", "output_text", "refusal"]);
/** How Open WebUI begins what it asks for by itself. */
const TASK = /^\s*#{1,4}\s*Task:/i;

/** By what clients call them; other roles are those of calls, which are not the conversation. */
const ROLES: Readonly<Record<string, ContextMessage["role"]>> = {
  system: "system",
  developer: "system",
  user: "user",
  assistant: "assistant",
};
const CALL_ROLES: ReadonlySet<string> = new Set(["tool", "function"]);

function textOf({ content }: ApiMessage, param: string): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  const texts = content.map(({ type, text, refusal }, at) => {
    if (TEXTS.has(type)) return text ?? (typeof refusal === "string" ? refusal : "");
    const where = `${param}.content[${at}]`;
    throw invalidField(
      where,
      `${where} is of type ${JSON.stringify(type.slice(0, 80))}: agentd takes text only, no images, audio or files.`,
    );
  });
  return texts.join("\n");
}

/** The messages with a role of the conversation. */
function conversationOf(messages: readonly ApiMessage[], field: string): ContextMessage[] {
  return messages.flatMap((message, at) => {
    const param = `${field}[${at}]`;
    // Items of an earlier answer that a client sends back: calls with their results, thoughts, references.
    const isMessage = (message.type ?? "message") === "message";
    if (!isMessage && message.role == null) return [];
    const given = message.role ?? "";
    if (CALL_ROLES.has(given)) return [];
    const role = Object.hasOwn(ROLES, given) ? ROLES[given] : undefined;
    if (role === undefined)
      throw invalidField(`${param}.role`, `${param}.role must be system, developer, user, assistant or tool.`);
    return [{ role, text: textOf(message, param) }];
  });
}

/** Reads messages. Throws AppError: without one of the user, for an empty one, and for anything but text. */
export function readMessages(messages: readonly ApiMessage[], field: "messages" | "input"): ApiPrompt {
  const conversation = conversationOf(messages, field);
  const at = conversation.findLastIndex(({ role }) => role === "user");
  const prompt = conversation[at];
  if (!prompt)
    throw invalidField(field, `${field} must have a message of the role user: the newest one is the prompt.`);
  if (prompt.text.trim() === "") throw invalidField(field, "The newest message of the user is empty.");
  const context = conversation.filter(({ role }, index) => index < at || (index > at && role === "system"));
  const isTask = TASK.test(prompt.text) || context.some(({ role, text }) => role === "system" && TASK.test(text));
  return { message: prompt.text, context, isTask };
}

/** Reads the `input` of a response. Throws AppError. */
export function readInput(input: string | readonly ApiMessage[], instructions: string | null | undefined): ApiPrompt {
  const given: ContextMessage[] = instructions ? [{ role: "system", text: instructions }] : [];
  if (typeof input !== "string") {
    const prompt = readMessages(input, "input");
    const isTask = prompt.isTask || TASK.test(instructions ?? "");
    return { ...prompt, context: [...given, ...prompt.context], isTask };
  }
  if (input.trim() === "") throw invalidField("input", "input must not be empty.");
  return { message: input, context: given, isTask: TASK.test(input) || TASK.test(instructions ?? "") };
}

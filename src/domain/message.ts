// What the model reads and writes: the messages of a conversation, as they are kept in a session and in the store, and as a
// transcript shows them. Providers translate these to their own wire format; nothing here knows one.
import type { z } from "zod";
import type * as schemas from "./schemas/message.js";

/** A tool call as the model asked for it. */
export type ToolCall = z.infer<typeof schemas.ToolCallSchema>;

/** A message that a client sent along with its prompt. */
export type ContextMessage = z.infer<typeof schemas.ContextMessageSchema>;

/** One message of a conversation. */
export type Message = z.infer<typeof schemas.MessageSchema>;

// What the model reads and writes: the messages of a conversation, as they are kept in a session and in the store, and as a
// transcript shows them. Providers translate these to their own wire format; nothing here knows one.
import { z } from "zod";
import { AnyObject } from "./json-schemas.js";

/** A tool call as the model asked for it. */
export const ToolCall = z.object({
  id: z.string(),
  name: z.string(),
  arguments: AnyObject,
  /** The model's raw text when its arguments were not a JSON object; such a call is answered with an error. */
  malformed: z.string().optional(),
  /** What the provider wants to see again with this call (a thought signature, say); opaque to everyone else. */
  meta: AnyObject.optional(),
});
export type ToolCall = z.infer<typeof ToolCall>;

/** One message of a conversation. */
export const Message = z.discriminatedUnion("role", [
  z.object({ role: z.literal("user"), text: z.string() }),
  /** From the daemon to the model, between prompts: the outcome of a confirmation decided later, for example. */
  z.object({ role: z.literal("notice"), text: z.string() }),
  z.object({
    role: z.literal("assistant"),
    text: z.string(),
    calls: z.array(ToolCall),
    meta: AnyObject.optional(),
  }),
  /** The answer to one call: `text` is what the model sees, usually JSON under a budget. */
  z.object({
    role: z.literal("tool"),
    call_id: z.string(),
    name: z.string(),
    text: z.string(),
    is_error: z.boolean(),
  }),
]);
export type Message = z.infer<typeof Message>;

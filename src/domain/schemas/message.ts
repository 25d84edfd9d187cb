// The messages of a conversation as zod schemas: types and the OpenAPI document are made from them, and nothing is parsed with them.
// Constructing them takes milliseconds: import their types only, except for the document, which is made on demand.
import { z } from "zod";
import { AnyObject } from "../json-schemas.js";
import { ModelUsageSchema } from "./usage.js";

/** A tool call as the model asked for it. */
export const ToolCallSchema = z.object({
  id: z.string(),
  name: z.string(),
  arguments: AnyObject,
  /** The model's raw text when its arguments were not a JSON object; such a call is answered with an error. */
  malformed: z.string().optional(),
  /** What the provider wants to see again with this call (a thought signature, say); opaque to everyone else. */
  meta: AnyObject.optional(),
});

/** A message that a client sent along with its prompt, of a conversation that it keeps itself. */
export const ContextMessageSchema = z.object({
  /** `system` is an instruction. */
  role: z.enum(["system", "user", "assistant"]),
  text: z.string(),
});

/** One message of a conversation. */
export const MessageSchema = z.discriminatedUnion("role", [
  z.object({
    role: z.literal("user"),
    text: z.string(),
    /** What its client sent along with it, the oldest first. */
    context: z.array(ContextMessageSchema).optional(),
  }),
  /** From the daemon to the model, between prompts: the outcome of a confirmation decided later, for example. */
  z.object({ role: z.literal("notice"), text: z.string() }),
  z.object({
    role: z.literal("assistant"),
    text: z.string(),
    calls: z.array(ToolCallSchema),
    /** What the model thought aloud, for a person to read; it is not sent to any model in this form. */
    reasoning: z.string().optional(),
    meta: AnyObject.optional(),
    /** What the model call took, where the vendor says so. */
    usage: ModelUsageSchema.optional(),
  }),
  /** The answer to one call: `text` is what the model sees, usually JSON under a budget. */
  z.object({
    role: z.literal("tool"),
    call_id: z.string(),
    name: z.string(),
    text: z.string(),
    is_error: z.boolean(),
    /** Characters of a text that was left out of a transcript as asked for, by `results=small`; `text` is empty then. */
    omitted_chars: z.int().optional(),
  }),
]);

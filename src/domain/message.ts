// What the model reads and writes: the messages of a conversation, as they are kept in a session and in the store.
// Providers translate these to their own wire format; nothing here knows one.
import type { JsonObject } from "../lib/json.js";

/** A tool call as the model asked for it. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: JsonObject;
  /** The model's raw text when its arguments were not a JSON object; such a call is answered with an error. */
  malformed?: string;
  /** What the provider wants to see again with this call (a thought signature, say); opaque to everyone else. */
  meta?: JsonObject;
}

/** One message of a conversation. */
export type Message =
  | { role: "user"; text: string }
  /** Something the daemon tells the model between prompts, such as the outcome of a confirmation decided later. */
  | { role: "notice"; text: string }
  | { role: "assistant"; text: string; calls: ToolCall[]; meta?: JsonObject }
  /** The answer to one call: `text` is what the model sees, usually JSON under a budget. */
  | { role: "tool"; call_id: string; name: string; text: string; is_error: boolean };

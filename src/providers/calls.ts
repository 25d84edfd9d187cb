// Tool calls as vendors send them, completed: every call gets an id of its own, argument texts become objects.
import { randomUUID } from "node:crypto";
import type { ToolCall } from "../domain/message.js";
import { isObject, type JsonObject, parseJson } from "../lib/json.js";

/** A call as a vendor sent it. */
export interface RawCall {
  /** Absent or empty when the vendor gave none. */
  id?: string;
  name: string;
  /** The arguments as JSON text; empty means none. */
  text: string;
  meta?: JsonObject;
}

/** OpenAI refuses ids of more than 40 characters, so the UUID goes without its dashes. */
const newId = (): string => `call_${randomUUID().replaceAll("-", "")}`;

function argumentsOf(text: string): Pick<ToolCall, "arguments" | "malformed"> {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed === "null") return { arguments: {} };
  try {
    const value = parseJson(trimmed);
    if (isObject(value)) return { arguments: value };
  } catch {
    // Returned as malformed, with the text the model wrote.
  }
  return { arguments: {}, malformed: text };
}

/** The calls of one reply. A missing id, or one that an earlier call of the reply has, is replaced by a new one. */
export function toCalls(raw: readonly RawCall[]): ToolCall[] {
  const taken = new Set<string>();
  return raw.map(({ id, name, text, meta }) => {
    const own = id && !taken.has(id) ? id : newId();
    taken.add(own);
    return { id: own, name, ...argumentsOf(text), ...(meta && { meta }) };
  });
}

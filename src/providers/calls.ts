// Tool calls as vendors send them, completed and within bounds: every call gets an id of its own, argument texts become objects.
import { randomUUID } from "node:crypto";
import type { ToolCall } from "../domain/message.js";
import { isObject, type JsonObject, parseJson } from "../lib/json.js";
import { MAX_CALLS, MAX_REPLY_CHARS } from "./provider.js";

/** No tool has a longer name. */
const MAX_NAME_CHARS = 64;
/** Gateways put a model's signed thoughts into the id, which they want back as it is; an id beyond that is noise. */
const MAX_ID_CHARS = 16 * 1024;
/** Of arguments that cannot be used, the beginning is kept for the record, at most so many characters. */
export const MAX_MALFORMED_CHARS = 10_000;

/** A call as a vendor sent it. */
export interface RawCall {
  /** Absent or empty when the vendor gave none. */
  id?: string;
  name: string;
  /** The arguments as JSON text; empty means none. */
  text: string;
  meta?: JsonObject;
}

/** A new id of a call. OpenAI refuses ids of more than 40 characters, so the UUID goes without its dashes. */
export const newCallId = (): string => `call_${randomUUID().replaceAll("-", "")}`;

/** What is kept of arguments that cannot be used. */
export const keptOfMalformed = (text: string): string => text.slice(0, MAX_MALFORMED_CHARS).toWellFormed();

function malformed(text: string): Pick<ToolCall, "arguments" | "malformed"> {
  return { arguments: {}, malformed: keptOfMalformed(text) };
}

function argumentsOf(text: string): Pick<ToolCall, "arguments" | "malformed"> {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed === "null") return { arguments: {} };
  try {
    const value = parseJson(trimmed);
    if (isObject(value)) return { arguments: value };
  } catch {
    // Returned as malformed, with the text the model wrote.
  }
  return malformed(text);
}

/**
 * The calls of one reply, at most one more than MAX_CALLS. A missing id, or one that an earlier call of the reply has, is
 * replaced by a new one. A name that no tool can have, and arguments beyond MAX_REPLY_CHARS, make a call malformed.
 */
export function toCalls(raw: readonly RawCall[]): ToolCall[] {
  const taken = new Set<string>();
  let left = MAX_REPLY_CHARS;
  return raw.slice(0, MAX_CALLS + 1).map(({ id, name, text, meta }) => {
    const own = id && id.length <= MAX_ID_CHARS && !taken.has(id) ? id : newCallId();
    taken.add(own);
    const fits = name.length <= MAX_NAME_CHARS && text.length <= left;
    if (fits) left -= text.length;
    const args = fits ? argumentsOf(text) : malformed(text);
    return { id: own, name: name.slice(0, MAX_NAME_CHARS), ...args, ...(meta && { meta }) };
  });
}

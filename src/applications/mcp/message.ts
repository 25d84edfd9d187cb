// JSON-RPC messages as texts: in and out without losing a digit, and within bounds. Knows nothing of methods.
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { isObject, type JsonObject } from "../../lib/json.js";
import { parseOutsideJson } from "../../lib/outside-json.js";

/** A longer message would not fit history, model or a small machine. In bytes. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** A message of a server. Throws SyntaxError saying what is wrong with the text. */
export function parseMessage(text: string): JSONRPCMessage {
  const message = parseOutsideJson(text);
  if (Array.isArray(message)) throw new SyntaxError("a batch of messages, which no revision in use has");
  if (!isObject(message) || message["jsonrpc"] !== "2.0") throw new SyntaxError("no JSON-RPC message");
  return message as unknown as JSONRPCMessage;
}

/** The code of an error that stands for an answer that broke off, or that cannot be read. */
export const LOST = -32_099;

/** What takes the place of an answer that does not come. */
export function lostAnswer(id: string | number, reason: string): JSONRPCMessage {
  return { jsonrpc: "2.0", id, error: { code: LOST, message: reason } } as JSONRPCMessage;
}

/** The number of the request that a text answers which cannot be read; undefined when it is none. */
export function answeredBy(text: string): number | undefined {
  const ends = text.length > 400 ? text.slice(0, 200) + text.slice(-200) : text;
  const id =
    /^\s*\[?\s*\{/.test(text) && !ends.includes('"method"') ? /"id"\s*:\s*(\d{1,15})\b/.exec(ends)?.[1] : undefined;
  return id === undefined ? undefined : Number(id);
}

/** A message as an object whose members can be looked at. */
export const membersOf = (message: JSONRPCMessage): JsonObject => message as unknown as JsonObject;

/** Whether a message answers a request. */
export const isAnswer = (message: JSONRPCMessage): boolean => "id" in message && !("method" in message);

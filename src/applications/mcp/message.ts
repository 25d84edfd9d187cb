// JSON-RPC messages as texts: in and out without losing a digit, and within bounds. Knows nothing of methods.
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { isObject, type JsonObject, parseJson } from "../../lib/json.js";

/** A longer message would not fit history, model or a small machine. In bytes. */
export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** A message of a server. Throws SyntaxError saying what is wrong with the text. */
export function parseMessage(text: string): JSONRPCMessage {
  const message = parseJson(text);
  if (Array.isArray(message)) throw new SyntaxError("a batch of messages, which no revision in use has");
  if (!isObject(message) || message["jsonrpc"] !== "2.0") throw new SyntaxError("no JSON-RPC message");
  return message as unknown as JSONRPCMessage;
}

/** A message as an object whose members can be looked at. */
export const membersOf = (message: JSONRPCMessage): JsonObject => message as unknown as JsonObject;

/** Whether a message answers a request. */
export const isAnswer = (message: JSONRPCMessage): boolean => "id" in message && !("method" in message);

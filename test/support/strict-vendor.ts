// A model API that is as strict and as odd as a vendor's own documentation and error messages say, on a free port.
// The rules of one vendor come in; what is sent is checked by them and answered with two tool calls, then with a text.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isObject, type JsonObject, listOf, parseJson, toJson } from "../../src/lib/json.js";
import { type Wire, wires } from "./wires.js";

/** How one vendor behaves. */
export interface VendorRules {
  wire: Wire;
  /** Path and query that its address and the wire make together. */
  path: string;
  /** The header of the key, and what stands before the key in it. */
  auth?: [header: string, before: string];
  /** What it refuses: status and body. */
  refuses?(body: JsonObject): [status: number, body: string] | undefined;
  /** Its stream, made of the usual one. */
  stream?(events: string[], isFirst: boolean): string[];
}

/** A running one. */
export interface StrictVendor {
  origin: string;
  /** Bodies so far. */
  bodies: JsonObject[];
  close(): Promise<void>;
}

/** The messages of OpenAI's wire. */
export const messagesOf = (body: JsonObject): JsonObject[] => listOf(body["messages"]).filter(isObject);

/** Every call in them. */
export const callsOf = (body: JsonObject): JsonObject[] =>
  messagesOf(body).flatMap((message) => listOf(message["tool_calls"]).filter(isObject));

/** Starts a vendor. A request it knows no answer to gets 404, 401 or what its rules say. */
export async function startStrictVendor(rules: VendorRules, key: string): Promise<StrictVendor> {
  const bodies: JsonObject[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const body = parseJson(text) as JsonObject;
    const refuse = (status: number, reason: string): unknown =>
      response.writeHead(status, { "content-type": "application/json" }).end(reason);
    if (request.url !== rules.path) return refuse(404, `{"error":{"message":"no such path: ${request.url}"}}`);
    const [header, before] = rules.auth ?? [];
    if (header !== undefined && request.headers[header] !== `${before}${key}`)
      return refuse(401, `{"error":{"message":"no key in ${header}"}}`);
    const refusal = rules.refuses?.(body);
    if (refusal) return refuse(...refusal);
    bodies.push(body);
    const isFirst = bodies.length === 1;
    const calls = ["list_pets", "get_pet"].map((name, at) => ({
      name,
      arguments: { n: at },
      id: `call_${at}_0123456789`,
    }));
    const { opening, closing } = wires[rules.wire].stream(isFirst ? { calls } : { text: "Two pets." }, body);
    const events = [...opening, ...closing];
    response.writeHead(200, { "content-type": "text/event-stream" });
    return response.end((rules.stream?.(events, isFirst) ?? events).join(""));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** An event of a stream. */
export const event = (value: JsonObject): string => `data: ${toJson(value)}\n\n`;

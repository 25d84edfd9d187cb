// What the OpenAPI document describes of the MCP endpoint.
import type { JsonObject } from "../../lib/json.js";
import { BODY_ERRORS, type RouteDescription } from "./route-description.js";

const JSON_RPC: JsonObject = { type: "object", description: "A JSON-RPC 2.0 message, as MCP defines it." };
const MCP_STREAM: JsonObject = { schema: { type: "string", description: "JSON-RPC messages as server-sent events." } };
const MODE_HEADERS: Record<string, JsonObject> = Object.fromEntries(
  ["Read-Only", "Dry-Run", "Strict", "Confirm"].map((mode) => [
    `X-Agentd-${mode}`,
    { description: "Turns the mode on for this request.", schema: { type: "string", enum: ["true", "false"] } },
  ]),
);

/** The routes of the MCP endpoint. */
export const MCP_OPERATIONS: Record<string, RouteDescription> = {
  "post /-/mcp": {
    operationId: "sendMcpMessage",
    tag: "mcp",
    summary: "A message of the Model Context Protocol (Streamable HTTP): list and call the tools, ask, confirm",
    bodySchema: JSON_RPC,
    headers: {
      "X-Session-Id": { description: "The session calls are recorded under.", schema: { type: "string" } },
      ...MODE_HEADERS,
    },
    success: {
      "200": {
        description: "The answer.",
        content: { "application/json": { schema: JSON_RPC }, "text/event-stream": MCP_STREAM },
      },
      "202": { description: "A notification, or an answer of the client, is taken." },
    },
    errors: [404, ...BODY_ERRORS],
    errorSchema: JSON_RPC,
  },
  "get /-/mcp": {
    operationId: "openMcpStream",
    tag: "mcp",
    summary: "What the server says by itself in a session of MCP 2025-11-25",
    success: { "200": { description: "The stream.", content: { "text/event-stream": MCP_STREAM } } },
    errors: [404],
    errorSchema: JSON_RPC,
  },
  "delete /-/mcp": {
    operationId: "endMcpSession",
    tag: "mcp",
    summary: "End a session of MCP 2025-11-25",
    success: { "200": { description: "It is ended." } },
    errors: [404],
    errorSchema: JSON_RPC,
  },
};

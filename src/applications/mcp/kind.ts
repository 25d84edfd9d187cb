// MCP servers: programs that speak over their standard streams, and addresses of Streamable HTTP.
import type { ApplicationKind } from "../kind.js";
import { impliedByServer } from "./implied.js";

export const mcp: ApplicationKind = {
  kind: "mcp",
  sources: { mcp: async () => (await import("./source.js")).mcpSource },
  openTransport: async (context) => (await import("./transport.js")).createMcpTransport(context),
  implied: impliedByServer,
};

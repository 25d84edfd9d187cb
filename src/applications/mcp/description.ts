// The transport object of an action on an MCP server: written by document.ts at sync, read by transport.ts at the call.
// Source: docs/reference.md, "Schema document".
import { z } from "zod";

/** The revisions of the protocol that agree in how a connection begins: `legacy` up to 2025-11-25, `modern` from 2026-07-28 on. */
export const Era = z.enum(["legacy", "modern"]);
export type Era = z.infer<typeof Era>;

/** How a tool of an MCP server is called. */
export const McpDescription = z.object({
  kind: z.literal("mcp"),
  /** What the server calls it. */
  tool: z.string(),
  era: Era,
  /** SHA-256 of what the server said of the tool at the last sync: it is called only while the server says the same. */
  hash: z.string(),
  /** The beginnings of the hashes of its parts, so that a difference can be named. */
  parts: z.record(z.string(), z.string()),
  /** What arguments are called by the server, where that is another name. */
  arguments: z.record(z.string(), z.string()).optional(),
});
export type McpDescription = z.infer<typeof McpDescription>;

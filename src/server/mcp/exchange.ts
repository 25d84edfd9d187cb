// What one MCP request comes with beside its message: whose word it is, and what its headers say. Types only.
import type { Caller } from "../../domain/caller.js";
import type { Policy } from "../../domain/policy.js";

/** One request, as its entry point understood it. */
export interface McpExchange {
  caller: Caller;
  /** "" for none. */
  session_id: string;
  /** Modes this request turns on; it can turn none off. */
  policy: Partial<Policy>;
  /** What the client calls itself in a header; its `clientInfo` otherwise. */
  client: string | undefined;
  /** The web page where held calls are decided; undefined where no browser can go. */
  page: string | undefined;
}

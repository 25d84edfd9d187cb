// The official MCP client, of either era, against an endpoint or a command; what it is asked is answered by a function.
import { Client, type ClientCapabilities, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** The revisions a test goes through. */
export const ERAS = ["2025-11-25", "2026-07-28"] as const;
export type Era = (typeof ERAS)[number];

/** An elicitation as the client sees it. */
export interface Asked {
  message: string;
  requestedSchema?: { properties: Record<string, unknown> };
}

export interface ClientOptions {
  headers?: Record<string, string>;
  /** Without it the client cannot ask anybody. */
  answer?: (asked: Asked) => object | Promise<object>;
  capabilities?: ClientCapabilities;
  onToolsChanged?: () => void;
  /** Speaks to this program instead. */
  command?: { command: string; args: string[]; env?: Record<string, string> };
}

/** Connects. Close it, or the test run does not end. */
export async function mcpClient(url: string, era: Era, options: ClientOptions = {}): Promise<Client> {
  const { headers = {}, answer, command, onToolsChanged } = options;
  const elicitation = answer ? { elicitation: { form: {} } } : {};
  const client = new Client(
    { name: "contract", version: "1" },
    {
      capabilities: { ...elicitation, ...options.capabilities },
      versionNegotiation: era === "2025-11-25" ? { mode: "legacy" } : { mode: { pin: era } },
      ...(onToolsChanged && { listChanged: { tools: { onChanged: onToolsChanged } } }),
    },
  );
  if (answer)
    client.setRequestHandler(
      "elicitation/create",
      async ({ params }) => (await answer(params as unknown as Asked)) as { action: "accept" },
    );
  const transport = command
    ? new StdioClientTransport({ ...command, stderr: "inherit" })
    : new StreamableHTTPClientTransport(new URL(`${url}/-/mcp`), { requestInit: { headers } });
  await client.connect(transport);
  return client;
}

/** The text of a result. */
export function textOf(result: unknown): string {
  const { content } = result as { content: { type: string; text?: string }[] };
  return content.map(({ text }) => text ?? "").join("");
}

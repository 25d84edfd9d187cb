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

/** One JSON-RPC message as a client of an era writes it, byte for byte. */
export function rawMessage(
  era: Era,
  method: string,
  params: string,
  { capabilities = {} }: { capabilities?: ClientCapabilities } = {},
): { body: string; headers: Record<string, string> } {
  const name = /"name":"([^"]*)"/.exec(params)?.[1];
  const common = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  if (era === "2025-11-25")
    return { body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{${params}}}`, headers: common };
  const meta = {
    "io.modelcontextprotocol/protocolVersion": era,
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  const members = [params, `"_meta":${JSON.stringify(meta)}`].filter(Boolean).join(",");
  const named = { ...(method === "tools/call" && name !== undefined && { "mcp-name": name }) };
  return {
    body: `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{${members}}}`,
    headers: { ...common, "mcp-protocol-version": era, "mcp-method": method, ...named },
  };
}

/** Sends one; the answer as text, without the frame of a stream. */
export async function sendRaw(
  url: string,
  { body, headers }: { body: string; headers: Record<string, string> },
  more: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const response = await fetch(`${url}/-/mcp`, { method: "POST", body, headers: { ...headers, ...more } });
  const text = await response.text();
  return { status: response.status, text: /^data: (.*)$/m.exec(text)?.[1] ?? text };
}

// Carries MCP messages to an endpoint in this process, over an agent that is opened for them.
import type { Settings } from "../../config/settings.js";
import { LOCAL_CALLER } from "../../domain/caller.js";
import { withDigits } from "../../lib/json.js";
import { createRedactor } from "../../lib/redact/redact.js";
import { createMcpEndpoint } from "../../server/mcp/endpoint.js";
import { openHere } from "../client/in-process.js";
import { createCommandLog } from "../terminal/command-log.js";
import type { Carrier } from "./carrier.js";

async function* textOf(response: Response): AsyncGenerator<string, void, void> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  // Each chunk is whole messages.
  for await (const chunk of response.body) yield withDigits(decoder.decode(chunk as Uint8Array));
}

/** Opens an agent on the data directory, and an endpoint over it. Throws StartError. */
export async function openMcpInProcess(
  settings: Settings,
  { session_id, verbose }: { session_id: string; verbose: boolean },
): Promise<Carrier> {
  const agent = await openHere(settings, { verbose, command: "mcp" });
  const redactor = createRedactor(settings.secrets);
  const endpoint = createMcpEndpoint(agent, { log: createCommandLog(redactor, verbose), redact: redactor.text });
  return {
    async send({ method, headers, body, signal }) {
      const request = new Request("http://localhost/-/mcp", { method, headers, signal });
      const exchange = { caller: LOCAL_CALLER, session_id, policy: {}, client: undefined, page: undefined };
      const response = await endpoint.answer(request, body, exchange);
      return {
        status: response.status,
        type: response.headers.get("content-type") ?? "",
        session: response.headers.get("mcp-session-id") ?? undefined,
        chunks: textOf(response),
      };
    },
    again: async () => undefined,
    async close() {
      await agent.drain(0);
      await endpoint.close();
      await agent.close();
    },
  };
}

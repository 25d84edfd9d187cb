// `agentd mcp`: the tools for an MCP client that starts its servers itself and speaks to them over standard input and output. Nothing
// but messages goes to standard output. Source: docs/mcp.md, "agentd as an MCP server"
import { once } from "node:events";
import { defineCommand } from "../command.js";
import { connectMcp } from "../mcp/connect.js";
import { serveStdio } from "../mcp/stdio.js";
import { SAFETY, TOKEN } from "../options.js";
import { onInterrupt } from "../terminal/interrupt.js";
import { checkSession } from "./run.js";

/** One wait for the reader, whoever writes meanwhile. */
let drained: Promise<unknown> | undefined;

/** Writes to standard output, in the reader's own time. */
async function write(line: string): Promise<void> {
  if (process.stdout.write(line)) return;
  drained ??= once(process.stdout, "drain").finally(() => {
    drained = undefined;
  });
  await drained;
}

export const mcpCommand = defineCommand({
  options: {
    session: { type: "string", describe: "The session that calls are recorded under" },
    ...TOKEN,
    ...SAFETY,
  },
  examples: [
    ["agentd mcp", "what an MCP client is told to start"],
    ["agentd mcp --read-only", "nothing can be changed"],
  ],
  async run(args) {
    const session_id = args.session === undefined ? "" : checkSession(args.session);
    const stop = new AbortController();
    const carrier = await connectMcp(args, session_id);
    const end = (): void => {
      stop.abort();
      // The loop that reads it ends with it.
      process.stdin.destroy();
    };
    onInterrupt(end);
    // A client that has closed its end reads nothing any more.
    process.stdout.on("error", end);
    await serveStdio({ input: process.stdin, write, carrier, signal: stop.signal }).catch((error: unknown) => {
      if (!stop.signal.aborted) throw error;
    });
    return 0;
  },
});

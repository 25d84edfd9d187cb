// An agent whose only application asks a person in the middle of its calls and tells of its progress: the transport is played by the
// test, everything else is real: record, confirmations, turns, HTTP server.
import type { ExecuteOptions, Outcome, Transport } from "../../src/applications/transport.js";
import { acquireLock, type Lock } from "../../src/data-dir/lock.js";
import type { Agent } from "../../src/domain/agent.js";
import type { Policy } from "../../src/domain/policy.js";
import type { JsonObject } from "../../src/lib/json.js";
import type { ReplyRequest } from "../../src/providers/provider.js";
import { type ListenOptions, listen } from "../../src/server/listen.js";
import { keptLog } from "./daemon.js";
import { openTransportAgent } from "./transport-agent.js";

/** What the application does with a call: it may ask and tell before it answers. */
export type Script = (
  talk: Required<Pick<ExecuteOptions, "ask" | "onProgress">> & { signal: AbortSignal | undefined },
  args: JsonObject,
) => Promise<Outcome["value"]>;

export interface AskingOptions {
  policy?: Partial<Policy>;
  /** The tools that the model calls in its first reply to a prompt, with these arguments; `order` by default. */
  calls?: { name: string; arguments: JsonObject }[];
  /** Time that a question waits, milliseconds. */
  ttlMs?: number;
  /** Of the data directory, where the caller has it. */
  lock?: Lock;
  /** Gets the messages of every request to the model. */
  onReply?(messages: ReplyRequest["messages"]): void;
}

const KIND = "asking";

function document(): object {
  const action = (name: string, safety: string): object => ({
    name,
    description: `${name} something`,
    safety,
    provenance: "declared",
    parameters: { type: "object", properties: { what: { type: "string" }, password: { type: "string" } } },
    transport: { kind: KIND },
  });
  return {
    version: 1,
    source: "mcp",
    resources: [{ name: "meals", actions: [action("order", "mutating"), action("look", "read_only")] }],
  };
}

function createTransport(script: Script): Transport {
  return {
    kind: KIND,
    mayAsk: true,
    prepare: (action, { sent, shown }) => ({
      request: { method: "tools/call", tool: action.name },
      preview: { method: "tools/call", tool: action.name, arguments: shown },
      plan: sent,
    }),
    async execute({ plan }, _target, { ask, onProgress, signal } = {}) {
      if (!ask || !onProgress) throw new Error("a transport that may ask is given no way to");
      return { status: "ok", value: await script({ ask, onProgress, signal }, plan as JsonObject) };
    },
  };
}

/** An agent on the data directory `dir`, over an application that does what the script says. */
export function openAskingAgent(
  dir: string,
  script: Script,
  { calls = [{ name: "order", arguments: { what: "soup" } }], policy, ttlMs, lock, onReply }: AskingOptions = {},
): Promise<Agent> {
  const transport = createTransport(script);
  return openTransportAgent(dir, {
    schema: document(),
    transport: async () => transport,
    policy,
    confirmationTtlMs: ttlMs,
    lock,
    reply({ messages }) {
      onReply?.(messages);
      if (messages.at(-1)?.role === "tool") return { text: "done", calls: [], finish: "stop" };
      return { text: "", calls: calls.map((call, at) => ({ id: `call_${at}`, ...call })), finish: "tool_calls" };
    },
  });
}

/** The same behind an HTTP server, which commands on the data directory find; `close` ends both. */
export async function startAsking(
  dir: string,
  script: Script,
  { listening, ...options }: AskingOptions & { listening?: Partial<ListenOptions> } = {},
): Promise<{ url: string; agent: Agent; close(): Promise<void> }> {
  const lock = await acquireLock(dir);
  const agent = await openAskingAgent(dir, script, { ...options, lock });
  const server = await listen(agent, {
    host: "127.0.0.1",
    port: 0,
    allowedHosts: [],
    log: keptLog().log,
    ...listening,
  });
  await lock.setAddress({ pid: process.pid, address: server.address, auth: false });
  return {
    url: server.address,
    agent,
    async close() {
      await server.close(0);
      await agent.close();
      lock.release();
    },
  };
}

// A tool call through /-/mcp against a prompt to POST /run whose turn makes the same call: what a client saves that chooses itself.
import { Agent, request } from "undici";
import { rawMessage } from "../support/mcp-client.js";
import { cpuTimeOf } from "../support/process-usage.js";
import type { Served } from "../support/spawn.js";
import { turn } from "./turns.js";

const wire = new Agent({ connections: 4, keepAliveTimeout: 30_000 });
const CALL = rawMessage("2026-07-28", "tools/call", '"name":"get_item","arguments":{"id":1}');

/** Milliseconds of each, and of processor time on the main thread. */
interface CallCost {
  latency: number[];
  main: number;
}

async function call(url: string): Promise<number> {
  const begun = performance.now();
  const answer = await request(`${url}/-/mcp`, { method: "POST", dispatcher: wire, ...CALL });
  const text = await answer.body.text();
  const took = performance.now() - begun;
  if (!text.includes('"structuredContent"')) throw new Error(`a call failed: ${text}`);
  return took;
}

/** The cost of both, in alternating rounds of `count`; the first round is not counted. */
export async function mcpCosts(
  daemon: Served,
  { rounds, count }: { rounds: number; count: number },
): Promise<{ prompt: CallCost; call: CallCost }> {
  const costs = { prompt: { latency: [] as number[], main: 0 }, call: { latency: [] as number[], main: 0 } };
  for (let round = 0; round <= rounds; round++)
    for (const name of ["prompt", "call"] as const) {
      const before = cpuTimeOf(daemon.pid).main;
      const latency: number[] = [];
      for (let i = 0; i < count; i++)
        latency.push(await (name === "call" ? call(daemon.url) : turn(daemon.url, "B", `mcp-${round}-${i}`)));
      if (round === 0) continue;
      costs[name].latency.push(...latency);
      costs[name].main += (cpuTimeOf(daemon.pid).main - before) / count / rounds;
    }
  return costs;
}

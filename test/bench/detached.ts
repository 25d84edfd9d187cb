// A detached turn with three readers against the same turn, streamed to its own client: what a reader costs, and what it adds to
// the time until the last one has the end.
import { randomUUID } from "node:crypto";
import { Agent, request } from "undici";
import { cpuTimeOf } from "../support/process-usage.js";
import type { Served } from "../support/spawn.js";

const wire = new Agent({ connections: 64, keepAliveTimeout: 30_000 });
const READERS = 3;

/** Milliseconds to the end of the turn, and of processor time on the main thread, for each turn. */
export interface TurnCost {
  latency: number[];
  main: number;
}

async function read(url: string, path: string, body?: object): Promise<void> {
  const accept = "text/event-stream";
  const answer = await request(url + path, {
    method: body ? "POST" : "GET",
    dispatcher: wire,
    headers: body ? { accept, "content-type": "application/json" } : { accept },
    body: body ? JSON.stringify(body) : null,
  });
  const text = await answer.body.text();
  if (!text.includes('"kind":"done"')) throw new Error(`a turn was not read to its end: ${text.slice(-200)}`);
}

async function followed(url: string, message: string): Promise<void> {
  const answer = await request(`${url}/run`, {
    method: "POST",
    dispatcher: wire,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message, session_id: randomUUID(), detach: true }),
  });
  const { turn_id } = (await answer.body.json()) as { turn_id: string };
  await Promise.all(Array.from({ length: READERS }, () => read(url, `/-/turns/${turn_id}/events`)));
}

const streamed = (url: string, message: string): Promise<void> =>
  read(url, "/run", { message, session_id: randomUUID() });

/** The cost of both, in alternating rounds of `turns` turns; the first round is not counted. */
export async function detachedCosts(
  daemon: Served,
  { message, rounds, turns }: { message: string; rounds: number; turns: number },
): Promise<{ plain: TurnCost; detached: TurnCost }> {
  const costs = { plain: { latency: [] as number[], main: 0 }, detached: { latency: [] as number[], main: 0 } };
  for (let round = 0; round <= rounds; round++)
    for (const [name, run] of [
      ["plain", streamed],
      ["detached", followed],
    ] as const) {
      const before = cpuTimeOf(daemon.pid).main;
      const latency: number[] = [];
      for (let i = 0; i < turns; i++) {
        const begun = performance.now();
        await run(daemon.url, message);
        latency.push(performance.now() - begun);
      }
      if (round === 0) continue;
      costs[name].latency.push(...latency);
      costs[name].main += (cpuTimeOf(daemon.pid).main - before) / turns / rounds;
    }
  return costs;
}

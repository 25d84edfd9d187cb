// A turn as a chat completion against the same turn over POST /run: what the other format costs, whole and streamed.
import { Agent, request } from "undici";
import { cpuTimeOf } from "../support/process-usage.js";
import type { Served } from "../support/spawn.js";
import type { TurnCost } from "./detached.js";

const wire = new Agent({ connections: 64, keepAliveTimeout: 30_000 });

/** One request that runs a turn, and what the end of its answer holds. */
interface Form {
  path: string;
  accept: string;
  body(message: string): object;
  end: string;
}

const chat = (stream: boolean) => (content: string) => ({ stream, messages: [{ role: "user", content }] });
const run = (message: string): object => ({ message });
const SSE = "text/event-stream";
const JSON_TYPE = "application/json";

/** The same turn in both formats. */
const FORMS: Readonly<Record<"whole" | "streamed", { run: Form; chat: Form }>> = {
  whole: {
    run: { path: "/run", accept: JSON_TYPE, body: run, end: '"kind":"done"' },
    chat: { path: "/-/v1/chat/completions", accept: JSON_TYPE, body: chat(false), end: '"finish_reason":"stop"' },
  },
  streamed: {
    run: { path: "/run", accept: SSE, body: run, end: '"kind":"done"' },
    chat: { path: "/-/v1/chat/completions", accept: SSE, body: chat(true), end: "data: [DONE]" },
  },
};

async function turn(url: string, message: string, { path, accept, body, end }: Form): Promise<void> {
  const headers = { accept, "content-type": JSON_TYPE };
  const answer = await request(url + path, {
    method: "POST",
    dispatcher: wire,
    headers,
    body: JSON.stringify(body(message)),
  });
  const text = await answer.body.text();
  if (!text.includes(end)) throw new Error(`a turn was not read to its end: ${text.slice(-200)}`);
}

/** The cost of both, in alternating rounds of `turns` turns; the first round is not counted. */
export async function chatCosts(
  daemon: Served,
  form: keyof typeof FORMS,
  { message, rounds, turns }: { message: string; rounds: number; turns: number },
): Promise<{ run: TurnCost; chat: TurnCost }> {
  const costs = { run: { latency: [] as number[], main: 0 }, chat: { latency: [] as number[], main: 0 } };
  for (let round = 0; round <= rounds; round++)
    for (const name of ["run", "chat"] as const) {
      const before = cpuTimeOf(daemon.pid).main;
      const latency: number[] = [];
      for (let i = 0; i < turns; i++) {
        const begun = performance.now();
        await turn(daemon.url, message, FORMS[form][name]);
        latency.push(performance.now() - begun);
      }
      if (round === 0) continue;
      costs[name].latency.push(...latency);
      costs[name].main += (cpuTimeOf(daemon.pid).main - before) / turns / rounds;
    }
  return costs;
}

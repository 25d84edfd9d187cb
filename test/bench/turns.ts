// The clients of a benchmark: one turn over POST /run, many at once, and one whose deltas carry the time they were sent.
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import WebSocket from "ws";

const wire = new Agent({ connections: 64, keepAliveTimeout: 30_000 });

/** One turn; milliseconds from sending the prompt to the last byte. Throws when the turn did not end well. */
export async function turn(url: string, message: string, session: string): Promise<number> {
  const begun = performance.now();
  const response = await request(`${url}/run`, {
    method: "POST",
    dispatcher: wire,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message, session_id: session }),
  });
  const body = (await response.body.json()) as { events: { kind: string; message?: string }[] };
  const took = performance.now() - begun;
  const failed = body.events?.find((event) => event.kind === "error");
  if (failed || body.events?.at(-1)?.kind !== "done")
    throw new Error(`a turn failed: ${JSON.stringify(failed ?? body)}`);
  return took;
}

/** Turns of one client. */
interface Series {
  message: string;
  count: number;
  /** The beginning of the names of their sessions. */
  name: string;
}

/** Turns one after another, ten to a session; the milliseconds of each. */
export async function inARow(url: string, { message, count, name }: Series): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < count; i++) times.push(await turn(url, message, `${name}-${Math.floor(i / 10)}`));
  return times;
}

/** Many clients at once, `each` turns a client. */
interface Load {
  message: string;
  sessions: number;
  each: number;
  /** Turns that begin in a second, of all clients together; as fast as they can without it. */
  perSecond?: number;
}

/** Turns a second. */
export async function throughput(url: string, { message, sessions, each, perSecond }: Load): Promise<number> {
  const begun = performance.now();
  const client = async (n: number): Promise<void> => {
    for (let i = 0; i < each; i++) {
      if (perSecond) await sleep(begun + (1000 * (i * sessions + n)) / perSecond - performance.now());
      await turn(url, message, `load-${sessions}-${n}`);
    }
  };
  await Promise.all(Array.from({ length: sessions }, (_, n) => client(n)));
  return (sessions * each * 1000) / (performance.now() - begun);
}

const now = (): number => performance.timeOrigin + performance.now();
const delayOf = (text: string): number => now() - Number(text);

/** Milliseconds each delta took from the model to the client, over /chat. */
export function delaysOnChat(url: string): Promise<number[]> {
  const delays: number[] = [];
  const socket = new WebSocket(`${url.replace("http", "ws")}/chat`);
  socket.on("open", () => socket.send("paced"));
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("message", (data) => {
      const event = JSON.parse(String(data)) as { kind: string; text?: string };
      if (event.kind === "assistant_delta") delays.push(delayOf(event.text ?? ""));
      if (event.kind !== "done") return;
      socket.close();
      resolve(delays);
    });
  });
}

/** The same from the bare server, over newline-delimited JSON. */
export async function delaysOnBare(url: string): Promise<number[]> {
  const delays: number[] = [];
  const headers = { accept: "application/x-ndjson", "content-type": "application/json" };
  const response = await request(`${url}/run`, {
    method: "POST",
    dispatcher: wire,
    headers,
    body: '{"message":"paced"}',
  });
  for await (const bytes of response.body)
    for (const line of String(bytes).split("\n").filter(Boolean)) {
      const event = JSON.parse(line) as { kind: string; text?: string };
      if (event.kind === "assistant_delta") delays.push(delayOf(event.text ?? ""));
    }
  return delays;
}

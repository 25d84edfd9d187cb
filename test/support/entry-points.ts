// The entry points of a daemon as its clients use them: POST /run in its three forms and WebSocket /chat, each giving the
// events of one turn in order; and the other HTTP resources as JSON. Checks no more than the status that a test relies on.
import assert from "node:assert/strict";
import WebSocket from "ws";
import type { AgentEvent, TurnEvent } from "../../src/domain/event.js";

/** A way for a prompt to reach a daemon. */
export interface EntryPoint {
  name: string;
  /** Sends a prompt; resolves with the events of its turn. */
  ask(url: string, body: object, headers?: Record<string, string>): Promise<AgentEvent[]>;
  /** The same events as text, for what JSON.parse would round. */
  raw(url: string, body: object): Promise<string>;
}

/** Sends a JSON body with POST. */
export function postJson(url: string, body: unknown, init: RequestInit = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    ...init,
    headers: { "content-type": "application/json", ...(init.headers as Record<string, string> | undefined) },
    body: JSON.stringify(body),
  });
}

/** The body of a GET answered 200. */
export async function getJson<T>(url: string): Promise<T> {
  const response = await fetch(url);
  assert.equal(response.status, 200, `GET ${url}`);
  return (await response.json()) as T;
}

/** Sends a prompt to POST /run, which answers 200; the events of its turn. */
export async function ask(url: string, body: object): Promise<TurnEvent[]> {
  const response = await postJson(`${url}/run`, body);
  assert.equal(response.status, 200, `POST ${url}/run`);
  return ((await response.json()) as { events: TurnEvent[] }).events;
}

function overHttp(name: string, accept: string, parse: (text: string) => AgentEvent[]): EntryPoint {
  const post = async (url: string, body: object, headers: Record<string, string> = {}): Promise<string> =>
    (await postJson(`${url}/run`, body, { headers: { accept, ...headers } })).text();
  return { name, raw: post, ask: async (url, body, headers) => parse(await post(url, body, headers)) };
}

/** Sends one frame over /chat and collects the frames up to and including `done`. */
export function chat(url: string, frame: string, headers: Record<string, string> = {}): Promise<string[]> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/chat`, { headers });
  const frames: string[] = [];
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.on("open", () => socket.send(frame));
    socket.on("message", (data) => {
      frames.push(String(data));
      if (JSON.parse(String(data)).kind !== "done") return;
      socket.close();
      resolve(frames);
    });
  });
}

const parseLines = (lines: string[]): AgentEvent[] =>
  lines.filter(Boolean).map((line) => JSON.parse(line) as AgentEvent);

/** Every entry point that takes a prompt over the network. */
export const entryPoints: EntryPoint[] = [
  overHttp("POST /run", "application/json", (text) => (JSON.parse(text) as { events: AgentEvent[] }).events),
  overHttp("POST /run as server-sent events", "text/event-stream", (text) =>
    parseLines([...text.matchAll(/^data: (.*)$/gm)].map((match) => match[1] ?? "")),
  ),
  overHttp("POST /run as NDJSON", "application/x-ndjson", (text) => parseLines(text.split("\n"))),
  {
    name: "WebSocket /chat",
    raw: async (url, body) => (await chat(url, JSON.stringify(body))).join("\n"),
    ask: async (url, body, headers) => parseLines(await chat(url, JSON.stringify(body), headers)),
  },
];

/** The result of a turn: the text of its last `assistant_message`, or "". */
export function finalText(events: readonly TurnEvent[]): string {
  const last = events.findLast((event) => event.kind === "assistant_message");
  return last?.kind === "assistant_message" ? last.text : "";
}

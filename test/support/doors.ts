// The doors a test walks through with the same prompt: POST /run in its three forms and WebSocket /chat. Each gives the events
// of the turn in order, and the text they came as.
import WebSocket from "ws";
import type { AgentEvent } from "../../src/domain/event.js";

/** One way in. */
export interface Door {
  name: string;
  ask(url: string, body: object, headers?: Record<string, string>): Promise<AgentEvent[]>;
  /** The events as text, for what JSON.parse would round. */
  raw(url: string, body: object): Promise<string>;
}

async function post(url: string, body: object, headers: Record<string, string>): Promise<string> {
  const init = {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
  return (await fetch(`${url}/run`, init)).text();
}

function run(name: string, accept: string, parse: (text: string) => AgentEvent[]): Door {
  return {
    name,
    raw: (url, body) => post(url, body, { accept }),
    ask: async (url, body, headers = {}) => parse(await post(url, body, { accept, ...headers })),
  };
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

/** Every way a prompt comes in over the network. */
export const doors: Door[] = [
  run("POST /run", "application/json", (text) => (JSON.parse(text) as { events: AgentEvent[] }).events),
  run("POST /run as server-sent events", "text/event-stream", (text) =>
    parseLines([...text.matchAll(/^data: (.*)$/gm)].map((match) => match[1] ?? "")),
  ),
  run("POST /run as lines", "application/x-ndjson", (text) => parseLines(text.split("\n"))),
  {
    name: "WebSocket /chat",
    raw: async (url, body) => (await chat(url, JSON.stringify(body))).join("\n"),
    ask: async (url, body, headers) => parseLines(await chat(url, JSON.stringify(body), headers)),
  },
];

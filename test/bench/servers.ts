// What a turn talks to in a benchmark, each started by `child.ts` with a role: a model API with no think time, and a trivial target.
// Not the fakes of the tests: those keep every request, which takes memory and time, and the deltas here have to carry the time
// they were sent.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Deltas of one streamed answer. */
export const DELTAS = 20;
/** Milliseconds between deltas when the prompt asks for a paced answer. */
const PACE_MS = 5;

export async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  request.setEncoding("utf8");
  for await (const chunk of request) text += chunk;
  return text;
}

export function listen(handler: (request: IncomingMessage, response: ServerResponse) => Promise<void>): void {
  const server = createServer((request, response) => void handler(request, response).catch(() => response.destroy()));
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1", () =>
    process.stdout.write(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
  );
}

interface ChatRequest {
  messages: { role: string; content?: string | { text?: string }[] }[];
}

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "bench", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const USAGE = `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 0, model: "bench", choices: [], usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 } })}\n\n`;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Calls of one reply to the prompts "reads" and "changes". */
export const SLOW_CALLS = 8;
/** Milliseconds the application takes for each of them. */
const SLOW_MS = 50;

/** The calls a prompt asks for first. */
function callsOf(prompt: string): object[] {
  const call = (name: string, index: number): object => ({
    index,
    id: `call_${index + 1}`,
    type: "function",
    function: { name, arguments: '{"id":7}' },
  });
  if (prompt.startsWith("B")) return [call("get_item", 0)];
  const name = { reads: "read_slowly", changes: "change_slowly" }[prompt];
  return name === undefined ? [] : Array.from({ length: SLOW_CALLS }, (_, index) => call(name, index));
}

/**
 * A chat-completions API. Prompt "A" streams 20 deltas; "B" asks for one tool first, "reads" and "changes" for eight slow ones;
 * "paced" stamps each delta with its time.
 */
export function serveModel(): void {
  listen(async (request, response) => {
    // As a server answers that does not say what its model takes in.
    if (!request.url?.endsWith("/chat/completions")) return void response.writeHead(404).end();
    const { messages } = JSON.parse(await bodyOf(request)) as ChatRequest;
    const last = messages.at(-1);
    const text = typeof last?.content === "string" ? last.content : (last?.content?.[0]?.text ?? "");
    response.writeHead(200, { "content-type": "text/event-stream" });
    const calls = last?.role === "user" ? callsOf(text) : [];
    if (calls.length > 0) {
      response.write(chunk({ role: "assistant", tool_calls: calls }));
      response.write(chunk({}, "tool_calls"));
    } else {
      const paced = text.startsWith("paced");
      for (let i = 0; i < DELTAS; i++) {
        if (paced) await pause(PACE_MS);
        response.write(chunk({ content: paced ? `${performance.timeOrigin + performance.now()} ` : `word${i} ` }));
      }
      response.write(chunk({}, "stop"));
    }
    response.end(`${USAGE}data: [DONE]\n\n`);
  });
}

/** The application: items at once, and slow ones. */
export function serveTarget(): void {
  listen(async (request, response) => {
    if (request.url?.startsWith("/slow")) await pause(SLOW_MS);
    response.writeHead(200, { "content-type": "application/json" });
    response.end('{"id":7,"name":"Lamp","price":10}');
  });
}

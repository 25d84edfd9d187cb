// The processes a benchmark talks to, each started by `child.ts` with a role: a model API with no think time, a trivial target, and
// the bare server that everything is compared with. Not the fakes of the tests: those keep every request, which takes memory and
// time, and the deltas here have to carry the time they were sent.
import { mkdtempSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteDatabase } from "../../src/lib/sqlite.js";

/** Deltas of one streamed answer. */
export const DELTAS = 20;
/** Milliseconds between deltas when the prompt asks for a paced answer. */
const PACE_MS = 5;

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = "";
  request.setEncoding("utf8");
  for await (const chunk of request) text += chunk;
  return text;
}

function listen(handler: (request: IncomingMessage, response: ServerResponse) => Promise<void>): void {
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

interface ModelReply {
  text: string;
  call: { id: string; name: string; arguments: string } | undefined;
}

/** One model call by hand: global fetch, and a split of the server-sent events. */
async function askModel(model: string, messages: object[], onDelta: (text: string) => void): Promise<ModelReply> {
  const response = await fetch(`${model}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "bench", stream: true, messages }),
  });
  const reply: ModelReply = { text: "", call: undefined };
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of response.body ?? []) {
    rest += decoder.decode(bytes, { stream: true });
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = block.slice(6);
      if (data === "[DONE]") continue;
      const delta = (
        JSON.parse(data) as {
          choices: {
            delta: { content?: string; tool_calls?: { id: string; function: { name: string; arguments: string } }[] };
          }[];
        }
      ).choices[0]?.delta;
      if (delta?.content) {
        reply.text += delta.content;
        onDelta(delta.content);
      }
      const call = delta?.tool_calls?.[0];
      if (call) reply.call = { id: call.id, ...call.function };
    }
  }
  return reply;
}

/** The same turn with nothing around it: no sessions, no checks, no tools but one. One insert a call, WAL, synchronous NORMAL. */
export function serveBare(model: string, target: string): void {
  const db = new SqliteDatabase(join(mkdtempSync(join(tmpdir(), "agentd-bench-")), "bare.db"));
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = NORMAL");
  db.exec("CREATE TABLE history (id INTEGER PRIMARY KEY, ts TEXT, tool TEXT, arguments TEXT, result TEXT)");
  const insert = db.prepare("INSERT INTO history (ts, tool, arguments, result) VALUES (?, ?, ?, ?)");
  listen(async (request, response) => {
    if (request.method === "GET") return void response.end("{}");
    const { message } = JSON.parse(await bodyOf(request)) as { message: string };
    const streams = request.headers.accept === "application/x-ndjson";
    const events: object[] = [];
    const emit = (event: object): void =>
      void (streams ? response.write(`${JSON.stringify(event)}\n`) : events.push(event));
    const messages: object[] = [{ role: "user", content: message }];
    emit({ kind: "user_prompt", text: message });
    for (;;) {
      const reply = await askModel(model, messages, (text) => emit({ kind: "assistant_delta", text }));
      if (reply.text) emit({ kind: "assistant_message", text: reply.text });
      if (!reply.call) break;
      const { id, name, arguments: args } = reply.call;
      const parsed = JSON.parse(args) as { id: number };
      emit({ kind: "tool_call", id, name, arguments: parsed });
      const result = await (await fetch(`${target}/items/${parsed.id}`)).json();
      insert.run(new Date().toISOString(), name, args, JSON.stringify(result));
      emit({ kind: "tool_result", id, result, status: "ok", duration_ms: 0 });
      messages.push({
        role: "assistant",
        content: null,
        tool_calls: [{ id, type: "function", function: { name, arguments: args } }],
      });
      messages.push({ role: "tool", tool_call_id: id, content: JSON.stringify(result) });
    }
    emit({ kind: "done" });
    response.end(streams ? undefined : JSON.stringify({ result: "", session_id: "", events }));
  });
}

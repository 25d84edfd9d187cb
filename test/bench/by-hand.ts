// The same turn by hand, without sessions, checks, safety or more than one tool; and the bare server that agentd is compared with.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SqliteDatabase } from "../../src/lib/sqlite.js";
import { bodyOf, listen } from "./servers.js";

export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** How a server calls others, and what it writes down of a turn. */
export interface ByHand {
  post(url: string, body: string): Promise<AsyncIterable<Uint8Array>>;
  get(url: string): Promise<unknown>;
  begin?(message: string): Promise<void>;
  beginCall?(call: ToolCall): Promise<void>;
  endCall(call: ToolCall, result: unknown): Promise<void> | void;
  end?(text: string): Promise<void>;
}

interface ModelReply {
  text: string;
  call: ToolCall | undefined;
}

/** One model call: a split of the server-sent events. */
async function readReply(body: AsyncIterable<Uint8Array>, onDelta: (text: string) => void): Promise<ModelReply> {
  const reply: ModelReply = { text: "", call: undefined };
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body) {
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

/** A whole turn; its events go to `emit`. */
export async function turnByHand(
  hand: ByHand,
  { model, target, message }: { model: string; target: string; message: string },
  emit: (event: object) => void,
): Promise<void> {
  const messages: object[] = [{ role: "user", content: message }];
  await hand.begin?.(message);
  emit({ kind: "user_prompt", text: message });
  for (;;) {
    const body = JSON.stringify({ model: "bench", stream: true, messages });
    const answer = await hand.post(`${model}/chat/completions`, body);
    const { text, call } = await readReply(answer, (delta) => emit({ kind: "assistant_delta", text: delta }));
    if (text) emit({ kind: "assistant_message", text });
    if (!call) {
      await hand.end?.(text);
      break;
    }
    const { id, name, arguments: args } = call;
    const parsed = JSON.parse(args) as { id: number };
    emit({ kind: "tool_call", id, name, arguments: parsed });
    await hand.beginCall?.(call);
    const result = await hand.get(`${target}/items/${parsed.id}`);
    await hand.endCall(call, result);
    emit({ kind: "tool_result", id, result, status: "ok", duration_ms: 0 });
    messages.push({
      role: "assistant",
      content: null,
      tool_calls: [{ id, type: "function", function: { name, arguments: args } }],
    });
    messages.push({ role: "tool", tool_call_id: id, content: JSON.stringify(result) });
  }
  emit({ kind: "done" });
}

export const newFolder = (): string => mkdtempSync(join(tmpdir(), "agentd-bench-"));

/** Node alone: global fetch, and one insert a call with WAL and synchronous NORMAL. */
export function serveBare(model: string, target: string): void {
  const db = new SqliteDatabase(join(newFolder(), "bare.db"));
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = NORMAL");
  db.exec("CREATE TABLE history (id INTEGER PRIMARY KEY, ts TEXT, tool TEXT, arguments TEXT, result TEXT)");
  const insert = db.prepare("INSERT INTO history (ts, tool, arguments, result) VALUES (?, ?, ?, ?)");
  const hand: ByHand = {
    async post(url, body) {
      const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
      return answer.body ?? (async function* () {})();
    },
    get: async (url) => (await fetch(url)).json(),
    endCall({ name, arguments: args }, result) {
      insert.run(new Date().toISOString(), name, args, JSON.stringify(result));
    },
  };
  listen(async (request, response) => {
    if (request.method === "GET") return void response.end("{}");
    const { message } = JSON.parse(await bodyOf(request)) as { message: string };
    const streams = request.headers.accept === "application/x-ndjson";
    const events: object[] = [];
    await turnByHand(hand, { model, target, message }, (event) =>
      streams ? response.write(`${JSON.stringify(event)}\n`) : events.push(event),
    );
    response.end(streams ? undefined : JSON.stringify({ result: "", session_id: "", events }));
  });
}

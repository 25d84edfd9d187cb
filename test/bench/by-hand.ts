// The servers that agentd is compared with: the same turn by hand, without sessions, checks, safety or more than one tool.
// `bare` is Node alone with one insert a call. `floor` is what was chosen for agentd and can't be left out: Express, undici, and the
// four commits of a turn in agentd's own record; what agentd takes beyond it is its own.
import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import express from "express";
import { Agent, request } from "undici";
import { SqliteDatabase } from "../../src/lib/sqlite.js";
import { openSqliteStore } from "../../src/store/sqlite/store.js";
import { bodyOf, listen } from "./servers.js";

interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

/** How a server calls others, and what it writes down of a turn. */
interface ByHand {
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
async function turnByHand(
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

const folder = (): string => mkdtempSync(join(tmpdir(), "agentd-bench-"));

/** Node alone: global fetch, and one insert a call with WAL and synchronous NORMAL. */
export function serveBare(model: string, target: string): void {
  const db = new SqliteDatabase(join(folder(), "bare.db"));
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

/** What it writes down of a turn, as agentd does. */
function recording(
  store: Awaited<ReturnType<typeof openSqliteStore>>,
  session_id: string,
): Omit<ByHand, "post" | "get"> {
  const turn_id = randomUUID();
  const names = { session_id, turn_id, provider: "bench", model: "bench", client: "", asked_by: "" };
  let row = 0;
  return {
    async begin(prompt) {
      await store.beginTurn({ ...names, prompt });
    },
    async beginCall(call) {
      row = await store.beginCall({
        ...names,
        application: "",
        call_id: call.id,
        tool: call.name,
        arguments: JSON.parse(call.arguments),
        safety: "read_only",
        policy: { strict: false, confirm: false, dry_run: false, read_only: false },
        request: { method: "GET", url: "/items/7" },
      });
    },
    async endCall(_, result) {
      await store.completeCall(row, { status: "ok", result: result as object as never, duration_ms: 0 });
    },
    end: (text) =>
      store.endTurn({
        turn_id,
        status: "done",
        error: "",
        messages: [{ role: "assistant", text, calls: [] }],
        events: [],
      }),
  };
}

/** Express, undici and the record of agentd. */
export async function serveFloor(model: string, target: string): Promise<void> {
  const store = await openSqliteStore({ dir: folder() });
  const dispatcher = new Agent({ connections: 64, keepAliveTimeout: 30_000 });
  const wire: Pick<ByHand, "post" | "get"> = {
    async post(url, body) {
      const headers = { "content-type": "application/json" };
      return (await request(url, { dispatcher, method: "POST", headers, body })).body;
    },
    get: async (url) => (await request(url, { dispatcher })).body.json(),
  };
  const app = express();
  app.get("/", (_, response) => response.send("{}"));
  app.post("/run", express.json(), async (request, response) => {
    const { message, session_id } = request.body as { message: string; session_id: string };
    const events: object[] = [];
    const hand = { ...wire, ...recording(store, session_id) };
    await turnByHand(hand, { model, target, message }, (event) => events.push(event));
    response.json({ result: "", session_id, events });
  });
  const server = app.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (typeof address === "object" && address) process.stdout.write(`ready http://127.0.0.1:${address.port}\n`);
  });
}

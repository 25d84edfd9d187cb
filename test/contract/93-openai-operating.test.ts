// The agent as a model, when things go wrong: a daemon that is killed, queues that are full, clients that do not read, tokens that
// may only read; and every combination of modes. Source: docs/reference.md, "OpenAI-compatible routes".

import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import OpenAI from "openai";
import type { ResponseStreamEvent } from "openai/resources/responses/responses";
import type { HistoryEntry } from "../../src/domain/record.js";
import type { JsonObject } from "../../src/lib/json.js";
import { allOnly } from "../support/all.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { getJson, postJson } from "../support/entry-points.js";
import { openWire, request } from "../support/raw.js";
import { dataDir, type Served, serve, stopAll } from "../support/spawn.js";
import { json, startTarget } from "../support/target.js";
import { until } from "../support/until.js";

const clientOf = (url: string): OpenAI => new OpenAI({ baseURL: `${url}/-/v1`, apiKey: "none", maxRetries: 0 });
const say = (content: string): { messages: OpenAI.ChatCompletionUserMessageParam[] } => ({
  messages: [{ role: "user", content }],
});
const errorOf = async (response: Response): Promise<JsonObject> =>
  ((await response.json()) as { error: JsonObject }).error;

/** Events of a response behind one of them, as many as `enough` lets through. */
async function follow(
  client: OpenAI,
  id: string,
  { after, enough = () => false }: { after?: number; enough?(event: ResponseStreamEvent): boolean } = {},
): Promise<ResponseStreamEvent[]> {
  const query = after === undefined ? {} : { starting_after: after };
  const events: ResponseStreamEvent[] = [];
  for await (const event of await client.responses.retrieve(id, { stream: true, ...query })) {
    events.push(event);
    if (enough(event)) break;
  }
  return events;
}

describe("OpenAI-compatible routes of a daemon that is killed", () => {
  const CREATE = { calls: [{ id: "c", name: "create_pet", arguments: { name: "Rex" } }] };
  const TURNS = [
    { prompt: "create", replies: [{ ...CREATE, text: "Let me see." }, { deltas: ["Ma", "de."] }] },
    { prompt: "hang", replies: [CREATE, { deltas: ["half ", "a ", "never"], delay_ms: 60_000 }] },
  ];
  let served: Served;
  afterEach(stopAll);

  it("answers for responses from the record, and ends one that was interrupted @all", async () => {
    const target = await startTarget(() => json({ id: 1, name: "Rex" }));
    const { dir } = dataDir({ target: target.url, turns: TURNS });
    try {
      served = await serve(["--data-dir", dir]);
      let client = clientOf(served.url);
      const whole = await client.responses.create({ model: "agentd", input: "create" });
      const before = await follow(client, whole.id);
      const hanging = await client.responses.create({ model: "agentd", input: "hang", background: true });
      const isResult = (event: ResponseStreamEvent): boolean =>
        event.type === "response.output_item.done" && (event.item.type as string) === "function_call_output";
      const had = await follow(client, hanging.id, { enough: isResult });
      await served.kill();
      served = await serve(["--data-dir", dir]);
      client = clientOf(served.url);
      const again = await client.responses.retrieve(whole.id);
      expect([again.status, again.created_at, again.output]).to.deep.equal([
        "completed",
        whole.created_at,
        whole.output,
      ]);
      expect(await follow(client, whole.id)).to.deep.equal(before);
      const rest = await follow(client, hanging.id, { after: had.at(-1)?.sequence_number ?? 0 });
      expect(rest.map(({ type }) => type)).to.deep.equal(["response.failed"]);
      expect(rest[0]?.sequence_number).to.be.greaterThan(had.at(-1)?.sequence_number ?? 0);
      const failed = await client.responses.retrieve(hanging.id);
      expect(failed.status).to.equal("failed");
      expect(failed.error?.message).to.contain("interrupted");
      expect(failed.output.map(({ type }) => type as string)).to.deep.equal(["function_call", "function_call_output"]);
      expect(target.requests).to.have.length(2);
    } finally {
      await stopAll();
      await target.close();
    }
  });
});

describe("OpenAI-compatible routes under load", () => {
  let daemon: Daemon;
  let client: OpenAI;
  before(async () => {
    // Less than the limit of one reply, again and again.
    const much = { deltas: Array(15).fill("x".repeat(64 * 1024)), calls: [{ name: "no_such_tool" }], delay_ms: 1 };
    daemon = await startDaemon({
      settings: { maxTurns: 5, maxIterations: 30 },
      listen: { heartbeatMs: 40 },
      turns: [
        { prompt: "torrent", replies: Array(30).fill(much) },
        { prompt: "slow", replies: [{ deltas: ["a", "b"], delay_ms: 300 }] },
        { prompt: "hang", replies: [{ deltas: ["a", "b"], delay_ms: 60_000 }] },
      ],
    });
    client = clientOf(daemon.url);
  });
  after(() => daemon.close());
  const idle = (): Promise<void> => until(() => daemon.agent.load().running === 0, 20_000);

  for (const [path, body] of [
    ["chat/completions", say("torrent")],
    ["responses", { input: "torrent" }],
  ] as const)
    it(`M5 drops a client of ${path} that does not read, and its turn${allOnly(path === "responses")}`, async () => {
      const sessions = () => daemon.agent.sessions({ limit: 100 });
      const { length: before } = await sessions();
      const wire = await openWire(daemon.port);
      wire.socket.pause();
      const text = JSON.stringify({ ...body, stream: true });
      const headers = ["Content-Type: application/json", `Content-Length: ${text.length}`];
      wire.write(request(daemon.port, `POST /-/v1/${path}`, headers) + text);
      await until(async () => (await sessions()).length > before);
      await idle();
      const [session] = await sessions();
      expect(session?.status).to.equal("cancelled");
      wire.end();
    });

  it("keeps a stream alive by comments, which the library does not see", async () => {
    const answer = await postJson(`${daemon.url}/-/v1/chat/completions`, { ...say("slow"), stream: true });
    expect(answer.headers.get("content-type")).to.equal("text/event-stream");
    const lines = (await answer.text()).split("\n\n");
    expect(lines.filter((line) => line === ": alive").length).to.be.greaterThan(3);
    expect(lines.filter((line) => line.startsWith("data: ")).length).to.equal(5);
  });

  it("a background response that waits is queued, keeps its numbers, and can be cancelled", async () => {
    const first = await client.responses.create({
      model: "agentd",
      input: "hang",
      background: true,
      conversation: "q",
    });
    await until(async () => (await client.responses.retrieve(first.id)).status === "in_progress");
    const second = await client.responses.create({
      model: "agentd",
      input: "slow",
      background: true,
      conversation: "q",
    });
    expect(second.status).to.equal("queued");
    expect((await client.responses.retrieve(second.id)).status).to.equal("queued");
    const following = follow(client, second.id);
    await sleep(50);
    expect((await client.responses.cancel(first.id)).status).to.equal("cancelled");
    const events = await following;
    expect(events.slice(0, 3).map(({ type, sequence_number }) => `${sequence_number} ${type}`)).to.deep.equal([
      "0 response.created",
      "1 response.queued",
      "2 response.in_progress",
    ]);
    expect(events.at(-1)?.type).to.equal("response.completed");
    const third = await client.responses.create({
      model: "agentd",
      input: "hang",
      background: true,
      conversation: "q",
    });
    const fourth = await client.responses.create({
      model: "agentd",
      input: "hang",
      background: true,
      conversation: "q",
    });
    expect((await client.responses.cancel(fourth.id)).status).to.equal("cancelled");
    await client.responses.cancel(third.id);
    await idle();
  });

  it("M6 refuses what is too much in this format's words, with Retry-After", async () => {
    const asked = Array.from({ length: 12 }, () => postJson(`${daemon.url}/-/v1/chat/completions`, say("slow")));
    const answers = await Promise.all(asked);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).to.be.greaterThan(0);
    for (const answer of refused) {
      expect(answer.status).to.equal(503);
      expect(answer.headers.get("retry-after")).to.match(/^\d+$/);
      expect(await errorOf(answer)).to.include({ type: "server_error", code: "busy", param: null });
    }
  });

  it("has its errors in one shape, whoever makes them", async () => {
    const url = `${daemon.url}/-/v1`;
    const type = { "content-type": "application/json" };
    const cases: [number, string, Promise<Response>][] = [
      [400, "invalid_body", fetch(`${url}/responses`, { method: "POST", headers: type, body: "{" })],
      [404, "not_found", fetch(`${url}/embeddings`, { method: "POST", headers: type, body: "{}" })],
      [405, "method_not_allowed", fetch(`${url}/models`, { method: "POST" })],
      [413, "payload_too_large", fetch(`${url}/responses`, { method: "POST", headers: type, body: "x".repeat(2e6) })],
      [415, "unsupported_media_type", fetch(`${url}/chat/completions`, { method: "POST", body: "x" })],
      [400, "bad_request", postJson(`${url}/chat/completions`, say("x"), { headers: { "x-session-id": "é" } })],
      [400, "invalid_query", fetch(`${url}/responses/resp_x?starting_after=-1`)],
    ];
    for (const [status, code, answer] of cases) {
      const response = await answer;
      const error = await errorOf(response);
      expect([response.status, error["code"]], code).to.deep.equal([status, code]);
      expect(error).to.have.all.keys("message", "type", "param", "code");
      expect(error["type"]).to.equal("invalid_request_error");
    }
  });
});

describe("Safety of the OpenAI-compatible routes", () => {
  const TURNS = [
    { prompt: "create", replies: [{ calls: [{ name: "create_pet", arguments: { name: "Rex" } }] }, { text: "ok" }] },
  ];
  const MODES = ["read_only", "dry_run", "strict", "confirm"] as const;
  const ROUTES = { "chat/completions": say("create"), responses: { input: "create" } };
  const modesOfBits = (bits: number): Record<string, boolean> =>
    Object.fromEntries(MODES.map((mode, at) => [mode, ((bits >> at) & 1) === 1]));
  const headersOf = (modes: Record<string, boolean>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(modes).map(([mode, isOn]) => [`x-agentd-${mode.replace("_", "-")}`, isOn ? "true" : "false"]),
    );

  for (let bits = 0; bits < 16; bits++)
    it(`F1 F7 a request only tightens a daemon started with ${JSON.stringify(modesOfBits(bits))} @all`, async () => {
      const target = await startTarget(() => json({ ok: true }));
      const started = modesOfBits(bits);
      const daemon = await startDaemon({ target: target.url, turns: TURNS, config: { safety: started } });
      try {
        for (let asked = 0; asked < 16; asked++)
          for (const [path, body] of Object.entries(ROUTES)) {
            const requested = modesOfBits(asked);
            const before = target.requests.length;
            const answer = await postJson(`${daemon.url}/-/v1/${path}`, body, { headers: headersOf(requested) });
            expect(answer.status).to.equal(200);
            const [row] = await getJson<HistoryEntry[]>(`${daemon.url}/history?limit=1`);
            const policy = modesOfBits(bits | asked);
            expect(row?.policy, `${path} ${asked}`).to.deep.equal(policy);
            const isSent = !policy["read_only"] && !policy["dry_run"] && !policy["confirm"];
            expect(target.requests.length - before, `${path} ${asked}`).to.equal(isSent ? 1 : 0);
          }
      } finally {
        await daemon.close();
        await target.close();
      }
    });

  it("A22 changes nothing for a read-only token, which reads responses and cancels its own alone", async () => {
    const target = await startTarget(() => json({ ok: true }));
    const daemon = await startDaemon({
      target: target.url,
      turns: [...TURNS, { prompt: "hang", replies: [{ deltas: ["a"], delay_ms: 60_000 }] }],
      listen: {
        token: "main-token",
        tokens: { ci: { token: "ci-token", readOnly: true } },
      },
    });
    try {
      const as = (apiKey: string): OpenAI => new OpenAI({ baseURL: `${daemon.url}/-/v1`, apiKey, maxRetries: 0 });
      const [main, ci] = [as("main-token"), as("ci-token")];
      for (const ask of [
        () => ci.chat.completions.create({ model: "agentd", ...say("create") }),
        () => ci.responses.create({ model: "agentd", input: "create" }),
      ]) {
        await ask();
        const [row] = await daemon.agent.history({ limit: 1 });
        expect(row).to.include({ status: "blocked", asked_by: "ci" });
      }
      expect(target.requests).to.deep.equal([]);
      const hanging = await main.responses.create({ model: "agentd", input: "hang", background: true });
      expect((await ci.responses.retrieve(hanging.id)).status).to.equal("in_progress");
      const refused = await ci.responses.cancel(hanging.id).catch((error: unknown) => error);
      expect(refused).to.be.instanceOf(OpenAI.PermissionDeniedError).and.include({ code: "read_only_token" });
      const wrong = await as("wrong")
        .models.list()
        .catch((error: unknown) => error);
      expect(wrong).to.be.instanceOf(OpenAI.AuthenticationError).and.include({ code: "invalid_api_key" });
      expect((await main.responses.cancel(hanging.id)).status).to.equal("cancelled");
    } finally {
      await daemon.close();
      await target.close();
    }
  });
});

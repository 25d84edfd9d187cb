// What an MCP client must not be able to do: confirm by anything but a person's answer, use another's confirmation, get around the
// modes, or hold the daemon up. Source: docs/mcp.md, "Confirmations".
import type { Client } from "@modelcontextprotocol/client";
import { expect } from "chai";
import type { HistoryEntry } from "../../src/domain/record.js";
import { startAsking } from "../support/asking-agent.js";
import { type Daemon, type DaemonOptions, petShop, startDaemon } from "../support/daemon.js";
import { getJson, postJson } from "../support/entry-points.js";
import { ERAS, mcpClient, rawMessage, sendRaw, textOf } from "../support/mcp-client.js";
import { openWire } from "../support/raw.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "../support/until.js";

const LONG = "12345678901234567890";
const MODERN = "2026-07-28";
const ASKS = { capabilities: { elicitation: { form: {} } } };
const YES = { action: "accept", content: { approve: true } };

interface Answer {
  result?: {
    resultType?: string;
    isError?: boolean;
    content?: { text: string }[];
    inputRequests?: Record<string, { params: { message: string } }>;
    requestState?: string;
  };
  error?: { code: number; message: string };
}

const MODES = ["read_only", "dry_run", "strict", "confirm"] as const;

describe("MCP clients that want too much", () => {
  let target: RecordingTarget;
  let daemon: Daemon;
  const clients: Client[] = [];

  before(async () => {
    target = await startTarget(() => json({ ok: true }));
  });
  beforeEach(() => {
    target.requests.length = 0;
    target.connections = 0;
    target.answer(() => json({ ok: true }));
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    await daemon?.close();
  });
  after(() => target.close());

  const start = async (options: DaemonOptions = {}): Promise<Daemon> => {
    daemon = await startDaemon({ target: target.url, ...options });
    return daemon;
  };
  const history = (headers: Record<string, string> = {}): Promise<HistoryEntry[]> =>
    fetch(`${daemon.url}/history`, { headers }).then((answer) => answer.json() as Promise<HistoryEntry[]>);
  const confirm = { config: { safety: { confirm: true } } };

  /** A call of a client of the 2026 revision that can ask. */
  const call = async (
    name: string,
    args: object,
    { state, answer, headers }: { state?: string; answer?: object; headers?: Record<string, string> } = {},
  ): Promise<Answer> => {
    const parts = [`"name":"${name}","arguments":${JSON.stringify(args)}`];
    if (state !== undefined) parts.push(`"requestState":${JSON.stringify(state)}`);
    if (answer) parts.push(`"inputResponses":${JSON.stringify({ answer })}`);
    const { text } = await sendRaw(daemon.url, rawMessage(MODERN, "tools/call", parts.join(","), ASKS), headers);
    return JSON.parse(text) as Answer;
  };
  /** Holds a call; its state. */
  const hold = async (headers?: Record<string, string>): Promise<string> => {
    const { result } = await call("create_pet", { name: "Rex" }, headers ? { headers } : {});
    expect(result).to.include({ resultType: "input_required" });
    return result?.requestState ?? "";
  };
  const refused = ({ result, error }: Answer, code: string): void => {
    expect(target.requests).to.have.length(0);
    if (code === "invalid_request_state") {
      expect(error).to.include({ code: -32602 });
      expect(error?.message).to.contain("nothing was sent");
      return;
    }
    expect(result).to.include({ isError: true });
    expect(result?.content?.[0]?.text).to.contain(`"error":"${code}"`);
  };

  describe("requestState", () => {
    it("F6 is used once: sent again it is refused, and nothing is sent again", async () => {
      await start(confirm);
      const state = await hold();
      expect((await call("create_pet", { name: "Rex" }, { state, answer: YES })).result).to.not.include({
        isError: true,
      });
      expect(target.requests).to.have.length(1);
      target.requests.length = 0;
      refused(await call("create_pet", { name: "Rex" }, { state, answer: YES }), "conflict");
    });

    it("F6 that was made up, or changed, is refused", async () => {
      await start(confirm);
      const state = await hold();
      for (const forged of ["", "x", `${state}x`, state.replace(/^./, (c) => (c === "0" ? "1" : "0")), "../..", "null"])
        refused(await call("create_pet", { name: "Rex" }, { state: forged, answer: YES }), "invalid_request_state");
      expect((await history()).map(({ status }) => status)).to.deep.equal(["held"]);
    });

    it("F6 confirms no other arguments and no other tool", async () => {
      await start(confirm);
      const state = await hold();
      refused(await call("create_pet", { name: "Max" }, { state, answer: YES }), "invalid_request_state");
      refused(await call("delete_pet", { id: 1 }, { state, answer: YES }), "invalid_request_state");
      refused(await call("create_pet", { name: "Rex", more: 1 }, { state, answer: YES }), "invalid_request_state");
    });

    it("F6 of another token is refused, and so is a call that a turn has held", async () => {
      const tokens = { laptop: { token: "laptop-token-0123456789" }, phone: { token: "phone-token-01234567890" } };
      const reply = { calls: [{ id: "c", name: "create_pet", arguments: { name: "Rex" } }] };
      const turns = [{ prompt: "go", replies: [reply, { text: "done" }] }];
      await start({ ...confirm, turns, listen: { tokens: byName(tokens) } });
      const laptop = { authorization: `Bearer ${tokens.laptop.token}` };
      const phone = { authorization: `Bearer ${tokens.phone.token}` };
      const state = await hold(laptop);
      refused(
        await call("create_pet", { name: "Rex" }, { state, answer: YES, headers: phone }),
        "invalid_request_state",
      );
      await postJson(`${daemon.url}/run`, { message: "go" }, { headers: laptop });
      const [held] = await daemon.agent.confirmations({ limit: 1, status: "pending" });
      for (const { id, turn_id } of await daemon.agent.confirmations({ limit: 2, status: "pending" }))
        if (turn_id !== "")
          refused(
            await call("create_pet", { name: "Rex" }, { state: id, answer: YES, headers: laptop }),
            "invalid_request_state",
          );
      expect(held).to.not.equal(undefined);
    });

    it("that has expired is refused", async () => {
      await start({ ...confirm, settings: { confirmationTtlMs: 50 } });
      const state = await hold();
      await until(async () => (await history())[0]?.status === "denied", 5_000, "it did not expire");
      refused(await call("create_pet", { name: "Rex" }, { state, answer: YES }), "confirmation_expired");
    });

    it("comes back after a restart, and the call runs then", async () => {
      const dataDir = temporaryFolder("test");
      try {
        await start({ ...confirm, dataDir });
        const state = await hold();
        await daemon.close();
        await start({ ...confirm, dataDir });
        const { result } = await call("create_pet", { name: "Rex" }, { state, answer: YES });
        expect(result?.content?.[0]?.text).to.equal('{"ok":true}');
        expect(target.requests).to.have.length(1);
      } finally {
        await daemon.close();
      }
    });

    it("without an answer asks again; of a call that was decided elsewhere it gives what became of that", async () => {
      await start(confirm);
      const state = await hold();
      expect((await call("create_pet", { name: "Rex" }, { state })).result?.requestState).to.equal(state);
      await postJson(`${daemon.url}/-/confirmations/${state}`, { decision: "approve" });
      const { result } = await call("create_pet", { name: "Rex" }, { state, answer: YES });
      expect(result?.content?.[0]?.text).to.equal('{"ok":true}');
      expect(target.requests).to.have.length(1);
    });
  });

  for (const era of ERAS) {
    it(`a read-only token's calls run in read_only, over ${era}`, async () => {
      const tokens = { ci: { token: "ci-token-0123456789abcdef", readOnly: true } };
      await start({ listen: { tokens: byName(tokens) } });
      const headers = { authorization: `Bearer ${tokens.ci.token}` };
      const client = await mcpClient(daemon.url, era, { headers });
      clients.push(client);
      expect((await client.callTool({ name: "list_pets", arguments: {} })).isError).to.not.equal(true);
      target.requests.length = 0;
      const result = await client.callTool({ name: "delete_pet", arguments: { id: 1 } });
      expect(result.isError).to.equal(true);
      expect(textOf(result)).to.contain("read_only");
      expect(target.requests).to.have.length(0);
      expect((await history(headers))[0]).to.include({ status: "blocked", asked_by: "ci" });
    });

    it(`digits survive in arguments, text and structured content, over ${era}`, async () => {
      await start();
      target.answer(() => json(`{"id":${LONG},"more":[${LONG}]}`));
      const { text } = await sendRaw(
        daemon.url,
        rawMessage(era, "tools/call", `"name":"get_pet","arguments":{"id":${LONG}}`),
      );
      expect(target.requests[0]?.path).to.equal(`/pets/${LONG}`);
      expect(text).to.contain(`"structuredContent":{"id":${LONG},"more":[${LONG}]}`);
      expect(text).to.contain(`"text":"{\\"id\\":${LONG},\\"more\\":[${LONG}]}"`);
    });

    it(`more than 128 tools are searched and called by name, under the same policy, over ${era}`, async () => {
      await start({ schema: manyTools(target.url), config: { safety: { read_only: true } } });
      const client = await mcpClient(daemon.url, era);
      clients.push(client);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).to.deep.equal(["search_tools", "call_tool", "ask"]);
      const found = await client.callTool({ name: "search_tools", arguments: { query: "list things 77" } });
      const [first] = (found.structuredContent as { tools: { name: string; inputSchema: object }[] }).tools;
      expect(first).to.deep.include({ name: "list_things_77" });
      const called = await client.callTool({ name: "call_tool", arguments: { name: "list_things_77" } });
      expect(called.isError).to.not.equal(true);
      target.requests.length = 0;
      const blocked = await client.callTool({ name: "call_tool", arguments: { name: "drop_everything" } });
      expect(textOf(blocked)).to.contain("read_only");
      expect(target.requests).to.have.length(0);
      expect((await history()).map(({ tool, status }) => [tool, status])).to.deep.equal([
        ["drop_everything", "blocked"],
        ["list_things_77", "ok"],
      ]);
    });

    it(`F2 F7 headers turn modes on and none off, over ${era}`, async () => {
      await start({ config: { safety: { read_only: true } } });
      const del = rawMessage(era, "tools/call", '"name":"delete_pet","arguments":{"id":1}');
      const relaxing: Record<string, string>[] = [
        {},
        { "x-agentd-read-only": "false" },
        { "x-agentd-dry-run": "true" },
      ];
      for (const headers of relaxing)
        expect((await sendRaw(daemon.url, del, headers)).text).to.contain("read_only is in force");
      expect((await sendRaw(daemon.url, del, { "x-agentd-strict": "yes" })).status).to.equal(400);
      expect(target.connections).to.equal(0);
    });

    it(`F23 a mode beside the arguments of a call is refused by name, and nothing is sent, over ${era}`, async () => {
      await start();
      const create = '"name":"create_pet","arguments":{"name":"Rex"}';
      for (const mode of MODES) {
        const { status, text } = await sendRaw(daemon.url, rawMessage(era, "tools/call", `${create},"${mode}":true`));
        expect([status, text.includes(mode), text.includes("X-Agentd-")], text).to.deep.equal([400, true, true]);
      }
      const headers = { x_agentd_read_only: "true" };
      expect((await sendRaw(daemon.url, rawMessage(era, "tools/call", create), headers)).status).to.equal(400);
      expect(target.connections).to.equal(0);
    });
  }

  it("F23 a mode in what is about a call, or in a call among others, is refused, too", async () => {
    await start();
    const call =
      '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"create_pet","arguments":{"name":"Rex"}';
    for (const body of [`${call},"_meta":{"read_only":true}}}`, `[${call}}},${call},"dry_run":true}}]`]) {
      const { status, text } = await sendRaw(daemon.url, { ...rawMessage("2025-11-25", "tools/call", ""), body });
      expect(status, text).to.equal(400);
      expect(JSON.parse(text)).to.deep.include({ id: 7 });
    }
    expect(target.connections).to.equal(0);
  });

  const modesOfBits = (bits: number): Record<string, boolean> =>
    Object.fromEntries(MODES.map((mode, at) => [mode, ((bits >> at) & 1) === 1]));
  for (let bits = 0; bits < 16; bits++)
    it(`F1 F7 a request only tightens a daemon started with ${JSON.stringify(modesOfBits(bits))} @all`, async () => {
      const calls = [{ name: "create_pet", arguments: { name: "Rex" } }];
      const turns = [{ prompt: "create", replies: [{ calls }, { text: "ok" }] }];
      await start({ turns, config: { safety: modesOfBits(bits) } });
      for (let asked = 0; asked < 16; asked++)
        for (const era of ERAS)
          for (const params of [
            '"name":"create_pet","arguments":{"name":"Rex"}',
            '"name":"ask","arguments":{"prompt":"create"}',
          ]) {
            const before = target.requests.length;
            const modes = Object.entries(modesOfBits(asked)).map(([mode, isOn]) => [
              `x-agentd-${mode.replace("_", "-")}`,
              String(isOn),
            ]);
            await sendRaw(daemon.url, rawMessage(era, "tools/call", params), Object.fromEntries(modes));
            const [row] = await getJson<HistoryEntry[]>(`${daemon.url}/history?limit=1`);
            const policy = modesOfBits(bits | asked);
            expect(row?.policy, `${era} ${params} ${asked}`).to.deep.equal(policy);
            const isSent = !policy["read_only"] && !policy["dry_run"] && !policy["confirm"];
            expect(target.requests.length - before, `${era} ${params} ${asked}`).to.equal(isSent ? 1 : 0);
          }
    });

  it("the middle of a turn that waits is answered in the client, and the turn goes on", async () => {
    const reply = { calls: [{ id: "c", name: "create_pet", arguments: { name: "Rex" } }] };
    await start({ ...confirm, turns: [{ prompt: "go", replies: [reply, { text: "Rex is in." }] }] });
    const asked = await call("ask", { prompt: "go" });
    const [question] = Object.values(asked.result?.inputRequests ?? {});
    expect(question?.params.message).to.contain("create_pet").and.contain("Rex");
    const state = asked.result?.requestState ?? "";
    refused(await call("ask", { prompt: "go on" }, { state, answer: YES }), "invalid_request_state");
    const { result } = await call("ask", { prompt: "go" }, { state, answer: YES });
    expect(result?.content?.[0]?.text).to.equal("Rex is in.");
    expect(target.requests).to.have.length(1);
  });

  it("a turn that ends with a call that waits says where a person decides, to a client that cannot ask", async () => {
    const reply = { calls: [{ id: "c", name: "create_pet", arguments: { name: "Rex" } }] };
    await start({ ...confirm, turns: [{ prompt: "go", replies: [reply] }] });
    const client = await mcpClient(daemon.url, MODERN);
    clients.push(client);
    const result = await client.callTool({ name: "ask", arguments: { prompt: "go" } });
    const [held] = await daemon.agent.confirmations({ limit: 1 });
    expect(textOf(result)).to.contain(held?.id).and.contain(`${daemon.url}/browse/approvals`);
    expect(target.requests).to.have.length(0);
  });

  it("what an application asks in the middle of a call is asked in the client's own form", async () => {
    const dir = temporaryFolder("test");
    const asking = await startAsking(dir, async ({ ask, onProgress }) => {
      onProgress("in the kitchen");
      const answer = await ask({
        message: "How hot?",
        fields: { type: "object", properties: { heat: { type: "string", enum: ["mild", "hot"] } }, required: ["heat"] },
      });
      return { [answer.action]: answer.action === "accept" ? answer.values : {} };
    });
    try {
      for (const era of ERAS) {
        const client = await mcpClient(asking.url, era, {
          answer: ({ message, requestedSchema }) => {
            expect(message).to.contain("order").and.contain("How hot?");
            expect(requestedSchema?.properties).to.have.property("heat");
            return { action: "accept", content: { heat: "hot" } };
          },
        });
        clients.push(client);
        const progress: string[] = [];
        const result = await client.callTool(
          { name: "order", arguments: { what: "soup" } },
          { onprogress: ({ message = "" }) => progress.push(message) },
        );
        expect(textOf(result), era).to.equal('{"accept":{"heat":"hot"}}');
        expect(progress.join(), era).to.contain("in the kitchen");
      }
    } finally {
      for (const client of clients.splice(0)) await client.close();
      await asking.close();
    }
  });

  it("a client that goes away ends the turn it asked for, and a call that was sent is recorded", async () => {
    let arrived = (): void => {};
    const there = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const calls = [{ id: "c", name: "list_pets", arguments: {} }];
    await start({ turns: [{ prompt: "go", replies: [{ calls }, { text: "never" }] }] });
    target.answer(() => (socket) => {
      arrived();
      setTimeout(() => socket.write(json({ late: true })), 100);
    });
    const gone = new AbortController();
    const { body, headers } = rawMessage(MODERN, "tools/call", '"name":"ask","arguments":{"prompt":"go"}');
    const lost = fetch(`${daemon.url}/-/mcp`, { method: "POST", body, headers, signal: gone.signal }).catch(
      () => undefined,
    );
    await there;
    gone.abort();
    await lost;
    await until(async () => (await history())[0]?.status === "ok", 5_000, "it was not recorded");
    const [session] = await daemon.agent.sessions({ limit: 1 });
    await until(async () => daemon.agent.load().running === 0, 5_000, "the turn goes on");
    expect((await daemon.agent.sessions({ limit: 1 }))[0]).to.include({
      session_id: session?.session_id,
      status: "cancelled",
    });
  });

  it("M10 a client that does not take the answer to its prompt loses its connection", async () => {
    const text = '"'.repeat(1_000_000);
    await start({ turns: [{ prompt: "go", replies: [{ text }] }], listen: { stalledMs: 200 } });
    const { body, headers } = rawMessage(MODERN, "tools/call", '"name":"ask","arguments":{"prompt":"go"}');
    const lines = Object.entries({ ...headers, Host: "127.0.0.1", "Content-Length": Buffer.byteLength(body) });
    const wire = await openWire(daemon.port);
    wire.socket.pause();
    wire.write(`POST /-/mcp HTTP/1.1\r\n${lines.map((line) => `${line.join(": ")}\r\n`).join("")}\r\n${body}`);
    await until(async () => (await daemon.agent.sessions({ limit: 1 }))[0]?.status === "done");
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    wire.socket.resume();
    const { status, closed } = await wire.wait(2_000);
    expect({ status, closed }).to.deep.equal({ status: 200, closed: true });
    wire.end();
  });

  it("sessions of one token make room for its own, and never take those of another @all", async () => {
    const tokens = {
      laptop: { token: "laptop-token-0123456789" },
      ci: { token: "ci-token-0123456789abcdef", readOnly: true },
    };
    await start({ listen: { tokens: byName(tokens) } });
    const send = (token: string, method: string, session?: string): Promise<Response> =>
      fetch(`${daemon.url}/-/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...(session !== undefined && { "mcp-session-id": session }),
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method,
          ...(method === "initialize" && {
            params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "many", version: "1" } },
          }),
        }),
      });
    const begin = async (token: string): Promise<string> => {
      const answer = await send(token, "initialize");
      await answer.text();
      return answer.headers.get("mcp-session-id") ?? "";
    };
    const own = await begin(tokens.laptop.token);
    const first = await begin(tokens.ci.token);
    for (let i = 0; i < 10; i++) await Promise.all(Array.from({ length: 30 }, () => begin(tokens.ci.token)));
    expect((await send(tokens.laptop.token, "ping", own)).status).to.equal(200);
    expect((await send(tokens.ci.token, "ping", first)).status).to.equal(404);
  });

  it("C1 answers what is no message, and what is none of its methods, as JSON-RPC says", async () => {
    await start();
    const { headers } = rawMessage("2025-11-25", "x", "");
    const send = (body: string, more: Record<string, string> = {}) => sendRaw(daemon.url, { body, headers }, more);
    for (const [body, code] of [
      ["{", -32700],
      ["", -32700],
      ["[]", -32600],
      ['"x"', -32700],
      ['{"jsonrpc":"2.0","id":1,"method":"no/such"}', -32601],
    ] as const) {
      const { text } = await send(body);
      expect((JSON.parse(text) as Answer).error?.code, `${body}: ${text}`).to.be.oneOf([code, -32600]);
    }
    expect((await send("{}", { "content-type": "text/plain" })).status).to.equal(415);
    expect((await send(`"${"x".repeat(1024 * 1024)}"`)).status).to.equal(413);
    const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    expect((await send(list, { "mcp-session-id": "unknown" })).status).to.equal(404);
    expect((await send("{}", { "x-session-id": ` ${"x".repeat(300)}` })).status).to.equal(400);
  });

  it("an unknown tool is an error of the protocol that names the nearest one, and on record", async () => {
    await start();
    const { error } = await call("list_pet", {});
    expect(error).to.include({ code: -32602 });
    expect(error?.message).to.contain("did you mean list_pets");
    expect(await getJson<HistoryEntry[]>(`${daemon.url}/history`)).to.have.length(1);
  });
});

function byName(tokens: Record<string, { token: string; readOnly?: boolean }>) {
  return Object.fromEntries(Object.entries(tokens).map(([name, one]) => [name, { readOnly: false, ...one }]));
}

/** A shop with more tools than a client is shown. */
function manyTools(target: string): object {
  const shop = petShop(target) as { resources: { actions: object[] }[] };
  const [list, , , del] = shop.resources[0]?.actions ?? [];
  const listed = Array.from({ length: 130 }, (_, n) => ({ ...list, name: `list_things_${n}` }));
  const dropped = { ...del, name: "drop_everything", parameters: { type: "object", properties: {} } };
  const actions = [...listed, { ...dropped, transport: { kind: "http", method: "DELETE", path: "/pets" } }];
  return { ...shop, resources: [{ name: "pets", actions }] };
}

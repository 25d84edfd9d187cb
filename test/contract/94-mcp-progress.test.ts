// Signs of life for MCP clients that want progress, with the official client, which gives a silent request up.
// Source: docs/mcp.md, "agentd as an MCP server".
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/client";
import { expect } from "chai";
import { allOnly } from "../support/all.js";
import { startAsking } from "../support/asking-agent.js";
import { type Daemon, type DaemonOptions, startDaemon } from "../support/daemon.js";
import { postJson } from "../support/entry-points.js";
import { type ClientOptions, ERAS, type Era, mcpClient, rawMessage, sendRaw, textOf } from "../support/mcp-client.js";
import { PROGRAM } from "../support/program.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const HEARTBEAT_MS = 50;
/** Of the client, without news. */
const TIMEOUT_MS = 500;
const SILENCE_MS = 1_000;

const SLOW = { prompt: "slow", replies: [{ text: "At last.", delay_ms: SILENCE_MS }] };
const CREATE = {
  prompt: "create",
  replies: [{ calls: [{ id: "c", name: "create_pet", arguments: { name: "Rex" } }] }, { text: "Made." }],
};
const LISTEN = { heartbeatMs: HEARTBEAT_MS };

interface Told {
  progress: number;
  message?: string | undefined;
}

describe("Progress for MCP clients", () => {
  let target: RecordingTarget;
  let daemon: Daemon | undefined;
  const clients: Client[] = [];
  /** What a client could not make anything of: progress of a request that was answered, for one. */
  const faults: string[] = [];

  before(async () => {
    target = await startTarget(() => json({ ok: true }));
  });
  beforeEach(() => {
    target.requests.length = 0;
    target.answer(() => json({ ok: true }));
    faults.length = 0;
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    await daemon?.close();
    daemon = undefined;
  });
  after(() => target.close());

  const connect = async (url: string, era: Era, options: ClientOptions = {}): Promise<Client> => {
    const client = await mcpClient(url, era, options);
    client.onerror = ({ message }) => void faults.push(message);
    clients.push(client);
    return client;
  };
  const start = async (era: Era, { answer, ...options }: DaemonOptions & Pick<ClientOptions, "answer"> = {}) => {
    daemon = await startDaemon({ target: target.url, turns: [SLOW, CREATE], listen: LISTEN, ...options });
    return { url: daemon.url, client: await connect(daemon.url, era, answer ? { answer } : {}) };
  };
  /** Of requests that are over. */
  const expectSilence = async (): Promise<void> => {
    // What was on its way by then, and came together with the answer, the client takes after it.
    await sleep(2 * HEARTBEAT_MS);
    faults.length = 0;
    await sleep(3 * HEARTBEAT_MS);
    expect(faults).to.deep.equal([]);
  };
  const call = async (client: Client, name: string, args: Record<string, unknown>) => {
    const told: Told[] = [];
    const options = { onprogress: (one: Told) => told.push(one), timeout: TIMEOUT_MS, resetTimeoutOnProgress: true };
    const result = await client.callTool({ name, arguments: args }, options);
    await expectSilence();
    return { result, told, beats: told.filter(({ message }) => message === undefined).length };
  };
  const expectRising = (told: Told[]): void => {
    const values = told.map(({ progress }) => progress);
    expect(values).to.deep.equal([...new Set(values)].sort((a, b) => a - b));
  };

  for (const era of ERAS)
    describe(`${era}${allOnly(era !== "2026-07-28")}`, () => {
      it("goes on while a model thinks", async () => {
        const { client } = await start(era);
        const { result, told, beats } = await call(client, "ask", { prompt: "slow" });
        expect(textOf(result)).to.equal("At last.");
        expect(beats).to.be.at.least(SILENCE_MS / HEARTBEAT_MS / 4);
        expectRising(told);
      });

      it("goes on while a prompt waits for another one of its session", async () => {
        const { client, url } = await start(era);
        const before = postJson(`${url}/run`, { message: "slow", session_id: "s" });
        const { result, beats } = await call(client, "ask", { prompt: "quick", session_id: "s" });
        expect(textOf(result)).to.equal("ok");
        expect(beats).to.be.at.least(4);
        await before;
      });

      it("goes on while an application is slow, also in a call without a model", async () => {
        const { client } = await start(era);
        target.answer(() => (socket) => {
          setTimeout(() => socket.end(json({ ok: true })), SILENCE_MS);
        });
        const { told, beats } = await call(client, "get_pet", { id: 1 });
        expect(beats).to.be.at.least(4);
        expectRising(told);
      });

      // In the 2026 revision no request is under way while a person is asked.
      for (const [name, args] of [
        ["ask", { prompt: "create Rex" }],
        ["create_pet", { name: "Rex" }],
      ] as const)
        it(`goes on while a person is asked about ${name}, and after the yes`, async () => {
          const { client } = await start(era, {
            config: { safety: { confirm: true } },
            answer: async () => {
              await sleep(SILENCE_MS);
              target.answer(() => (socket) => {
                setTimeout(() => socket.end(json({ ok: true })), SILENCE_MS);
              });
              return { action: "accept", content: { approve: true } };
            },
          });
          const { result, told, beats } = await call(client, name, args);
          expect(textOf(result)).to.equal(name === "ask" ? "Made." : '{"ok":true}');
          expect(target.requests.filter(({ method }) => method === "POST")).to.have.length(1);
          expect(beats).to.be.at.least(era === "2025-11-25" ? 8 : 4);
          if (era === "2025-11-25") expectRising(told);
        });

      it("ends with a question that the client fails to answer", async () => {
        const { client } = await start(era, {
          config: { safety: { confirm: true } },
          answer: () => {
            throw new Error("no screen");
          },
        });
        const answered = await call(client, "create_pet", { name: "Rex" }).catch((error: unknown) => String(error));
        expect(typeof answered === "string" ? answered : textOf(answered.result)).to.contain("no screen");
        await expectSilence();
      });

      it("ends with a call that the client cancels", async () => {
        const { client } = await start(era);
        target.answer(() => (socket) => {
          setTimeout(() => socket.end(json({ ok: true })), SILENCE_MS);
        });
        const cancel = new AbortController();
        let beats = 0;
        const options = { onprogress: () => void (++beats === 3 && cancel.abort()), signal: cancel.signal };
        const cancelled = await client
          .callTool({ name: "create_pet", arguments: { name: "Rex" } }, options)
          .catch(String);
        expect(cancelled).to.be.a("string").that.contains("abort");
        await expectSilence();
        expect(beats).to.equal(3);
      });

      it("is sent to clients that want it only", async () => {
        const { url } = await start(era);
        const message = rawMessage(era, "tools/call", '"name":"ask","arguments":{"prompt":"slow"}');
        const { text } = await sendRaw(url, message);
        expect(text).to.contain("At last.").and.not.contain("notifications/progress");
      });

      it("is a comment of the answer to ask for clients that do not want it", async () => {
        const { url } = await start(era);
        const { body, headers } = rawMessage(era, "tools/call", '"name":"ask","arguments":{"prompt":"slow"}');
        const response = await fetch(`${url}/-/mcp`, { method: "POST", body, headers });
        expect(response.headers.get("content-type")).to.contain("text/event-stream");
        const text = await response.text();
        expect(text.match(/^: .*$/gm)?.length ?? 0).to.be.at.least(4);
        expect(text).to.contain("At last.");
      });

      it("comes through agentd mcp", async () => {
        const dir = temporaryFolder("test");
        const asking = await startAsking(dir, () => sleep(SILENCE_MS, "soup"), { listening: LISTEN });
        try {
          const [command = "", ...program] = PROGRAM;
          const own = { command, args: [...program, "mcp", "--data-dir", dir] };
          const client = await connect("", era, { command: own });
          // The program takes its time to start.
          await client.listTools();
          const { result, told, beats } = await call(client, "ask", { prompt: "go" });
          expect(textOf(result)).to.equal("done");
          expect(beats).to.be.at.least(4);
          expectRising(told);
        } finally {
          for (const client of clients.splice(0)) await client.close();
          await asking.close();
        }
      });
    });
});

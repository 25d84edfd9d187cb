// `agentd mcp`, started by the official client as desktop programs do: through a daemon, and in its own process.
// Source: docs/mcp.md, "Connecting a client".
import type { Client } from "@modelcontextprotocol/client";
import { expect } from "chai";
import type { HistoryEntry } from "../../src/domain/record.js";
import { allOnly } from "../support/all.js";
import { ERAS, type Era, mcpClient, textOf } from "../support/mcp-client.js";
import { PROGRAM } from "../support/program.js";
import { agentd, dataDir, type Served, serve, start, stopAll } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";

const YES = { action: "accept", content: { approve: true } };

describe("agentd mcp", () => {
  let target: RecordingTarget;
  let served: Served | undefined;
  const clients: Client[] = [];

  before(async () => {
    target = await startTarget(() => json({ id: 1 }));
  });
  beforeEach(() => {
    target.requests.length = 0;
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    await served?.stop();
    served = undefined;
    await stopAll();
  });
  after(() => target.close());

  const freshDir = (): string => {
    const { dir } = dataDir({ target: target.url });
    return dir;
  };
  const connect = async (era: Era, dir: string, args: string[] = []): Promise<Client> => {
    const [command = "", ...program] = PROGRAM;
    const own = { command, args: [...program, "mcp", "--data-dir", dir, ...args] };
    const client = await mcpClient("", era, { command: own, answer: () => YES });
    clients.push(client);
    return client;
  };
  const history = async (dir: string): Promise<HistoryEntry[]> => {
    const { stdout } = await agentd(["history", "--json", "--data-dir", dir]);
    return JSON.parse(stdout) as HistoryEntry[];
  };

  for (const era of ERAS) {
    it(`I9 goes through the daemon, where calls wait, run and are recorded, over ${era}${allOnly(era !== ERAS[1])}`, async () => {
      const dir = freshDir();
      served = await serve(["--data-dir", dir, "--confirm"]);
      const client = await connect(era, dir, ["--session", "desk"]);
      expect((await client.listTools()).tools.map(({ name }) => name)).to.include.members(["create_pet", "ask"]);
      const result = await client.callTool({ name: "create_pet", arguments: { name: "Rex" } });
      expect(textOf(result)).to.equal('{"id":1}');
      expect(target.requests).to.have.length(1);
      expect((await history(dir))[0]).to.include({ status: "ok", session_id: "desk", client: "contract/1" });
    });

    it(`works in its own process without a daemon, and ends with its input, over ${era}${allOnly(era !== ERAS[0])}`, async () => {
      const dir = freshDir();
      const client = await connect(era, dir, ["--read-only"]);
      expect(textOf(await client.callTool({ name: "list_pets", arguments: {} }))).to.equal('{"id":1}');
      expect(textOf(await client.callTool({ name: "delete_pet", arguments: { id: 1 } }))).to.contain("read_only");
      await client.close();
      expect((await history(dir)).map(({ status }) => status)).to.deep.equal(["blocked", "ok"]);
    });
  }

  it("finds a daemon again that was killed and started again, and goes on @all", async () => {
    const dir = freshDir();
    served = await serve(["--data-dir", dir]);
    const clientsOf = await Promise.all(ERAS.map((era) => connect(era, dir)));
    for (const client of clientsOf) await client.listTools();
    await served.kill();
    served = await serve(["--data-dir", dir]);
    for (const client of clientsOf)
      expect(textOf(await client.callTool({ name: "list_pets", arguments: {} }))).to.equal('{"id":1}');
  });

  it("is no application of agentd, over neither transport @all", async () => {
    const dir = freshDir();
    served = await serve(["--data-dir", dir]);
    const sync = ["sync", "mcp", "--data-dir", dir, "--name", "self"];
    for (const location of [[`${served.url}/-/mcp`], ["--", ...PROGRAM, "mcp", "--data-dir", dir]]) {
      const { code, stderr } = await agentd([...sync, ...location]);
      expect(code).to.equal(1);
      expect(stderr).to.contain("cannot be an application of agentd").and.not.contain("    at ");
    }
  });

  it("prints nothing but messages, answers what is none, and ends with its input", async () => {
    const dir = freshDir();
    const lines = [
      '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"sh","version":"0"}}}',
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      "no message",
      `"${"x".repeat(1_100_000)}"`,
      "[]",
      "5",
      '{"jsonrpc":"2.0","id":"two","method":"tools/call","params":{"name":"get_pet","arguments":{"id":12345678901234567890}}}',
    ];
    const running = start([...PROGRAM, "mcp", "--data-dir", dir], { input: `${lines.join("\n")}\n` });
    const { code, stdout, stderr } = await running.ended;
    const said = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { id: unknown; error?: { code: number } });
    expect(code, stderr).to.equal(0);
    expect(said.map(({ id }) => id)).to.have.members([0, null, null, null, null, "two"]);
    expect(said.flatMap(({ error }) => error?.code ?? [])).to.deep.equal([-32700, -32700, -32600, -32600]);
    expect(target.requests[0]?.path).to.equal("/pets/12345678901234567890");
  });
});

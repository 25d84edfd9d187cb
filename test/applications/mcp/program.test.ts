// MCP servers through the program itself: commands, a daemon, kills, and servers of others.
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { AgentEvent } from "../../../src/domain/event.js";
import { packageRoot } from "../../../src/lib/package.js";
import { postJson } from "../../support/entry-points.js";
import { fixtureProgram, hostileProgram, openApplication, realProgram } from "../../support/mcp.js";
import { agentd, dataDir, type Ended, serve, stopAll } from "../../support/spawn.js";
import { temporaryFolder } from "../../support/temporary-folder.js";
import { until } from "../../support/until.js";

const isAlive = (pid: number): boolean => existsSync(`/proc/${pid}`);

describe("MCP servers in the program", function () {
  this.timeout(60_000);
  let home: ReturnType<typeof dataDir>;
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder("mcp");
    home = dataDir({
      turns: [{ prompt: "act", replies: [{ calls: [{ name: "bad_act", arguments: {} }] }, { text: "done" }] }],
    });
  });
  afterEach(stopAll);

  const sync = (...args: string[]): Promise<Ended> => agentd(["sync", "mcp", ...args, "--data-dir", home.dir]);
  const behindDashes = (name: string, command: readonly string[]): Promise<Ended> =>
    agentd(["sync", "mcp", "--name", name, "--data-dir", home.dir, "--", ...command], { cwd: packageRoot });

  it("L8: are kept as a command, called by a daemon, and end with it however it ends @all", async () => {
    const pids = join(folder, "pids");
    const { command } = hostileProgram("family", pids);
    expect((await behindDashes("bad", command)).code).to.equal(0);
    const kept = JSON.parse(readFileSync(join(home.dir, "applications.json"), "utf8"));
    expect(kept.bad).to.deep.include({ kind: "mcp", command: [...command], folder: packageRoot });
    expect(statSync(join(home.dir, "applications.json")).mode & 0o077).to.equal(0);
    expect(readFileSync(join(home.dir, "schemas", "bad.json"), "utf8")).to.not.include("mcp-hostile");
    const daemon = await serve(["--data-dir", home.dir]);
    const { events } = (await (await postJson(`${daemon.url}/run`, { message: "act" })).json()) as {
      events: AgentEvent[];
    };
    expect(events.find(({ kind }) => kind === "tool_result")).to.include({ result: "done", status: "ok" });
    const running = readFileSync(pids, "utf8").split(" ").map(Number);
    expect(running.map(isAlive)).to.deep.equal([true, true]);
    await daemon.kill();
    await until(() => running.every((pid) => !isAlive(pid)));
  });

  it("refuse what may be meant for the command, and a secret in it or in an address @all", async () => {
    const cases: [args: string[], says: RegExp][] = [
      [
        ["node", "server.js", "--header", "a: b", "--name", "x"],
        /--header is for an address\. .*put -- before the command/,
      ],
      [["node", "server.js", "--verbos", "--name", "x"], /unknown option --verbos/],
      [["https://user:word@mcp.example/mcp", "--name", "x"], /the address holds a secret/],
      [["https://mcp.example/mcp?api_key=1", "--name", "x"], /the address holds a secret/],
      [["http://127.0.0.1:4242/-/mcp", "--name", "x"], /the address of an agentd/],
      [["https://mcp.example/mcp", "more", "--name", "x"], /does not know what to do with "more"/],
    ];
    for (const [args, says] of cases) {
      const { code, stderr } = await sync(...args);
      expect(code, args.join(" ")).to.not.equal(0);
      expect(stderr, args.join(" ")).to.match(says);
    }
    for (const word of ["--token=abc", "API_KEY=abc", "ghp_0123456789abcdef"]) {
      const { code, stderr } = await behindDashes("x", ["node", "server.js", word]);
      expect(code).to.equal(2);
      expect(stderr)
        .to.match(/word 3 of the command is a secret in plain text/)
        .and.not.include("abc");
    }
  });

  it("show at the next sync what a server says otherwise, part by part @all", async () => {
    const tools = join(folder, "tools.json");
    writeFileSync(tools, "{}");
    expect((await behindDashes("things", fixtureProgram("--tools", tools).command)).code).to.equal(0);
    writeFileSync(
      tools,
      JSON.stringify({ echo: { description: "Other", annotations: {} }, wait: null, fresh: { description: "New" } }),
    );
    const { code, stdout, stderr } = await agentd(["sync", "--name", "things", "--data-dir", home.dir]);
    expect(code).to.equal(0);
    expect(stdout).to.include("added: fresh").and.include("removed: wait");
    expect(stdout).to.match(/echo: description, the server's words ~description ~annotations/);
    expect(stdout + stderr).to.include("echo is not what the server said it was");
  });

  it("are looked at by doctor @all", async () => {
    await behindDashes("things", hostileProgram("fine").command);
    const { stdout } = await agentd(["doctor", "--data-dir", home.dir]);
    expect(stdout).to.match(/ok +application: things: 1 tools; stdio:hostile answers/);
  });
});

describe("MCP servers of others", function () {
  this.timeout(30_000);

  it("server-memory keeps what it is told", async () => {
    const folder = temporaryFolder("mcp");
    const program = { ...realProgram("server-memory"), environment: { MEMORY_FILE_PATH: join(folder, "memory.json") } };
    const application = await openApplication({ program });
    try {
      const entities = [{ name: "Ann", entityType: "person", observations: ["likes red"] }];
      expect((await application.call("create_entities", { entities })).status).to.equal("ok");
      expect((await application.call("search_nodes", { query: "Ann" })).value).to.deep.include({ entities });
    } finally {
      await application.close();
    }
  });

  it("server-filesystem reads and writes in its folder and nowhere else @all", async () => {
    const folder = temporaryFolder("mcp");
    const application = await openApplication({ program: realProgram("server-filesystem", folder) });
    try {
      const path = join(folder, "note.txt");
      expect((await application.call("write_file", { path, content: "hello" })).status).to.equal("ok");
      expect(readFileSync(path, "utf8")).to.equal("hello");
      const { status, value } = await application.call("read_text_file", { path: "/etc/passwd" });
      expect(status).to.equal("error");
      expect(value).to.have.property("error", "tool_error");
    } finally {
      await application.close();
    }
  });

  it("server-everything answers, asks and tells of its progress @all", async () => {
    const application = await openApplication({ program: realProgram("server-everything", "stdio") });
    try {
      expect((await application.call("get-sum", { a: 12, b: 30 })).value).to.match(/42/);
      const said: string[] = [];
      const args = { duration: 1, steps: 2 };
      await application.call("trigger-long-running-operation", args, { onProgress: (message) => said.push(message) });
      expect(said).to.have.length.greaterThan(0);
      const asked: string[] = [];
      await application.call(
        "trigger-elicitation-request",
        {},
        {
          ask: async ({ message }) => {
            asked.push(message);
            return { action: "decline" };
          },
        },
      );
      expect(asked).to.have.length(1);
    } finally {
      await application.close();
    }
  });
});

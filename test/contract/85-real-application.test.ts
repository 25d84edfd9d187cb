// The main job on an application we did not write: LoopBack's example-todo, as it comes from npm, started as its own process.
// Its OpenAPI document is synced with the command line; todos are listed, created, completed and deleted by prompt, with the
// offline planner and with a model, through every entryPoint.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import type { AgentEvent } from "../../src/domain/event.js";
import { finalText } from "../../src/domain/event.js";
import type { HistoryEntry } from "../../src/domain/record.js";
import { allOnly } from "../support/all.js";
import { entryPoints } from "../support/entry-points.js";
import { PROGRAM } from "../support/program.js";
import { addressOf } from "../support/served.js";
import { startVendor, type Vendor } from "../support/vendor.js";

const [NODE = "", ...AGENTD] = PROGRAM;
const EXAMPLE = createRequire(import.meta.url).resolve("@loopback/example-todo/dist/index.js");
const run = promisify(execFile);

interface Todo {
  id: number;
  title: string;
  isComplete?: boolean;
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null) resolve();
    child.once("exit", () => resolve());
    child.kill("SIGTERM");
  });

describe("The main job on a real application", function () {
  this.timeout(60_000);
  let folder: string;
  let application: ChildProcess;
  let vendor: Vendor;
  let target: string;
  let daemon: ChildProcess | undefined;
  let url: string;

  const agentd = (...args: string[]) => run(NODE, [...AGENTD, ...args, "--data-dir", join(folder, "data")]);
  const todos = async (): Promise<Todo[]> => (await fetch(`${target}/todos`)).json() as Promise<Todo[]>;
  const history = async (): Promise<HistoryEntry[]> =>
    (await fetch(`${url}/history?limit=50`)).json() as Promise<HistoryEntry[]>;
  const serve = async (): Promise<void> => {
    daemon = spawn(NODE, [...AGENTD, "serve", "--port", "0", "--data-dir", join(folder, "data")], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    url = await addressOf(daemon);
  };
  const configure = (config: object): Promise<void> =>
    writeFile(join(folder, "data", "config.json"), JSON.stringify(config));

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "agentd-todo-"));
    vendor = await startVendor();
    application = spawn(process.execPath, [EXAMPLE], {
      cwd: folder,
      env: { ...process.env, HOST: "127.0.0.1", PORT: "0" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    target = await addressOf(application);
    const { stdout } = await agentd("sync", "openapi", `${target}/openapi.json`);
    expect(stdout).to.contain("8 of 8 operations");
  });
  afterEach(async () => {
    if (daemon) await ended(daemon);
    daemon = undefined;
    for (const { id } of await todos()) await fetch(`${target}/todos/${id}`, { method: "DELETE" });
  });
  after(async () => {
    await ended(application);
    await vendor.close();
    await rm(folder, { recursive: true, force: true });
  });

  for (const [index, entryPoint] of entryPoints.entries())
    it(`lists, creates, completes and deletes a todo with the offline planner over ${entryPoint.name}${allOnly(index > 0)}`, async () => {
      await configure({ default_provider: "offline", providers: { offline: { type: "offline" } } });
      await serve();
      const say = async (message: string): Promise<string> => {
        const events = await entryPoint.ask(url, { message, session_id: `planner ${entryPoint.name}` });
        return `${finalText(events)} ${JSON.stringify(events.filter((event) => event.kind === "tool_call"))}`;
      };
      await say("create a todo named 'Buy milk'");
      expect((await todos()).map(({ title }) => title)).to.deep.equal(["Buy milk"]);
      expect(await say("list all todos")).to.contain("Buy milk");
      const [{ id } = { id: 0 }] = await todos();
      await say(`mark todo ${id} as complete`);
      expect((await todos())[0]).to.include({ title: "Buy milk", isComplete: true });
      await say(`delete todo ${id}`);
      expect(await todos()).to.deep.equal([]);
      const rows = (await history()).filter((row) => row.session_id === `planner ${entryPoint.name}`);
      expect(rows.every((row) => row.status === "ok")).to.equal(true);
      expect(rows.map((row) => row.request?.["method"])).to.include.members(["GET", "POST", "DELETE"]);
    });

  it("does the same from the command line, in process and through a running daemon", async () => {
    await configure({ default_provider: "offline", providers: { offline: { type: "offline" } } });
    const created = await agentd("run", "create a todo named 'Water plants'");
    expect(created.stdout).to.contain("Water plants");
    const [{ id } = { id: 0 }] = await todos();
    await serve();
    expect((await agentd("run", "list all todos")).stdout).to.contain("Water plants");
    await agentd("run", `delete todo ${id}`);
    expect(await todos()).to.deep.equal([]);
    expect((await history()).map((row) => row.status)).to.include("ok");
  });

  it("does the same with a model that speaks the OpenAI wire", async () => {
    await configure({
      default_provider: "m",
      providers: { m: { type: "openai-compatible", base_url: vendor.url, model: "scripted" } },
    });
    await serve();
    const tools = (await (await fetch(`${url}/tools`)).json()) as {
      name: string;
      transport: { method: string; path: string };
    }[];
    const named = (method: string, path: string): string =>
      tools.find((tool) => tool.transport.method === method && tool.transport.path === path)?.name ?? "";
    for (const [n, entryPoint] of entryPoints.entries()) {
      vendor.script([
        { calls: [{ name: named("POST", "/todos"), arguments: { title: `Model ${n}` } }] },
        { calls: [{ name: named("GET", "/todos"), arguments: {} }] },
        { text: "Created and listed." },
      ]);
      const made: AgentEvent[] = await entryPoint.ask(url, { message: "make a todo and list them" });
      expect(finalText(made)).to.equal("Created and listed.");
      const [todo = { id: 0, title: "" }] = await todos();
      expect(todo.title).to.equal(`Model ${n}`);
      vendor.script([
        { calls: [{ name: named("PATCH", "/todos/{id}"), arguments: { id: todo.id, isComplete: true } }] },
        { calls: [{ name: named("DELETE", "/todos/{id}"), arguments: { id: todo.id } }] },
        { text: "Done." },
      ]);
      const results = (await entryPoint.ask(url, { message: "complete and delete it" })).filter(
        (event) => event.kind === "tool_result",
      );
      expect(results.map((event) => event.kind === "tool_result" && event.status)).to.deep.equal(["ok", "ok"]);
      expect(await todos()).to.deep.equal([]);
    }
  });

  it("syncs GitHub's description of 1,223 operations, lists them, starts and answers @all", async () => {
    const github = createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json");
    const dataDir = join(folder, "github");
    const args = ["--data-dir", dataDir];
    const { stdout } = await run(NODE, [...AGENTD, "sync", "openapi", github, ...args]);
    expect(stdout).to.contain("1223");
    const listed = await run(NODE, [...AGENTD, "tools", ...args], { maxBuffer: 2 ** 26 });
    expect(listed.stdout.split("\n").length).to.be.above(1223);
    await writeFile(
      join(dataDir, "config.json"),
      JSON.stringify({ default_provider: "offline", providers: { offline: { type: "offline" } } }),
    );
    daemon = spawn(NODE, [...AGENTD, "serve", "--port", "0", "--dry-run", ...args], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    url = await addressOf(daemon);
    expect(await (await fetch(`${url}/schema`)).text()).to.equal(await readFile(join(dataDir, "schema.json"), "utf8"));
    const events = (await entryPoints[0]?.ask(url, { message: "close issue 12 in octo/hello" })) ?? [];
    expect(events.at(-1)).to.deep.equal({ kind: "done" });
    const call = events.find((event) => event.kind === "tool_call");
    expect(call?.kind === "tool_call" && call.arguments).to.deep.equal({
      owner: "octo",
      repo: "hello",
      issue_number: 12,
      state: "closed",
    });
  });
});

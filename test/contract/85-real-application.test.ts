// An application we did not write, from its description to changed rows: LoopBack's example-todo, as it comes from npm, in a
// process of its own. Its OpenAPI document is synced with the command line; todos are listed, created, completed and deleted by
// prompt, with the offline planner and with a model, through every entry point.

import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect } from "chai";
import type { AgentEvent } from "../../src/domain/event.js";
import type { HistoryEntry } from "../../src/domain/record.js";
import { ask, entryPoints, finalText, getJson } from "../support/entry-points.js";
import { agentd, type Running, type Served, serve, start, stopAll, sync } from "../support/spawn.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startVendor, type Vendor } from "../support/vendor.js";

const EXAMPLE = createRequire(import.meta.url).resolve("@loopback/example-todo/dist/index.js");

interface Todo {
  id: number;
  title: string;
  isComplete?: boolean;
}

describe("A real application @all", function () {
  this.timeout(60_000);
  let folder: string;
  let application: Running;
  let vendor: Vendor;
  let target: string;
  let daemon: Served | undefined;
  let url: string;

  const data = () => join(folder, "data");
  const run = async (prompt: string): Promise<string> => {
    const { code, stdout, stderr } = await agentd(["run", prompt, "--data-dir", data()]);
    expect(code, stderr).to.equal(0);
    return stdout;
  };
  const todos = () => getJson<Todo[]>(`${target}/todos`);
  const history = () => getJson<HistoryEntry[]>(`${url}/history?limit=50`);
  const serveFrom = async (dir: string, ...flags: string[]): Promise<void> => {
    daemon = await serve(["--data-dir", dir, ...flags]);
    ({ url } = daemon);
  };
  const configure = (config: object): Promise<void> => writeFile(join(data(), "config.json"), JSON.stringify(config));

  before(async () => {
    folder = temporaryFolder("todo");
    vendor = await startVendor();
    application = start([process.execPath, EXAMPLE], { cwd: folder, env: { HOST: "127.0.0.1", PORT: "0" } });
    target = await application.prints(/http:\/\/\S+/);
    expect(await sync(data(), `${target}/openapi.json`)).to.contain("8 of 8 operations");
  });
  afterEach(async () => {
    await daemon?.stop();
    daemon = undefined;
    for (const { id } of await todos()) await fetch(`${target}/todos/${id}`, { method: "DELETE" });
  });
  after(async () => {
    await stopAll();
    await vendor.close();
  });

  for (const entryPoint of entryPoints)
    it(`lists, creates, completes and deletes a todo with the offline planner over ${entryPoint.name}`, async () => {
      await configure({ default_provider: "offline", providers: { offline: { type: "offline", act: true } } });
      await serveFrom(data());
      const answerTo = async (message: string): Promise<string> => {
        const events = await entryPoint.ask(url, { message, session_id: `planner ${entryPoint.name}` });
        return `${finalText(events)} ${JSON.stringify(events.filter((event) => event.kind === "tool_call"))}`;
      };
      await answerTo("create a todo named 'Buy milk'");
      expect((await todos()).map(({ title }) => title)).to.deep.equal(["Buy milk"]);
      expect(await answerTo("list all todos")).to.contain("Buy milk");
      const [{ id } = { id: 0 }] = await todos();
      await answerTo(`mark todo ${id} as complete`);
      expect((await todos())[0]).to.include({ title: "Buy milk", isComplete: true });
      await answerTo(`delete todo ${id}`);
      expect(await todos()).to.deep.equal([]);
      const rows = (await history()).filter((row) => row.session_id === `planner ${entryPoint.name}`);
      expect(rows.every((row) => row.status === "ok")).to.equal(true);
      expect(rows.map((row) => row.request?.["method"])).to.include.members(["GET", "POST", "DELETE"]);
    });

  it("does the same from the command line, in process and through a running daemon", async () => {
    await configure({ default_provider: "offline", providers: { offline: { type: "offline", act: true } } });
    expect(await run("create a todo named 'Water plants'")).to.contain("Water plants");
    const [{ id } = { id: 0 }] = await todos();
    await serveFrom(data());
    expect(await run("list all todos")).to.contain("Water plants");
    await run(`delete todo ${id}`);
    expect(await todos()).to.deep.equal([]);
    expect((await history()).map((row) => row.status)).to.include("ok");
  });

  it("does the same with a model that speaks the OpenAI wire", async () => {
    await configure({
      default_provider: "m",
      providers: { m: { type: "openai-compatible", base_url: vendor.url, model: "scripted" } },
    });
    await serveFrom(data());
    const tools = await getJson<{ name: string; transport: { method: string; path: string } }[]>(`${url}/tools`);
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

  it("syncs GitHub's description of 1,223 operations, lists them, starts and answers", async () => {
    const github = createRequire(import.meta.url).resolve("@octokit/openapi/generated/api.github.com.json");
    const dataDir = join(folder, "github");
    expect(await sync(dataDir, github)).to.contain("1223");
    const listed = await agentd(["tools", "--data-dir", dataDir]);
    expect(listed.stdout.split("\n").length).to.be.above(1223);
    await writeFile(
      join(dataDir, "config.json"),
      JSON.stringify({ default_provider: "offline", providers: { offline: { type: "offline", act: true } } }),
    );
    await serveFrom(dataDir, "--dry-run");
    expect(await (await fetch(`${url}/schema`)).text()).to.equal(await readFile(join(dataDir, "schema.json"), "utf8"));
    const events = await ask(url, { message: "close issue 12 in octo/hello" });
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

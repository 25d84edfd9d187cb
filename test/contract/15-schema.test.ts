// What a schema document may leave out or say that the daemon does not understand: it loads all the same.
// Source: docs/reference.md, "Schema document" and "Large catalogues".
import { expect } from "chai";
import type { Tool } from "../../src/domain/tool.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { ask, getJson } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { startVendor } from "../support/vendor.js";

const post = { kind: "http", method: "POST", path: "/x" };
const DOCUMENT = {
  resources: [
    {
      name: "r",
      actions: [
        { name: "plain", transport: post },
        { name: "odd_verb", verb: "archive", transport: post },
        { name: "odd_safety", safety: "danger", transport: { ...post, method: "GET" } },
        { name: "odd_provenance", provenance: "guessed", transport: post },
        { name: "no_kind", transport: { queue: "jobs" } },
        { name: "no_object", transport: "http" },
        { name: "no_transport", safety: "read_only" },
        { name: "other_kind", transport: { kind: "carrier-pigeon" } },
      ],
    },
  ],
};
const UNREACHABLE = ["no_kind", "no_object", "no_transport", "other_kind"];

describe("Schema document: what the daemon does not understand", () => {
  let target: RecordingTarget;
  let daemon: Daemon | undefined;
  const url = (): string => daemon?.url ?? "";
  before(async () => {
    target = await startTarget(() => json({ done: true }));
    const calls = ["plain", ...UNREACHABLE].map((name) => ({ id: name, name, arguments: {} }));
    daemon = await startDaemon({
      target: target.url,
      schema: { ...DOCUMENT, base_url: target.url },
      turns: [{ prompt: "all", replies: [{ calls }, { text: "done" }] }],
    });
  });
  after(async () => {
    await daemon?.close();
    await target.close();
  });

  it("is listed with the strictest reading", async () => {
    const tools = await getJson<Tool[]>(`${url()}/tools`);
    expect(tools.map(({ name, verb, safety, provenance }) => [name, verb, safety, provenance])).to.deep.equal([
      ["plain", "action", "mutating", "inferred"],
      ["odd_verb", "action", "mutating", "inferred"],
      ["odd_safety", "get", "destructive", "inferred"],
      ["odd_provenance", "action", "mutating", "inferred"],
      ["no_kind", "action", "destructive", "inferred"],
      ["no_object", "action", "destructive", "inferred"],
      ["no_transport", "action", "read_only", "inferred"],
      ["other_kind", "action", "destructive", "inferred"],
    ]);
  });

  it("leaves the document as it is", async () => {
    const text = await (await fetch(`${url()}/schema`)).text();
    expect(text).to.equal(JSON.stringify({ ...DOCUMENT, base_url: target.url }));
  });

  it("is an error result that says why when it is called, and the rest works", async () => {
    const events = await ask(url(), { message: "all" });
    const results = new Map(events.flatMap((event) => (event.kind === "tool_result" ? [[event.id, event]] : [])));
    expect(results.get("plain")?.status).to.equal("ok");
    for (const name of UNREACHABLE) {
      expect(results.get(name)?.status, name).to.equal("error");
      expect(results.get(name)?.result, name).to.have.property("message").that.contains("transport");
    }
    expect(target.requests).to.have.length(1);
  });
});

describe("Schema document: every field but resources is optional", () => {
  let target: RecordingTarget;
  let daemon: Daemon | undefined;
  before(async () => {
    target = await startTarget(() => json({ done: true }));
  });
  after(async () => {
    await daemon?.close();
    await target.close();
  });

  it("gives an action without a name one of its own, under which it is called", async () => {
    const get = (path: string): object => ({ transport: { kind: "http", method: "GET", path } });
    const resources = [{ actions: [get("/first"), {}] }, {}, { actions: [{ name: "action_2", ...get("/named") }] }];
    const calls = ["action_1", "action_2", "action_3"].map((name) => ({ id: name, name, arguments: {} }));
    daemon = await startDaemon({
      schema: { base_url: target.url, resources },
      turns: [{ prompt: "all", replies: [{ calls }, { text: "done" }] }],
    });
    const tools = await getJson<Tool[]>(`${daemon.url}/tools`);
    expect(tools.map(({ name, safety }) => [name, safety])).to.deep.equal([
      ["action_1", "read_only"],
      ["action_3", "destructive"],
      ["action_2", "read_only"],
    ]);
    await ask(daemon.url, { message: "all" });
    expect(target.requests.map(({ path }) => path)).to.deep.equal(["/first", "/named"]);
  });
});

describe("Large catalogues: an application with a tool called search_tools", () => {
  it("F9 keeps it under another name, and the model is offered no name twice", async () => {
    const vendor = await startVendor();
    const target = await startTarget(() => json({ found: 1 }));
    const tool = (name: string): object => ({ name, transport: { kind: "http", method: "GET", path: `/${name}` } });
    const others = Array.from({ length: 80 }, (_, n) => tool(`other_${n}`));
    const daemon = await startDaemon({
      schema: { base_url: target.url, resources: [{ name: "r", actions: [tool("search_tools"), ...others] }] },
      config: {
        default_provider: "v",
        providers: { v: { type: "openai-compatible", base_url: vendor.url, model: "m", max_retries: 0 } },
      },
    });
    try {
      vendor.script([{ calls: [{ name: "application_search_tools", arguments: {} }] }, { text: "done" }]);
      await ask(daemon.url, { message: "application search tools" });
      const offered = vendor.requests.map(({ text }) =>
        (JSON.parse(text) as { tools: { function: { name: string } }[] }).tools.map((one) => one.function.name),
      );
      expect(offered[0]).to.include.members(["search_tools", "application_search_tools"]);
      for (const names of offered) expect(new Set(names).size).to.equal(names.length);
      expect(target.requests.map(({ path }) => path)).to.deep.equal(["/search_tools"]);
      expect(daemon.log.some(({ message }) => message.includes("application_search_tools"))).to.equal(true);
    } finally {
      await daemon.close();
      await vendor.close();
      await target.close();
    }
  });
});

// Source: reference, section 2.3: a document with actions the daemon does not understand still loads.
import { expect } from "chai";
import type { Tool } from "../../src/tool.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";

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

describe("2.3 Schema document: what the daemon does not understand", () => {
  let target: RecordingTarget;
  let daemon: Daemon | undefined;
  const url = (): string => daemon?.url ?? "";
  before(async () => {
    target = await startTarget(() => json({ done: true }));
    const calls = ["plain", ...UNREACHABLE].map((name) => ({ id: name, name, arguments: {} }));
    daemon = await startDaemon({
      ...{ target: target.url, schema: { ...DOCUMENT, base_url: target.url } },
      turns: [{ prompt: "all", replies: [{ calls }, { text: "done" }] }],
    });
  });
  after(async () => {
    await daemon?.close();
    await target.close();
  });

  it("is listed, with the most careful reading", async () => {
    const tools = (await (await fetch(`${url()}/tools`)).json()) as Tool[];
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
    const response = await fetch(`${url()}/run`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ message: "all" }),
    });
    const { events } = (await response.json()) as {
      events: { kind: string; id: string; status: string; result: object }[];
    };
    const results = new Map(events.flatMap((event) => (event.kind === "tool_result" ? [[event.id, event]] : [])));
    expect(results.get("plain")?.status).to.equal("ok");
    for (const name of UNREACHABLE) {
      expect(results.get(name)?.status, name).to.equal("error");
      expect(results.get(name)?.result, name).to.have.property("message").that.contains("transport");
    }
    expect(target.requests).to.have.length(1);
  });
});

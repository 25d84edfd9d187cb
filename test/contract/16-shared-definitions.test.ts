// Definitions at the root of a schema document: written once, and in force wherever a tool's schema is used.
// Source: docs/reference.md, "Schema document" and "Tools".
import { expect } from "chai";
import type { TurnEvent } from "../../src/domain/event.js";
import type { Tool } from "../../src/domain/tool.js";
import type { JsonObject } from "../../src/lib/json.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { ask, getJson } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";

const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
const words = "What it is, said at length. ".repeat(40);
const ENTITIES = 200;
const entities = Array.from({ length: ENTITIES }, (_, i): [string, JsonObject] => [
  `E${i}`,
  { type: "object", description: words, properties: { n: { type: "integer" }, next: ref(`E${(i + 1) % ENTITIES}`) } },
]);
const post = (name: string, properties: JsonObject): JsonObject => ({
  name,
  safety: "mutating",
  parameters: { type: "object", properties, required: Object.keys(properties) },
  transport: { kind: "http", method: "POST", path: `/${name}`, body: { properties: { value: "value" } } },
});
const DOCUMENT = {
  version: 1,
  $defs: { Size: { type: "string", enum: ["small", "large"] }, ...Object.fromEntries(entities) },
  resources: [{ name: "r", actions: [post("pick", { value: ref("Size") }), post("link", { value: ref("E0") })] }],
};

describe("Schema document: shared definitions", () => {
  let target: RecordingTarget;
  let daemon: Daemon;
  before(async () => {
    target = await startTarget(() => json({ done: true }));
    const call = (value: unknown, name = "pick") => ({
      calls: [{ id: "c", name, arguments: { value } as JsonObject }],
    });
    daemon = await startDaemon({
      target: target.url,
      schema: { ...DOCUMENT, base_url: target.url },
      turns: [
        { prompt: "fits", replies: [call("small"), { text: "done" }] },
        { prompt: "differs", replies: [call("huge"), { text: "done" }] },
        { prompt: "deep", replies: [call({ next: { next: { n: "many" } } }, "link"), { text: "done" }] },
      ],
    });
  });
  after(async () => {
    await daemon.close();
    await target.close();
  });

  const statuses = (events: readonly TurnEvent[]): unknown[] =>
    events.flatMap((event) => (event.kind === "tool_result" ? [event.status] : []));

  it("check the arguments of every tool that refers to them", async () => {
    target.requests.length = 0;
    expect(statuses(await ask(daemon.url, { message: "fits" }))).to.deep.equal(["ok"]);
    expect(statuses(await ask(daemon.url, { message: "differs" }))).to.deep.equal(["error"]);
    expect(statuses(await ask(daemon.url, { message: "deep" }))).to.deep.equal(["error"]);
    expect(target.requests.map(({ body }) => body.toString())).to.deep.equal(['{"value":"small"}']);
  });

  it("are in the schemas of GET /tools, shortened where they are large", async () => {
    const [pick, link] = (await getJson<Tool[]>(`${daemon.url}/tools`)) as [Tool, Tool];
    expect(pick.input_schema["$defs"]).to.deep.equal({ Size: DOCUMENT.$defs.Size });
    expect(pick).not.to.have.property("shortened");
    expect(link.shortened).to.equal(true);
    expect(JSON.stringify(link.input_schema).length).to.be.at.most(64 * 1024);
  });

  it("are whole in GET /tools?name=, which lists that tool", async () => {
    const list = await getJson<Tool[]>(`${daemon.url}/tools?name=link`);
    expect(list.map(({ name, shortened }) => [name, shortened])).to.deep.equal([["link", undefined]]);
    expect(list[0]?.input_schema["$defs"]).to.deep.equal(Object.fromEntries(entities));
    expect(await getJson(`${daemon.url}/tools?name=nothing`)).to.deep.equal([]);
  });

  it("stand in GET /schema where they stood", async () => {
    expect(await getJson(`${daemon.url}/schema`)).to.deep.equal({ ...DOCUMENT, base_url: target.url });
  });
});

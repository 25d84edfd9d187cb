// Arguments the operator supplies: a token declared as an ordinary parameter reaches the target and nothing else.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { impliedByTransport } from "../../../src/applications/kinds.js";
import type { AgentEvent } from "../../../src/domain/event.js";
import { parseSchema } from "../../../src/domain/schema-document.js";
import type { Tool } from "../../../src/domain/tool.js";
import type { JsonObject } from "../../../src/lib/json.js";
import { hideOperatorArguments } from "../../../src/tools/arguments/operator-arguments.js";
import { body, imported, openapi } from "../../applications/http/openapi/imported.js";
import { type Daemon, startDaemon } from "../../support/daemon.js";
import { chat } from "../../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../../support/target.js";

const SECRET = "xoxb-4242-canary&=/";
const token = (place: string) => ({ name: "token", in: place, required: true, schema: { type: "string" } });
const text = {
  type: "object",
  required: ["token", "text"],
  properties: { token: { type: "string" }, text: { type: "string" } },
};
const operation = (operationId: string, ...parameters: JsonObject[]) => ({
  operationId,
  parameters,
  responses: { 200: {} },
});
const limit = { name: "limit", in: "query", schema: { type: "integer" } };

/** The ways a document asks for a token, one tool each. */
const description = openapi({
  "/query": { get: operation("by_query", token("query"), limit) },
  "/header": { get: operation("by_header", token("header"), limit) },
  "/cookie": { get: operation("by_cookie", token("cookie"), limit) },
  "/bot{token}/me": { get: operation("by_path", token("path"), limit) },
  "/form": { post: { ...operation("by_form"), requestBody: body(text, "application/x-www-form-urlencoded") } },
  "/json": { post: { ...operation("by_json"), requestBody: body(text) } },
  "/multipart": { post: { ...operation("by_multipart"), requestBody: body(text, "multipart/form-data") } },
  "/twice": { post: { ...operation("by_both", token("header")), requestBody: body(text) } },
  "/none": { get: operation("without", limit) },
});

describe("Arguments the operator supplies", () => {
  let target: RecordingTarget;
  let daemon: Daemon;
  let document: JsonObject;
  before(async () => {
    document = (await imported(description)).written;
  });
  beforeEach(async () => {
    target = await startTarget(() => json({ ok: true }));
  });
  afterEach(async () => {
    await daemon?.close();
    await target.close();
  });

  const start = async (turns: Parameters<typeof startDaemon>[0] = {}): Promise<void> => {
    daemon = await startDaemon({
      schema: { ...document, base_url: target.url },
      config: { target: { arguments: { token: SECRET } } },
      ...turns,
    });
  };
  const call = (name: string, args: object) => ({
    prompt: `call ${name}`,
    replies: [{ calls: [{ id: "c", name, arguments: args as never }] }, { text: "done" }],
  });
  const ask = async (message: string, more: object = {}): Promise<AgentEvent[]> =>
    (await chat(daemon.url, JSON.stringify({ message, ...more }))).map((frame) => JSON.parse(frame) as AgentEvent);
  const readable = async (): Promise<string> => {
    const paths = ["/tools", "/history?limit=100", "/config/public", "/schema", "/-/confirmations", "/-/sessions"];
    const texts = await Promise.all(paths.map(async (path) => (await fetch(daemon.url + path)).text()));
    return texts.join("\n") + JSON.stringify(daemon.log);
  };
  const expectHidden = (text: string): void => {
    for (const form of [SECRET, encodeURIComponent(SECRET), "canary"]) expect(text).to.not.contain(form);
  };

  it("are gone from the tools, also from what is required; other tools stay as they are", async () => {
    await start();
    const tools = (await (await fetch(`${daemon.url}/tools`)).json()) as Tool[];
    expect(tools.length).to.equal(9);
    for (const { name, input_schema } of tools) expect(JSON.stringify(input_schema), name).to.not.contain("token");
    const form = tools.find((tool) => tool.name === "by_form")?.input_schema;
    expect(form).to.deep.include({ required: ["text"] });
  });

  const places: [tool: string, sent: (request: RecordingTarget["requests"][number]) => unknown, expected: unknown][] = [
    ["by_query", ({ path }) => path, `/query?token=${encodeURIComponent(SECRET)}&limit=5`],
    ["by_header", (request) => request.header("token"), SECRET],
    ["by_cookie", (request) => request.header("cookie"), `token=${encodeURIComponent(SECRET)}`],
    ["by_path", ({ path }) => path, `/bot${encodeURIComponent(SECRET)}/me?limit=5`],
    ["by_form", (request) => request.body.toString(), `token=${encodeURIComponent(SECRET)}&text=hi`],
    ["by_json", (request) => JSON.parse(request.body.toString()), { token: SECRET, text: "hi" }],
    ["by_multipart", (request) => request.body.includes(`name="token"\r\n\r\n${SECRET}\r\n`), true],
    ["by_both", (request) => [request.header("token"), JSON.parse(request.body.toString()).token], [SECRET, SECRET]],
    ["without", (request) => request.raw.includes("canary"), false],
  ];
  for (const [tool, sent, expected] of places)
    it(`reach the target with ${tool}, and no event, row, transcript or log`, async () => {
      const takesText = ["by_form", "by_json", "by_multipart", "by_both"].includes(tool);
      await start({ turns: [call(tool, takesText ? { text: "hi" } : { limit: 5 })] });
      const events = await ask(`call ${tool}`, { session_id: "s" });
      expect(
        events.find((event) => event.kind === "tool_result"),
        JSON.stringify(events),
      ).to.include({ status: "ok" });
      const [request] = target.requests;
      expect(request && sent(request)).to.deep.equal(expected);
      const transcript = await (await fetch(`${daemon.url}/-/sessions/s`)).text();
      expectHidden(JSON.stringify(events) + transcript + (await readable()));
    });

  it("are hidden in what an echoing target answers", async () => {
    target.answer(({ raw }) => json({ echo: raw.toString() }));
    await start({ turns: [call("by_query", {})] });
    expectHidden(JSON.stringify(await ask("call by_query")) + (await readable()));
  });

  it("cannot be chosen by the model", async () => {
    await start({ turns: [call("by_query", { token: "mine" })] });
    const result = (await ask("call by_query")).find((event) => event.kind === "tool_result");
    expect(result).to.include({ status: "error" });
    expect(target.requests).to.deep.equal([]);
  });

  it("are not in the preview of a dry run or a confirmation, and are sent when it is approved", async () => {
    await start({ turns: [call("by_form", { text: "hi" })] });
    const pretended = JSON.stringify(await ask("call by_form", { dry_run: true }));
    expect(pretended).to.contain("[redacted]");
    await ask("call by_form", { confirm: true });
    expect(target.requests).to.deep.equal([]);
    expectHidden(pretended + (await readable()));
    const [held] = (await (await fetch(`${daemon.url}/-/confirmations`)).json()) as [{ id: string }];
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: '{"decision":"approve"}' };
    expect((await fetch(`${daemon.url}/-/confirmations/${held.id}`, init)).status).to.equal(200);
    expect(target.requests[0]?.body.toString()).to.contain(`token=${encodeURIComponent(SECRET)}`);
  });

  it("never leave the target's origin", async () => {
    const other = await startTarget();
    const elsewhere = JSON.parse(JSON.stringify(document).replaceAll('"method":', `"server":"${other.url}","method":`));
    await start({ schema: { ...elsewhere, base_url: target.url }, turns: [call("by_query", {})] });
    const events = await ask("call by_query");
    expect(JSON.stringify(events)).to.contain("nothing was sent");
    expect(other.connections + target.connections).to.equal(0);
    await other.close();
  });

  it("are found by their name on the wire, and in documents written by hand", () => {
    const hand = { name: "me", transport: { kind: "http", method: "GET", path: "/bot{token}/me" } };
    const renamed = {
      name: "renamed",
      parameters: { type: "object", properties: { token_2: {}, Token: {} }, required: ["token_2"] },
      transport: {
        kind: "http",
        method: "POST",
        path: "/x",
        parameters: [{ name: "Token", key: "X-Token", in: "header" }],
        body: { properties: { token_2: "token" } },
      },
    };
    const schema = parseSchema(
      JSON.stringify({ resources: [{ name: "r", actions: [hand, renamed] }] }),
      impliedByTransport,
    );
    const [first, second] = hideOperatorArguments(schema, ["token", "x-token"]).actions;
    expect(first?.operatorArguments).to.deep.equal({ token: "token" });
    expect(second?.operatorArguments).to.deep.equal({ token_2: "token", Token: "x-token" });
    expect(second?.parameters).to.deep.equal({ type: "object", properties: {}, required: [] });
    expect(hideOperatorArguments(schema, [])).to.equal(schema);
  });

  it("are not needed by other members of an optional body any more", () => {
    const parameters = {
      type: "object",
      properties: { token: {}, a: {}, b: {} },
      dependentRequired: { a: ["token", "b"], b: ["token"] },
    };
    const action = { name: "x", parameters, transport: { kind: "http", method: "POST", path: "/x" } };
    const schema = parseSchema(JSON.stringify({ resources: [{ name: "r", actions: [action] }] }), impliedByTransport);
    expect(hideOperatorArguments(schema, ["token"]).actions[0]?.parameters).to.deep.equal({
      type: "object",
      properties: { a: {}, b: {} },
      dependentRequired: { a: ["b"] },
    });
  });

  it("stay hidden after the document is replaced", async () => {
    await start();
    const grown = JSON.stringify({ ...document, base_url: target.url }, null, 2);
    await writeFile(join(daemon.dataDir, "schema.json"), grown);
    expect(await (await fetch(`${daemon.url}/tools`)).text()).to.not.contain('"token"');
  });
});

import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { expect } from "chai";
import { HISTORY_STATUSES } from "../../../src/domain/history-status.js";
import { openApi } from "../../../src/server/openapi/document.js";
import { type Daemon, startDaemon } from "../../support/daemon.js";
import { routeTable } from "../../support/routes.js";
import { json, type RecordingTarget, startTarget } from "../../support/target.js";
import { transcriptOf } from "../../support/transcript.js";

interface Document {
  openapi: string;
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  parameters?: { name: string; in: string; schema: Record<string, unknown> }[];
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

describe("GET /-/openapi.json", () => {
  const document = JSON.parse(openApi("0.0.0")) as Document;
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const described = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method} ${path}`),
  );
  let daemon: Daemon;
  let target: RecordingTarget;

  before(async () => {
    target = await startTarget(() => json([{ id: 1 }]));
    const create = { calls: [{ name: "create_pet", arguments: { name: "Rex" } }] };
    daemon = await startDaemon({
      target: target.url,
      turns: [{ prompt: "create", replies: [create, { text: "Done." }] }],
    });
  });
  after(async () => {
    await daemon.close();
    await target.close();
  });

  it("describes every route and no other", () => {
    const routes = routeTable();
    expect(described.sort()).to.deep.equal(routes.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it("names every operation, once, with a summary and one of its tags", () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(ids.filter((id) => !/^[a-z][A-Za-z]+$/.test(id))).to.deep.equal([]);
    expect(new Set(ids).size).to.equal(operations.length);
    const tags = document.tags.map(({ name }) => name);
    for (const { operationId, summary, tags: own } of operations) {
      expect(summary, operationId).to.match(/^[A-Z].+/);
      expect(own, operationId).to.have.length(1);
      expect(tags).to.include.members(own);
    }
    expect([...new Set(operations.flatMap((one) => one.tags))].sort()).to.deep.equal(tags.sort());
  });

  it("gives parameters their types, bounds and defaults", () => {
    const schemas = (path: string) =>
      Object.fromEntries((document.paths[path]?.["get"]?.parameters ?? []).map(({ name, schema }) => [name, schema]));
    const { limit, before, after, status } = schemas("/history");
    expect(limit).to.deep.equal({ type: "integer", minimum: 1, maximum: 10_000, default: 20 });
    expect(before).to.deep.equal({ type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
    expect(after).to.deep.equal({ type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
    expect(status).to.include({ type: "string", maxLength: 200 });
    const several = new RegExp(String(status?.["pattern"]));
    for (const text of [...HISTORY_STATUSES, "ok,error", "ok, denied"]) expect(text).to.match(several);
    for (const text of ["", "done", "ok,done", "ok error"]) expect(text).not.to.match(several);
    expect(schemas("/-/confirmations")["status"]).to.deep.equal({
      type: "string",
      enum: ["pending", "approved", "denied", "expired", "decided"],
    });
    for (const { parameters = [] } of operations)
      for (const { name, schema } of parameters) expect(schema, name).to.have.any.keys("type", "const");
  });

  it("refers only to schemas it has, and has none that is not used", () => {
    const text = JSON.stringify(document);
    const used = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map((match) => match[1]);
    expect([...new Set(used)].sort()).to.deep.equal(Object.keys(document.components.schemas).sort());
  });

  it("is true of what a daemon answers, on every route", async () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema({ $id: "https://agentd.invalid/", ...document });
    const checked = new Set<string>();
    const validator = (path: string, method: string, status: number) => {
      const pointer = ["paths", path, method, "responses", String(status), "content", "application/json", "schema"];
      const encoded = pointer.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")));
      return ajv.compile({ $ref: `https://agentd.invalid/#/${encoded.join("/")}` });
    };
    const check = async (request: string, status: number, init: RequestInit = {}): Promise<void> => {
      const [method = "", address = ""] = request.split(" ");
      const answer = await fetch(daemon.url + address.replace(/\{(?:\w+=)?([^}]*)\}/g, "$1"), { method, ...init });
      expect(answer.status, request).to.equal(status);
      const path = address.split("?")[0]?.replace(/\{(?:(\w+)=)?[^}]*\}/g, (_, name = "id") => `{${name}}`) ?? "";
      const operation = document.paths[path]?.[method.toLowerCase()];
      expect(operation?.responses, request).to.include.keys(String(status));
      checked.add(`${method.toLowerCase()} ${path}`);
      const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
      const text = await answer.text();
      if (type !== "") expect(operation?.responses[status]?.content, request).to.include.keys(type);
      if (type !== "application/json") return;
      const isValid = validator(path, method.toLowerCase(), status);
      expect(isValid(JSON.parse(text)), `${request}: ${JSON.stringify(isValid.errors)}`).to.equal(true);
    };
    const post = (body: object): RequestInit => ({
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
    await check("POST /run", 200, post({ message: "create", session_id: "s", events: "extended", confirm: true }));
    await check("POST /run", 200, post({ message: "create", session_id: "s" }));
    await check("POST /run", 400, post({}));
    await check("POST /run", 415, { body: "x" });
    await check("GET /history", 200);
    await check("GET /history?limit=x", 400);
    await check("GET /schema", 200);
    await check("GET /tools", 200);
    await check("GET /config/public", 200);
    await check("GET /-/status", 200);
    await check("GET /-/settings", 200);
    await check("GET /-/providers", 200);
    await check("GET /chat", 426);
    await check("GET /-/healthz", 200);
    await check("GET /-/readyz", 200);
    await check("GET /-/openapi.json", 200);
    await check("GET /-/metrics", 200);
    await check("GET /-/tools/search?q=pet", 200);
    await check("POST /-/tools/{name=list_pets}/call", 200, post({}));
    await check("POST /-/tools/{name=create_pet}/call", 202, post({ arguments: { name: "Tom" }, confirm: true }));
    await check("POST /-/tools/{name=unknown}/call", 404, post({}));
    await check("POST /-/actions", 201, post({ title: "All", tool: "list_pets" }));
    await check("GET /-/actions", 200);
    const [action] = await daemon.agent.savedActions();
    await check(`PATCH /-/actions/{${action?.id}}`, 200, post({ pinned: true }));
    await check(`DELETE /-/actions/{${action?.id}}`, 204);
    await check("POST /-/providers/{name=played}/test", 200, post({}));
    await check("POST /-/applications/preview", 400, post({}));
    await check("POST /-/applications", 400, post({}));
    await check("POST /-/signin", 204);
    await check("GET /-/changes?since=1", 400);
    await check("GET /-/sessions", 200);
    await check("GET /-/sessions/{s}", 200);
    await check("GET /-/sessions/{unknown}", 404);
    await check("PATCH /-/sessions/{s}", 200, { ...post({ title: "Named" }), method: "PATCH" });
    await check("POST /-/sessions/{s}/cancel", 200);
    const [turn] = (await transcriptOf(daemon.agent, "s")) ?? [];
    await check(`GET /-/turns/{${turn?.turn_id}}/events`, 200);
    await check(`GET /-/turns/{${turn?.turn_id}}/events?after=100`, 204);
    await check(`GET /-/turns/{${turn?.turn_id}}/events?after=x`, 400);
    await check("GET /-/turns/{unknown}/events", 404);
    const made = turn?.messages.flatMap((message) => (message.role === "assistant" ? message.calls : []))[0];
    await check(`POST /-/turns/{turn_id=${turn?.turn_id}}/calls/{call_id=${made?.id}}/cancel`, 200);
    await check("POST /-/turns/{turn_id=unknown}/calls/{call_id=unknown}/cancel", 404);
    await check("GET /-/sessions/{unknown}/events", 404);
    await check("POST /run", 202, post({ message: "create", session_id: "s", detach: true, dry_run: true }));
    await check("GET /-/confirmations", 200);
    const [held] = await daemon.agent.confirmations({ limit: 1 });
    await check(`GET /-/confirmations/{${held?.id}}`, 200);
    await check("GET /-/confirmations/{unknown}", 404);
    await check(`POST /-/confirmations/{${held?.id}}/extend`, 200, post({ seconds: 60 }));
    await check(`POST /-/confirmations/{${held?.id}}`, 200, post({ decision: "approve" }));
    await check(`POST /-/confirmations/{${held?.id}}`, 409, post({ decision: "deny" }));
    await check(`POST /-/history/{${held?.history_id}}/undo`, 409, post({}));
    await check("POST /-/history/{99}/undo", 404, post({}));
    await check("POST /-/history/{1}/undo", 400, post({ readonly: true }));
    await check(`GET /-/results/{${held?.history_id}}`, 200);
    await check("GET /-/results/{1}?limit=x", 400);
    await check("GET /-/results/{99}", 404);
    const ask = { messages: [{ role: "user", content: "create" }] };
    await check("GET /-/v1/models", 200);
    await check("GET /-/v1/models/{agentd}", 200);
    await check("GET /-/v1/models/{unknown}", 404);
    await check("GET /-/v1/models/agentd/{played}", 200);
    await check("POST /-/v1/chat/completions", 200, post(ask));
    await check("POST /-/v1/chat/completions", 200, post({ ...ask, stream: true }));
    await check("POST /-/v1/chat/completions", 404, post({ ...ask, model: "unknown" }));
    await check("POST /-/v1/chat/completions", 415, { body: "x" });
    await check("POST /-/v1/responses", 200, post({ input: "create" }));
    await check("POST /-/v1/responses", 400, post({ input: "create", tools: [{ type: "web_search" }] }));
    const response = `GET /-/v1/responses/{resp_${turn?.turn_id}}`;
    await check(response, 200);
    await check(`${response}?stream=true&starting_after=1`, 200);
    await check(`${response}?starting_after=x`, 400);
    await check(`${response}/input_items`, 200);
    await check("GET /-/v1/responses/{resp_unknown}", 404);
    await check(`POST /-/v1/responses/{resp_${turn?.turn_id}}/cancel`, 200);
    await check("DELETE /-/sessions/{s}", 204);
    const { headers } = post({});
    const accept = { ...headers, accept: "application/json, text/event-stream" };
    await check("POST /-/mcp", 200, { ...post({ jsonrpc: "2.0", id: 1, method: "tools/list" }), headers: accept });
    await check("POST /-/mcp", 202, { ...post({ jsonrpc: "2.0", method: "notifications/x" }), headers: accept });
    await check("POST /-/mcp", 415, { body: "x" });
    await check("GET /-/mcp", 404, { headers: { ...accept, "mcp-session-id": "gone" } });
    await check("DELETE /-/mcp", 404, { headers: { "mcp-session-id": "gone" } });
    expect([...checked].sort()).to.deep.equal(described.sort());
  });
});

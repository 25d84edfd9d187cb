import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "chai";
import type { Agent } from "../../src/domain/agent.js";
import { createRules } from "../../src/server/access/admit.js";
import { createMetrics } from "../../src/server/metrics.js";
import { openApi } from "../../src/server/openapi/document.js";
import { createRoutes } from "../../src/server/routes.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";

interface Document {
  openapi: string;
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >;
  components: { schemas: Record<string, object> };
}

describe("GET /-/openapi.json", () => {
  const document = JSON.parse(openApi("0.0.0")) as Document;
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
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    const routes = createRoutes({
      ...{ agent: {} as Agent, metrics: createMetrics(), sockets: () => 0 },
      rules: createRules({ host: "127.0.0.1" }),
    });
    expect(described.sort()).to.deep.equal(routes.map(({ method, path }) => `${method} ${path}`).sort());
  });

  it("refers only to schemas it has, and has none that is not used", () => {
    const text = JSON.stringify(document);
    const used = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map((match) => match[1]);
    expect([...new Set(used)].sort()).to.deep.equal(Object.keys(document.components.schemas).sort());
  });

  it("says what the daemon really answers", async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: "https://agentd.invalid/", ...document });
    const check = async (method: string, path: string, init: RequestInit = {}, at = path): Promise<void> => {
      const answer = await fetch(daemon.url + path, { method, ...init });
      const type = answer.headers.get("content-type")?.split(";")[0] ?? "";
      const described = document.paths[at.split("?")[0] ?? ""]?.[method.toLowerCase()]?.responses[answer.status];
      expect(described, `${method} ${path} ${answer.status}`).to.not.equal(undefined);
      if (type !== "application/json") return void (await answer.text());
      const pointer = [
        at.split("?")[0],
        method.toLowerCase(),
        "responses",
        String(answer.status),
        "content",
        type,
        "schema",
      ]
        .map((part) => encodeURIComponent(String(part).replaceAll("~", "~0").replaceAll("/", "~1")))
        .join("/");
      const valid = ajv.compile({ $ref: `https://agentd.invalid/#/paths/${pointer}` });
      expect(valid(await answer.json()), `${method} ${path}: ${JSON.stringify(valid.errors)}`).to.equal(true);
    };
    const post = (body: object): RequestInit => ({
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
    await check("POST", "/run", post({ message: "create", session_id: "s", events: "extended", confirm: true }));
    await check("POST", "/run", post({ message: "create", session_id: "s" }));
    await check("POST", "/run", post({}));
    await check("POST", "/run", { body: "x" });
    for (const path of ["/history", "/history?limit=x", "/schema", "/tools", "/config/public", "/chat", "/-/healthz"])
      await check("GET", path);
    for (const path of ["/-/openapi.json", "/-/metrics", "/-/tools/search?q=pet", "/-/sessions", "/-/confirmations"])
      await check("GET", path);
    await check("GET", "/-/sessions/s", {}, "/-/sessions/{id}");
    await check("GET", "/-/sessions/unknown", {}, "/-/sessions/{id}");
    await check("POST", "/-/sessions/s/cancel", {}, "/-/sessions/{id}/cancel");
    const [held] = await daemon.agent.confirmations({ limit: 1 });
    await check("POST", `/-/confirmations/${held?.id}`, post({ decision: "deny" }), "/-/confirmations/{id}");
    await check("POST", `/-/confirmations/${held?.id}`, post({ decision: "deny" }), "/-/confirmations/{id}");
    await check("DELETE", "/-/sessions/s", {}, "/-/sessions/{id}");
  });
});

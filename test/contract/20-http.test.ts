// The HTTP interface, resource by resource.
// Source: docs/reference.md, "Endpoints", "Running a prompt" and "Errors".
import { mkdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import request from "supertest";
import { type Daemon, petShop, startDaemon } from "../support/daemon.js";
import { kinds } from "../support/raw.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { transcriptOf } from "../support/transcript.js";

interface Event {
  kind: string;
  [field: string]: unknown;
}
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const WITH_TOOL = [
  "user_prompt",
  "assistant_delta",
  "assistant_message",
  "tool_call",
  "tool_result",
  "assistant_delta",
  "assistant_delta",
  "assistant_message",
  "done",
];

describe("Endpoints", () => {
  let daemon: Daemon;
  let target: RecordingTarget;
  let staticDir: string;
  const http = () => request(daemon.url);
  const run = (body: object) => http().post("/run").send(body);

  before(async () => {
    staticDir = temporaryFolder("static");
    await mkdir(join(staticDir, "assets"));
    await writeFile(join(staticDir, "index.html"), "<!doctype html><title>the page</title>");
    await writeFile(join(staticDir, "assets", "main-abc123.js"), "export {};");
    target = await startTarget(() => json([{ id: 1, name: "Rex" }]));
    const create = { calls: [{ name: "create_pet", arguments: { name: "Rex" } }] };
    daemon = await startDaemon({
      target: target.url,
      listen: { staticDir },
      turns: [
        {
          prompt: "list",
          replies: [{ text: "Looking.", calls: [{ name: "list_pets" }] }, { deltas: ["One", " pet."] }],
        },
        { prompt: "create", replies: [create, { text: "Done." }] },
        { prompt: "slow", replies: [{ deltas: ["a", "b", "c", "d", "e", "f"], delay_ms: 100 }] },
        { prompt: "fail", replies: [{ text: "Half", error: "the model went away" }] },
        { prompt: "silent", replies: [{}] },
      ],
    });
  });
  after(async () => {
    await daemon.close();
    await target.close();
  });

  describe("GET /schema", () => {
    it("gives the bytes of the schema file, verbatim", async () => {
      const text = '{ "zeta":1.50, "resources" : [ ], "big": 12345678901234567890,\n "alpha":"\\u00e9" }\n';
      const other = await startDaemon();
      await writeFile(join(other.dataDir, "schema.json"), text);
      const answer = await request(other.url)
        .get("/schema")
        .buffer(true)
        .parse((res, done) => {
          let body = "";
          res.setEncoding("utf8");
          res.on("data", (chunk: string) => {
            body += chunk;
          });
          res.on("end", () => done(null, body));
        });
      await other.close();
      expect(answer.body).to.equal(text);
      expect(answer.type).to.equal("application/json");
    });

    it("answers 304 to the ETag it gave", async () => {
      const first = await http().get("/schema");
      const etag = first.headers["etag"] ?? "";
      expect(etag).to.match(/^"[^"]+"$/);
      for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, "*"])
        expect((await http().get("/schema").set("If-None-Match", tag)).status, tag).to.equal(304);
      expect((await http().get("/schema").set("If-None-Match", '"other"')).status).to.equal(200);
    });
  });

  describe("GET /tools", () => {
    it("lists the tools in document order", async () => {
      const { body } = await http().get("/tools").expect(200);
      expect(body.map(({ name }: { name: string }) => name)).to.deep.equal([
        "list_pets",
        "get_pet",
        "create_pet",
        "delete_pet",
      ]);
      expect(body[3]).to.deep.equal({
        name: "delete_pet",
        application: "",
        description: "delete_pet of the shop",
        resource: "pets",
        verb: "delete",
        input_schema: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
        safety: "destructive",
        provenance: "declared",
        transport: { kind: "http", method: "DELETE", path: "/pets/{id}" },
      });
    });

    it("finds tools by a query under /-/tools/search, best first", async () => {
      const { body } = await http().get("/-/tools/search").query({ q: "delete a pet", limit: 2 }).expect(200);
      expect(body).to.have.length.within(1, 2);
      expect(body[0].name).to.equal("delete_pet");
    });

    it("leaves out what matches far less than the best", async () => {
      const { body } = await http().get("/-/tools/search").query({ q: "delete_pet" }).expect(200);
      const names = body.map(({ name }: { name: string }) => name);
      expect(names[0]).to.equal("delete_pet");
      expect(names).to.not.include("create_pet");
    });
  });

  describe("GET /config/public", () => {
    it("has the modes, the provider and the target, and no secret", async () => {
      const { body } = await http().get("/config/public").expect(200);
      expect(body).to.include({ default_provider: "played", sync_source: "openapi", base_url: target.url });
      expect(body).to.include({ read_only: false, dry_run: false, strict: false, confirm_default: false });
      expect(Object.keys(body).join()).to.not.match(/token|key|secret/i);
    });

    it("shows no user, password or key that the address of a document carries, and all of a file's name", async () => {
      const rows = [
        ["http://ann:hunter22@127.0.0.1:9/api?api_key=s3cr3t-key#s3cr3t-part", "http://127.0.0.1:9/api"],
        ["postgres://db.example/shop?password=hunter22", "postgres://db.example/shop"],
        ["sqlite:shop#2?.db", "sqlite:shop#2?.db"],
      ];
      for (const [base_url, shown] of rows) {
        const other = await startDaemon({ schema: { base_url, resources: [] }, turns: [] });
        try {
          const { body } = await request(other.url).get("/config/public").expect(200);
          expect(body.base_url).to.equal(shown);
          expect(JSON.stringify(body)).to.not.match(/ann:|hunter22|s3cr3t/);
        } finally {
          await other.close();
        }
      }
    });
  });

  describe("GET /history", () => {
    it("lists calls newest first, 20 unless asked otherwise, and takes filters", async () => {
      for (let i = 0; i < 3; i++) await run({ message: "list", session_id: `history-${i}` }).expect(200);
      const { body } = await http().get("/history").expect(200);
      expect(body).to.have.length.of.at.least(3);
      const ids = body.map(({ id }: { id: number }) => id);
      expect(ids).to.deep.equal([...ids].sort((a, b) => b - a));
      expect(body[0]).to.include({
        session_id: "history-2",
        tool: "list_pets",
        status: "ok",
        safety: "read_only",
        client: "http",
      });
      const rows = async (query: object) => (await http().get("/history").query(query).expect(200)).body;
      expect(await rows({ limit: 1 })).to.deep.equal([body[0]]);
      expect(await rows({ limit: 1, before: ids[0] })).to.deep.equal([body[1]]);
      expect(await rows({ session_id: "history-1" })).to.deep.equal([body[1]]);
      expect(await rows({ tool: "create_pet", session_id: "history-1" })).to.deep.equal([]);
      expect(await rows({ status: "error", session_id: "history-1" })).to.deep.equal([]);
    });
  });

  describe("POST /run", () => {
    it("returns the result, the session and the whole trail of events", async () => {
      const { body, headers } = await run({ message: "list the pets" }).expect(200);
      expect(Object.keys(body)).to.deep.equal(["result", "session_id", "events"]);
      expect(body.result).to.equal("One pet.");
      expect(body.session_id).to.match(UUID);
      expect(headers["x-session-id"]).to.equal(body.session_id);
      expect(kinds(body.events)).to.deep.equal(WITH_TOOL);
      expect(body.events[3]).to.include({ name: "list_pets" });
      expect(body.events[4]).to.deep.include({ id: body.events[3].id, status: "ok", result: [{ id: 1, name: "Rex" }] });
    });

    it("answers 200 also when the turn failed, with an error event and the last message as the result", async () => {
      const { body } = await run({ message: "fail" }).expect(200);
      expect(kinds(body.events).slice(-2)).to.deep.equal(["error", "done"]);
      expect(body.events.at(-2).message).to.include("the model went away");
    });

    it('returns "" when the model answers nothing', async () => {
      const { body } = await run({ message: "silent" }).expect(200);
      expect(body.result).to.equal("");
      expect(kinds(body.events)).to.deep.equal(["user_prompt", "assistant_message", "done"]);
    });

    it("continues a session, and starts an unknown one under its id", async () => {
      const session_id = "any printable ASCII ~ 1-200";
      for (const message of ["one", "two"])
        expect((await run({ message, session_id })).body.session_id).to.equal(session_id);
      const { body } = await http()
        .get(`/-/sessions/${encodeURIComponent(session_id)}`)
        .expect(200);
      expect(body.turns.map(({ prompt }: { prompt: string }) => prompt)).to.deep.equal(["one", "two"]);
    });

    it("E2 refuses session ids that are not 1 to 200 printable ASCII characters, or that a client could not send", async () => {
      for (const session_id of ["", "x".repeat(201), "a\u0000b", "é", "\ud800", "a\n", 7, {}, null])
        expect((await run({ message: "x", session_id })).status, JSON.stringify(session_id)).to.equal(400);
      for (const [session_id, why] of [
        [".", "an address loses them"],
        ["..", "an address loses them"],
        [" x", "a header loses it"],
        ["x ", "a header loses it"],
        [" ", "a header loses it"],
      ]) {
        const { status, body } = await run({ message: "x", session_id });
        expect(status, JSON.stringify(session_id)).to.equal(400);
        expect(body.error.message)
          .to.match(/^session_id must be /)
          .and.include(why);
      }
      for (const session_id of ["__proto__", "constructor", "../../x", "x".repeat(200), "%00", "...", ".x"]) {
        const { status, body } = await run({ message: "x", session_id });
        expect(status, session_id).to.equal(200);
        expect(body.session_id).to.equal(session_id);
      }
    });

    it("tightens the turn by each of the four booleans, and only that turn", async () => {
      const before = target.requests.length;
      const resultOf = async (body: object): Promise<Event> =>
        (await run({ message: "create", ...body })).body.events.find(({ kind }: Event) => kind === "tool_result");
      expect((await resultOf({ read_only: true })).status).to.equal("error");
      expect((await resultOf({ dry_run: true })).status).to.equal("ok");
      expect((await resultOf({ confirm: true })).result).to.include({ error: "confirmation_required" });
      expect(target.requests).to.have.length(before);
      expect((await resultOf({ read_only: false, strict: true })).status).to.equal("ok");
      expect(target.requests).to.have.length(before + 1);
    });

    it("F2 refuses what only looks like a boolean", async () => {
      for (const field of ["read_only", "dry_run", "strict", "confirm"])
        for (const value of ["false", "true", 0, 1, null, "no", [], {}]) {
          const { status, body } = await run({ message: "create", [field]: value });
          expect(status, `${field} ${JSON.stringify(value)}`).to.equal(400);
          expect(body.error.message).to.include(field);
        }
    });

    it("refuses unknown fields by name, with the nearest known one", async () => {
      const { body } = await run({ message: "x", readonly: true }).expect(400);
      expect(body.error).to.deep.equal({
        code: "invalid_body",
        message: 'unknown field "readonly". Did you mean read_only?',
        details: ['unknown field "readonly". Did you mean read_only?'],
      });
      const two = await run({ message: "x", readonly: true, sessionid: "x" }).expect(400);
      expect(two.body.error.details).to.have.length(2);
      expect(two.body.error.message).to.include("read_only").and.include("session_id");
    });

    it("D6 names ten of a hundred thousand unknown fields, in a short answer and at once", async () => {
      const fields = Array.from({ length: 90_000 }, (_, at) => [`k${at}`, 1]);
      const { body, text } = await run({ message: "x", ...Object.fromEntries(fields) }).expect(400);
      expect(body.error.details).to.have.length(11);
      expect(body.error.details[10]).to.equal("and 89990 more");
      expect(body.error.message).to.match(/^90000 things are wrong: .*"k0".*"k2".* and 89997 more$/);
      expect(text.length).to.be.below(3000);
      const long = await run({ message: "x", ["readonl".repeat(100_000)]: 1 }).expect(400);
      expect(long.text.length).to.be.below(1000);
    });

    it("streams the same events as server-sent events and as NDJSON, with the session id in the header", async () => {
      const events = (await run({ message: "list" })).body.events as Event[];
      const shape = (list: Event[]) => list.map(({ kind, text, result }) => ({ kind, text, result }));
      for (const [accept, parse] of [
        [
          "text/event-stream",
          (text: string) =>
            text
              .split("\n\n")
              .filter(Boolean)
              .map((one) => one.replace(/^id: .*\n/, "").replace(/^data: /, "")),
        ],
        ["application/x-ndjson", (text: string) => text.split("\n").filter(Boolean)],
      ] as const) {
        const answer = await fetch(`${daemon.url}/run`, {
          method: "POST",
          headers: { "content-type": "application/json", accept },
          body: '{"message":"list"}',
        });
        expect(answer.status).to.equal(200);
        expect(answer.headers.get("content-type")).to.equal(accept);
        expect(answer.headers.get("x-session-id")).to.match(UUID);
        const streamed = parse(await answer.text()).map((one) => JSON.parse(one) as Event);
        expect(shape(streamed)).to.deep.equal(shape(events));
      }
    });

    it("streams live", async () => {
      const answer = await fetch(`${daemon.url}/run`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "text/event-stream" },
        body: '{"message":"slow"}',
      });
      const reader = answer.body?.getReader();
      const first = await reader?.read();
      expect(new TextDecoder().decode(first?.value)).to.include("user_prompt");
      expect(daemon.agent.load().running).to.equal(1);
      while (!(await reader?.read())?.done);
    });

    it("answers JSON unless the first type accepted is a stream", async () => {
      for (const [accept, type] of [
        ["*/*", "application/json"],
        ["application/json", "application/json"],
        ["application/json, text/event-stream;q=0.5", "application/json"],
        ["text/html", "application/json"],
        ["text/*", "application/json"],
        ["text/event-stream;q=0, */*", "application/json"],
        ["application/x-ndjson;q=0, text/event-stream;q=0.0, */*", "application/json"],
        ["text/event-stream;q=0.5, */*", "application/json"],
        ["text/event-stream, */*", "text/event-stream"],
        ["text/event-stream;q=0, application/x-ndjson", "application/x-ndjson"],
        ["Application/X-NDJSON, */*;q=0.1", "application/x-ndjson"],
        ["TEXT/Event-Stream; charset=utf-8", "text/event-stream"],
        ['text/event-stream;v="a, b";q=0.5, application/json;q=0.1', "text/event-stream"],
        ["application/x-ndjson; charset=utf-8; q=0.2, application/json; charset=utf-8", "application/json"],
        ["text/event-stream; charset=utf-8; q=0", "application/json"],
        ["application/*, text/event-stream;q=0.5", "application/json"],
      ] as const) {
        const answer = await run({ message: "hello" }).set("Accept", accept);
        expect(answer.type, accept).to.equal(type);
      }
    });

    it("refuses a stream with the status of the error", async () => {
      const answer = await run({ message: 7 }).set("Accept", "text/event-stream");
      expect(answer.status).to.equal(400);
      expect(answer.body.error.code).to.equal("invalid_body");
    });

    it("cancels the turn when the client goes away", async () => {
      for (const accept of ["application/json", "text/event-stream"]) {
        const gone = new AbortController();
        const session_id = `gone ${accept}`;
        const answer = fetch(`${daemon.url}/run`, {
          method: "POST",
          headers: { "content-type": "application/json", accept },
          body: JSON.stringify({ message: "slow", session_id }),
          signal: gone.signal,
        }).then((response) => response.text());
        while (daemon.agent.load().running === 0) await sleep(5);
        gone.abort();
        await answer.catch(() => {});
        while (daemon.agent.load().running > 0) await sleep(5);
        expect((await transcriptOf(daemon.agent, session_id))?.[0]?.status, accept).to.equal("cancelled");
      }
    });

    it("has extended events when the prompt asks for them", async () => {
      const { body } = await run({ message: "hello", events: "extended" }).expect(200);
      expect(kinds(body.events)).to.deep.equal([
        "user_prompt",
        "session",
        "assistant_delta",
        "assistant_message",
        "done",
      ]);
    });

    it("keeps every digit of an integer the target answered", async () => {
      target.answer(() => json('[{"id":12345678901234567890}]'));
      const { text } = await run({ message: "list" })
        .buffer(true)
        .parse((res, done) => {
          let whole = "";
          res.on("data", (chunk: Buffer) => {
            whole += chunk.toString();
          });
          res.on("end", () => done(null, whole));
        })
        .then(({ body }) => ({ text: String(body) }));
      target.answer(() => json([{ id: 1, name: "Rex" }]));
      expect(text).to.include('{"id":12345678901234567890}');
    });
  });

  describe("GET of any other path", () => {
    it("is the web UI's page, so that deep links work", async () => {
      for (const path of ["/", "/history/17", "/sessions/x", "/missing.js", "/-", "/%", "/100%/%E0%A4%A"]) {
        const answer = await http().get(path).expect(200);
        expect(answer.type, path).to.equal("text/html");
        expect(answer.headers["cache-control"], path).to.equal("no-cache");
        expect((await http().head(path)).status, path).to.equal(200);
      }
    });

    it("has an ETag made of its content: a page of the same time and size is not the same page", async () => {
      const file = join(staticDir, "index.html");
      for (const path of ["/", "/s/x", "/index.html", "/"]) {
        const old = await readFile(file, "utf8");
        const { mtime } = await stat(file);
        const { headers } = await http().get(path).expect(200, old);
        expect(headers["last-modified"], path).to.equal(undefined);
        await http().get(path).set("If-None-Match", String(headers["etag"])).expect(304);
        const next = old.includes("the page")
          ? old.replace("the page", "the_page")
          : old.replace("the_page", "the page");
        await writeFile(file, next);
        await utimes(file, mtime, mtime);
        await http().get(path).set("If-None-Match", String(headers["etag"])).expect(200, next);
        await http().get(path).set("If-Modified-Since", mtime.toUTCString()).expect(200, next);
      }
    });

    it("is an asset with its own type, immutable when its name holds a hash", async () => {
      const answer = await http().get("/assets/main-abc123.js").expect(200);
      expect(answer.type).to.match(/javascript/);
      expect(answer.headers["cache-control"]).to.include("immutable");
    });

    it("is 404 only when the bundle is missing", async () => {
      const bare = await startDaemon({ listen: { staticDir: join(staticDir, "nowhere") } });
      const { status, body } = await request(bare.url).get("/");
      await bare.close();
      expect(status).to.equal(404);
      expect(body.error.code).to.equal("not_found");
    });
  });

  describe("A known path with a wrong method", () => {
    it("gives 405 with Allow", async () => {
      const rows = [
        ["put", "/run", "POST"],
        ["get", "/run", "POST"],
        ["post", "/tools", "GET, HEAD"],
        ["options", "/history", "GET, HEAD"],
        ["delete", "/some/page", "GET, HEAD"],
        ["put", "/-/sessions/x", "GET, HEAD, PATCH, DELETE"],
      ] as const;
      for (const [method, path, allow] of rows) {
        const { status, headers, body } = await http()[method](path);
        expect(status, `${method} ${path}`).to.equal(405);
        expect(headers["allow"]).to.equal(allow);
        expect(body.error.code).to.equal("method_not_allowed");
      }
    });

    it("gives 404 for unknown things under /-/", async () => {
      for (const path of ["/-/", "/-/nothing", "/-/sessions/unknown/transcript"]) await http().get(path).expect(404);
    });
  });

  describe("/-/sessions", () => {
    it("lists, returns, cancels and deletes sessions", async () => {
      await run({ message: "hello", session_id: "mine" }).expect(200);
      const { body: list } = await http().get("/-/sessions?limit=1").expect(200);
      expect(list[0]).to.include({ session_id: "mine", turns: 1, status: "done", title: "hello" });
      const { body: session } = await http().get("/-/sessions/mine").expect(200);
      expect(session).to.have.keys("session_id", "title", "turns");
      await http().post("/-/sessions/mine/cancel").expect(200, { cancelled: 0 });
      await http().delete("/-/sessions/mine").expect(204);
      await http().get("/-/sessions/mine").expect(404);
      await http().post("/-/sessions/mine/cancel").expect(404);
      await http().delete("/-/sessions/mine").expect(404);
    });

    it("stops the running and waiting turns of a session on cancel", async () => {
      const running = run({ message: "slow", session_id: "busy" }).then((answer) => answer);
      while (daemon.agent.load().running === 0) await sleep(5);
      const waiting = run({ message: "hello", session_id: "busy" }).then((answer) => answer);
      while (daemon.agent.load().waiting === 0) await sleep(5);
      await http().delete("/-/sessions/busy").expect(409);
      await http().post("/-/sessions/busy/cancel").expect(200, { cancelled: 2 });
      expect(kinds((await running).body.events).slice(-2)).to.deep.equal(["error", "done"]);
      expect((await waiting).status).to.equal(409);
    });
  });

  describe("/-/confirmations", () => {
    it("lists confirmations and decides each once", async () => {
      const before = target.requests.length;
      const { body } = await run({ message: "create", confirm: true });
      const held = body.events.find(({ kind }: Event) => kind === "tool_result").result;
      const { body: list } = await http().get("/-/confirmations?status=pending").expect(200);
      const mine = list.find(({ id }: { id: string }) => id === held.confirmation_id);
      expect(mine).to.deep.include({ tool: "create_pet", arguments: { name: "Rex" }, status: "pending" });
      const decide = (decision: object) => http().post(`/-/confirmations/${held.confirmation_id}`).send(decision);
      expect((await decide({ decision: "perhaps" })).status).to.equal(400);
      expect((await decide({ decision: "approve", resaon: "x" })).body.error.message).to.include("reason");
      const { status, body: decided } = await decide({ decision: "approve" });
      expect(status).to.equal(200);
      expect(decided).to.include({ id: held.confirmation_id, status: "approved" });
      expect((await decide({ decision: "approve" })).status).to.equal(409);
      expect(target.requests.length - before).to.equal(1);
      await http().post("/-/confirmations/unknown").send({ decision: "deny" }).expect(404);
    });
  });

  describe("Metrics and the log", () => {
    it("counts turns, calls and responses at /-/metrics", async () => {
      const sampleOf = async (sample: string): Promise<number> => {
        const { text, type } = await http().get("/-/metrics").expect(200);
        expect(type).to.equal("text/plain");
        const line = text.split("\n").find((one) => one.startsWith(`${sample} `));
        return Number(line?.split(" ")[1]);
      };
      const names = ['agentd_turns_total{status="done"}', 'agentd_tool_calls_total{status="ok"}'];
      const before = await Promise.all(names.map(sampleOf));
      await run({ message: "list" }).expect(200);
      for (const [at, name] of names.entries()) expect(await sampleOf(name), name).to.equal((before[at] ?? 0) + 1);
      expect(await sampleOf("process_resident_memory_bytes")).to.be.above(1024 * 1024);
    });

    it("writes one log line a request", async () => {
      const start = daemon.log.length;
      await http().get("/tools").expect(200);
      await http().post("/tools").expect(405);
      const lines = daemon.log.slice(start).filter(({ message }) => message === "request");
      expect(lines.map(({ fields }) => [fields["method"], fields["path"], fields["status"]])).to.deep.equal([
        ["GET", "/tools", 200],
        ["POST", "/tools", 405],
      ]);
    });
  });

  it("serves a schema document that changed on disk", async () => {
    const other = await startDaemon();
    const shop = petShop("http://127.0.0.1:9") as { resources: { actions: object[] }[] };
    shop.resources[0]?.actions.splice(1);
    await writeFile(join(other.dataDir, "schema.json"), JSON.stringify(shop));
    const { body } = await request(other.url).get("/tools");
    await other.close();
    expect(body).to.have.length(1);
  });
});

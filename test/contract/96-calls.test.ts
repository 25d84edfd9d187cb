// Calls without a model over HTTP, the actions saved of them, and the test of a provider.
import { expect } from "chai";
import type { SavedAction } from "../../src/domain/saved-action.js";
import { type Daemon, petShop, startDaemon } from "../support/daemon.js";
import { getJson, postJson } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { until } from "../support/until.js";

const FULL = "full-token-full-token";
const READER = "reader-token-reader";
const TOKENS = { full: { token: FULL }, reader: { token: READER, read_only: true } };
const bearer = (token: string): RequestInit => ({ headers: { Authorization: `Bearer ${token}` } });

interface Answer {
  call_id: string;
  history_id: number;
  status: string;
  result: unknown;
  confirmation?: { id: string };
}

describe("Calling a tool", () => {
  let target: RecordingTarget;
  let daemon: Daemon;

  before(async () => {
    target = await startTarget((request) =>
      request.path === "/pets" ? json([{ id: 9007199254740993n.toString(), name: "Rex" }]) : json({ id: 1 }),
    );
    daemon = await startDaemon({ target: target.url });
  });
  after(async () => {
    await daemon.close();
    await target.close();
  });
  beforeEach(() => void target.requests.splice(0));

  const call = (tool: string, body: object, init?: RequestInit): Promise<Response> =>
    postJson(`${daemon.url}/-/tools/${tool}/call`, body, init);

  it("makes one call without a model, and puts it on record under its session", async () => {
    const response = await call("list_pets", {}, { headers: { "X-Session-Id": "by-hand" } });
    expect(response.status).to.equal(200);
    const answer = (await response.json()) as Answer;
    expect(answer).to.include.keys("call_id", "history_id", "duration_ms").and.to.have.property("status", "ok");
    const [row] = await getJson<Record<string, unknown>[]>(`${daemon.url}/history?session_id=by-hand`);
    expect(row).to.include({ id: answer.history_id, tool: "list_pets", status: "ok", turn_id: "", client: "http" });
  });

  it("keeps the digits of large integers", async () => {
    const response = await fetch(`${daemon.url}/-/tools/get_pet/call`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: '{"arguments":{"id":9007199254740993}}',
    });
    expect(response.status).to.equal(200);
    expect(target.requests[0]?.path).to.equal("/pets/9007199254740993");
  });

  it("answers wrong arguments with an error that says why, and an unknown tool with 404", async () => {
    const wrong = (await (await call("get_pet", { arguments: {} })).json()) as Answer;
    expect(wrong.status).to.equal("error");
    expect(wrong.result).to.deep.include({
      error: "invalid_arguments",
      details: [{ pointer: "/id", message: "is required" }],
    });
    const [row] = await getJson<{ result: unknown }[]>(`${daemon.url}/history?limit=1`);
    expect(row?.result).to.deep.equal(wrong.result);
    expect((await call("no_such", {})).status).to.equal(404);
    expect(target.requests).to.deep.equal([]);
  });

  it("refuses unknown fields by name", async () => {
    const response = await call("list_pets", { argument: {} });
    expect(response.status).to.equal(400);
    expect(await response.text())
      .to.include("argument")
      .and.to.include("arguments");
  });

  it("turns modes on: a dry run and read_only send nothing", async () => {
    const body = { arguments: { name: "Tom" } };
    const dry = (await (await call("create_pet", { ...body, dry_run: true })).json()) as Answer;
    expect(dry.result).to.have.property("dry_run", true);
    const refused = (await (await call("create_pet", { ...body, read_only: true })).json()) as Answer;
    expect(refused.result).to.have.property("error", "refused");
    expect(target.requests).to.deep.equal([]);
  });

  it("answers a held call with 202 and its confirmation, which runs it when it is approved", async () => {
    const held = await call("create_pet", { arguments: { name: "Tom" }, confirm: true });
    expect(held.status).to.equal(202);
    const { confirmation, history_id } = (await held.json()) as Answer;
    expect(target.requests).to.deep.equal([]);
    const decided = await postJson(`${daemon.url}/-/confirmations/${confirmation?.id}`, { decision: "approve" });
    expect(decided.status).to.equal(200);
    expect(target.requests).to.have.length(1);
    const rows = await getJson<{ id: number; status: string }[]>(`${daemon.url}/history?limit=5`);
    expect(rows.find(({ id }) => id === history_id)?.status).to.equal("ok");
  });

  it("calls the daemon's own tools", async () => {
    const found = (await (await call("search_tools", { arguments: { query: "create a pet" } })).json()) as Answer;
    expect(JSON.stringify(found.result)).to.include("create_pet");
  });

  it("goes on to be recorded when its client goes away after it was sent", async () => {
    let answer = (): void => {};
    const slow = await startTarget(() => (socket) => {
      answer = () => void socket.end(json([]));
    });
    const waiting = await startDaemon({ target: slow.url });
    try {
      const gone = new AbortController();
      const asked = postJson(`${waiting.url}/-/tools/list_pets/call`, {}, { signal: gone.signal }).catch(() => "gone");
      await until(() => slow.requests.length === 1);
      gone.abort();
      expect(await asked).to.equal("gone");
      answer();
      await until(async () => {
        const [row] = await getJson<{ status: string }[]>(`${waiting.url}/history`);
        return row?.status === "ok";
      });
    } finally {
      await waiting.close();
      await slow.close();
    }
  });
});

describe("Saved actions", () => {
  let daemon: Daemon;
  const actions = (path = ""): string => `${daemon.url}/-/actions${path}`;
  const save = async (content: object): Promise<SavedAction> => {
    const response = await postJson(actions(), content);
    expect(response.status).to.equal(201);
    return (await response.json()) as SavedAction;
  };
  const change = (id: string, method: string, body?: object): Promise<Response> =>
    fetch(actions(`/${id}`), {
      method,
      ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });

  beforeEach(async () => {
    daemon = await startDaemon();
  });
  afterEach(() => daemon.close());

  it("are kept with their arguments, pinned ones first, and are changed and deleted", async () => {
    await save({ title: "All pets", tool: "list_pets" });
    const pinned = await save({ title: "Pet one", tool: "get_pet", arguments: { id: 1 }, pinned: true });
    const list = await getJson<SavedAction[]>(actions());
    expect(list.map(({ title, pinned, available }) => ({ title, pinned, available }))).to.deep.equal([
      { title: "Pet one", pinned: true, available: true },
      { title: "All pets", pinned: false, available: true },
    ]);
    const changed = await change(pinned.id, "PATCH", { title: "The first pet", pinned: false });
    expect(await changed.json()).to.deep.include({ title: "The first pet", arguments: { id: 1 }, pinned: false });
    expect((await change(pinned.id, "DELETE")).status).to.equal(204);
    expect((await change(pinned.id, "DELETE")).status).to.equal(404);
    expect((await change(pinned.id, "PATCH", { pinned: true })).status).to.equal(404);
    expect(await getJson<SavedAction[]>(actions())).to.have.length(1);
  });

  it("are not for tools that are not there, and keep no secret", async () => {
    const wrong = await postJson(actions(), { title: "x", tool: "no_such" });
    expect([wrong.status, await wrong.text()]).to.deep.include(400);
    const secret = await postJson(actions(), { title: "x", tool: "list_pets", arguments: { password: "hunter22" } });
    expect(secret.status).to.equal(400);
    expect(await secret.text())
      .to.include("secret")
      .and.not.include("hunter22");
  });

  it("N24 have no configured secret in their titles, nor have conversations", async () => {
    const secret = "canary-9f8e7d6c";
    await daemon.reload({ target: { auth: { key: secret } } });
    const saved = await save({ title: `a ${secret}`, tool: "list_pets" });
    const changed = await (await change(saved.id, "PATCH", { title: `b ${secret}` })).text();
    await postJson(`${daemon.url}/run`, { message: "hello", session_id: "named" });
    const renamed = await fetch(`${daemon.url}/-/sessions/named`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ title: `c ${secret}` }),
    });
    const listed = await (await fetch(actions())).text();
    const found = await (await fetch(`${daemon.url}/-/sessions?q=canary`)).text();
    for (const text of [JSON.stringify(saved), changed, await renamed.text(), listed])
      expect(text).to.include("[redacted]").and.not.include(secret);
    expect(found).to.equal("[]");
  });

  it("say when their tool is gone", async () => {
    await save({ title: "All pets", tool: "list_pets" });
    const { writeFile } = await import("node:fs/promises");
    await writeFile(
      `${daemon.dataDir}/schema.json`,
      JSON.stringify({ ...petShop("http://127.0.0.1:9"), resources: [] }),
    );
    await until(async () => (await getJson<SavedAction[]>(actions()))[0]?.available === false);
  });
});

describe("Calling a tool: read-only tokens", () => {
  it("run in read_only, and save nothing", async () => {
    const target = await startTarget(() => json([]));
    const daemon = await startDaemon({ target: target.url, listen: { tokens: tokensOf() } });
    try {
      const url = `${daemon.url}/-/tools`;
      const read = await postJson(`${url}/list_pets/call`, {}, bearer(READER));
      expect(read.status).to.equal(200);
      const write = await postJson(`${url}/create_pet/call`, { arguments: { name: "Tom" } }, bearer(READER));
      expect(((await write.json()) as Answer).result).to.have.property("error", "refused");
      const saved = await postJson(`${daemon.url}/-/actions`, { title: "x", tool: "list_pets" }, bearer(READER));
      expect(saved.status).to.equal(403);
      expect((await postJson(`${daemon.url}/-/providers/played/test`, {}, bearer(READER))).status).to.equal(403);
      expect(target.requests).to.have.length(1);
    } finally {
      await daemon.close();
      await target.close();
    }
  });
});

const tokensOf = () => ({
  full: { token: TOKENS.full.token, readOnly: false },
  reader: { token: TOKENS.reader.token, readOnly: true },
});

describe("Testing a provider", () => {
  it("tells whether it answers, and what is wrong when it does not", async () => {
    const broken = { type: "openai-compatible", base_url: "http://127.0.0.1:9/v1", model: "m" };
    const daemon = await startDaemon({ config: {} });
    try {
      await daemon.reload({
        providers: { played: { type: "scripted", file: `${daemon.dataDir}/turns.json` }, broken },
      });
      const test = async (name: string): Promise<Record<string, unknown>> =>
        (await (await postJson(`${daemon.url}/-/providers/${name}/test`, {})).json()) as Record<string, unknown>;
      expect(await test("played")).to.include({ ok: true });
      const failed = await test("broken");
      expect(failed).to.include({ ok: false });
      expect(failed["error"]).to.be.a("string").that.is.not.empty;
      expect((await postJson(`${daemon.url}/-/providers/nobody/test`, {})).status).to.equal(404);
    } finally {
      await daemon.close();
    }
  });
});

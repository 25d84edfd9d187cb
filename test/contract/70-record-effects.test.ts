// What a held change over HTTP would do to the record it is about: read before, shown, and still so when it is made.
// Source: docs/reference.md, "Effects".
import { expect } from "chai";
import type { Confirmation, HistoryEntry } from "../../src/domain/record.js";
import type { JsonObject } from "../../src/lib/json.js";
import { type Daemon, type DaemonOptions, startDaemon } from "../support/daemon.js";
import { getJson, postJson } from "../support/entry-points.js";
import { readStream } from "../support/streams.js";
import { json, type RecordingTarget, response, startTarget } from "../support/target.js";
import { toolCalls } from "../support/tool-calls.js";
import { until } from "../support/until.js";

const FIELDS = { name: { type: "string" }, color: { type: "string" }, token: { type: "string" } };

function shop(target: string, form?: object): object {
  const action = (name: string, method: string, more: object = {}): object => ({
    name,
    description: name,
    provenance: "declared",
    parameters: {
      type: "object",
      properties: { id: { type: "integer" }, ...(form ? { body: { type: "object" } } : FIELDS) },
      required: ["id"],
    },
    transport: {
      kind: "http",
      method,
      path: "/pets/{id}",
      parameters: [{ name: "id", in: "path", key: "id" }],
      ...more,
    },
  });
  const body = { body: form ?? { properties: { name: "name", color: "color", token: "token" } } };
  const actions = [
    action("get_pet", "GET"),
    action("change_pet", "PATCH", body),
    action("replace_pet", "PUT", body),
    action("delete_pet", "DELETE"),
    action("feed_pet", "POST", { path: "/pets/{id}/feed" }),
  ];
  return { version: 1, source: "openapi", base_url: target, resources: [{ name: "pets", actions }] };
}

const REX = { id: 1, name: "Rex", color: "black", views: 7 };

describe("Effects", () => {
  let target: RecordingTarget;
  let daemon: Daemon;
  let pet: JsonObject | undefined;
  /** Which methods the application fails at. */
  let isBroken: (method: string) => boolean;

  const start = async (options: DaemonOptions = {}): Promise<void> => {
    const config = { safety: { confirm: true } };
    daemon = await startDaemon({ target: target.url, schema: shop(target.url), config, ...options });
  };
  const history = () => getJson<HistoryEntry[]>(`${daemon.url}/history`);
  const pending = () => getJson<Confirmation[]>(`${daemon.url}/-/confirmations?status=pending`);
  const hold = async (tool: string, args: JsonObject): Promise<Confirmation> => {
    await toolCalls(daemon.agent, "").callTool(tool, args, {});
    const held = (await pending()).at(-1);
    if (!held) throw new Error("nothing is held");
    return held;
  };
  const approve = async ({ id }: Confirmation, more: object = {}) => {
    const answer = await postJson(`${daemon.url}/-/confirmations/${id}`, { decision: "approve", ...more });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const sent = (): string[] => target.requests.splice(0).map(({ method }) => method);

  beforeEach(async () => {
    pet = { ...REX };
    isBroken = () => false;
    target = await startTarget();
    target.answer(({ method, body }) => {
      if (!pet || isBroken(method)) return json({ error: "no pet" }, 404);
      if (method === "PATCH" || method === "PUT") pet = { ...pet, ...(JSON.parse(String(body)) as JsonObject) };
      const answered = { ...pet, views: Number(pet["views"]) + 1 };
      // Reading it changes it, as a counter does.
      pet = method === "DELETE" ? undefined : answered;
      return method === "DELETE" ? response(204, {}) : json(answered);
    });
  });
  afterEach(async () => {
    await daemon.close();
    await target.close();
  });

  it("shows of a held PATCH, PUT and DELETE the record as it is and as the request makes it", async () => {
    await start();
    const before = { id: 1, name: "Rex", color: "black" };
    for (const [tool, args, after, undo] of [
      ["change_pet", { id: 1, name: "Max" }, { ...before, name: "Max" }, "possible"],
      ["replace_pet", { id: 1, name: "Max" }, { id: 1, name: "Max" }, "possible"],
      ["delete_pet", { id: 1 }, null, "impossible"],
    ] as const) {
      const views = Number(pet?.["views"]) + 1;
      const held = await hold(tool, args);
      expect(held).to.have.property("undo", undo);
      expect(held.effect).to.deep.include({ complete: false });
      expect(held.effect?.changes).to.deep.equal([
        { resource: "pets", key: { id: 1 }, before: { ...before, views }, after: after && { ...after, views } },
      ]);
      expect(Date.parse(held.effect?.read_at ?? "")).to.be.within(Date.parse(held.created_at) - 60_000, Date.now());
      expect((await history()).slice(0, 2).map((row) => [row.tool, row.status, row.turn_id])).to.deep.equal([
        [tool, "held", ""],
        ["get_pet", "ok", ""],
      ]);
      expect(sent()).to.deep.equal(["GET"]);
    }
  });

  it("compares a record that stands in an envelope, with the body in it or not @all", async () => {
    const attributes = { name: "Rex", color: "black" };
    let record: JsonObject = {};
    target.answer(() => json(record));
    await start({ schema: shop(target.url, { argument: "body" }) });
    const shown = async (tool: string, args: JsonObject) => {
      const { effect } = await hold(tool, { id: 1, ...args });
      return effect?.changes[0] && [effect.changes[0].before, effect.changes[0].after];
    };
    const max = { ...attributes, name: "Max" };
    for (const name of ["data", "item", "result"]) {
      record = { [name]: attributes, meta: { at: 1 } };
      for (const body of [{ name: "Max" }, { [name]: { name: "Max" } }])
        expect(await shown("change_pet", { body })).to.deep.equal([attributes, max]);
      expect(await shown("delete_pet", {})).to.deep.equal([attributes, null]);
    }
    record = { data: { type: "pets", id: "1", attributes } };
    const body = { data: { type: "pets", id: "1", attributes: { name: "Max" } } };
    expect(await shown("change_pet", { body })).to.deep.equal([attributes, max]);
    // Which of two is the record is not plain.
    record = { data: attributes, item: attributes };
    expect(await shown("change_pet", { body: { name: "Max" } })).to.equal(undefined);
  });

  it("says nothing of the fields that a PUT of unknown form does not send", async () => {
    await start({ schema: shop(target.url, { argument: "body" }) });
    const { effect } = await hold("replace_pet", { id: 1, body: { name: "Max" } });
    expect(effect?.changes).to.deep.equal([
      { resource: "pets", key: { id: 1 }, before: { name: "Rex" }, after: { name: "Max" } },
    ]);
    expect(effect?.note).to.equal("what becomes of the fields that are not sent is not known");
  });

  it("is read again before the call, which is made when what was shown is still so", async () => {
    await start();
    for (const [tool, args] of [
      ["change_pet", { id: 1, name: "Max" }],
      ["delete_pet", { id: 1 }],
    ] as const) {
      const held = await hold(tool, args);
      expect((await approve(held)).body).to.have.nested.property("outcome.status", "ok");
    }
    expect(sent()).to.deep.equal(["GET", "GET", "PATCH", "GET", "GET", "DELETE"]);
  });

  it("F24 makes nothing of a record that is another by the time of the yes, and asks anew with what is there now", async () => {
    await start();
    for (const [tool, args] of [
      ["change_pet", { id: 1, name: "Max" }],
      ["replace_pet", { id: 1, name: "Max", color: "grey" }],
      ["delete_pet", { id: 1 }],
    ] as const) {
      const held = await hold(tool, args);
      pet = { ...pet, name: "Bella" };
      const { status, body } = await approve(held);
      expect(status).to.equal(409);
      expect(body).to.have.nested.property("error.code", "changed");
      const [again, ...others] = await pending();
      expect(others).to.deep.equal([]);
      expect(again?.effect?.changes[0]?.before).to.deep.include({ name: "Bella" });
      expect(sent()).to.deep.equal(["GET", "GET"]);
      expect((await approve(again ?? held)).body).to.have.nested.property("outcome.status", "ok");
      sent();
      pet = { ...REX };
    }
  });

  it("F24 makes nothing of a record that is gone by the time of the yes, and asks anew", async () => {
    await start();
    for (const [tool, args, changes] of [
      [
        "replace_pet",
        { id: 1, name: "Max" },
        [{ resource: "pets", key: { id: 1 }, before: null, after: { name: "Max" } }],
      ],
      ["change_pet", { id: 1, name: "Max" }, []],
      ["delete_pet", { id: 1 }, []],
    ] as const) {
      const held = await hold(tool, args);
      pet = undefined;
      const { status, body } = await approve(held);
      const [again, ...others] = await pending();
      expect(others).to.deep.equal([]);
      expect({ status, body }).to.have.nested.property("body.error.code", "changed");
      expect(body).to.have.nested.property("error.details").that.deep.equals([again?.id]);
      expect(status).to.equal(409);
      expect(again?.effect).to.deep.include({ changes, complete: false });
      expect(again?.effect?.note).to.contain("the record is not there any more");
      expect(sent()).to.deep.equal(["GET", "GET"]);
      // That is what was shown now: the application says what becomes of it.
      expect((await approve(again ?? held)).body).to.have.nested.property("outcome.result.error", "http_404");
      expect(sent()).to.have.length(2);
      pet = { ...REX };
    }
  });

  it("F24 asks again in a turn that waits for the yes, with what the call would do now, and goes on to its answer", async () => {
    const replies = [
      { calls: [{ id: "c", name: "change_pet", arguments: { id: 1, name: "Max" } }] },
      { text: "Done." },
    ];
    await start({ turns: [{ prompt: "go", replies }] });
    const turn = await postJson(`${daemon.url}/run`, { message: "go", detach: true });
    const { turn_id } = (await turn.json()) as { turn_id: string };
    const asked = async (before?: string): Promise<Confirmation> => {
      await until(async () => (await pending()).some(({ id }) => id !== before));
      return (await pending())[0] as Confirmation;
    };
    const first = await asked();
    pet = { ...pet, name: "Bella" };
    const refused = await approve(first);
    expect(refused.status).to.equal(409);
    const second = await asked(first.id);
    expect(refused.body)
      .to.have.property("error")
      .that.deep.includes({ code: "changed", details: [second.id] });
    expect(second.effect?.changes[0]?.before).to.deep.include({ name: "Bella" });
    expect(sent().filter((method) => method === "PATCH")).to.deep.equal([]);
    expect((await approve(second)).status).to.equal(200);
    const events = await readStream(
      await fetch(`${daemon.url}/-/turns/${turn_id}/events`, { headers: { accept: "text/event-stream" } }),
    );
    const kinds = events.events
      .map(({ event }) => event.kind)
      .filter((kind) => kind !== "session" && kind !== "assistant_delta");
    expect(kinds).to.deep.equal([
      "user_prompt",
      "tool_call",
      "confirmation_required",
      "confirmation_resolved",
      "notice",
      "confirmation_required",
      "confirmation_resolved",
      "tool_result",
      "assistant_message",
      "done",
    ]);
    const result = events.events.find(({ event }) => event.kind === "tool_result")?.event;
    expect(result).to.deep.include({ id: "c", status: "ok" });
    expect(pet).to.have.property("name", "Max");
    expect((await history()).filter(({ tool }) => tool === "change_pet").map(({ status }) => status)).to.deep.equal([
      "ok",
      "error",
    ]);
  });

  it("shows the record of the arguments that an approval edited, or none", async () => {
    await start();
    const first = await hold("change_pet", { id: 1, name: "Max" });
    const edited = await approve(first, { arguments: { id: 1, name: "Leo" } });
    expect(edited.body).to.have.nested.property("effect.changes[0].after.name", "Leo");
    const second = await hold("change_pet", { id: 1, name: "Max" });
    isBroken = (method) => method === "GET";
    const blind = await approve(second, { arguments: { id: 1, name: "Ida" } });
    expect(blind.body).to.have.nested.property("effect.changes").that.deep.equals([]);
    expect(blind.body).to.have.nested.property("outcome.status", "ok");
    expect(pet).to.have.property("name", "Ida");
  });

  it("holds a call whose record cannot be read without an effect, and runs it after a yes", async () => {
    await start();
    isBroken = (method) => method === "GET";
    const held = await hold("change_pet", { id: 1, name: "Max" });
    expect(held).not.to.have.property("effect");
    expect((await approve(held)).body).to.have.nested.property("outcome.status", "ok");
    expect(sent()).to.deep.equal(["GET", "GET", "PATCH"]);
  });

  it("sends nothing under dry_run, for another method, and where nothing is kept to undo", async () => {
    await start();
    await toolCalls(daemon.agent, "").callTool("change_pet", { id: 1, name: "Max" }, { dry_run: true });
    expect(await hold("feed_pet", { id: 1 })).not.to.have.property("effect");
    await daemon.close();
    await start({ config: { safety: { confirm: true }, target: { undo: false } } });
    expect(await hold("delete_pet", { id: 1 })).not.to.have.property("effect");
    expect(sent()).to.deep.equal([]);
  });

  it("hides secrets of the record and of the request in it", async () => {
    pet = { ...REX, token: "sk-live-0123456789abcdef0123" };
    await start();
    const { effect } = await hold("change_pet", { id: 1, token: "sk-live-fedcba9876543210fedc" });
    expect(JSON.stringify(effect)).to.not.match(/0123456789|fedcba98/);
    expect(effect?.changes[0]?.after).to.deep.include({ name: "Rex", token: "[redacted]" });
  });
});

// Changes over HTTP that can be shown and taken back: by the tool that reads the same path, for what the application lets be set.
import { expect } from "chai";
import { LOCAL_CALLER } from "../../src/domain/caller.js";
import type { Policy } from "../../src/domain/policy.js";
import type { JsonObject } from "../../src/lib/json.js";
import { type Daemon, type DaemonOptions, startDaemon } from "../support/daemon.js";
import { json, type RecordingTarget, response, startTarget } from "../support/target.js";
import { toolCalls } from "../support/tool-calls.js";

const PROPERTIES = { id: { type: "integer" }, name: { type: "string" }, color: { type: "string" } };

function shop(target: string, changes: object = {}): object {
  const byId = [{ name: "id", in: "path", key: "id" }];
  const action = (name: string, method: string, more: object = {}): object => ({
    name,
    description: name,
    provenance: "declared",
    parameters: { type: "object", properties: PROPERTIES, required: ["id"] },
    transport: {
      kind: "http",
      method,
      path: "/pets/{id}",
      parameters: byId,
      ...(method === "GET" || method === "DELETE" ? {} : { body: { properties: { name: "name", color: "color" } } }),
    },
    ...more,
  });
  const actions = [
    action("get_pet", "GET", changes),
    action("change_pet", "PATCH"),
    action("replace_pet", "PUT"),
    action("delete_pet", "DELETE"),
  ];
  return { version: 1, source: "openapi", base_url: target, resources: [{ name: "pets", actions }] };
}

describe("Undo over HTTP", () => {
  let target: RecordingTarget;
  let daemon: Daemon;
  let pets: Map<string, JsonObject>;
  /** What the application names the states of a pet by. */
  let tagOf: ((pet: JsonObject) => string) | undefined;
  /** Whether a change changes more than was asked for. */
  let isStamped: boolean;
  /** Which methods the application fails at. */
  let isBroken: (method: string) => boolean;

  const start = async (options: DaemonOptions = {}): Promise<void> => {
    daemon = await startDaemon({ target: target.url, schema: shop(target.url), ...options });
  };
  const call = async (tool: string, args: JsonObject, policy: Partial<Policy> = {}): Promise<number> =>
    (await toolCalls(daemon.agent, "").callTool(tool, args, policy)).history_id ?? 0;
  const undo = async (id: number, modes: Partial<Policy> = {}) => {
    const response = await fetch(`${daemon.url}/-/history/${id}/undo`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(modes),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const row = async (id: number) => (await daemon.agent.history({ limit: 1, before: id + 1 }))[0];
  const sent = (): string[] => target.requests.splice(0).map(({ method, path }) => `${method} ${path}`);

  beforeEach(async () => {
    pets = new Map([["1", { id: 1, name: "Rex", color: "black" }]]);
    tagOf = undefined;
    isStamped = false;
    isBroken = () => false;
    let stamp = 0;
    target = await startTarget();
    target.answer(({ method, path, body, header }) => {
      const id = path.split("/").at(-1) ?? "";
      const pet = pets.get(id);
      if (!pet || isBroken(method)) return json({ error: "no pet" }, 404);
      const condition = header("if-match");
      if (condition !== undefined && condition !== tagOf?.(pet)) return json({ error: "changed" }, 412);
      if (method === "DELETE") pets.delete(id);
      const given = method === "PATCH" || method === "PUT" ? (JSON.parse(String(body)) as JsonObject) : {};
      const next = { ...pet, ...given, ...(isStamped && method !== "GET" && { stamp: stamp++ }) };
      if (method !== "DELETE") pets.set(id, next);
      const tag = tagOf?.(next);
      const headers = { "Content-Type": "application/json", ...(tag !== undefined && { ETag: tag }) };
      return method === "DELETE" ? response(204, {}) : response(200, headers, JSON.stringify(next));
    });
  });
  afterEach(async () => {
    await daemon.close();
    await target.close();
  });

  it("takes a PATCH and a PUT back, with a row for every request", async () => {
    await start();
    for (const tool of ["change_pet", "replace_pet"]) {
      const id = await call(tool, { id: 1, name: "Max", color: "white" });
      expect(await row(id)).to.deep.include({ status: "ok", undo: "possible" });
      expect((await row(id))?.effect?.changes).to.deep.equal([
        {
          resource: "pets",
          key: { id: 1 },
          before: { id: 1, name: "Rex", color: "black" },
          after: { id: 1, name: "Max", color: "white" },
        },
      ]);
      expect((await undo(id)).body).to.deep.include({ status: "ok" });
      expect(pets.get("1")).to.deep.equal({ id: 1, name: "Rex", color: "black" });
      expect((await row(id))?.undo).to.equal("done");
    }
    expect((await daemon.agent.history({ limit: 50 })).length).to.equal(target.requests.length);
    expect(sent()).to.deep.equal(
      ["PATCH", "PUT"].flatMap((method) => ["GET /pets/1", `${method} /pets/1`, "GET /pets/1", `${method} /pets/1`]),
    );
  });

  it("J23 takes a call back once, however many ask for it at once, and however many of them were held and approved", async () => {
    await start();
    const first = await call("change_pet", { id: 1, name: "Max" });
    sent();
    const asked = await Promise.all([1, 2, 3, 4].map(() => undo(first)));
    expect(asked.map(({ status }) => status).sort()).to.deep.equal([200, 409, 409, 409]);
    expect(sent().filter((one) => one.startsWith("PATCH"))).to.have.length(1);
    expect(pets.get("1")).to.include({ name: "Rex" });

    const second = await call("change_pet", { id: 1, name: "Tom" });
    sent();
    for (let n = 0; n < 3; n++) expect((await undo(second, { confirm: true })).status).to.equal(202);
    const waiting = await daemon.agent.confirmations({ limit: 3 });
    const decided = await Promise.allSettled(
      waiting.map(({ id }) => daemon.agent.decide(id, { decision: "approve" }, LOCAL_CALLER)),
    );
    expect(decided.map(({ status }) => status).sort()).to.deep.equal(["fulfilled", "rejected", "rejected"]);
    expect(sent().filter((one) => one.startsWith("PATCH"))).to.have.length(1);
    expect((await row(second))?.undo).to.equal("done");
  });

  it("conflicts when the record was changed since, also in the last moment where the application names its states", async () => {
    tagOf = (pet) => JSON.stringify(`${pet["name"]}-${pet["color"]}`);
    await start();
    const id = await call("change_pet", { id: 1, name: "Max" });
    pets.set("1", { id: 1, name: "Max", color: "grey" });
    const answer = await undo(id);
    expect(answer.status).to.equal(409);
    expect(answer.body).to.have.nested.property("error.details[0]").that.contains('"differs":["color"]');
    pets.set("1", { id: 1, name: "Max", color: "black" });
    sent();
    const tag = tagOf;
    // Changed between the read and the change.
    isBroken = (method) => {
      if (method === "PATCH") tagOf = () => '"another"';
      return false;
    };
    expect((await undo(id)).status).to.equal(409);
    tagOf = tag;
    isBroken = () => false;
    expect(target.requests.at(-1)?.header("if-match")).to.equal('"Max-black"');
    expect((await undo(id)).status).to.equal(200);
    expect(pets.get("1")).to.have.property("name", "Rex");
  });

  it("is partial where the application keeps fields to itself, and impossible after a deletion", async () => {
    isStamped = true;
    await start();
    const changed = await call("change_pet", { id: 1, name: "Max" });
    expect(await row(changed)).to.have.property("undo", "partial");
    const { body } = await undo(changed);
    expect(body["result"])
      .to.deep.include({ undone_in_part: changed, left: ["stamp"] })
      .and.not.to.have.property("undone");
    expect(pets.get("1")).to.have.property("name", "Rex");
    const deleted = await call("delete_pet", { id: 1 });
    expect(await row(deleted)).to.have.nested.property("effect.changes[0].after", null);
    expect(await row(deleted)).to.have.property("undo", "impossible");
    expect((await undo(deleted)).status).to.equal(409);
  });

  it("never keeps a change from being made: a record that cannot be read leaves nothing to undo", async () => {
    await start();
    isBroken = (method) => method === "GET";
    const id = await call("change_pet", { id: 1, name: "Max" });
    expect(await row(id)).to.deep.include({ status: "ok", undo: "impossible" });
    expect(await row(id - 1)).to.deep.include({ tool: "get_pet", status: "error", turn_id: "" });
    expect(pets.get("1")).to.have.property("name", "Max");
  });

  it("reads nothing under dry_run, where the operator wants no undo, and where no declared tool reads the path", async () => {
    for (const options of [
      { config: { target: { undo: false } } },
      { schema: shop(target.url, { provenance: "inferred" }) },
      { config: { safety: { dry_run: true } } },
    ]) {
      await start(options);
      const id = await call("change_pet", { id: 1, name: "Max" });
      expect(sent()).to.deep.equal("safety" in (options.config ?? {}) ? [] : ["PATCH /pets/1"]);
      expect((await row(id))?.undo).to.equal("safety" in (options.config ?? {}) ? undefined : "impossible");
      await daemon.close();
    }
    await start();
    const id = await call("change_pet", { id: 1, name: "Moritz" });
    sent();
    expect((await undo(id, { dry_run: true })).body).to.have.nested.property("result.dry_run", true);
    expect(sent()).to.deep.equal([]);
  });

  it("is held with what it would do, and bound to it", async () => {
    await start();
    const id = await call("change_pet", { id: 1, name: "Max" });
    const { status, body } = await undo(id, { confirm: true });
    expect(status).to.equal(202);
    expect(body).to.have.nested.property("confirmation.effect.changes[0].after.name", "Rex");
    const where = { undo: id, tool: "change_pet", method: "PATCH", url: `${target.url}/pets/1` };
    expect(body).to.have.nested.property("confirmation.request").that.deep.includes(where);
    const held = body["confirmation"] as { id: string };
    const decided = await daemon.agent.decide(held.id, { decision: "approve" }, LOCAL_CALLER);
    expect(decided.outcome).to.have.property("status", "ok");
    expect(pets.get("1")).to.have.property("name", "Rex");
  });
});

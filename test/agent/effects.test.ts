// What a call would do, shown before anyone is asked, and what it did, kept before it is final: held calls, dry runs, approvals for
// rows that are others by now, and rows that can be undone.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { Agent, CallAnswer } from "../../src/domain/agent.js";
import { LOCAL_CALLER } from "../../src/domain/caller.js";
import { AppError } from "../../src/domain/error.js";
import type { Policy } from "../../src/domain/policy.js";
import { type JsonObject, objectOf } from "../../src/lib/json.js";
import type { Reply } from "../../src/providers/provider.js";
import { verify } from "../store/sqlite/fixture.js";
import {
  createTableTransport,
  openTableAgent,
  type TableAgentOptions,
  type TableTransport,
} from "../support/table-agent.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { toolCalls } from "../support/tool-calls.js";
import { until } from "../support/until.js";

const REX = { id: 1, name: "Rex", password: "hunter22" };

describe("Effects", () => {
  let dir: string;
  let agent: Agent;
  let table: TableTransport;

  const open = async (options: TableAgentOptions = {}): Promise<void> => {
    agent = await openTableAgent(dir, table, options);
  };
  const call = (tool: string, args: JsonObject, policy: Partial<Policy> = {}): Promise<CallAnswer> =>
    toolCalls(agent, "").callTool(tool, args, policy);
  const approve = (id: string, args?: JsonObject) =>
    agent.decide(id, args ? { decision: "approve", arguments: args } : { decision: "approve" }, LOCAL_CALLER);
  const heldId = ({ confirmation }: CallAnswer): string => confirmation?.id ?? "";
  const rows = () => agent.history({ limit: 10 });

  beforeEach(() => {
    dir = temporaryFolder("effects");
    table = createTableTransport(new Map([[1, { ...REX }]]));
  });
  afterEach(() => agent.close());

  const renamed = {
    tables: [{ name: "rows", inserted: 0, updated: 1, deleted: 0 }],
    changes: [
      {
        resource: "rows",
        key: { id: 1 },
        before: { ...REX, password: "[redacted]" },
        after: { ...REX, name: "Max", password: "[redacted]" },
      },
    ],
    complete: true,
  };

  it("are shown, redacted, with a call that is held, and kept with its row", async () => {
    await open();
    const answer = await call("update_rows", { id: 1, name: "Max" }, { confirm: true });
    expect(answer.confirmation).to.deep.include({ effect: renamed, undo: "possible" });
    const [held] = await agent.confirmations({ limit: 10 });
    expect(held).to.deep.include({ effect: renamed, undo: "possible" }).and.not.to.have.property("fingerprint");
    expect((await rows())[0])
      .to.deep.include({ status: "held", effect: renamed })
      .and.not.to.have.property("undo");
    expect(table.rows.get(1)).to.deep.equal(REX);
    expect(table.executions).to.equal(0);
  });

  it("are shown with a dry run, which changes nothing", async () => {
    await open({ policy: { dry_run: true } });
    const { result } = await call("delete_rows", { id: 1 });
    expect(result).to.deep.include({ dry_run: true, undo: "possible" }).and.to.have.property("not_sent");
    expect(result).to.have.nested.property("effect.tables[0].deleted", 1);
    expect((await rows())[0]).to.have.nested.property("effect.changes[0].after", null);
    expect(table.rows.size).to.equal(1);
  });

  it("are not looked for where a call reads, or is refused", async () => {
    await open({ policy: { dry_run: true } });
    await call("list_rows", {});
    await call("delete_rows", { id: 1 }, { read_only: true });
    expect(table.previews).to.equal(0);
    expect((await rows()).map(({ status }) => status)).to.deep.equal(["blocked", "dry_run"]);
  });

  for (const mode of ["confirm", "dry_run"])
    it(`with ${mode}, a call that would fail fails at once`, async () => {
      await open();
      const answer = await call("update_rows", { id: 7 }, { [mode]: true });
      expect(answer).to.deep.include({ status: "error" }).and.not.to.have.property("confirmation.id");
      expect(answer.result).to.have.property("error", "not_found");
      expect((await rows()).map(({ status }) => status)).to.deep.equal(["error"]);
      expect(await agent.confirmations({ limit: 10 })).to.deep.equal([]);
    });

  it("of an approved call are those that were shown, and are kept with images that nobody else reads", async () => {
    await open();
    const id = heldId(await call("update_rows", { id: 1, name: "Max" }, { confirm: true }));
    expect((await approve(id)).outcome).to.deep.include({ status: "ok" });
    expect(table.rows.get(1)).to.have.property("name", "Max");
    const [row] = await rows();
    expect(row).to.deep.include({ status: "ok", effect: renamed, undo: "possible" });
    const file = join(dir, "undo", `${row?.id}.json`);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    expect(await verify(dir)).to.deep.include({ ok: true });
  });

  it("that are others when the yes comes are not done, and asked about anew", async () => {
    await open();
    const id = heldId(await call("update_rows", { id: 1, name: "Max" }, { confirm: true }));
    table.rows.set(1, { ...REX, name: "Bello" });
    const error = await approve(id).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(AppError).and.to.deep.include({ code: "changed", status: 409 });
    expect(table.rows.get(1)).to.have.property("name", "Bello");
    const [again] = await agent.confirmations({ status: "pending", limit: 10 });
    expect((error as AppError).details).to.deep.equal([again?.id]);
    expect(again).to.have.nested.property("effect.changes[0].before.name", "Bello");
    const [held, changed] = await rows();
    expect(held).to.deep.include({ status: "held", id: again?.history_id });
    expect(changed).to.have.property("status", "error");
    expect(changed?.result).to.deep.include({ error: "changed", confirmation_id: again?.id });
    await approve(again?.id ?? "");
    expect(table.rows.get(1)).to.have.property("name", "Max");
    expect(await verify(dir)).to.deep.include({ ok: true });
  });

  it("that are others when the yes to a waiting turn comes are refused to whoever decided, who waits for no call ahead", async () => {
    const names = ["Max", "Moritz"];
    const calls = names.map((name, i) => ({ id: `c${i}`, name: "update_rows", arguments: { id: i + 1, name } }));
    table.rows.set(2, { id: 2, name: "Bello" });
    let asked = false;
    const reply = (): Reply => {
      const isFirst = !asked;
      asked = true;
      return isFirst ? { text: "", calls, finish: "tool_calls" } : { text: "ok", calls: [], finish: "stop" };
    };
    await open({ policy: { confirm: true }, reply });
    const signal = new AbortController().signal;
    const request = { message: "go", session_id: "s", turn_id: "t", client: "test", caller: LOCAL_CALLER, policy: {} };
    const turn = (async () => {
      for await (const { kind } of agent.prompt(request, { signal, interactive: true })) if (kind === "done") return;
    })();
    const pending = async (count: number) => {
      await until(async () => (await agent.confirmations({ status: "pending", limit: 10 })).length === count);
      return agent.confirmations({ status: "pending", limit: 10 });
    };
    const held = await pending(2);
    const idOf = (call_id: string): string => held.find((one) => one.call_id === call_id)?.id ?? "";
    await approve(idOf("c1"));
    expect(table.executions, "it is behind the first").to.equal(0);
    table.rows.set(1, { ...REX, name: "Bella" });
    const refused = await approve(idOf("c0")).catch((error: unknown) => error);
    const [again] = await pending(1);
    expect(refused)
      .to.be.instanceOf(AppError)
      .and.to.deep.include({ code: "changed", details: [again?.id] });
    expect((await approve(again?.id ?? "")).status).to.equal("approved");
    await turn;
    expect([...table.rows.values()].map(({ name }) => name)).to.deep.equal(names);
  });

  it("that are asked about anew may be approved before the call that waits has ended", async () => {
    let decided: Promise<unknown> | undefined;
    await open({
      faults: (store) => ({
        async completeCall(id, completion) {
          const { error, confirmation_id: again } = objectOf(completion.result);
          if (error !== "changed") return store.completeCall(id, completion);
          decided = approve(String(again));
          await until(async () => (await store.confirmation(String(again)))?.status === "approved");
          return store.completeCall(id, completion);
        },
      }),
    });
    const { signal } = new AbortController();
    const request = { tool: "update_rows", arguments: { id: 1, name: "Max" }, session_id: "", client: "test" };
    const events = agent.call(
      { ...request, policy: { confirm: true }, caller: LOCAL_CALLER },
      { signal, interactive: true },
    );
    const kinds: string[] = [];
    let step = await events.next();
    for (; !step.done; step = await events.next()) {
      kinds.push(step.value.kind);
      if (kinds.length > 1 || step.value.kind !== "confirmation_required") continue;
      table.rows.set(1, { ...REX, name: "Bello" });
      void approve(step.value.id).catch(() => {});
    }
    const asked = ["confirmation_required", "confirmation_resolved"];
    expect(kinds).to.deep.equal([...asked, "notice", ...asked]);
    expect(step.value.status).to.equal("ok");
    expect(table.executions, "one that found another row, and one that changed it").to.equal(2);
    expect(table.rows.get(1)).to.have.property("name", "Max");
    await decided;
  });

  it("of edited arguments are looked at before the approval counts", async () => {
    await open();
    const id = heldId(await call("update_rows", { id: 1, name: "Max" }, { confirm: true }));
    const refused = await approve(id, { id: 7 }).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(AppError).and.to.have.property("code", "invalid_body");
    await approve(id, { id: 1, name: "Moritz" });
    const [decided] = await agent.confirmations({ limit: 10 });
    expect(decided).to.have.nested.property("effect.changes[0].after.name", "Moritz");
    expect(table.rows.get(1)).to.have.property("name", "Moritz");
  });

  it("are not part of a row whose change did not become final", async () => {
    await open();
    table.beforeCommit = () => {
      throw new Error("the disk of the database is full");
    };
    const { status } = await call("delete_rows", { id: 1 });
    expect(status).to.equal("error");
    const [row] = await rows();
    expect(row).to.deep.include({ status: "error" }).and.not.to.have.any.keys("effect", "undo");
    expect(await verify(dir)).to.deep.include({ ok: true });
  });

  it("are cut where they are many, counted in full, and such a call cannot be undone", async () => {
    for (let id = 2; id <= 1_200; id++) table.rows.set(id, { id, name: `n${id}` });
    await open();
    const { confirmation } = await call("all_rows", {}, { confirm: true });
    expect(confirmation?.effect?.changes).to.have.length(100);
    expect(confirmation?.effect?.tables?.[0]).to.have.property("deleted", 1_200);
    expect(confirmation?.effect?.note).to.equal("the first 100 of 1200 changes are shown");
    expect(confirmation?.undo).to.equal("impossible");
    await approve(confirmation?.id ?? "");
    expect((await rows())[0]).to.have.property("undo", "impossible");
    expect(() => readdirSync(join(dir, "undo"))).to.throw();
    const [small] = await agent.history({ limit: 1, results: "small" });
    expect(small).to.have.property("effect_bytes").that.is.greaterThan(2_048);
    expect(small).not.to.have.property("effect");
  });

  it("leave nothing to undo with where the operator wants none", async () => {
    await open({ target: { undo: false } });
    await call("delete_rows", { id: 1 });
    expect((await rows())[0]).to.deep.include({ status: "ok", undo: "impossible" });
    expect(() => readdirSync(join(dir, "undo"))).to.throw();
  });

  it("are known to the chain of hashes", async () => {
    await open();
    await call("delete_rows", { id: 1 });
    const { peek } = await import("../store/sqlite/fixture.js");
    peek(dir, (db) => db.exec('UPDATE history SET effect = \'{"changes":[],"complete":true}\''));
    expect(await verify(dir)).to.deep.include({ ok: false, firstBad: 1 });
  });
});

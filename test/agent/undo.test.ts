// Taking recorded changes back, over HTTP, by the model and after a crash: the rows as they were, or nothing at all.
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { Agent } from "../../src/domain/agent.js";
import { LOCAL_CALLER } from "../../src/domain/caller.js";
import type { TurnEvent } from "../../src/domain/event.js";
import type { Policy } from "../../src/domain/policy.js";
import type { JsonObject } from "../../src/lib/json.js";
import type { Reply, ReplyRequest } from "../../src/providers/provider.js";
import { listen } from "../../src/server/listen.js";
import { verify } from "../store/sqlite/fixture.js";
import { keptLog } from "../support/daemon.js";
import {
  createTableTransport,
  openTableAgent,
  type TableAgentOptions,
  type TableTransport,
} from "../support/table-agent.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { toolCalls } from "../support/tool-calls.js";
import { transcriptOf } from "../support/transcript.js";
import { until } from "../support/until.js";

const REX = { id: 1, name: "Rex", password: "hunter22" };

describe("Undo", () => {
  let dir: string;
  let agent: Agent;
  let table: TableTransport;
  let url: string;
  let stop: () => Promise<unknown>;

  const open = async (options: TableAgentOptions = {}): Promise<void> => {
    agent = await openTableAgent(dir, table, options);
    const { log } = keptLog();
    const listening = await listen(agent, { host: "127.0.0.1", port: 0, allowedHosts: [], log });
    url = listening.address;
    stop = async () => {
      await listening.close(0);
      await agent.close();
    };
  };
  /** Makes a call outside of any turn; gives its row. */
  const call = async (tool: string, args: JsonObject, session_id = ""): Promise<number> =>
    (await toolCalls(agent, session_id).callTool(tool, args)).history_id ?? 0;
  const prompt = async (session_id: string): Promise<TurnEvent[]> => {
    const turn_id = `t${Math.random()}`;
    const request = { message: "go", session_id, turn_id, policy: {}, client: "test", caller: LOCAL_CALLER };
    const events: TurnEvent[] = [];
    for await (const event of agent.prompt(request, { signal: new AbortController().signal, interactive: false }))
      events.push(event);
    return events;
  };
  const post = async (path: string, body: object): Promise<{ status: number; body: Record<string, unknown> }> => {
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const undo = (id: number | string, modes: Partial<Policy> = {}) => post(`/-/history/${id}/undo`, modes);
  const row = async (id: number) => (await agent.history({ limit: 1, before: id + 1 }))[0];
  const name = (): unknown => table.rows.get(1)?.["name"];

  beforeEach(() => {
    dir = temporaryFolder("undo");
    table = createTableTransport(new Map([[1, { ...REX }]]));
  });
  afterEach(() => stop());

  it("takes an update, a creation and a deletion back, each by a call of its own", async () => {
    await open();
    const made = [
      await call("update_rows", { id: 1, name: "Max" }),
      await call("create_rows", { id: 2, name: "Minka" }),
      await call("delete_rows", { id: 1 }),
    ];
    for (const id of made.reverse()) {
      expect((await row(id))?.undo).to.equal("possible");
      const answer = await undo(id);
      expect(answer).to.deep.include({ status: 200 });
      expect(answer.body).to.deep.include({ status: "ok" });
      expect((await row(id))?.undo).to.equal("done");
      const own = await row(Number(answer.body["history_id"]));
      expect(own).to.deep.include({
        tool: "undo",
        arguments: { history_id: id },
        safety: "destructive",
        status: "ok",
        undo: "impossible",
      });
      expect(own).to.have.nested.property("effect.complete", true);
    }
    expect([...table.rows.values()]).to.deep.equal([REX]);
    expect(await verify(dir)).to.deep.include({ ok: true });
  });

  it("is final: it is done once, and is not undone itself", async () => {
    await open();
    const id = await call("update_rows", { id: 1, name: "Max" });
    const { body } = await undo(id);
    for (const [again, why] of [
      [id, /was undone already/],
      [Number(body["history_id"]), /is an undo/],
    ] as const) {
      const answer = await undo(again);
      expect(answer.status).to.equal(409);
      expect(answer.body).to.have.nested.property("error.code", "conflict");
      expect(answer.body).to.have.nested.property("error.message").that.matches(why);
    }
    expect(name()).to.equal("Rex");
  });

  it("is refused for what is not there, what failed, what read, and what left nothing to undo it with", async () => {
    await open();
    const failed = await call("update_rows", { id: 7, name: "Max" });
    const read = await call("list_rows", {});
    const gone = await call("update_rows", { id: 1, name: "Max" });
    rmSync(join(dir, "undo", `${gone}.json`));
    expect((await row(gone))?.undo).to.equal("impossible");
    for (const [id, status] of [
      [failed, 409],
      [read, 409],
      [gone, 409],
      [4711, 404],
      ["x", 404],
    ] as const)
      expect((await undo(id)).status, String(id)).to.equal(status);
    expect((await post(`/-/history/${gone}/undo`, { readonly: true })).body).to.have.nested.property(
      "error.code",
      "invalid_body",
    );
    expect(name()).to.equal("Max");
  });

  it("conflicts, naming what has to be undone first, when the row was changed since", async () => {
    await open();
    const first = await call("update_rows", { id: 1, name: "Max" });
    const second = await call("update_rows", { id: 1, name: "Moritz" });
    const answer = await undo(first);
    expect(answer.status).to.equal(409);
    expect(answer.body).to.have.nested.property("error.message").that.contains("not as the call left it");
    const { details } = answer.body["error"] as { details: string[] };
    expect(JSON.parse(details[0] ?? "")).to.deep.include({ error: "conflict", undo_first: [second] });
    expect((await agent.history({ limit: 1 }))[0]).to.deep.include({ tool: "undo", status: "error" });
    expect(name()).to.equal("Moritz");
    expect([(await undo(second)).status, (await undo(first)).status]).to.deep.equal([200, 200]);
    expect(name()).to.equal("Rex");
  });

  it("waits for a yes under confirm, shows what it would do, and is done by the yes", async () => {
    await open();
    const id = await call("update_rows", { id: 1, name: "Max" });
    const { status, body } = await undo(id, { confirm: true });
    expect(status).to.equal(202);
    expect(body).to.deep.include({ status: "held" });
    expect(body).to.have.nested.property("confirmation.effect.changes[0].after.name", "Rex");
    expect(body).to.have.nested.property("confirmation.undo", "impossible");
    expect(JSON.stringify(body)).not.to.contain("hunter22");
    const held = body["confirmation"] as { id: string };
    const decided = await post(`/-/confirmations/${held.id}`, { decision: "approve" });
    expect(decided.body).to.have.nested.property("outcome.status", "ok");
    expect(name()).to.equal("Rex");
    expect((await row(id))?.undo).to.equal("done");
    expect(await verify(dir)).to.deep.include({ ok: true });
  });

  it("conflicts at the yes, too, when the row was changed while it waited", async () => {
    await open();
    const id = await call("update_rows", { id: 1, name: "Max" });
    const { confirmation } = (await undo(id, { confirm: true })).body as { confirmation: { id: string } };
    const second = await call("update_rows", { id: 1, name: "Moritz" });
    const decided = await post(`/-/confirmations/${confirmation.id}`, { decision: "approve" });
    expect(decided.status).to.equal(409);
    expect(decided.body).to.have.nested.property("error.code", "conflict");
    const { details } = decided.body["error"] as { details: string[] };
    expect(JSON.parse(details[0] ?? "")).to.deep.include({ error: "conflict", undo_first: [second] });
    expect(name()).to.equal("Moritz");
    expect((await row(id))?.undo).to.equal("possible");
  });

  it("is judged by the modes in force, those of the application too", async () => {
    const modes: Partial<Policy> = {};
    await open({ modes });
    const id = await call("update_rows", { id: 1, name: "Max" });
    expect((await undo(id, { read_only: true })).body).to.deep.include({ status: "blocked" });
    expect((await undo(id, { dry_run: true })).body)
      .to.have.nested.property("result.effect.changes[0].after.name")
      .that.equals("Rex");
    modes.read_only = true;
    const blocked = await undo(id);
    expect(blocked.body).to.deep.include({ status: "blocked" });
    expect(await row(Number(blocked.body["history_id"]))).to.have.nested.property("policy.read_only", true);
    expect(name()).to.equal("Max");
  });

  describe("by the model", () => {
    const offered: string[][] = [];
    const reply =
      (tool: string) =>
      ({ messages, tools }: ReplyRequest): Reply => {
        offered.push(tools.map((one) => one.name));
        const isAsked = messages.at(-1)?.role === "user";
        const args: JsonObject = tool === "update_rows" ? { id: 1, name: "Max" } : {};
        const calls = isAsked ? [{ id: `c${messages.length}`, name: tool, arguments: args }] : [];
        return { text: isAsked ? "" : "done", calls, finish: "stop" };
      };
    const options: TableAgentOptions = { reply: reply("update_rows") };
    const run = (session_id: string, tool: string): Promise<TurnEvent[]> => {
      options.reply = reply(tool);
      return prompt(session_id);
    };
    const resultOf = (events: TurnEvent[]) => events.find(({ kind }) => kind === "tool_result");

    it("is offered while something of the conversation can be undone, and takes back the newest of it", async () => {
      offered.length = 0;
      await open({ reply: (request) => (options.reply ?? reply("undo"))(request) });
      await call("update_rows", { id: 1, name: "Bello" });
      await run("mine", "update_rows");
      expect(offered.map((names) => names.includes("undo"))).to.deep.equal([false, true]);
      expect(name()).to.equal("Max");
      expect(resultOf(await run("mine", "undo"))).to.have.nested.property("result.tool", "update_rows");
      expect(name()).to.equal("Bello");
      // What is left was made elsewhere.
      expect(resultOf(await run("mine", "undo"))).to.have.nested.property("result.error", "cannot_undo");
      expect(offered.at(-1)).not.to.include("undo");
      expect(name()).to.equal("Bello");
    });

    it("is told of what a person undid, and the transcript keeps it", async () => {
      const seen: string[] = [];
      await open({
        reply: (request) => {
          seen.push(...request.messages.flatMap((one) => (one.role === "notice" ? [one.text] : [])));
          return reply("update_rows")(request);
        },
      });
      await run("mine", "update_rows");
      const [made] = await agent.history({ limit: 1, session_id: "mine" });
      expect((await undo(made?.id ?? 0)).status).to.equal(200);
      const notice =
        'The call update_rows {"id":1,"name":"Max"} was undone by a person; what it changed is as it was before';
      const kept = (await transcriptOf(agent, "mine"))?.flatMap(({ messages }) => messages).at(-1);
      expect(kept).to.deep.equal({ role: "notice", text: notice });
      await run("mine", "update_rows");
      expect(seen).to.include(notice);
    });
  });

  describe("and a daemon that died during a call", () => {
    /** A call that is never answered, on a copy of the record as a crash leaves it. */
    const crash = async (): Promise<void> => {
      await open({ reply: () => ({ text: "ready", calls: [], finish: "stop" }) });
      await prompt("mine");
      const reached = new Promise<void>((resolve) => {
        const execute = table.execute.bind(table);
        table.execute = (prepared, target, options) =>
          execute(prepared, target, {
            ...options,
            async keep(evidence) {
              await options?.keep?.(evidence);
              resolve();
              await new Promise(() => {});
            },
          });
      });
      void call("update_rows", { id: 1, name: "Max" }, "mine");
      await reached;
      const copy = temporaryFolder("undo");
      for (const file of ["history.db", "history.db-wal", "undo"])
        cpSync(join(dir, file), join(copy, file), { recursive: true });
      const [left, leave] = [dir, stop];
      dir = copy;
      // It waits for its call as long as it would, and writes to a record that nobody reads.
      void leave().then(() => rmSync(left, { recursive: true, force: true }));
      table = createTableTransport(new Map([[1, { ...REX, name: "Max" }]]));
    };
    const settled = async () => {
      await until(async () => (await row(1))?.status !== "pending");
      return row(1);
    };

    for (const [said, status, undoes, told] of [
      ["committed", "ok", "possible", "the change was made"],
      ["aborted", "error", undefined, "nothing was done"],
      [undefined, "interrupted", undefined, undefined],
    ] as const)
      it(`reads ${status} when the database says ${said}`, async () => {
        await crash();
        table.statusOf = said;
        await open();
        const entry = await settled();
        expect(entry?.status).to.equal(status);
        expect(entry?.undo).to.equal(undoes);
        const last = async () => (await transcriptOf(agent, "mine"))?.flatMap(({ messages }) => messages).at(-1);
        if (told !== undefined) await until(async () => (await last())?.role === "notice");
        expect(await last()).to.deep.equal(
          told === undefined
            ? { role: "assistant", text: "ready", calls: [] }
            : {
                role: "notice",
                text: `The daemon ended during the call update_rows {"id":1,"name":"Max"}, and the database says now that ${told}`,
              },
        );
        expect(await verify(dir)).to.deep.include({ ok: true });
        expect((await undo(1)).status).to.equal(undoes ? 200 : 409);
        expect(name()).to.equal(undoes ? "Rex" : "Max");
      });

    it("accepts requests while the database is asked, and reads interrupted when it throws", async () => {
      await crash();
      let fail = (): void => {};
      table.transactionStatus = () => new Promise((_, reject) => (fail = () => reject(new Error("gone"))));
      await open();
      expect((await row(1))?.status).to.equal("pending");
      expect(await call("list_rows", {})).to.equal(2);
      fail();
      expect((await settled())?.status).to.equal("interrupted");
    });
  });
});

// A person's yes that survives everything. Public entryPoints only.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import WebSocket from "ws";
import type { TurnEvent } from "../../src/domain/event.js";
import type { Confirmation, HistoryEntry } from "../../src/domain/record.js";
import type { ScriptedReply } from "../../src/providers/scripted.js";
import { type Daemon, type DaemonOptions, petShop, startDaemon } from "../support/daemon.js";
import { entryPoints } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";

const create: ScriptedReply = { calls: [{ id: "c", name: "create_pet", arguments: { name: "Rex" } }] };
const done: ScriptedReply = { text: "finished" };

/** A /chat client with extended events that stays open. */
class Chat {
  readonly events: TurnEvent[] = [];
  readonly socket: WebSocket;
  private readonly wakers = new Set<() => void>();

  constructor(url: string, session: string) {
    this.socket = new WebSocket(`${url.replace("http", "ws")}/chat?events=extended&session_id=${session}`);
    this.socket.on("message", (data) => {
      this.events.push(JSON.parse(String(data)) as TurnEvent);
      for (const wake of this.wakers) wake();
    });
  }
  async say(frame: object): Promise<void> {
    if (this.socket.readyState === WebSocket.CONNECTING)
      await new Promise((resolve) => this.socket.once("open", resolve));
    this.socket.send(JSON.stringify(frame));
  }
  async until<K extends TurnEvent["kind"]>(kind: K): Promise<Extract<TurnEvent, { kind: K }>> {
    for (;;) {
      const found = this.events.find((event) => event.kind === kind);
      if (found) return found as Extract<TurnEvent, { kind: K }>;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.wakers.delete(wake);
          resolve();
        };
        this.wakers.add(wake);
      });
    }
  }
}

describe("10.2 Confirmations survive everything", () => {
  let target: RecordingTarget;
  let daemon: Daemon | undefined;
  const sockets: Chat[] = [];
  const folders: string[] = [];
  const folder = async (): Promise<string> => {
    folders.push(await mkdtemp(join(tmpdir(), "agentd-test-")));
    return folders.at(-1) as string;
  };
  before(async () => {
    target = await startTarget();
  });
  beforeEach(() => {
    target.requests.length = 0;
    target.answer(() => json({ id: 5, name: "Rex" }));
  });
  afterEach(async () => {
    for (const chat of sockets.splice(0)) chat.socket.terminate();
    await daemon?.close();
    daemon = undefined;
    for (const dir of folders.splice(0)) await rm(dir, { recursive: true, force: true });
  });
  after(() => target.close());

  const play = async (options: DaemonOptions = {}, replies = [create, done]): Promise<Daemon> => {
    daemon = await startDaemon({
      target: target.url,
      turns: [{ prompt: "go", replies }],
      config: { safety: { confirm: true } },
      ...options,
    });
    return daemon;
  };
  const api = async (path: string, init?: RequestInit): Promise<{ status: number; body: unknown }> => {
    const response = await fetch(`${daemon?.url}${path}`, init);
    return { status: response.status, body: await response.json() };
  };
  const decide = (id: string, decision: object) =>
    api(`/-/confirmations/${id}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(decision),
    });
  const history = async (): Promise<HistoryEntry[]> => (await api("/history")).body as HistoryEntry[];
  const pending = async (): Promise<Confirmation[]> =>
    (await api("/-/confirmations?status=pending")).body as Confirmation[];
  const hold = async (session = "s"): Promise<Confirmation> => {
    await entryPoints[0]?.ask(daemon?.url ?? "", { message: "go", session_id: session });
    const [held] = await pending();
    if (!held) throw new Error("nothing is held");
    return held;
  };
  /** Starts over in the same directory, with other settings, while a call is held. */
  const restart = async (options: DaemonOptions): Promise<Confirmation> => {
    const dataDir = await folder();
    const first = await play({ dataDir });
    const held = await hold();
    await first.close();
    await play({ dataDir, ...options });
    return held;
  };
  const chat = (session: string): Chat => {
    const one = new Chat(daemon?.url ?? "", session);
    sockets.push(one);
    return one;
  };

  it("lists a held call with its full arguments, the rendered request and an expiry", async () => {
    await play();
    const held = await hold();
    expect(held).to.deep.include({
      tool: "create_pet",
      arguments: { name: "Rex" },
      safety: "mutating",
      session_id: "s",
    });
    expect(held.request).to.deep.include({ method: "POST", url: `${target.url}/pets` });
    expect(JSON.stringify(held.request)).to.contain("Rex");
    expect(Date.parse(held.expires_at) - Date.parse(held.created_at)).to.be.within(299_000, 301_000);
  });

  it("O7 says what waits without a character that hides or turns the text around", async () => {
    const sly: ScriptedReply = { calls: [{ name: "create_pet", arguments: { name: "Rex\u202egpj\u200b" } }] };
    await play({}, [sly, done]);
    const events = await entryPoints[0]?.ask(daemon?.url ?? "", { message: "go" });
    const said = JSON.stringify(events?.filter(({ kind }) => kind === "assistant_message"));
    expect(said)
      .to.contain("u202egpj")
      .and.to.not.match(/[\u202e\u200b]/);
  });

  it("runs an approved call exactly once, on record, and tells the session", async () => {
    await play();
    const held = await hold();
    const { status, body } = await decide(held.id, { decision: "approve" });
    expect(status).to.equal(200);
    expect(body).to.deep.include({ status: "approved", outcome: { status: "ok", result: { id: 5, name: "Rex" } } });
    expect((await decide(held.id, { decision: "approve" })).status).to.equal(409);
    expect(target.requests).to.have.length(1);
    expect((await history())[0]).to.deep.include({ status: "ok", result: { id: 5, name: "Rex" } });
    const turns = await daemon?.agent.transcript("s");
    expect(JSON.stringify(turns?.at(-1)?.messages.at(-1))).to.contain("was approved and ran with status ok");
  });

  it("runs exactly once under racing approvals", async () => {
    await play();
    const held = await hold();
    const answers = await Promise.all(Array.from({ length: 20 }, () => decide(held.id, { decision: "approve" })));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array.from({ length: 19 }, () => 409)]);
    expect(target.requests).to.have.length(1);
  });

  it("sends nothing for a denied call, and puts the reason on record", async () => {
    await play();
    const held = await hold();
    expect((await decide(held.id, { decision: "deny", reason: "not today" })).status).to.equal(200);
    expect(target.requests).to.have.length(0);
    const [row] = await history();
    expect(row).to.have.property("status", "denied");
    expect(JSON.stringify(row?.result)).to.contain("not today");
  });

  it("F6 validates edited arguments and checks them against the policy again", async () => {
    await play();
    const held = await hold();
    for (const bad of [{}, { name: 7, extra: true }, { nmae: "x" }])
      expect((await decide(held.id, { decision: "approve", arguments: bad })).status).to.equal(400);
    expect(await pending()).to.have.length(1);
    expect((await decide(held.id, { decision: "approve", arguments: { name: "Max" } })).status).to.equal(200);
    expect(String(target.requests[0]?.body)).to.equal('{"name":"Max"}');
    expect((await history())[0]).to.deep.include({ arguments: { name: "Max" }, status: "ok" });
  });

  it("expires into denied, and an expired call cannot be approved", async () => {
    await play({ settings: { confirmationTtlMs: 50 } });
    await entryPoints[0]?.ask(daemon?.url ?? "", { message: "go" });
    const [{ id } = { id: "" }] = (await api("/-/confirmations")).body as Confirmation[];
    while ((await history())[0]?.status === "held") await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await history())[0]).to.have.property("status", "denied");
    expect((await decide(id, { decision: "approve" })).status).to.equal(409);
    expect(target.requests).to.have.length(0);
  });

  it("can be approved after a restart", async () => {
    const held = await restart({});
    expect((await pending()).map(({ id }) => id)).to.deep.equal([held.id]);
    expect((await decide(held.id, { decision: "approve" })).status).to.equal(200);
    expect(target.requests).to.have.length(1);
  });

  it("F7 sends nothing when dry_run came into force after the call was held", async () => {
    const held = await restart({ config: { safety: { confirm: true, dry_run: true } } });
    const { body } = await decide(held.id, { decision: "approve" });
    expect(body).to.have.property("outcome").that.has.nested.property("result.dry_run", true);
    expect(target.requests).to.have.length(0);
    expect((await history())[0]).to.have.property("status", "dry_run");
  });

  for (const [how, edit] of [
    ["as it is", {}],
    ["with edited arguments", { arguments: { name: "Max" } }],
  ] as const)
    it(`sends nothing, approved ${how}, when the request would no longer be the one that was shown`, async () => {
      const moved = JSON.parse(JSON.stringify(petShop(target.url)).replaceAll('"/pets"', '"/purge"')) as object;
      const held = await restart({ schema: moved });
      const { status, body } = await decide(held.id, { decision: "approve", ...edit });
      expect(status).to.equal(200);
      expect(body).to.have.property("outcome").that.has.nested.property("result.error", "changed");
      expect(target.requests).to.have.length(0);
      expect((await history())[0]).to.have.property("status", "error");
    });

  it("awaits an approved call at shutdown, and records it", async () => {
    const first = await play({ dataDir: await folder() });
    const held = await hold();
    let arrived = (): void => {};
    const sent = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    target.answer(() => (socket) => {
      arrived();
      setTimeout(() => socket.write(json({ id: 5 })), 300);
    });
    const answer = decide(held.id, { decision: "approve" });
    await sent;
    await first.close(10_000);
    expect((await answer).body)
      .to.have.property("outcome")
      .that.deep.includes({ status: "ok" });
    await play({ dataDir: first.dataDir });
    expect((await history())[0]).to.have.property("status", "ok");
  });

  it("tells the session with its next prompt when no turn may run at the moment of the decision", async () => {
    await play({
      settings: { maxTurns: 1 },
      turns: [
        { prompt: "go", replies: [create, done] },
        { prompt: "slow", replies: [{ delay_ms: 400, text: "slow" }] },
      ],
    });
    const held = await hold();
    const slow = entryPoints[0]?.ask(daemon?.url ?? "", { message: "slow", session_id: "other" });
    while (daemon?.agent.load().running === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await decide(held.id, { decision: "approve" })).status).to.equal(200);
    const last = async () => (await daemon?.agent.transcript("s"))?.at(-1)?.messages.at(-1)?.role;
    expect(await last()).to.equal("assistant");
    await slow;
    await entryPoints[0]?.ask(daemon?.url ?? "", { message: "hello", session_id: "s" });
    const told = (await daemon?.agent.transcript("s"))?.flatMap((turn) => turn.messages);
    const notices = told?.filter((message) => message.role === "notice") ?? [];
    expect(notices).to.have.length(1);
    expect(notices[0]?.text).to.contain("was approved and ran with status ok");
  });

  it("tells the session of an expiry with its next prompt", async () => {
    await play({ settings: { confirmationTtlMs: 30 } });
    await entryPoints[0]?.ask(daemon?.url ?? "", { message: "go", session_id: "s" });
    while ((await history())[0]?.status === "held") await new Promise((resolve) => setTimeout(resolve, 10));
    await entryPoints[0]?.ask(daemon?.url ?? "", { message: "hello", session_id: "s" });
    const told = (await daemon?.agent.transcript("s"))?.flatMap((turn) => turn.messages);
    expect(told?.find((message) => message.role === "notice")?.text).to.contain("nobody approved it in time");
  });

  it("answers an unknown id with 404 and a bad decision with 400", async () => {
    await play();
    const held = await hold();
    expect((await decide("nobody", { decision: "approve" })).status).to.equal(404);
    for (const bad of [
      {},
      { decision: "maybe" },
      { decision: "approve", arguments: [] },
      { decision: "approve", extra: 1 },
    ])
      expect((await decide(held.id, bad)).status).to.equal(400);
  });

  for (const way of ["frame", "HTTP"] as const)
    it(`lets a turn of an extended client wait, and go on with the yes given by ${way}`, async () => {
      await play();
      const one = chat("live");
      await one.say({ message: "go" });
      const required = await one.until("confirmation_required");
      expect(required).to.deep.include({ tool: "create_pet", arguments: { name: "Rex" } });
      expect(target.requests).to.have.length(0);
      if (way === "frame") await one.say({ type: "confirm", id: required.id, decision: "approve" });
      else expect((await decide(required.id, { decision: "approve" })).status).to.equal(200);
      await one.until("done");
      const kinds = one.events.map((event) => event.kind).filter((kind) => kind !== "usage");
      expect(kinds).to.deep.equal([
        "user_prompt",
        "session",
        "tool_call",
        "confirmation_required",
        "confirmation_resolved",
        "tool_result",
        "assistant_delta",
        "assistant_message",
        "done",
      ]);
      expect(one.events.find((event) => event.kind === "tool_result")).to.deep.include({
        status: "ok",
        result: { id: 5, name: "Rex" },
      });
      expect(target.requests).to.have.length(1);
    });

  it("tells a waiting turn the arguments that an approval edited, without secrets, and only then", async () => {
    const secret = "canary-5f2e9b7c1d";
    for (const [edited, told] of [
      [{ name: `Max ${secret}` }, { name: "Max [redacted]" }],
      [{ name: "Rex" }, undefined],
      [undefined, undefined],
    ]) {
      await play({ config: { safety: { confirm: true }, target: { auth: { spare: secret } } } });
      const one = chat("live");
      await one.say({ message: "go" });
      const { id } = await one.until("confirmation_required");
      await one.say({ type: "confirm", id, decision: "approve", ...(edited && { arguments: edited }) });
      await one.until("done");
      const resolved = await one.until("confirmation_resolved");
      expect(resolved).to.deep.equal({
        ...{ kind: "confirmation_resolved", id, decision: "approved" },
        ...(told && { arguments: told }),
      });
      await daemon?.close();
      daemon = undefined;
    }
  });

  it("tells a waiting turn of a no, and the model goes on", async () => {
    await play();
    const one = chat("live");
    await one.say({ message: "go" });
    const { id } = await one.until("confirmation_required");
    await one.say({ type: "confirm", id, decision: "deny", reason: "wrong pet" });
    await one.until("done");
    expect(one.events.find((event) => event.kind === "tool_result")).to.deep.include({ status: "error" });
    expect(await one.until("assistant_message")).to.have.property("text", "finished");
    expect(target.requests).to.have.length(0);
  });

  it("denies the held call when the waiting turn is cancelled, and the session is free again", async () => {
    await play();
    const one = chat("live");
    await one.say({ message: "go" });
    await one.until("confirmation_required");
    await one.say({ type: "cancel" });
    await one.until("done");
    const { id } = await one.until("confirmation_required");
    const last = one.events.slice(one.events.findIndex((event) => event.kind === "confirmation_required") + 1);
    expect(last[0]).to.deep.equal({
      ...{ kind: "confirmation_resolved", id, decision: "denied", reason: "the turn was cancelled" },
    });
    expect(last[1]).to.deep.include({ kind: "tool_result", status: "error" });
    expect(last[1]).to.have.deep.property("result", { error: "denied", message: "the turn was cancelled" });
    expect(last.slice(2).map((event) => event.kind)).to.deep.equal(["error", "done"]);
    expect((await history())[0]).to.have.property("status", "denied");
    const events = await entryPoints[0]?.ask(daemon?.url ?? "", { message: "hello", session_id: "live" });
    expect(events?.at(-2)).to.deep.equal({ kind: "assistant_message", text: "ok" });
  });

  it("keeps the call held for a client that went away, so that it can come back and decide", async () => {
    await play();
    const one = chat("live");
    await one.say({ message: "go" });
    const { id } = await one.until("confirmation_required");
    one.socket.terminate();
    while ((daemon?.agent.load().running ?? 0) > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect((await pending()).map((held) => held.id)).to.deep.equal([id]);
    expect((await decide(id, { decision: "approve" })).body)
      .to.have.property("outcome")
      .that.deep.includes({ status: "ok" });
    expect(target.requests).to.have.length(1);
  });
});

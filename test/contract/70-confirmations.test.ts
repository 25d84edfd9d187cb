// Confirmations: held, decided, expired and carried out, also across restarts, through public entry points only.
// Source: docs/reference.md, "Confirmations".

import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { TurnEvent } from "../../src/domain/event.js";
import type { Confirmation, HistoryEntry } from "../../src/domain/record.js";
import type { ScriptedReply } from "../../src/providers/scripted.js";
import { type Daemon, type DaemonOptions, petShop, startDaemon } from "../support/daemon.js";
import { ask, getJson, postJson } from "../support/entry-points.js";
import { type ChatClient, kinds, openChat } from "../support/raw.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { transcriptOf } from "../support/transcript.js";
import { until } from "../support/until.js";

const create: ScriptedReply = { calls: [{ id: "c", name: "create_pet", arguments: { name: "Rex" } }] };
type EventOf<K> = Extract<TurnEvent, { kind: K }>;
const done: ScriptedReply = { text: "finished" };

/** The first event of a kind that a client of /chat receives. */
async function eventOf<K extends TurnEvent["kind"]>(client: ChatClient, kind: K): Promise<EventOf<K>> {
  const find = () => client.frames.find((frame) => frame.kind === kind);
  await client.until(() => find() !== undefined);
  return find() as unknown as EventOf<K>;
}

describe("Confirmations", () => {
  let target: RecordingTarget;
  let daemon: Daemon | undefined;
  const clients: ChatClient[] = [];
  const folders: string[] = [];
  const folder = async (): Promise<string> => {
    folders.push(temporaryFolder("test"));
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
    for (const client of clients.splice(0)) client.close();
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
  const decide = async (id: string, decision: object): Promise<{ status: number; body: unknown }> => {
    const response = await postJson(`${daemon?.url}/-/confirmations/${id}`, decision);
    return { status: response.status, body: await response.json() };
  };
  const history = () => getJson<HistoryEntry[]>(`${daemon?.url}/history`);
  const pending = () => getJson<Confirmation[]>(`${daemon?.url}/-/confirmations?status=pending`);
  const prompt = (message: string, session_id?: string): Promise<TurnEvent[]> =>
    ask(daemon?.url ?? "", { message, session_id });
  const hold = async (session = "s"): Promise<Confirmation> => {
    await prompt("go", session);
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
  /** A client with extended events that has sent the prompt "go" in the session "live". */
  const startChat = async (): Promise<ChatClient> => {
    const client = await openChat(`${daemon?.url}/chat?events=extended&session_id=live`);
    clients.push(client);
    client.send({ message: "go" });
    return client;
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

  it("answers with one of them as the list has it, also once it is decided", async () => {
    await play();
    const { id } = await hold();
    const url = `${daemon?.url}/-/confirmations`;
    const isListed = async (status: string): Promise<void> => {
      const [listed] = await getJson<Confirmation[]>(url);
      expect(listed).to.include({ id, status });
      expect(await getJson<Confirmation>(`${url}/${id}`)).to.deep.equal(listed);
    };
    await isListed("pending");
    await decide(id, { decision: "deny" });
    await isListed("denied");
    const unknown = await fetch(`${url}/unknown`);
    expect([unknown.status, await unknown.json()]).to.deep.equal([
      404,
      (await decide("unknown", { decision: "deny" })).body,
    ]);
  });

  it("O7 names the call that waits without characters that hide or reverse text", async () => {
    const sly: ScriptedReply = { calls: [{ name: "create_pet", arguments: { name: "Rex\u202egpj\u200b" } }] };
    await play({}, [sly, done]);
    const events = await prompt("go");
    const message = JSON.stringify(events.filter(({ kind }) => kind === "assistant_message"));
    expect(message)
      .to.contain("u202egpj")
      .and.to.not.match(/[\u202e\u200b]/);
  });

  it("runs an approved call exactly once, records it, and notifies the session", async () => {
    await play();
    const held = await hold();
    const { status, body } = await decide(held.id, { decision: "approve" });
    expect(status).to.equal(200);
    expect(body).to.deep.include({ status: "approved", outcome: { status: "ok", result: { id: 5, name: "Rex" } } });
    expect((await decide(held.id, { decision: "approve" })).status).to.equal(409);
    expect(target.requests).to.have.length(1);
    expect((await history())[0]).to.deep.include({ status: "ok", result: { id: 5, name: "Rex" } });
    const turns = await transcriptOf(daemon?.agent, "s");
    expect(JSON.stringify(turns?.at(-1)?.messages.at(-1))).to.contain("was approved and ran with status ok");
  });

  it("runs exactly once under racing approvals", async () => {
    await play();
    const held = await hold();
    const answers = await Promise.all(Array.from({ length: 20 }, () => decide(held.id, { decision: "approve" })));
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array.from({ length: 19 }, () => 409)]);
    expect(target.requests).to.have.length(1);
  });

  it("sends nothing for a denied call, and records the reason", async () => {
    await play();
    const held = await hold();
    expect((await decide(held.id, { decision: "deny", reason: "not today" })).status).to.equal(200);
    expect(target.requests).to.have.length(0);
    const [row] = await history();
    expect(row).to.have.property("status", "denied");
    expect(JSON.stringify(row?.result)).to.contain("not today");
  });

  it("F6 validates edited arguments and checks them against the safety modes again", async () => {
    await play();
    const held = await hold();
    for (const bad of [{}, { name: 7, extra: true }, { nmae: "x" }])
      expect((await decide(held.id, { decision: "approve", arguments: bad })).status).to.equal(400);
    expect(await pending()).to.have.length(1);
    expect((await decide(held.id, { decision: "approve", arguments: { name: "Max" } })).status).to.equal(200);
    expect(String(target.requests[0]?.body)).to.equal('{"name":"Max"}');
    expect((await history())[0]).to.deep.include({ arguments: { name: "Max" }, status: "ok" });
  });

  it("denies a call that expires, which then cannot be approved", async () => {
    await play({ settings: { confirmationTtlMs: 50 } });
    await prompt("go");
    const [{ id } = { id: "" }] = await getJson<Confirmation[]>(`${daemon?.url}/-/confirmations`);
    await until(async () => (await history())[0]?.status !== "held");
    expect((await history())[0]).to.have.property("status", "denied");
    expect((await decide(id, { decision: "approve" })).status).to.equal(409);
    expect(target.requests).to.have.length(0);
  });

  it("records the same of a call that expires while no daemon runs", async () => {
    const settings = { confirmationTtlMs: 300 };
    const record = async () => {
      await until(async () => (await history())[0]?.status !== "held");
      const [held] = await getJson<Confirmation[]>(`${daemon?.url}/-/confirmations`);
      const [row] = await history();
      return { status: held?.status, reason: held?.reason, row: row?.status, result: row?.result };
    };
    await play({ settings });
    await prompt("go");
    const running = await record();
    await daemon?.close();
    const dataDir = await folder();
    const first = await play({ dataDir, settings });
    await prompt("go");
    await first.close();
    await sleep(settings.confirmationTtlMs);
    await play({ dataDir, settings });
    expect(running.result).to.have.property("error", "confirmation_expired");
    expect(await record()).to.deep.equal(running);
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
    it(`sends nothing, approved ${how}, when the request would differ from the one that was displayed`, async () => {
      const moved = JSON.parse(JSON.stringify(petShop(target.url)).replaceAll('"/pets"', '"/purge"')) as object;
      const held = await restart({ schema: moved });
      const { status, body } = await decide(held.id, { decision: "approve", ...edit });
      expect(status).to.equal(409);
      expect(body).to.have.nested.property("error.code", "changed");
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

  it("notifies the session at its next prompt when no turn may run at the moment of the decision", async () => {
    await play({
      settings: { maxTurns: 1 },
      turns: [
        { prompt: "go", replies: [create, done] },
        { prompt: "slow", replies: [{ delay_ms: 400, text: "slow" }] },
      ],
    });
    const held = await hold();
    const slow = prompt("slow", "other");
    await until(() => daemon?.agent.load().running !== 0);
    expect((await decide(held.id, { decision: "approve" })).status).to.equal(200);
    const last = async () => (await transcriptOf(daemon?.agent, "s"))?.at(-1)?.messages.at(-1)?.role;
    expect(await last()).to.equal("assistant");
    await slow;
    await prompt("hello", "s");
    const messages = (await transcriptOf(daemon?.agent, "s"))?.flatMap((turn) => turn.messages);
    const notices = messages?.filter((message) => message.role === "notice") ?? [];
    expect(notices).to.have.length(1);
    expect(notices[0]?.text).to.contain("was approved and ran with status ok");
  });

  it("notifies the session of an expiry at its next prompt", async () => {
    await play({ settings: { confirmationTtlMs: 30 } });
    await prompt("go", "s");
    await until(async () => (await history())[0]?.status !== "held");
    await prompt("hello", "s");
    const messages = (await transcriptOf(daemon?.agent, "s"))?.flatMap((turn) => turn.messages);
    expect(messages?.find((message) => message.role === "notice")?.text).to.contain("nobody approved it in time");
  });

  it("answers an unknown id with 404 and a bad decision with 400", async () => {
    await play();
    const held = await hold();
    expect((await decide("unknown", { decision: "approve" })).status).to.equal(404);
    for (const bad of [
      {},
      { decision: "maybe" },
      { decision: "approve", arguments: [] },
      { decision: "approve", extra: 1 },
    ])
      expect((await decide(held.id, bad)).status).to.equal(400);
  });

  for (const way of ["frame", "HTTP"] as const)
    it(`lets a turn of a client with extended events wait, and go on after an approval by ${way}`, async () => {
      await play();
      const client = await startChat();
      const required = await eventOf(client, "confirmation_required");
      expect(required).to.deep.include({ tool: "create_pet", arguments: { name: "Rex" } });
      expect(target.requests).to.have.length(0);
      if (way === "frame") client.send({ type: "confirm", id: required.id, decision: "approve" });
      else expect((await decide(required.id, { decision: "approve" })).status).to.equal(200);
      await eventOf(client, "done");
      expect(kinds(client.frames).filter((kind) => kind !== "usage")).to.deep.equal([
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
      expect(client.frames.find((event) => event.kind === "tool_result")).to.deep.include({
        status: "ok",
        result: { id: 5, name: "Rex" },
      });
      expect(target.requests).to.have.length(1);
    });

  it("reports to a waiting turn the arguments that an approval edited, without secrets, and only those", async () => {
    const secret = "canary-5f2e9b7c1d";
    for (const [edited, reported] of [
      [{ name: `Max ${secret}` }, { name: "Max [redacted]" }],
      [{ name: "Rex" }, undefined],
      [undefined, undefined],
    ]) {
      await play({ config: { safety: { confirm: true }, target: { auth: { spare: secret } } } });
      const client = await startChat();
      const { id } = await eventOf(client, "confirmation_required");
      client.send({ type: "confirm", id, decision: "approve", arguments: edited });
      await eventOf(client, "done");
      const resolved = await eventOf(client, "confirmation_resolved");
      expect(resolved).to.deep.equal({
        kind: "confirmation_resolved",
        id,
        decision: "approved",
        seq: 5,
        ...(reported && { arguments: reported }),
      });
      await daemon?.close();
      daemon = undefined;
    }
  });

  it("reports how long the call took, without the time a person took, as the record does", async () => {
    await play();
    const client = await startChat();
    const { id } = await eventOf(client, "confirmation_required");
    await sleep(400);
    client.send({ type: "confirm", id, decision: "approve" });
    const { duration_ms } = await eventOf(client, "tool_result");
    await eventOf(client, "done");
    expect((await history())[0]?.duration_ms).to.equal(duration_ms);
    expect(duration_ms).to.be.below(400);
  });

  it("reports a denial to a waiting turn, and the model goes on", async () => {
    await play();
    const client = await startChat();
    const { id } = await eventOf(client, "confirmation_required");
    client.send({ type: "confirm", id, decision: "deny", reason: "wrong pet" });
    await eventOf(client, "done");
    expect(client.frames.find((event) => event.kind === "tool_result")).to.deep.include({ status: "error" });
    expect(await eventOf(client, "assistant_message")).to.have.property("text", "finished");
    expect(target.requests).to.have.length(0);
  });

  it("denies the held call when the waiting turn is cancelled, and the session accepts the next prompt", async () => {
    await play();
    const client = await startChat();
    await eventOf(client, "confirmation_required");
    client.send({ type: "cancel" });
    await eventOf(client, "done");
    const { id } = await eventOf(client, "confirmation_required");
    const last = client.frames.slice(client.frames.findIndex((event) => event.kind === "confirmation_required") + 1);
    expect(last[0]).to.deep.equal({
      kind: "confirmation_resolved",
      id,
      decision: "denied",
      seq: 5,
      reason: "the turn was cancelled",
    });
    expect(last[1]).to.deep.include({ kind: "tool_result", status: "error" });
    expect(last[1]).to.have.deep.property("result", { error: "denied", message: "the turn was cancelled" });
    expect(last.slice(2).map((event) => event.kind)).to.deep.equal(["error", "done"]);
    expect((await history())[0]).to.have.property("status", "denied");
    const events = await prompt("hello", "live");
    expect(events.at(-2)).to.deep.equal({ kind: "assistant_message", text: "ok" });
  });

  it("keeps the call held for a client that disconnects, so that it can return and decide", async () => {
    await play();
    const client = await startChat();
    const { id } = await eventOf(client, "confirmation_required");
    client.close();
    await until(() => daemon?.agent.load().running === 0);
    expect((await pending()).map((held) => held.id)).to.deep.equal([id]);
    expect((await decide(id, { decision: "approve" })).body)
      .to.have.property("outcome")
      .that.deep.includes({ status: "ok" });
    expect(target.requests).to.have.length(1);
  });
});

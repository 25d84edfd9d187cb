// The changes of one reply that a person is asked about: asked at once, decided in any order, made one after the other in the model's.
// Source: docs/reference.md, "Events" and "Confirmations".
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { Confirmation, HistoryEntry } from "../../src/domain/record.js";
import { toJson } from "../../src/lib/json.js";
import type { ScriptedReply } from "../../src/providers/scripted.js";
import { type Daemon, type DaemonOptions, petShop, startDaemon } from "../support/daemon.js";
import { startDatabaseDaemon } from "../support/database.js";
import { getJson, postJson } from "../support/entry-points.js";
import { type ChatClient, openChat } from "../support/raw.js";
import { serve } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { transcriptOf } from "../support/transcript.js";
import { until } from "../support/until.js";

type Call = NonNullable<ScriptedReply["calls"]>[number];
const create = (name: string): Call => ({ id: name, name: "create_pet", arguments: { name } });
const read = (id: number): Call => ({ id: `read ${id}`, name: "get_pet", arguments: { id } });
const turnsOf = (calls: Call[]) => [{ prompt: "go", replies: [{ calls }, { text: "done" }] }];
const CONFIRM = { safety: { confirm: true } };

/** An event in two words: its kind, and the call it is about. */
function line(event: ChatClient["frames"][number], calls: ReadonlyMap<unknown, unknown>): string {
  if (event.kind === "confirmation_required") return `asked ${String(event["call_id"])}`;
  if (event.kind === "confirmation_resolved") return `${String(event["decision"])} ${String(calls.get(event["id"]))}`;
  if (event.kind === "tool_call") return `call ${String(event["id"])}`;
  return event.kind === "tool_result" ? `${String(event["status"])} ${String(event["id"])}` : "";
}

/** What happened to the calls of a turn. */
function story(frames: ChatClient["frames"]): string[] {
  const asked = frames.filter(({ kind }) => kind === "confirmation_required");
  const calls = new Map(asked.map(({ id, call_id }) => [id, call_id]));
  return frames.map((frame) => line(frame, calls)).filter((text) => text !== "");
}

describe("Confirmations: several changes of one reply", function () {
  this.timeout(60_000);
  let target: RecordingTarget;
  let daemon: Daemon;
  let chat: ChatClient;
  /** What the application has not answered yet. */
  let answers: (() => void)[];
  beforeEach(async () => {
    answers = [];
    target = await startTarget((request) => json({ path: request.path }));
  });
  afterEach(async () => {
    chat.close();
    await daemon.close();
    await target.close();
  });

  const go = async (calls: Call[], options: DaemonOptions = {}): Promise<void> => {
    daemon = await startDaemon({ target: target.url, turns: turnsOf(calls), config: CONFIRM, ...options });
    chat = await openChat(`${daemon.url}/chat?events=extended&session_id=s`);
    chat.send({ message: "go" });
  };
  const decide = (id: string, decision: string) => postJson(`${daemon.url}/-/confirmations/${id}`, { decision });
  const asked = (count: number): Promise<void> =>
    until(() => chat.frames.filter(({ kind }) => kind === "confirmation_required").length === count);
  const idOf = (call: string): string =>
    String(chat.frames.find((one) => one.kind === "confirmation_required" && one["call_id"] === call)?.["id"]);
  const rows = async (): Promise<HistoryEntry[]> => (await daemon.agent.history({ limit: 100 })).reverse();
  const statuses = async (): Promise<string[]> => (await rows()).map(({ call_id, status }) => `${call_id} ${status}`);
  const bodies = (): string[] =>
    target.requests.filter(({ method }) => method === "POST").map(({ body }) => String(body));
  const holdAnswers = (): void => target.answer(() => (socket) => void answers.push(() => socket.write(json({}))));

  it("are asked at once, decided in any order, and made in the model's order", async () => {
    const calls = [create("A"), create("B"), create("C")];
    await go(calls);
    await asked(3);
    expect(bodies()).to.deep.equal([]);
    expect(await statuses()).to.deep.equal(["A held", "B held", "C held"]);
    for (const [call, decision] of [
      ["C", "approve"],
      ["B", "deny"],
    ] as const) {
      await decide(idOf(call), decision);
      await until(() => chat.frames.some(({ kind, id }) => kind === "confirmation_resolved" && id === idOf(call)));
    }
    await sleep(50);
    expect(bodies()).to.deep.equal([]);
    await decide(idOf("A"), "approve");
    await chat.turns();
    expect(story(chat.frames)).to.deep.equal([
      ...["call A", "call B", "call C", "asked A", "asked B", "asked C"],
      ...["approved C", "denied B", "approved A", "ok A", "error B", "ok C"],
    ]);
    expect(bodies()).to.deep.equal(['{"name":"A"}', '{"name":"C"}']);
    expect(await statuses()).to.deep.equal(["A ok", "B denied", "C ok"]);
    const messages = (await transcriptOf(daemon.agent, "s"))?.[0]?.messages ?? [];
    expect(messages.flatMap((one) => (one.role === "tool" ? [one.call_id] : []))).to.deep.equal(["A", "B", "C"]);
  });

  it("are the same in a replay, with the same numbers @all", async () => {
    await go([create("A"), create("B")]);
    await asked(2);
    for (const call of ["B", "A"]) await decide(idOf(call), "approve");
    const frames = await chat.turns();
    const turn = String(chat.frames.find(({ kind }) => kind === "session")?.["turn_id"]);
    const again = await openChat(`${daemon.url}/chat?session_id=s`);
    again.send({ type: "resume", turn_id: turn, after: 0 });
    const replayed = (await again.turns()).filter(({ kind }) => kind !== "usage");
    again.close();
    const own = frames.filter(({ kind }) => kind !== "usage" && kind !== "assistant_delta");
    expect(toJson(replayed.map(({ turn_id: _, ...event }) => event) as never)).to.equal(
      toJson(own.map(({ turn_id: _, ...event }) => event) as never),
    );
  });

  it("wait for the reads before them, and those behind them wait for them", async () => {
    await go([read(1), create("A"), create("B"), read(2), create("C")]);
    await asked(2);
    expect(target.requests.map(({ path }) => path)).to.deep.equal(["/pets/1"]);
    for (const call of ["A", "B"]) await decide(idOf(call), "approve");
    await asked(3);
    expect(target.requests.map(({ path }) => path)).to.deep.equal(["/pets/1", "/pets", "/pets", "/pets/2"]);
    await decide(idOf("C"), "deny");
    await chat.turns();
    expect(story(chat.frames)).to.deep.equal([
      ...["call read 1", "ok read 1", "call A", "call B", "asked A", "asked B", "approved A"],
      ...story(chat.frames).slice(7, 10),
      ...["call read 2", "ok read 2", "call C", "asked C", "denied C", "error C"],
    ]);
    expect(story(chat.frames).slice(7, 10).toSorted()).to.deep.equal(["approved B", "ok A", "ok B"]);
  });

  it("ends every one of them when the turn is stopped: what was approved and had not begun is never sent", async () => {
    holdAnswers();
    await go([create("A"), create("B"), create("C")]);
    await asked(3);
    for (const call of ["B", "A"]) await decide(idOf(call), "approve");
    await until(() => answers.length === 1);
    await fetch(`${daemon.url}/-/sessions/s/cancel`, { method: "POST" });
    await sleep(50);
    for (const answer of answers) answer();
    await chat.turns();
    await sleep(50);
    expect(bodies()).to.deep.equal(['{"name":"A"}']);
    expect(await statuses()).to.deep.equal(["A ok", "B error", "C denied"]);
    expect((await rows())[1]?.result).to.include({ error: "not_called" });
    expect(story(chat.frames).filter((text) => /^(ok|error)/.test(text))).to.deep.equal(["ok A", "error B", "error C"]);
  });

  it("can be stopped one by one while it waits for those before it @all", async () => {
    holdAnswers();
    await go([create("A"), create("B")]);
    await asked(2);
    for (const call of ["A", "B"]) await decide(idOf(call), "approve");
    await until(() => answers.length === 1);
    const turn = String(chat.frames.find(({ kind }) => kind === "session")?.["turn_id"]);
    await until(() => chat.frames.filter(({ kind }) => kind === "confirmation_resolved").length === 2);
    expect((await fetch(`${daemon.url}/-/turns/${turn}/calls/B/cancel`, { method: "POST" })).status).to.be.below(300);
    for (const answer of answers) answer();
    await chat.turns();
    expect(bodies()).to.deep.equal(['{"name":"A"}']);
    expect(toJson(((await rows())[1]?.result ?? null) as never)).to.include("nothing was sent");
  });

  it("stay held, all of them, for a client that goes and comes back @all", async () => {
    await go([create("A"), create("B")]);
    await asked(2);
    chat.close();
    await until(() => daemon.agent.load().running === 0);
    expect(await statuses()).to.deep.equal(["A held", "B held"]);
    const pending = await getJson<Confirmation[]>(`${daemon.url}/-/confirmations?status=pending`);
    for (const { id } of pending) expect((await decide(id, "approve")).status).to.equal(200);
    expect(await statuses()).to.deep.equal(["A ok", "B ok"]);
  });

  it("that would fail before those before it are done is asked about afterwards @all", async () => {
    const owner: Call = { id: "owner", name: "create_owners", arguments: { id: 1, name: "Ann" } };
    const pet: Call = { id: "pet", name: "create_pets", arguments: { id: 7, owner_id: 1 } };
    daemon = await startDatabaseDaemon(
      "CREATE TABLE owners (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE pets (id INTEGER PRIMARY KEY, owner_id INTEGER NOT NULL REFERENCES owners);",
      { turns: turnsOf([owner, pet]), config: CONFIRM },
    );
    chat = await openChat(`${daemon.url}/chat?events=extended&session_id=s`);
    chat.send({ message: "go" });
    await asked(1);
    await decide(idOf("owner"), "approve");
    await asked(2);
    await decide(idOf("pet"), "approve");
    await chat.turns();
    expect(await statuses()).to.deep.equal(["owner ok", "pet ok"]);
    expect(story(chat.frames).slice(0, 3)).to.deep.equal(["call owner", "call pet", "asked owner"]);
  });

  it("are told by a daemon that was killed and starts again, none of the results with a lower number @all", async () => {
    holdAnswers();
    const dir = temporaryFolder("test");
    await writeFile(join(dir, "turns.json"), JSON.stringify({ turns: turnsOf(["A", "B", "C"].map(create)) }));
    await writeFile(join(dir, "schema.json"), JSON.stringify(petShop(target.url)));
    const providers = { played: { type: "scripted", file: join(dir, "turns.json") } };
    await writeFile(join(dir, "config.json"), JSON.stringify({ ...CONFIRM, default_provider: "played", providers }));
    const first = await serve(["--data-dir", dir]);
    daemon = { ...first, close: () => first.kill() } as unknown as Daemon;
    chat = await openChat(`${first.url}/chat?events=extended&session_id=s`);
    chat.send({ message: "go" });
    await asked(3);
    for (const call of ["B", "A"]) await decide(idOf(call), "approve");
    await until(() => answers.length === 1);
    answers[0]?.();
    await until(() => answers.length === 2);
    const turn = String(chat.frames.find(({ kind }) => kind === "session")?.["turn_id"]);
    const before = [...chat.frames];
    await first.kill();
    const second = await serve(["--data-dir", dir]);
    try {
      const again = await openChat(`${second.url}/chat`);
      again.send({ type: "resume", turn_id: turn, after: 0 });
      const replayed = await again.turns();
      again.close();
      const calls = (frames: ChatClient["frames"]) =>
        frames.flatMap(({ kind, id, seq }) => (kind === "tool_call" ? [`${String(seq)} ${String(id)}`] : []));
      expect(calls(replayed)).to.deep.equal(calls(before));
      expect(story(replayed).filter((text) => /^(ok|error)/.test(text))).to.deep.equal(["ok A", "error B"]);
      const numberOf = (frames: ChatClient["frames"]) =>
        Number(frames.find(({ kind, id }) => kind === "tool_result" && id === "A")?.["seq"]);
      expect(numberOf(replayed)).to.be.at.least(numberOf(before));
    } finally {
      await second.kill();
    }
  });
});

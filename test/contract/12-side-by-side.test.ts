// Calls of one reply: reads run side by side, a change runs alone, and what a client, the record and the model see keeps the
// model's order. The target holds its answers, so that what is under way can be counted.
// Source: docs/reference.md, "Events", "History" and "Limits and promises".
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { TurnEvent } from "../../src/domain/event.js";
import type { HistoryEntry } from "../../src/domain/record.js";
import type { ScriptedReply } from "../../src/providers/scripted.js";
import { type Daemon, type DaemonOptions, startDaemon } from "../support/daemon.js";
import { ask, postJson } from "../support/entry-points.js";
import { json, type RecordedRequest, type RecordingTarget, startTarget } from "../support/target.js";
import { transcriptOf } from "../support/transcript.js";
import { until } from "../support/until.js";

type Call = NonNullable<ScriptedReply["calls"]>[number];

const read = (id: number): Call => ({ id: `read_${id}`, name: "get_pet", arguments: { id } });
const create = (name: string): Call => ({ id: `create_${name}`, name: "create_pet", arguments: { name } });
/** The pairs of a turn as "call id" and "result id". */
const pairs = (events: readonly TurnEvent[]): string[] =>
  events.flatMap((event) =>
    event.kind === "tool_call" || event.kind === "tool_result" ? [`${event.kind.slice(5)} ${event.id}`] : [],
  );
const inOrder = (calls: readonly Call[]): string[] => calls.flatMap(({ id }) => [`call ${id}`, `result ${id}`]);

describe("Events: calls of one reply", function () {
  this.timeout(60_000);
  let target: RecordingTarget;
  let daemon: Daemon;
  /** Requests the target has not answered, oldest first. */
  let unanswered: { socket: Socket; request: RecordedRequest }[];

  beforeEach(async () => {
    unanswered = [];
    target = await startTarget(() => (socket, request) => void unanswered.push({ socket, request }));
  });
  afterEach(async () => {
    await daemon.close();
    await target.close();
  });

  const start = async (calls: Call[], more: DaemonOptions = {}): Promise<void> => {
    const replies: ScriptedReply[] = [{ calls }, { text: "done" }];
    daemon = await startDaemon({ target: target.url, turns: [{ prompt: "go", replies }], ...more });
  };
  const go = (): Promise<TurnEvent[]> => ask(daemon.url, { message: "go", session_id: "s" });
  const underWay = (): string[] => unanswered.map(({ request }) => `${request.method} ${request.path}`).sort();
  const arrived = (count: number): Promise<void> => until(() => unanswered.length === count);
  /** Answers every request that is under way, the latest first. */
  const answerAll = (): void => {
    for (const { socket, request } of unanswered.splice(0).reverse()) socket.write(json({ path: request.path }));
  };
  const rows = async (): Promise<HistoryEntry[]> => (await daemon.agent.history({ limit: 100 })).reverse();

  it("makes up to 8 reads side by side, each behind its row, and keeps the model's order everywhere", async () => {
    const calls = Array.from({ length: 11 }, (_, at) => read(at));
    await start(calls);
    const turn = go();
    await arrived(8);
    await sleep(50);
    expect(unanswered).to.have.length(8);
    const pending = await rows();
    expect(pending.map(({ call_id, status }) => `${call_id} ${status}`)).to.deep.equal(
      calls.slice(0, 8).map(({ id }) => `${id} pending`),
    );
    answerAll();
    await arrived(3);
    answerAll();
    const events = await turn;
    expect(pairs(events)).to.deep.equal(inOrder(calls));
    expect(events.flatMap((event) => (event.kind === "tool_result" ? [event.result] : []))).to.deep.equal(
      calls.map((_, at) => ({ path: `/pets/${at}` })),
    );
    expect((await rows()).map(({ call_id, status }) => `${call_id} ${status}`)).to.deep.equal(
      calls.map(({ id }) => `${id} ok`),
    );
    const transcript = (await transcriptOf(daemon.agent, "s"))?.[0]?.messages ?? [];
    expect(transcript.flatMap((message) => (message.role === "tool" ? [message.call_id] : []))).to.deep.equal(
      calls.map(({ id }) => id),
    );
  });

  it("makes a change alone: it waits for the calls before it, and those behind it wait for it", async () => {
    const calls = [read(1), read(2), create("Rex"), { id: "gone", name: "delete_pet", arguments: { id: 1 } }, read(3)];
    await start(calls);
    const turn = go();
    // What is deleted is read before.
    const deletion = [["GET /pets/1"], ["DELETE /pets/1"]];
    for (const expected of [["GET /pets/1", "GET /pets/2"], ["POST /pets"], ...deletion, ["GET /pets/3"]]) {
      await arrived(expected.length);
      await sleep(30);
      expect(underWay()).to.deep.equal(expected);
      answerAll();
    }
    expect(pairs(await turn)).to.deep.equal(inOrder(calls));
  });

  it("counts an unknown tool and a call that waits for a yes as changes", async () => {
    const calls = [read(1), { id: "what", name: "get_pets_maybe", arguments: {} }, read(2), create("Rex"), read(3)];
    await start(calls, { config: { safety: { confirm: true } } });
    const turn = go();
    for (const expected of ["GET /pets/1", "GET /pets/2", "GET /pets/3"]) {
      await arrived(1);
      await sleep(30);
      expect(underWay()).to.deep.equal([expected]);
      answerAll();
    }
    const events = await turn;
    expect(pairs(events)).to.deep.equal(inOrder(calls));
    expect((await rows()).map(({ status }) => status)).to.deep.equal(["ok", "error", "ok", "held", "ok"]);
  });

  it("C24 awaits and records the reads that were sent when the turn is cancelled, and starts no other", async () => {
    const calls = [...Array.from({ length: 10 }, (_, at) => read(at)), create("Rex")];
    await start(calls);
    const turn = go();
    await arrived(8);
    await fetch(`${daemon.url}/-/sessions/s/cancel`, { method: "POST" });
    await sleep(50);
    answerAll();
    const events = await turn;
    expect(pairs(events)).to.deep.equal(inOrder(calls.slice(0, 8)));
    expect(events.slice(-2).map(({ kind }) => kind)).to.deep.equal(["error", "done"]);
    expect((await rows()).map(({ status }) => status)).to.deep.equal(Array(8).fill("ok"));
    expect(target.requests).to.have.length(8);
    const messages = (await transcriptOf(daemon.agent, "s"))?.[0]?.messages ?? [];
    const answers = messages.flatMap((message) => (message.role === "tool" ? [message] : []));
    expect(answers.map((answer) => answer.call_id)).to.deep.equal(calls.map(({ id }) => id));
    expect(answers.map(({ text }) => text.includes("not_called"))).to.deep.equal([
      ...Array<boolean>(8).fill(false),
      ...Array<boolean>(3).fill(true),
    ]);
  });

  it("C24 records every read that was sent when the client leaves", async () => {
    await start(Array.from({ length: 10 }, (_, at) => read(at)));
    const gone = new AbortController();
    postJson(`${daemon.url}/run`, { message: "go", session_id: "s" }, { signal: gone.signal }).catch(() => {});
    await arrived(8);
    gone.abort();
    await until(() => daemon.agent.load().running === 1);
    await sleep(50);
    answerAll();
    await until(() => daemon.agent.load().running === 0);
    expect((await rows()).map(({ status }) => status)).to.deep.equal(Array(8).fill("ok"));
    expect(target.requests).to.have.length(8);
  });

  it("lets read_result read what the calls before it brought, and the calls behind it run beside it", async () => {
    const long = Array.from({ length: 2_000 }, (_, id) => ({ id, name: `pet ${id}` }));
    target.answer((request) => json(request.path === "/pets" ? long : { path: request.path }));
    const calls: Call[] = [
      { id: "all", name: "list_pets", arguments: {} },
      { id: "some", name: "read_result", arguments: { call_id: "all", where: { id: 7 } } },
      read(1),
    ];
    await start(calls);
    const events = await go();
    expect(pairs(events)).to.deep.equal(inOrder(calls));
    const some = events.find((event) => event.kind === "tool_result" && event.id === "some");
    expect(some).to.deep.include({ status: "ok" });
    expect(some).to.have.nested.property("result.items[0].name", "pet 7");
  });
});

// A detached turn goes on without its client, and any turn can be replayed and followed, by any number of readers.
// Source: docs/reference.md, "Turns that outlive their client" and "Streams of events".

import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { LOCAL_CALLER } from "../../src/domain/caller.js";
import type { TurnEvent } from "../../src/domain/event.js";
import { type Daemon, petShop, startDaemon } from "../support/daemon.js";
import { postJson } from "../support/entry-points.js";
import { openChat } from "../support/raw.js";
import { type Arrived, readStream } from "../support/streams.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { transcriptOf } from "../support/transcript.js";
import { until } from "../support/until.js";

const SSE = "text/event-stream";
const NDJSON = "application/x-ndjson";

const kindsOf = (events: readonly Arrived[]): string[] => events.map(({ seq, event }) => `${seq} ${event.kind}`);

const USAGE = { input_tokens: 3, output_tokens: 2 };

const TURNS = [
  {
    prompt: "slow",
    replies: [
      { deltas: ["Let ", "me ", "look."], delay_ms: 20, calls: [{ name: "list_pets", arguments: {} }], usage: USAGE },
      { deltas: ["One ", "pet."], delay_ms: 20 },
    ],
  },
  { prompt: "hang", replies: [{ deltas: ["half ", "a ", "never"], delay_ms: 60_000 }] },
  { prompt: "wait", replies: [{ deltas: ["so ", "long"], delay_ms: 300 }] },
  { prompt: "create", replies: [{ calls: [{ name: "create_pet", arguments: { name: "Rex" } }] }, { text: "Made." }] },
];

/** The turn "slow", whole. */
const WHOLE = [
  "1 user_prompt",
  "2 session",
  "3 assistant_delta",
  "4 assistant_delta",
  "5 assistant_delta",
  "6 usage",
  "7 assistant_message",
  "8 tool_call",
  "9 tool_result",
  "10 assistant_delta",
  "11 assistant_delta",
  "12 assistant_message",
  "13 done",
];
/** The same once it is over. */
const REPLAYED = WHOLE.filter((line) => !line.endsWith("delta"));

describe("Turns that outlive their client", () => {
  let target: RecordingTarget;
  let daemon: Daemon;

  beforeEach(async () => {
    target = await startTarget(() => json([{ id: 1, name: "Rex" }]));
    daemon = await startDaemon({ target: target.url, turns: TURNS, listen: { heartbeatMs: 60 } });
  });
  afterEach(async () => {
    await daemon.close();
    await target.close();
  });

  const run = (body: object, headers: Record<string, string> = {}): Promise<Response> =>
    postJson(`${daemon.url}/run`, body, { headers });
  /** Starts a detached turn; its names. */
  const detach = async (
    message: string,
    session_id: string = randomUUID(),
    modes: object = {},
  ): Promise<{ turn_id: string; session_id: string }> => {
    const answer = await run({ message, session_id, detach: true, ...modes });
    expect(answer.status).to.equal(202);
    return (await answer.json()) as { turn_id: string; session_id: string };
  };
  const follow = (turn_id: string, headers: Record<string, string> = { accept: SSE }): Promise<Response> =>
    fetch(`${daemon.url}/-/turns/${turn_id}/events`, { headers });
  const soFar = async (turn_id: string): Promise<unknown> =>
    (await fetch(`${daemon.url}/-/turns/${turn_id}/events?follow=false`)).json();
  const put = (file: string, value: object): Promise<void> =>
    writeFile(join(daemon.dataDir, file), JSON.stringify(value));
  const idle = (): Promise<void> => until(() => daemon.agent.load().running === 0);
  const statuses = async (id: string): Promise<string[]> =>
    ((await transcriptOf(daemon.agent, id)) ?? []).map(({ status }) => status);

  it("answers a detached prompt with 202 and the names of its turn at once", async () => {
    const answer = await run({ message: "slow", session_id: "s", detach: true });
    expect(answer.status).to.equal(202);
    const names = await answer.json();
    expect(names).to.deep.equal({ turn_id: answer.headers.get("x-turn-id"), session_id: "s" });
    expect(answer.headers.get("x-session-id")).to.equal("s");
    await idle();
    expect(await statuses("s")).to.deep.equal(["done"]);
  });

  it("accepts a detached prompt behind another of its session", async () => {
    const first = await detach("wait", "s");
    const second = await detach("slow", "s");
    const { events } = await readStream(await follow(second.turn_id));
    expect(kindsOf(events)).to.deep.equal(WHOLE);
    const before = await readStream(await follow(first.turn_id));
    expect(before.events.at(-1)?.event).to.deep.equal({ kind: "done" });
  });

  for (const accept of [SSE, NDJSON])
    it(`goes on when the reader of a detached ${accept} leaves, and without detach does not`, async () => {
      for (const detached of [true, false]) {
        const session_id = `s-${detached}`;
        const answer = await run({ message: "wait", session_id, detach: detached }, { accept });
        await readStream(answer, ({ events }) => events.length > 0);
        await idle();
        expect(await statuses(session_id)).to.deep.equal([detached ? "done" : "cancelled"]);
      }
    });

  it("goes on when the client of a detached prompt of /chat leaves", async () => {
    const chat = await openChat(`${daemon.url}/chat?session_id=s`);
    chat.send({ message: "wait", detach: true });
    chat.send({ message: "slow", detach: true });
    chat.send({ message: "create" });
    await until(() => chat.frames.length > 0);
    chat.close();
    await until(async () => (await statuses("s")).length === 2 && daemon.agent.load().running === 0);
    expect(await statuses("s")).to.deep.equal(["done", "done"]);
  });

  it("numbers the events from 1, extended ones included, and names the turn", async () => {
    const answer = await run({ message: "slow" }, { accept: SSE });
    const turn_id = answer.headers.get("x-turn-id");
    const { events } = await readStream(answer);
    const plain = WHOLE.filter((line) => !/usage|session/.test(line));
    expect(kindsOf(events)).to.deep.equal(plain);
    expect(new Set(events.map((one) => one.turn_id))).to.deep.equal(new Set([turn_id]));
  });

  it("gives the number as seq in lines and frames to clients with extended events only", async () => {
    const lines = async (body: object) => (await readStream(await run(body, { accept: NDJSON }))).events;
    expect(kindsOf(await lines({ message: "slow", events: "extended" }))).to.deep.equal(WHOLE);
    expect(new Set((await lines({ message: "slow" })).map(({ seq }) => seq))).to.deep.equal(new Set([0]));
    const chat = await openChat(`${daemon.url}/chat?events=extended`);
    chat.send({ message: "slow" });
    await until(() => chat.frames.some((frame) => frame.kind === "done"));
    const frames = chat.frames as (TurnEvent & { seq?: number })[];
    expect(
      frames.filter(({ kind }) => (kind as string) !== "ping").map(({ kind, seq }) => `${seq} ${kind}`),
    ).to.deep.equal(WHOLE);
    chat.close();
  });

  for (const accept of [SSE, NDJSON])
    it(`replays a running turn from its first event and follows it to its end, as ${accept}`, async () => {
      const { turn_id } = await detach("slow");
      const answer = await follow(turn_id, { accept });
      expect(answer.headers.get("content-type")).to.equal(accept);
      const { events } = await readStream(answer);
      expect(kindsOf(events)).to.deep.equal(WHOLE);
    });

  it("goes on behind Last-Event-ID and behind after, of which the header wins", async () => {
    const { turn_id } = await detach("slow");
    const of = async (query: string, headers: Record<string, string> = {}): Promise<string[]> => {
      const answer = await fetch(`${daemon.url}/-/turns/${turn_id}/events${query}`, {
        headers: { accept: SSE, ...headers },
      });
      return kindsOf((await readStream(answer)).events);
    };
    expect(await of("?after=7")).to.deep.equal(WHOLE.slice(7));
    await idle();
    expect(await of("")).to.deep.equal(REPLAYED);
    expect(await of(`?after=${turn_id}.7`)).to.deep.equal([
      "8 tool_call",
      "9 tool_result",
      "12 assistant_message",
      "13 done",
    ]);
    expect(await of("?after=2", { "last-event-id": `${turn_id}.9` })).to.deep.equal([
      "12 assistant_message",
      "13 done",
    ]);
  });

  it("answers 204 when nothing is left, and 404 for an unknown turn", async () => {
    const { turn_id } = await detach("slow");
    await idle();
    for (const accept of [SSE, NDJSON, "application/json"]) {
      for (const method of ["GET", "HEAD"]) {
        const statusOf = async (id: string, after: number): Promise<number> =>
          (await fetch(`${daemon.url}/-/turns/${id}/events?after=${after}`, { method, headers: { accept } })).status;
        expect(await statusOf(turn_id, 13)).to.equal(204);
        expect(await statusOf(turn_id, 12)).to.equal(200);
        expect(await statusOf(randomUUID(), 0)).to.equal(404);
      }
    }
  });

  it("answers as JSON when the turn is over, or with what is there by now", async () => {
    const { turn_id, session_id } = await detach("hang");
    await until(async () => (await daemon.agent.turn(turn_id))?.status === "running");
    const whole = follow(turn_id, {}).then((answer) => answer.json());
    const get = () => soFar(turn_id);
    const session = { kind: "session", session_id, turn_id, resumed: false, seq: 2 };
    const events: object[] = [{ kind: "user_prompt", text: "hang", seq: 1 }, session];
    expect(await get()).to.deep.equal({ turn_id, session_id, status: "running", result: "", events });
    await fetch(`${daemon.url}/-/sessions/${session_id}/cancel`, { method: "POST" });
    await idle();
    events.push({ kind: "error", message: "cancelled", seq: 3 }, { kind: "done", seq: 4 });
    const cancelled = { turn_id, session_id, status: "cancelled", result: "", events };
    expect(await Promise.all([whole, get()])).to.deep.equal([cancelled, cancelled]);
    expect((await fetch(`${daemon.url}/-/turns/${turn_id}/events?follow=no`)).status).to.equal(400);
  });

  it("waits for the decision on a held call, which anyone gives, and goes on to its answer", async () => {
    const answer = await run({ message: "create", session_id: "s", detach: true, confirm: true });
    const { turn_id } = (await answer.json()) as { turn_id: string };
    const held = await readStream(await follow(turn_id), ({ events }) => events.length === 4);
    const [question] = held.events.slice(-1);
    expect(question?.event.kind).to.equal("confirmation_required");
    const id = question?.event.kind === "confirmation_required" ? question.event.id : "";
    const following = follow(turn_id, { accept: NDJSON, "last-event-id": `${turn_id}.4` });
    expect((await postJson(`${daemon.url}/-/confirmations/${id}`, { decision: "approve" })).status).to.equal(200);
    const rest = (await readStream(await following)).events;
    expect(kindsOf(rest)).to.deep.equal([
      "5 confirmation_resolved",
      "6 tool_result",
      "7 assistant_delta",
      "8 assistant_message",
      "9 done",
    ]);
    // The record has the same, and a message in place of its delta.
    const replayed = (await readStream(await follow(turn_id))).events;
    expect(replayed).to.deep.equal([...held.events, ...withTurn(rest, turn_id).filter(({ seq }) => seq !== 7)]);
  });

  const changes: [string, string, () => Promise<unknown>][] = [
    ["a mode that was turned on", "refused", () => daemon.reload({ safety: { read_only: true } })],
    ["a tool that was hidden", "unknown_tool", () => put("overrides.json", { create_pet: { hidden: true } })],
    ["an address that was changed", "changed", () => put("schema.json", petShop("http://127.0.0.1:9"))],
  ];
  for (const [title, code, change] of changes)
    it(`F20 sends no approved call against ${title} since it was held, though its turn goes on`, async () => {
      const { turn_id } = await detach("create", "s", { confirm: true });
      const held = await readStream(await follow(turn_id), ({ events }) => events.length === 4);
      const question = held.events.at(-1)?.event;
      await change();
      const id = question?.kind === "confirmation_required" ? question.id : "";
      await postJson(`${daemon.url}/-/confirmations/${id}`, { decision: "approve" });
      const { events } = await readStream(await follow(turn_id));
      const result = events.find(({ event }) => event.kind === "tool_result");
      expect(result?.event).to.have.nested.property("result.error", code);
      expect(target.requests).to.have.length(0);
      expect(events.at(-1)?.event).to.deep.equal({ kind: "done" });
    });

  it("is cancelled by a cancel of its session and by a cancel frame of who resumed it, and by nobody's leaving", async () => {
    for (const way of ["route", "frame"]) {
      const { turn_id, session_id } = await detach("hang");
      const chat = await openChat(`${daemon.url}/chat`);
      chat.send({ type: "resume", turn_id, after: 1 });
      await until(() => chat.frames.length > 0);
      const other = await openChat(`${daemon.url}/chat`);
      other.send({ type: "resume", turn_id });
      await until(() => other.frames.length > 0);
      other.close();
      if (way === "frame") chat.send({ type: "cancel" });
      else await fetch(`${daemon.url}/-/sessions/${session_id}/cancel`, { method: "POST" });
      const frames = (await chat.turns()).filter(({ kind }) => kind !== "ping");
      expect(frames.map(({ kind, seq }) => `${seq} ${kind}`)).to.deep.equal(["2 session", "3 error", "4 done"]);
      chat.close();
      expect(await statuses(session_id)).to.deep.equal(["cancelled"]);
    }
  });

  it("resumes on /chat in the order of the frames, so that no two turns mix", async () => {
    const { turn_id } = await detach("slow");
    const chat = await openChat(`${daemon.url}/chat`);
    chat.send({ message: "create" });
    chat.send({ type: "resume", turn_id, after: 7 });
    chat.send({ type: "resume", turn_id, after: 13 });
    chat.send({ type: "resume", turn_id: "unknown" });
    chat.send({ message: "hello" });
    const frames = (await chat.turns(5)).filter(({ kind }) => kind !== "ping");
    const shown = frames.map(({ kind, seq }) => (seq === undefined ? kind : `${seq} ${kind}`));
    const first = ["user_prompt", "tool_call", "tool_result", "assistant_delta", "assistant_message", "done"];
    const hello = ["user_prompt", "assistant_delta", "assistant_message", "done"];
    const resumed = WHOLE.slice(7).filter((line) => shown.includes(line) || !line.endsWith("delta"));
    expect(shown).to.deep.equal([...first, ...resumed, "done", "error", "done", ...hello]);
    chat.close();
  });

  it("follows a session from its running turn through the next ones", async () => {
    await detach("wait", "s");
    const following = fetch(`${daemon.url}/-/sessions/s/events`, { headers: { accept: SSE } });
    const reading = readStream(await following, ({ events }) => events.filter(isDone).length === 3);
    await detach("create", "s");
    await idle();
    const { turn_id } = await detach("slow", "s");
    const { events } = await reading;
    expect(events.filter(isDone)).to.have.length(3);
    expect(kindsOf(events.filter((one) => one.turn_id === turn_id))).to.deep.equal(WHOLE);
    const turns = [...new Set(events.map((one) => one.turn_id))];
    expect(turns).to.have.length(3);
    // Each whole before the next begins.
    expect(events.map((one) => turns.indexOf(one.turn_id))).to.deep.equal(
      events.map((one) => turns.indexOf(one.turn_id)).sort((a, b) => a - b),
    );
    // One that comes back behind an event of the first turn misses nothing of what came since.
    const [done] = events.filter(isDone);
    const later = await fetch(`${daemon.url}/-/sessions/s/events`, {
      headers: { accept: NDJSON, "last-event-id": `${done?.turn_id}.${done?.seq}` },
    });
    const rest = await readStream(later, (read) => read.events.filter(isDone).length === 2);
    expect(kindsOf(rest.events)).to.deep.equal([
      ...["1 user_prompt", "2 session", "3 tool_call", "4 tool_result", "6 assistant_message", "7 done"],
      ...REPLAYED,
    ]);
  });

  for (const isDropped of [false, true])
    it(`follows a session behind a turn that waits, and then ${isDropped ? "is cancelled" : "runs"}`, async () => {
      await detach("wait", "s");
      await detach("create", "s");
      const { turn_id } = await detach("slow", "s");
      const next = await detach("create", "s");
      const following = await fetch(`${daemon.url}/-/sessions/s/events?after=${turn_id}.0`);
      expect(following.status).to.equal(200);
      const reading = readStream(following, ({ events }) => events.filter(isDone).length === 2);
      if (isDropped) daemon.agent.cancelTurn(turn_id, LOCAL_CALLER);
      const { events } = await reading;
      const own = events.filter((one) => one.turn_id === turn_id);
      expect(kindsOf(own)).to.deep.equal(isDropped ? ["1 user_prompt", "2 error", "3 done"] : WHOLE);
      const rest = events.slice(own.length);
      expect(kindsOf(rest)[0]).to.equal("1 user_prompt");
      if (!isDropped) expect(new Set(rest.map((one) => one.turn_id))).to.deep.equal(new Set([next.turn_id]));
    });

  it("ends the readers of a deleted session with an error, and replays its turns no more", async () => {
    const { turn_id } = await detach("create", "s");
    await idle();
    const reading = readStream(await fetch(`${daemon.url}/-/sessions/s/events`, { headers: { accept: NDJSON } }));
    expect((await fetch(`${daemon.url}/-/sessions/s`, { method: "DELETE" })).status).to.equal(204);
    expect((await reading).events.map(({ seq, event }) => ({ seq, event }))).to.deep.equal([
      { seq: 0, event: { kind: "error", message: "This session was deleted." } },
      { seq: 0, event: { kind: "done" } },
    ]);
    expect((await follow(turn_id)).status).to.equal(404);
    for (const id of ["s", "unknown", "%00", "a%0D%0AX-A: b"])
      expect((await fetch(`${daemon.url}/-/sessions/${id}/events`, { headers: { accept: SSE } })).status).to.equal(404);
  });

  it("gives every reader every event, the same numbers to all", async () => {
    const { turn_id } = await detach("slow");
    const readers = Array.from({ length: 20 }, async (_, i) =>
      readStream(await follow(turn_id, { accept: i % 2 ? SSE : NDJSON })),
    );
    const [first, ...others] = (await Promise.all(readers)).map(({ events }) => kindsOf(events));
    expect(first).to.deep.equal(WHOLE);
    for (const other of others) expect(other).to.deep.equal(WHOLE);
  });

  it("refuses a detached prompt with the statuses of every prompt", async () => {
    expect((await run({ message: "slow", detach: "yes" })).status).to.equal(400);
    await detach("hang", "s");
    for (let i = 0; i < 32; i++) await detach("slow", "s");
    const full = await run({ message: "slow", session_id: "s", detach: true });
    expect(full.status).to.equal(429);
    await fetch(`${daemon.url}/-/sessions/s/cancel`, { method: "POST" });
  });

  it("ends the readers of a turn that was cancelled while it waited", async () => {
    await detach("hang", "s");
    const { turn_id } = await detach("slow", "s");
    expect(await soFar(turn_id)).to.deep.include({ status: "waiting", events: [] });
    const reading = readStream(await follow(turn_id));
    await fetch(`${daemon.url}/-/sessions/s/cancel`, { method: "POST" });
    expect(kindsOf((await reading).events)).to.deep.equal(["1 user_prompt", "2 error", "3 done"]);
    expect(await soFar(turn_id)).to.deep.include({ status: "cancelled" });
  });

  it("has a turn that was cancelled while it waited on record, behind those before it @all", async () => {
    await daemon.close();
    const dataDir = temporaryFolder("cancelled");
    const start = async (): Promise<void> => {
      daemon = await startDaemon({ target: target.url, turns: TURNS, dataDir });
    };
    await start();
    await detach("wait", "s");
    const { turn_id } = await detach("create", "s");
    expect(daemon.agent.cancelTurn(turn_id, LOCAL_CALLER)).to.equal(true);
    const live = await soFar(turn_id);
    const turns = async () => (await transcriptOf(daemon.agent, "s")) ?? [];
    await until(async () => (await turns()).filter(({ status }) => status !== "running").length === 2);
    expect((await turns()).map(({ prompt, status, error }) => [prompt, status, error])).to.deep.equal([
      ["wait", "done", ""],
      ["create", "cancelled", "cancelled"],
    ]);
    expect(target.requests).to.deep.equal([]);
    expect(await soFar(turn_id)).to.deep.equal(live);
    await daemon.close();
    await start();
    expect(await soFar(turn_id)).to.deep.equal(live);
  });

  it("says error and done when a turn is refused after its stream was opened, without detach too", async () => {
    await detach("hang", "s");
    const answer = run({ message: "slow", session_id: "s" }, { accept: SSE });
    // The first sign of life is out.
    await new Promise((resolve) => setTimeout(resolve, 150));
    await fetch(`${daemon.url}/-/sessions/s/cancel`, { method: "POST" });
    const { status } = await answer;
    expect(status).to.equal(200);
    expect(kindsOf((await readStream(await answer)).events)).to.deep.equal(["1 user_prompt", "2 error", "3 done"]);
  });
});

const isDone = ({ event }: Arrived): boolean => event.kind === "done";
const withTurn = (events: readonly Arrived[], turn_id: string): Arrived[] => events.map((one) => ({ ...one, turn_id }));

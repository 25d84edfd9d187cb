// A connection of /chat that follows a session: every turn of it, whoever prompts it, once and in order.
// Source: docs/reference.md, "Turns that outlive their client".

import { expect } from "chai";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { postJson } from "../support/entry-points.js";
import { type ChatClient, openChat } from "../support/raw.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { transcriptOf } from "../support/transcript.js";
import { until } from "../support/until.js";

const TURNS = [
  { prompt: "slow", replies: [{ deltas: ["One ", "two ", "three."], delay_ms: 40 }] },
  { prompt: "hang", replies: [{ deltas: ["never ", "ends"], delay_ms: 60_000 }] },
  { prompt: "create", replies: [{ calls: [{ name: "create_pet", arguments: { name: "Rex" } }] }, { text: "Made." }] },
];

describe("Turns that outlive their client", () => {
  let target: RecordingTarget;
  let daemon: Daemon;
  beforeEach(async () => {
    target = await startTarget(() => json({ id: 1, name: "Rex" }, 201));
    daemon = await startDaemon({ target: target.url, turns: TURNS });
  });
  afterEach(async () => {
    await daemon.close();
    await target.close();
  });

  const detach = async (message: string, more: object = {}): Promise<string> => {
    const answer = await postJson(`${daemon.url}/run`, { message, session_id: "s", detach: true, ...more });
    return String(answer.headers.get("x-turn-id"));
  };
  const follow = async (position: object = {}): Promise<ChatClient> => {
    const chat = await openChat(`${daemon.url}/chat?session_id=s`);
    chat.send({ type: "follow", ...position });
    return chat;
  };
  const lines = (frames: ChatClient["frames"]) =>
    frames.map(({ turn_id, seq, kind }) => `${String(turn_id)} ${String(seq)} ${kind}`);
  const numbered = (turn_id: string, ...kinds: string[]) => kinds.map((kind, i) => `${turn_id} ${i + 1} ${kind}`);
  const WHOLE = [
    "user_prompt",
    "session",
    "assistant_delta",
    "assistant_delta",
    "assistant_delta",
    "assistant_message",
  ];
  const SHORT = ["user_prompt", "session", "assistant_delta", "assistant_message", "done"];

  it("follows the running turn from its first event, then the next turns, whoever prompts them", async () => {
    const first = await detach("slow");
    await until(async () => (await daemon.agent.turn(first))?.status === "running");
    const chats = [await follow(), await follow()];
    await chats[0]?.until((frames) => frames.length > 0);
    const other = await openChat(`${daemon.url}/chat?session_id=s`);
    other.send({ message: "hello" });
    for (const chat of chats) {
      const frames = await chat.turns(2);
      const second = String(frames.at(-1)?.["turn_id"]);
      expect(second).to.not.equal(first);
      expect(lines(frames)).to.deep.equal([...numbered(first, ...WHOLE, "done"), ...numbered(second, ...SHORT)]);
      chat.close();
    }
    other.close();
  });

  it("waits for the first turn of a session that does not exist", async () => {
    const chat = await follow();
    const turn_id = await detach("hello");
    expect(lines(await chat.turns())).to.deep.equal(numbered(turn_id, ...SHORT));
    chat.close();
  });

  it("goes on behind a position with all that came since", async () => {
    const [first, second] = [await detach("hello"), await detach("hello again")];
    await until(() => daemon.agent.load().running + daemon.agent.load().waiting === 0);
    const chat = await follow({ turn_id: first, after: 2 });
    // A message stands for the deltas of a turn that is over.
    expect(lines(await chat.turns(2))).to.deep.equal([
      `${first} 4 assistant_message`,
      `${first} 5 done`,
      ...numbered(second, ...SHORT).filter((line) => !line.endsWith("delta")),
    ]);
    chat.close();
  });

  it("cancels the followed turn, and takes no prompt and no second follow", async () => {
    const turn_id = await detach("hang");
    const chat = await follow();
    await chat.until((frames) => frames.some(({ kind }) => kind === "session"));
    for (const frame of [{ message: "hello" }, { type: "follow" }, { type: "resume", turn_id }, { type: "no" }]) {
      chat.send(frame);
      const from = chat.frames.length;
      await chat.until((frames) => frames.length >= from + 2);
      expect(chat.frames.slice(from).map(({ kind, turn_id }) => [kind, turn_id])).to.deep.equal([
        ["error", undefined],
        ["done", undefined],
      ]);
    }
    chat.send({ type: "cancel" });
    await chat.until((frames) => frames.some((frame) => frame.kind === "done" && frame["turn_id"] === turn_id));
    expect((await transcriptOf(daemon.agent, "s"))?.map(({ status }) => status)).to.deep.equal(["cancelled"]);
    chat.close();
  });

  it("is not taken while a turn is under way on the connection", async () => {
    const chat = await openChat(`${daemon.url}/chat?session_id=s`);
    chat.send({ message: "slow" });
    chat.send({ type: "follow" });
    const frames = await chat.turns(2);
    expect(frames.at(-2)?.["message"]).to.contain("no turn is under way");
    chat.close();
  });

  it("decides a confirmation of the followed turn, which goes on", async () => {
    const chat = await follow();
    await detach("create", { confirm: true });
    await chat.until((frames) => frames.some(({ kind }) => kind === "confirmation_required"));
    const id = chat.frames.find(({ kind }) => kind === "confirmation_required")?.["id"];
    chat.send({ type: "confirm", id, decision: "approve" });
    const frames = await chat.turns();
    expect(frames.find(({ kind }) => kind === "assistant_message")?.["text"]).to.equal("Made.");
    expect(target.requests).to.have.length(1);
    chat.close();
  });

  it("says that the session was deleted, and that a position is unknown, and follows no longer", async () => {
    const turn_id = await detach("hello");
    await until(() => daemon.agent.load().running === 0);
    const chat = await follow({ turn_id: "unknown" });
    const [unknown, end] = await chat.turns();
    expect([unknown, end]).to.deep.equal([
      { kind: "error", message: 'This session has no turn "unknown".' },
      { kind: "done" },
    ]);
    chat.send({ type: "follow", turn_id, after: 5 });
    await fetch(`${daemon.url}/-/sessions/s`, { method: "DELETE" });
    expect(await chat.turns()).to.deep.equal([
      { kind: "error", message: "This session was deleted." },
      { kind: "done" },
    ]);
    chat.close();
  });

  it("goes on when a connection that follows closes", async () => {
    const turn_id = await detach("slow");
    const chat = await follow();
    await chat.until((frames) => frames.length > 0);
    chat.close();
    await until(async () => (await daemon.agent.turn(turn_id))?.status !== "running");
    expect((await daemon.agent.turn(turn_id))?.status).to.equal("done");
  });
});

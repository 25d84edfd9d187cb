// Conversations over /chat: frames in, events out, and what a connection is for its session.
// Source: docs/reference.md, "WebSocket" and "Extended events".
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { kinds, openChat } from "../support/raw.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { transcriptOf } from "../support/transcript.js";

const PLAIN = ["user_prompt", "assistant_delta", "assistant_message", "done"];
const REFUSED = ["error", "done"];

describe("WebSocket", () => {
  let daemon: Daemon;
  let target: RecordingTarget;
  let chatUrl: string;

  before(async () => {
    target = await startTarget(() => json([{ id: 1, name: "Rex" }]));
    const create = { calls: [{ name: "create_pet", arguments: { name: "Rex" } }] };
    daemon = await startDaemon({
      target: target.url,
      turns: [
        {
          prompt: "list",
          replies: [{ text: "Looking.", calls: [{ name: "list_pets" }] }, { deltas: ["One", " pet."] }],
        },
        { prompt: "slow", replies: [{ deltas: ["a", "b", "c", "d", "e", "f"], delay_ms: 100 }] },
        { prompt: "create", replies: [create, { text: "Done." }] },
      ],
    });
    chatUrl = `${daemon.url}/chat`;
  });
  after(async () => {
    await daemon.close();
    await target.close();
  });

  it("sends each event of a turn as one text frame, in order", async () => {
    const chat = await openChat(chatUrl);
    chat.send({ message: "list the pets" });
    const events = await chat.turns();
    chat.close();
    expect(kinds(events)).to.deep.equal([
      "user_prompt",
      "assistant_delta",
      "assistant_message",
      "tool_call",
      "tool_result",
      "assistant_delta",
      "assistant_delta",
      "assistant_message",
      "done",
    ]);
    expect(events[0]).to.deep.equal({ kind: "user_prompt", text: "list the pets" });
    expect(events[4]).to.include({ kind: "tool_result", id: events[3]?.["id"], status: "ok" });
    expect(events[7]).to.deep.equal({ kind: "assistant_message", text: "One pet." });
  });

  it("sends each event when it happens", async () => {
    const chat = await openChat(chatUrl);
    chat.send({ message: "slow" });
    await chat.until((frames) => frames.some(({ kind }) => kind === "assistant_delta"));
    expect(daemon.agent.load().running).to.equal(1);
    await chat.turns();
    chat.close();
  });

  it("C11 takes a frame that does not start with { as a bare prompt", async () => {
    const chat = await openChat(chatUrl);
    for (const text of ["hello", "[]", "1", "null", '"x"']) {
      chat.send(text);
      const events = await chat.turns();
      expect(kinds(events), text).to.deep.equal(PLAIN);
      expect(events[0]?.["text"]).to.equal(text);
    }
    chat.close();
  });

  it("says of a frame that begins with { and is no JSON that it was read as such", async () => {
    const chat = await openChat(chatUrl);
    chat.send("{x} is what I mean");
    const [refused] = await chat.turns();
    expect(refused?.["message"]).to.match(/^A frame that begins with \{ is not valid JSON: /);
    chat.close();
  });

  it("C12 C13 answers a frame it does not understand with error and done, runs nothing, and stays open", async () => {
    const chat = await openChat(chatUrl);
    const bad = [
      '{"message":"delete all","read_only":"true"}',
      '{"message":"delete all","readonly":true}',
      "{}",
      '{"message":7}',
      '{"message":""}',
      '{"message":',
      "",
      "  ",
      '{"message":"x","session_id":""}',
      '{"type":"restart"}',
      '{"type":"cancel","now":true}',
      '{"type":"confirm"}',
      '{"message":"x","type":null}',
      `{"message":${"[".repeat(1000)}`,
    ];
    for (const text of bad) {
      chat.send(text);
      expect(kinds(await chat.turns()), text).to.deep.equal(REFUSED);
    }
    chat.send({ message: "hello" });
    expect(kinds(await chat.turns())).to.deep.equal(PLAIN);
    chat.close();
    const turns = await transcriptOf(daemon.agent, chat.session_id);
    expect(turns?.map(({ prompt }) => prompt)).to.deep.equal(["hello"]);
  });

  it("F2 refuses a mode that is not a boolean, by name", async () => {
    const chat = await openChat(chatUrl);
    for (const field of ["read_only", "dry_run", "strict", "confirm"])
      for (const value of ["false", 0, null, "no", []]) {
        chat.send({ message: "create", [field]: value });
        const [error] = await chat.turns();
        expect(error?.["message"], `${field} ${JSON.stringify(value)}`).to.include(field);
      }
    chat.close();
    expect(target.requests.filter(({ method }) => method === "POST")).to.have.length(0);
  });

  it("names the known field nearest to a misspelt one", async () => {
    const chat = await openChat(chatUrl);
    chat.send({ message: "x", readonly: true });
    expect((await chat.turns())[0]?.["message"])
      .to.include("readonly")
      .and.include("read_only");
    chat.send({ message: "x", readonly: true, dryrun: true });
    expect((await chat.turns())[0]?.["message"])
      .to.include("read_only")
      .and.include("dry_run");
    chat.close();
  });

  it("queues a prompt sent while a turn runs", async () => {
    const chat = await openChat(chatUrl);
    chat.send({ message: "slow" });
    chat.send({ message: "hello" });
    chat.send("{");
    const events = await chat.turns(3);
    chat.close();
    const slow = ["user_prompt", ...Array(6).fill("assistant_delta"), "assistant_message", "done"];
    expect(kinds(events)).to.deep.equal([...slow, ...PLAIN, ...REFUSED]);
  });

  it("ends the running turn on cancel, and goes on with the next prompt", async () => {
    const chat = await openChat(chatUrl);
    chat.send({ message: "slow" });
    chat.send({ message: "hello" });
    await chat.until((frames) => frames.length > 1);
    chat.send({ type: "cancel" });
    const cancelled = await chat.turns();
    expect(kinds(cancelled).slice(-2)).to.deep.equal(REFUSED);
    expect(cancelled.at(-2)?.["message"]).to.equal("cancelled");
    expect(kinds(await chat.turns())).to.deep.equal(PLAIN);
    chat.close();
  });

  it("does nothing on cancel when nothing runs", async () => {
    const chat = await openChat(chatUrl);
    chat.send({ type: "cancel" });
    chat.send({ message: "hello" });
    expect(kinds(await chat.turns())).to.deep.equal(PLAIN);
    chat.close();
  });

  describe("Sessions and turns", () => {
    it("starts one session for a connection that names none, and names it in the handshake", async () => {
      const chat = await openChat(chatUrl);
      chat.send("one");
      chat.send("two");
      await chat.turns(2);
      chat.close();
      expect(chat.session_id).to.match(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
      const turns = await transcriptOf(daemon.agent, chat.session_id);
      expect(turns?.map(({ prompt }) => prompt)).to.deep.equal(["one", "two"]);
    });

    it("takes the session from the query; a frame that names another moves the connection to it", async () => {
      const chat = await openChat(`${chatUrl}?session_id=a%2Fb%20c`);
      expect(chat.session_id).to.equal("a/b c");
      chat.send("one");
      chat.send({ message: "two", session_id: "other" });
      chat.send("three");
      await chat.turns(3);
      chat.close();
      const prompts = async (id: string) => (await transcriptOf(daemon.agent, id))?.map(({ prompt }) => prompt);
      expect(await prompts("a/b c")).to.deep.equal(["one"]);
      expect(await prompts("other")).to.deep.equal(["two", "three"]);
    });

    it("E3 runs the turns of two connections one after another", async () => {
      const chats = await Promise.all([1, 2].map(() => openChat(`${chatUrl}?session_id=shared`)));
      for (const [at, chat] of chats.entries()) chat.send({ message: at === 0 ? "slow" : "hello" });
      for (const chat of chats) expect(kinds(await chat.turns()).at(-1)).to.equal("done");
      for (const chat of chats) chat.close();
      expect(await transcriptOf(daemon.agent, "shared")).to.have.length(2);
    });
  });

  describe("Prompts that wait on a connection", () => {
    /** A connection with a turn that runs and two prompts behind it, all of which the daemon has. */
    async function openBusy(session_id: string) {
      const chat = await openChat(`${chatUrl}?session_id=${session_id}`);
      for (const message of ["slow", "one", "two"]) chat.send({ message });
      const pong = once(chat.ws, "pong");
      chat.ws.ping();
      await pong;
      await chat.until((frames) => frames.length > 1);
      return chat;
    }

    it("E3 run in order of arrival among those of other connections", async () => {
      const chat = await openBusy("arrival");
      const late = await openChat(`${chatUrl}?session_id=arrival`);
      late.send("three");
      await Promise.all([chat.turns(3), late.turns()]);
      chat.close();
      late.close();
      const turns = await transcriptOf(daemon.agent, "arrival");
      expect(turns?.map(({ prompt }) => prompt)).to.deep.equal(["slow", "one", "two", "three"]);
    });

    it("are stopped with their session, each answered in its turn", async () => {
      const chat = await openBusy("stopped");
      const answer = await fetch(`${daemon.url}/-/sessions/stopped/cancel`, { method: "POST" });
      expect(await answer.json()).to.deep.equal({ cancelled: 3 });
      const events = await chat.turns(3);
      expect(kinds(events).slice(-6)).to.deep.equal([...REFUSED, ...REFUSED, ...REFUSED]);
      chat.send("hello");
      expect(kinds(await chat.turns())).to.deep.equal(PLAIN);
      chat.close();
    });

    it("never run when the connection closes", async () => {
      const chat = await openBusy("closed");
      chat.close();
      const after = await openChat(`${chatUrl}?session_id=closed`);
      after.send("hello");
      await after.turns();
      after.close();
      const turns = await transcriptOf(daemon.agent, "closed");
      expect(turns?.map(({ prompt }) => prompt)).to.deep.equal(["slow", "hello"]);
      expect(daemon.agent.load()).to.deep.include({ running: 0, waiting: 0 });
    });
  });

  describe("Extended events", () => {
    it("are sent to clients that ask for them, in the query or in a prompt, and never outside a turn", async () => {
      const asked = await openChat(`${chatUrl}?events=extended`);
      asked.send("hello");
      const events = await asked.turns();
      expect(kinds(events)).to.deep.equal(["user_prompt", "session", ...PLAIN.slice(1)]);
      expect(events[1]).to.include({ session_id: asked.session_id, resumed: false });
      asked.close();
      const chat = await openChat(chatUrl);
      chat.send({ message: "hello", events: "extended" });
      expect(kinds(await chat.turns())).to.deep.equal(["user_prompt", "session", ...PLAIN.slice(1)]);
      chat.send({ message: "hello" });
      expect(kinds(await chat.turns())).to.deep.equal(PLAIN);
      chat.close();
    });

    it("let a call wait until it is approved over the same connection", async () => {
      const before = target.requests.length;
      const chat = await openChat(`${chatUrl}?events=extended`);
      chat.send({ message: "create a pet", confirm: true });
      await chat.until((frames) => frames.some(({ kind }) => kind === "confirmation_required"));
      expect(target.requests).to.have.length(before);
      const held = chat.frames.find(({ kind }) => kind === "confirmation_required");
      chat.send({ type: "confirm", id: held?.["id"], decision: "approve" });
      const events = await chat.turns();
      chat.close();
      expect(kinds(events)).to.deep.equal([
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
      expect(events[5]).to.include({ status: "ok" });
      expect(target.requests.slice(before).map(({ method }) => method)).to.deep.equal(["POST"]);
    });

    it("report a decision that cannot be carried out, and the turn goes on", async () => {
      const chat = await openChat(`${chatUrl}?events=extended`);
      chat.send({ message: "slow" });
      await chat.until((frames) => frames.length > 2);
      chat.send({ type: "confirm", id: "nothing", decision: "deny" });
      const events = await chat.turns();
      expect(kinds(events)).to.include("notice").and.not.include("error");
      chat.send({ type: "confirm", id: "nothing", decision: "deny" });
      expect(kinds(await chat.turns())).to.deep.equal(REFUSED);
      chat.close();
    });

    it("never come before user_prompt, also when a decision fails before the turn has begun", async () => {
      const wrong = { type: "confirm", id: "nothing", decision: "deny" };
      const chat = await openChat(`${chatUrl}?events=extended`);
      chat.send("hello");
      chat.send(wrong);
      const events = await chat.turns(2);
      expect(kinds(events)).to.deep.equal(["user_prompt", "session", ...PLAIN.slice(1), ...REFUSED]);
      // The same while the turn waits for another connection's of its session.
      const first = await openChat(`${chatUrl}?session_id=${chat.session_id}`);
      first.send("slow");
      await first.until((frames) => frames.length > 1);
      chat.send("hello");
      while (daemon.agent.load().waiting === 0) await sleep(5);
      chat.send(wrong);
      const later = await chat.turns(2);
      expect(kinds(later)).to.deep.equal(["user_prompt", "session", ...PLAIN.slice(1), ...REFUSED]);
      first.close();
      chat.close();
    });

    it("F5 are not needed: the held call of a plain client ends at once", async () => {
      const before = target.requests.length;
      const chat = await openChat(chatUrl);
      chat.send({ message: "create a pet", confirm: true });
      const events = await chat.turns();
      chat.close();
      const result = events.find(({ kind }) => kind === "tool_result");
      expect(result?.["status"]).to.equal("error");
      expect(result?.["result"]).to.include({ error: "confirmation_required" });
      expect(target.requests).to.have.length(before);
    });
  });

  it("closes with 1001 when the daemon stops", async () => {
    const stopping = await startDaemon();
    const chat = await openChat(`${stopping.url}/chat`);
    await stopping.close();
    expect((await chat.closed).code).to.equal(1001);
  });
});

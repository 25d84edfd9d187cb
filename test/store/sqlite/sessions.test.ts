// Sessions and their transcripts: complete, in order, and coherent after a daemon died in a turn.
import { expect } from "chai";
import { repair } from "../../../src/agent/state/transcript.js";
import type { Message } from "../../../src/domain/message.js";
import { collect } from "../../support/transcript.js";
import { cleanUp, intent, OK, open, peek, rejection, tempDir, turn, verify } from "./fixture.js";

const answer = (text: string): Message => ({ role: "assistant", text, calls: [] });
const CALL: Message[] = [
  { role: "assistant", text: "", calls: [{ id: "c", name: "get_pet", arguments: { id: 2n ** 60n } }] },
  { role: "tool", call_id: "c", name: "get_pet", text: "{}", is_error: false },
];

/** What a killed process leaves: the record is closed without an end to its turns and calls. */
const kill = async (store: { close(): Promise<void> }): Promise<void> => store.close();

describe("Session", () => {
  afterEach(cleanUp);

  it("gives back its newest messages, oldest first, after a restart", async () => {
    const dir = tempDir();
    const store = await open(dir);
    await store.beginTurn(turn({ prompt: "one" }));
    await store.endTurn({ turn_id: "turn", status: "done", error: "", messages: [...CALL, answer("1")] });
    await store.beginTurn(turn({ turn_id: "turn2", prompt: "two" }));
    await store.endTurn({ turn_id: "turn2", status: "done", error: "", messages: [answer("2")] });
    await store.close();
    const again = await open(dir);
    const all: Message[] = [
      { role: "user", text: "one" },
      ...CALL,
      answer("1"),
      { role: "user", text: "two" },
      answer("2"),
    ];
    expect(await again.messages("session", 100)).to.deep.equal(all);
    expect(await again.messages("session", 3)).to.deep.equal(all.slice(-3));
    expect(await again.messages("other", 3)).to.deep.equal([]);
    expect(await again.hasSession("session")).to.equal(true);
    expect(await again.hasSession("__proto__")).to.equal(false);
  });

  it("shows its turns with their messages", async () => {
    const store = await open(tempDir());
    await store.beginTurn(turn());
    await store.endTurn({ turn_id: "turn", status: "failed", error: "provider down", messages: [answer("1")] });
    const [first, ...more] = await collect(store.transcript("session"));
    expect(more).to.deep.equal([]);
    expect(first).to.deep.include({ turn_id: "turn", prompt: "add a pet", status: "failed", error: "provider down" });
    expect(first?.messages.map((message) => message.role)).to.deep.equal(["user", "assistant"]);
    expect(first?.ended_at).to.be.a("string");
    expect(await collect(store.transcript("other"))).to.deep.equal([]);
  });

  it("is read as it was at the beginning, beside other work, and not once it is deleted", async () => {
    const store = await open(tempDir());
    for (const id of ["one", "two"]) {
      await store.beginTurn(turn({ turn_id: id }));
      await store.endTurn({ turn_id: id, status: "done", error: "", messages: [answer(id)] });
    }
    const [read, late] = [store.transcript("session"), store.transcript("session")];
    expect((await read.next()).value).to.have.property("turn_id", "one");
    expect((await late.next()).value).to.have.property("turn_id", "one");
    await store.beginTurn(turn({ turn_id: "three" }));
    expect((await collect(read)).map(({ turn_id }) => turn_id)).to.deep.equal(["two"]);
    await store.deleteSession("session");
    expect(await rejection(late.next())).to.have.property("code", "not_found");
  });

  it("is listed by its newest turn, page by page", async () => {
    const store = await open(tempDir());
    for (const [index, session_id] of ["a", "b", "c", "a"].entries()) {
      await store.beginTurn(turn({ session_id, turn_id: `t${index}`, prompt: `${"long ".repeat(40)}\n${session_id}` }));
      if (index < 3) await store.endTurn({ turn_id: `t${index}`, status: "done", error: "", messages: [] });
    }
    const list = await store.sessions({ limit: 2 });
    expect(list.map(({ session_id, turns, status }) => [session_id, turns, status])).to.deep.equal([
      ["a", 2, "running"],
      ["c", 1, "done"],
    ]);
    expect(list[0]?.title)
      .to.have.length(80)
      .and.to.match(/^long .*…$/);
    expect((await store.sessions({ limit: 2, before: "c" })).map((row) => row.session_id)).to.deep.equal(["b"]);
    expect(await store.sessions({ limit: 2, before: "unknown" })).to.deep.equal([]);
  });

  it("is deleted with its transcript, while its history stays", async () => {
    const dir = tempDir();
    const store = await open(dir);
    await store.beginTurn(turn());
    await store.recordCall(intent(), OK);
    await store.endTurn({ turn_id: "turn", status: "done", error: "", messages: [answer("1")] });
    expect(await store.deleteSession("session")).to.equal(true);
    expect(await store.deleteSession("session")).to.equal(false);
    expect(await store.hasSession("session")).to.equal(false);
    expect(
      peek(dir, (db) =>
        db.prepare("SELECT (SELECT count(*) FROM messages) + (SELECT count(*) FROM turns)").pluck().get(),
      ),
    ).to.equal(0);
    expect(await store.history({ limit: 5 })).to.have.length(1);
  });

  it("ends a turn once, and whole or not at all", async () => {
    const store = await open(tempDir());
    await store.beginTurn(turn());
    const end = { turn_id: "turn", status: "done" as const, error: "", messages: [answer("1")] };
    await store.endTurn(end);
    await store.endTurn(end);
    expect(await store.messages("session", 10)).to.have.length(2);
    const unknown = store.endTurn({ ...end, turn_id: "other" });
    expect(await rejection(unknown)).to.have.property("code", "audit_unavailable");
  });
});

describe("A turn the daemon died in", () => {
  afterEach(cleanUp);

  it("ends as interrupted, with the calls it made and what is known of each", async () => {
    const dir = tempDir();
    const store = await open(dir);
    await store.recordCall(intent({ turn_id: "earlier" }), OK);
    await store.beginTurn(turn());
    await store.recordCall(intent({ call_id: "call_1" }), OK);
    await store.recordCall(intent({ call_id: "call_1" }), { ...OK, status: "blocked", result: { error: "read_only" } });
    await store.beginCall(intent({ call_id: "call_2", arguments: { n: 1 } }));
    await kill(store);

    const again = await open(dir);
    const [first] = await collect(again.transcript("session"));
    expect(first?.status).to.equal("interrupted");
    expect(first?.error).to.contain("daemon stopped");
    const messages = await again.messages("session", 100);
    expect(messages.map((message) => message.role)).to.deep.equal([
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
      "assistant",
      "tool",
      "notice",
    ]);
    expect(messages[2]).to.deep.include({ call_id: "call_1", text: '{"id":1}', is_error: false });
    expect(messages[4]).to.deep.include({ call_id: "call_1", text: '{"error":"read_only"}', is_error: true });
    expect(messages[6]).to.deep.include({ call_id: "call_2", is_error: true });
    expect((messages[6] as { text: string }).text).to.contain("the effect on the target is unknown");
    expect((messages[7] as { text: string }).text).to.contain("interrupted");
    expect(repair(messages)).to.deep.equal(messages);
    expect((await verify(dir)).ok).to.equal(true);
    await again.beginTurn(turn({ turn_id: "next" }));
  });

  it("keeps a held call open, and a long result short", async () => {
    const dir = tempDir();
    const store = await open(dir);
    await store.beginTurn(turn());
    await store.recordCall(intent(), { ...OK, result: "x".repeat(100_000) });
    const { session_id, turn_id, tool, safety } = intent();
    const expires_at = new Date(Date.now() + 60_000).toISOString();
    const call = {
      id: "yes",
      session_id,
      turn_id,
      call_id: "call_2",
      application: "",
      tool,
      safety,
      arguments: {},
      request: {},
      expires_at,
    };
    await store.hold(intent({ call_id: "call_2" }), call);
    await kill(store);
    const again = await open(dir);
    const tools = (await again.messages("session", 100)).filter((message) => message.role === "tool");
    expect(tools[0]?.text.length).to.be.lessThan(10_000);
    expect(JSON.parse(tools[0]?.text ?? "")).to.include({ truncated: true });
    expect(JSON.parse(tools[1]?.text ?? "")).to.deep.equal({
      error: "confirmation_required",
      confirmation_id: "yes",
      expires_at,
    });
    expect((await again.confirmation("yes"))?.status).to.equal("pending");
  });
});

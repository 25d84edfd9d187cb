// What an application asks and tells in the middle of a call: in the turn's stream as it happens, on record, and never for longer
// than the call. Source: docs/reference.md, "Questions of an application".
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { Agent } from "../../src/domain/agent.js";
import { LOCAL_CALLER } from "../../src/domain/caller.js";
import type { Decision } from "../../src/domain/decision.js";
import type { TurnEvent } from "../../src/domain/event.js";
import type { InputAnswer, InputRequest } from "../../src/domain/input.js";
import { backup, verify } from "../store/sqlite/fixture.js";
import { type AskingOptions, openAskingAgent, type Script } from "../support/asking-agent.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { transcriptOf } from "../support/transcript.js";
import { until } from "../support/until.js";

const SEATS: InputRequest = {
  message: "How many seats?",
  fields: {
    type: "object",
    properties: { seats: { type: "integer", minimum: 1 }, password: { type: "string" } },
    required: ["seats"],
  },
};
const answers: InputAnswer[] = [];
/** Asks, and answers with what it got. */
const asking =
  (request: InputRequest = SEATS): Script =>
  async ({ ask }) => {
    const answer = await ask(request);
    answers.push(answer);
    return { action: answer.action };
  };

describe("Questions of an application", () => {
  let dir: string;
  let agent: Agent;
  let stop: AbortController;

  beforeEach(() => {
    dir = temporaryFolder("asking");
    answers.length = 0;
    stop = new AbortController();
  });
  afterEach(() => agent.close());

  const open = async (script: Script, options: AskingOptions = {}): Promise<void> => {
    agent = await openAskingAgent(dir, script, options);
  };
  const go = (interactive = true, turn_id = "turn") =>
    agent.prompt(
      { message: "go", session_id: "s", turn_id, policy: {}, client: "test", caller: LOCAL_CALLER },
      { signal: stop.signal, interactive, onModelCall: () => {} },
    );
  /** Runs a turn; a question, or a held call, is decided so, when it has been yielded. */
  const run = async (decision?: (at: number) => Decision | undefined, interactive = true): Promise<TurnEvent[]> => {
    const events: TurnEvent[] = [];
    let asked = 0;
    for await (const event of go(interactive)) {
      events.push(event);
      if (event.kind !== "confirmation_required") continue;
      const given = decision?.(asked++);
      if (given) await agent.decide(event.id, given, LOCAL_CALLER);
    }
    return events;
  };
  const kinds = (events: TurnEvent[]): string[] => events.map(({ kind }) => kind);
  const statuses = async (): Promise<string[]> => (await agent.history({ limit: 9 })).map(({ status }) => status);
  const find = <K extends TurnEvent["kind"]>(events: TurnEvent[], kind: K) =>
    events.find((event) => event.kind === kind) as Extract<TurnEvent, { kind: K }>;

  it("reach the turn's stream while the call waits, and the answer reaches the application", async () => {
    await open(asking());
    const events = await run(() => ({ decision: "approve", arguments: { seats: 4, password: "hunter22" } }));
    expect(kinds(events)).to.deep.equal([
      "user_prompt",
      "session",
      "tool_call",
      "confirmation_required",
      "confirmation_resolved",
      "tool_result",
      "assistant_message",
      "done",
    ]);
    expect(answers).to.deep.equal([{ action: "accept", values: { seats: 4, password: "hunter22" } }]);
    expect(find(events, "confirmation_required")).to.deep.include({
      tool: "order",
      call_id: "call_0",
      arguments: {},
      request: { asks: "How many seats?" },
      input: SEATS,
    });
    expect(find(events, "confirmation_resolved")).to.deep.include({
      decision: "approved",
      arguments: { seats: 4, password: "[redacted]" },
    });
  });

  it("have a row of their own, which holds the answer without its secrets, and no notice follows", async () => {
    const sent: string[] = [];
    await open(asking(), { onReply: (messages) => sent.push(JSON.stringify(messages)) });
    await run(() => ({ decision: "approve", arguments: { seats: 4, password: "hunter22" } }));
    const [question, call] = await agent.history({ limit: 9 });
    expect(question).to.deep.include({ tool: "order", call_id: "call_0", arguments: {}, status: "ok" });
    expect(question).to.deep.include({
      request: { asks: "How many seats?" },
      result: { seats: 4, password: "[redacted]" },
    });
    expect(call).to.deep.include({ tool: "order", status: "ok", result: { action: "accept" } });
    const [kept] = await agent.confirmations({ limit: 9 });
    expect(kept).to.deep.include({ status: "approved", arguments: { seats: 4, password: "[redacted]" }, input: SEATS });
    await run(() => ({ decision: "approve", arguments: { seats: 1 } }));
    expect(sent.at(-1)).to.not.contain("confirmation");
    expect(await verify(dir)).to.deep.equal({ ok: true, rows: 4 });
  });

  it("answered with a secret hide it in the result of the call too", async () => {
    await open(async ({ ask }) => {
      const answer = await ask(SEATS);
      return { echo: answer.action === "accept" ? `it was ${answer.values["password"]}` : "" };
    });
    const events = await run(() => ({ decision: "approve", arguments: { seats: 4, password: "hunter22" } }));
    expect(find(events, "tool_result").result).to.deep.equal({ echo: "it was [redacted]" });
  });

  it("refuse an answer that does not fit, by the field, and go on waiting", async () => {
    await open(asking());
    const turn = run();
    await until(async () => (await agent.confirmations({ limit: 9 })).length === 1);
    const id = (await agent.confirmations({ limit: 9 }))[0]?.id ?? "";
    for (const [args, message] of [
      [undefined, /seats/],
      [{ seats: "4" }, /seats/],
      [{ seats: 0 }, /seats/],
      [{ seats: 4, extra: true }, /extra/],
    ] as const) {
      const decision: Decision = args ? { decision: "approve", arguments: args } : { decision: "approve" };
      const refused = await agent.decide(id, decision, LOCAL_CALLER).catch((error: unknown) => error);
      expect(refused).to.have.property("code", "invalid_body");
      expect(refused).to.have.property("message").that.matches(message);
    }
    await agent.decide(id, { decision: "approve", arguments: { seats: 2 } }, LOCAL_CALLER);
    await turn;
    expect(answers).to.deep.equal([{ action: "accept", values: { seats: 2 } }]);
    const again = await agent.decide(id, { decision: "deny" }, LOCAL_CALLER).catch((error: unknown) => error);
    expect(again).to.have.property("code", "conflict");
  });

  it("that are denied are declined, and those that expire are cancelled", async () => {
    await open(asking(), { ttlMs: 60 });
    await run((at) => (at === 0 ? { decision: "deny", reason: "none of your business" } : undefined));
    expect((await agent.history({ limit: 1 }))[0]?.result).to.have.property("message", "none of your business");
    const events = await run();
    expect(answers).to.deep.equal([{ action: "decline" }, { action: "cancel" }]);
    expect(find(events, "confirmation_resolved")).to.have.property("decision", "expired");
    expect(await statuses()).to.deep.equal(["denied", "ok", "denied", "ok"]);
  });

  it("I10 for a page are answered by a yes without values; an address that is none of the web is not shown", async () => {
    await open(asking({ message: "Sign in", url: "https://id.example/x?state=1" }));
    await run(() => ({ decision: "approve" }));
    expect(answers).to.deep.equal([{ action: "accept", values: {} }]);
    await agent.close();
    await open(asking({ message: "Sign in", url: "javascript:alert(1)" }));
    const events = await run();
    expect(kinds(events)).to.not.include("confirmation_required");
    expect(find(events, "notice").message).to.contain("none of the web");
  });

  it("end with the call that asked", async () => {
    await open(async ({ ask }) => {
      void ask(SEATS).then((answer) => answers.push(answer));
      await until(async () => (await agent.confirmations({ limit: 9 })).length === 1);
      return "without waiting";
    });
    const events = await run();
    expect(find(events, "confirmation_resolved")).to.deep.include({
      decision: "denied",
      reason: "the call that asked has ended",
    });
    expect(answers).to.deep.equal([{ action: "cancel" }]);
    expect(kinds(events).slice(3)).to.deep.equal([
      "confirmation_required",
      "confirmation_resolved",
      "tool_result",
      "assistant_message",
      "done",
    ]);
    const [{ id = "" } = {}] = await agent.confirmations({ limit: 9 });
    const late = await agent.decide(id, { decision: "approve", arguments: { seats: 1 } }, LOCAL_CALLER).catch((e) => e);
    expect(late).to.have.property("code", "conflict");
  });

  it("end when the turn is cancelled; the call is awaited and recorded", async () => {
    await open(asking());
    const events: TurnEvent[] = [];
    for await (const event of go()) {
      events.push(event);
      if (event.kind === "confirmation_required") await agent.cancel("s", LOCAL_CALLER);
    }
    expect(kinds(events).slice(3)).to.deep.equal([
      "confirmation_required",
      "confirmation_resolved",
      "tool_result",
      "error",
      "done",
    ]);
    expect(answers).to.deep.equal([{ action: "cancel" }]);
    expect(await statuses()).to.deep.equal(["denied", "ok"]);
    expect((await agent.confirmations({ limit: 1 }))[0]?.reason).to.match(/^the call that asked has ended: /);
  });

  it("end when the client leaves in the middle of them, with the call on record", async () => {
    await open(asking());
    for await (const event of go()) if (event.kind === "confirmation_required") break;
    expect(answers).to.deep.equal([{ action: "cancel" }]);
    expect(await statuses()).to.deep.equal(["denied", "ok"]);
  });

  it("are put to nobody where the client cannot answer; the model and the client read what was asked, and how to answer", async () => {
    const sent: string[] = [];
    await open(asking(), { onReply: (messages) => sent.push(JSON.stringify(messages)) });
    const events = await run(undefined, false);
    expect(answers).to.deep.equal([{ action: "cancel" }]);
    expect(kinds(events)).to.not.include("confirmation_required");
    expect(find(events, "notice").message).to.contain("How many seats?").and.to.contain("detached");
    expect(sent.at(-1)).to.contain("How many seats?");
    expect(await statuses()).to.deep.equal(["ok"]);
  });

  it("of an approved call are asked in the turn that waits for it", async () => {
    await open(asking(), { policy: { confirm: true } });
    const events = await run((at) =>
      at === 0 ? { decision: "approve" } : { decision: "approve", arguments: { seats: 3 } },
    );
    expect(answers).to.deep.equal([{ action: "accept", values: { seats: 3 } }]);
    expect(kinds(events).filter((kind) => kind.startsWith("confirmation"))).to.deep.equal([
      "confirmation_required",
      "confirmation_resolved",
      "confirmation_required",
      "confirmation_resolved",
    ]);
    expect(await verify(dir)).to.deep.equal({ ok: true, rows: 2 });
  });

  it("of an approved call that no turn waits for are put to nobody, and the decision says so", async () => {
    await open(asking(), { policy: { confirm: true } });
    await run(undefined, false);
    const [{ id = "" } = {}] = await agent.confirmations({ limit: 9 });
    const decided = await agent.decide(id, { decision: "approve" }, LOCAL_CALLER);
    expect(answers).to.deep.equal([{ action: "cancel" }]);
    expect(decided.outcome).to.deep.include({ status: "ok" });
    expect(decided.outcome?.notices?.[0]).to.contain("How many seats?");
  });

  it("do not disturb the numbers of the events: calls that may ask run one after another", async () => {
    let underWay = 0;
    let most = 0;
    const look = { name: "look", arguments: {} };
    const talk: Script = async ({ ask, onProgress }) => {
      most = Math.max(most, ++underWay);
      onProgress("reading");
      await ask(SEATS);
      underWay--;
      return "seen";
    };
    await open(talk, { calls: [look, look, look] });
    const events = await run(() => ({ decision: "approve", arguments: { seats: 1 } }));
    expect(most).to.equal(1);
    const rows = (await agent.history({ limit: 9 })).filter(({ request }) => request?.["tool"] === "look").reverse();
    expect(rows).to.have.length(3);
    const one = ["tool_call", "notice", "confirmation_required", "confirmation_resolved", "tool_result"];
    expect(kinds(events).slice(2, -2)).to.deep.equal(["calls", ...one, ...one, ...one]);
    const replayed: TurnEvent[] = [];
    for await (const { seq, event } of agent.turnEvents("turn", { after: 0, signal: stop.signal })) {
      expect(seq).to.equal(replayed.length + 1);
      replayed.push(event);
    }
    expect(JSON.stringify(replayed)).to.equal(JSON.stringify(events));
  });

  it("of a daemon that died are closed at the next start, and the call reads interrupted", async () => {
    await open(({ ask, signal }) => {
      void ask(SEATS);
      return new Promise((resolve) => signal?.addEventListener("abort", () => resolve(null)));
    });
    const turn = run().catch(() => []);
    await until(async () => (await agent.confirmations({ limit: 9 })).length === 1);
    const dead = agent;
    const copy = temporaryFolder("asking");
    await backup(dir, join(copy, "history.db"));
    agent = await openAskingAgent(copy, asking());
    expect(await statuses()).to.deep.equal(["denied", "interrupted"]);
    const [{ id = "", reason = "" } = {}] = await agent.confirmations({ limit: 9 });
    expect(reason).to.equal("the call that asked has ended");
    const late = await agent.decide(id, { decision: "approve", arguments: { seats: 1 } }, LOCAL_CALLER).catch((e) => e);
    expect(late).to.have.property("code", "conflict");
    const replayed: string[] = [];
    for await (const { event } of agent.turnEvents("turn", { after: 0, signal: stop.signal }))
      replayed.push(event.kind);
    expect(replayed).to.deep.equal(["user_prompt", "session", "tool_call", "tool_result", "error", "done"]);
    const transcript = await transcriptOf(agent, "s");
    expect(transcript?.[0]?.messages.map(({ role }) => role)).to.deep.equal(["user", "assistant", "tool", "notice"]);
    expect(await verify(copy)).to.deep.equal({ ok: true, rows: 2 });
    await agent.close();
    agent = dead;
    await dead.drain(0);
    await turn;
  });

  it("I10 too many for one person, or too large, are cancelled", async () => {
    const many = Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`f${at}`, { type: "string" }]));
    await open(asking({ message: "Fill in", fields: { type: "object", properties: many } }));
    const events = await run();
    expect(answers).to.deep.equal([{ action: "cancel" }]);
    expect(find(events, "notice").message).to.contain("64 fields");
    await agent.close();
    let asked = 0;
    await open(async ({ ask }) => {
      while (asked < 30 && (await ask(SEATS)).action === "accept") asked++;
      return asked;
    });
    const endless = await run(() => ({ decision: "approve", arguments: { seats: 1 } }));
    expect(asked).to.equal(20);
    expect(find(endless, "notice").message).to.contain("more than 20 times");
  });

  it("I10 without number, and all at once, are told of twenty times", async () => {
    await open(async ({ ask }) => (await Promise.all(Array.from({ length: 1_000 }, () => ask(SEATS)))).length);
    const notices = (await run(undefined, false)).filter(({ kind }) => kind === "notice");
    expect(notices).to.have.length(21);
    expect((notices.at(-1) as { message: string }).message).to.contain("asked 980 more times");
  });
});

describe("Progress of a call", () => {
  it("becomes notices: the first at once, then the newest at a pace that can be read, without secrets", async () => {
    const dir = temporaryFolder("asking");
    const agent = await openAskingAgent(
      dir,
      async ({ onProgress }) => {
        for (let at = 1; at <= 60; at++) {
          onProgress(`step ${at} with hunter22`);
          await sleep(10);
        }
        return "done";
      },
      { calls: [{ name: "order", arguments: { what: "soup", password: "hunter22" } }] },
    );
    const notices: string[] = [];
    const request = { message: "go", session_id: "s", turn_id: "t", policy: {}, client: "test", caller: LOCAL_CALLER };
    for await (const event of agent.prompt(request, {
      signal: new AbortController().signal,
      interactive: false,
      onModelCall: () => {},
    }))
      if (event.kind === "notice") notices.push(event.message);
    await agent.close();
    const first = [1, 2, 3, 4, 5].map((step) => `order: step ${step} with [redacted]`);
    expect(notices.slice(0, 5)).to.deep.equal(first);
    expect(notices.length).to.be.within(6, 9);
    const steps = notices.map((notice) => Number(/step (\d+)/.exec(notice)?.[1]));
    expect(steps).to.deep.equal([...steps].sort((a, b) => a - b));
  });
});

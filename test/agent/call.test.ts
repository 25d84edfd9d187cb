// One tool call whose transport does not keep its promises: whatever it does, the row is completed and the turn goes on.

import { expect } from "chai";
import type { Outcome, Transport } from "../../src/applications/transport.js";
import type { Agent } from "../../src/domain/agent.js";
import { LOCAL_CALLER } from "../../src/domain/caller.js";
import { messageOf, Stopped } from "../../src/domain/error.js";
import type { TurnEvent } from "../../src/domain/event.js";
import { OPEN_POLICY, type Policy } from "../../src/domain/policy.js";
import type { JsonValue } from "../../src/lib/json.js";
import type { Reply, ReplyRequest } from "../../src/providers/provider.js";
import { petShop } from "../support/daemon.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { openTransportAgent } from "../support/transport-agent.js";

/** A model that creates a pet whenever it is asked, and then says so. */
function reply({ messages }: ReplyRequest): Reply {
  const calls = messages.at(-1)?.role === "user" ? [{ id: "c", name: "create_pet", arguments: { name: "Rex" } }] : [];
  return { text: calls.length > 0 ? "" : "It failed.", calls, finish: "stop" };
}

const odd = (value: unknown): Outcome => ({ status: "ok", value: value as JsonValue });
const circular: Record<string, unknown> = {};
circular["self"] = circular;
/** Something that cannot even be turned into text. */
const unreadable = Object.create(null) as object;

const CASES: Record<string, () => unknown> = {
  "throws before there is a promise": () => {
    throw new Error("at once");
  },
  "rejects with an error": () => Promise.reject(new Error("later")),
  "rejects with nothing": () => Promise.reject(undefined),
  "rejects with what cannot be read": () => Promise.reject(unreadable),
  "answers nothing": () => undefined,
  "answers a value without end": () => odd(circular),
};

describe("A call whose transport breaks its promises", () => {
  let dir: string;
  let agent: Agent;
  let work: () => unknown;
  let prepares: () => void;
  let loads: () => void;

  const open = async (policy: Policy = OPEN_POLICY): Promise<void> => {
    const transport: Transport = {
      kind: "http",
      prepare() {
        prepares();
        return { request: { method: "POST" }, preview: { method: "POST" }, plan: undefined };
      },
      execute: () => work() as Promise<Outcome>,
    };
    agent = await openTransportAgent(dir, {
      schema: petShop("http://127.0.0.1:9"),
      reply,
      policy,
      async transport() {
        loads();
        return transport;
      },
    });
  };
  const run = async (signal = new AbortController().signal): Promise<TurnEvent[]> => {
    const events: TurnEvent[] = [];
    const request = {
      message: "create one",
      session_id: "s",
      turn_id: "t",
      policy: {},
      client: "test",
      caller: LOCAL_CALLER,
    };
    for await (const event of agent.prompt(request, { signal, interactive: false })) events.push(event);
    return events;
  };

  beforeEach(() => {
    dir = temporaryFolder("call");
    prepares = () => {};
    loads = () => {};
  });
  afterEach(() => agent.close());

  for (const [what, does] of Object.entries(CASES)) {
    it(`J5 is on record as an error, and the model reads it, when the transport ${what}`, async () => {
      await open();
      work = does;
      const events = await run();
      expect(events.find(({ kind }) => kind === "tool_result")).to.deep.include({ status: "error" });
      expect(events.slice(-2).map(({ kind }) => kind)).to.deep.equal(["assistant_message", "done"]);
      const [row] = await agent.history({ limit: 10 });
      expect(row).to.have.nested.property("result.error", "transport_failed");
      expect(row?.status).to.equal("error");
    });

    it(`J5 is on record as an error after it was approved, when the transport ${what}`, async () => {
      await open({ ...OPEN_POLICY, confirm: true });
      work = does;
      await run();
      const [held] = await agent.confirmations({ limit: 1 });
      const decided = await agent.decide(held?.id ?? "", { decision: "approve" }, LOCAL_CALLER);
      expect(decided.outcome?.status).to.equal("error");
      expect((await agent.history({ limit: 10 }))[0]?.status).to.equal("error");
    });
  }

  it("J5 is on record as an error when an approved call cannot be made ready any more", async () => {
    const fail = (): never => {
      throw new TypeError("not what was expected");
    };
    await open({ ...OPEN_POLICY, confirm: true });
    work = () => odd({ id: 1 });
    for (const breaks of [() => void (prepares = fail), () => void (loads = fail)]) {
      await run();
      breaks();
      const [held] = await agent.confirmations({ status: "pending", limit: 1 });
      const decided = await agent.decide(held?.id ?? "", { decision: "approve" }, LOCAL_CALLER);
      expect(decided.outcome).to.deep.include({ status: "error" });
      expect((await agent.history({ limit: 1 }))[0]).to.have.nested.property("result.error", "transport_failed");
      prepares = () => {};
    }
  });

  it("C24 does not leave when its turn is stopped while it is made ready, and says so", async () => {
    await open();
    const stop = new AbortController();
    prepares = () => stop.abort(new Stopped("cancelled"));
    let sent = 0;
    work = () => odd(++sent);
    const events = await run(stop.signal);
    expect(sent).to.equal(0);
    expect(events.map(({ kind }) => kind).slice(-4)).to.deep.equal(["tool_call", "tool_result", "error", "done"]);
    const [row] = await agent.history({ limit: 10 });
    expect(row).to.deep.include({ status: "error" });
    expect(row).to.have.nested.property("result.error", "not_called");
  });

  it("is described in words whatever was thrown", async () => {
    await open();
    for (const thrown of [undefined, null, 7, "text", unreadable, Symbol("s"), new Error("words")])
      expect(messageOf(thrown)).to.be.a("string").and.not.equal("");
  });
});

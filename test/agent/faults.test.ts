// A daemon whose own parts fail in the middle of a turn: the turn ends as every turn does, for its reader and on record.
import { expect } from "chai";
import type { Transport } from "../../src/applications/transport.js";
import type { Agent } from "../../src/domain/agent.js";
import { LOCAL_CALLER } from "../../src/domain/caller.js";
import type { TurnEvent } from "../../src/domain/event.js";
import type { Reply, ReplyRequest } from "../../src/providers/provider.js";
import type { Store } from "../../src/store/store.js";
import { petShop } from "../support/daemon.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { openTransportAgent } from "../support/transport-agent.js";

const ids = ["a", "b"];

/** A model that makes two changes whenever it is asked. */
function reply({ messages }: ReplyRequest): Reply {
  const isAsked = messages.at(-1)?.role === "user";
  const calls = isAsked ? ids.map((id) => ({ id, name: "create_pet", arguments: { name: id } })) : [];
  return { text: isAsked ? "" : "Done.", calls, finish: "stop" };
}

const working: Transport = {
  kind: "http",
  prepare: () => ({ request: { method: "POST" }, preview: { method: "POST" }, plan: undefined }),
  execute: async () => ({ status: "ok", value: { id: 1 } }),
};

describe("A turn during which the daemon's own parts fail", () => {
  let agent: Agent;
  let faults: (store: Store) => Partial<Store>;
  let transport: () => Promise<Transport>;

  const open = async (): Promise<void> => {
    agent = await openTransportAgent(temporaryFolder("faults"), {
      schema: petShop("http://127.0.0.1:9"),
      reply,
      policy: { confirm: true },
      transport: () => transport(),
      faults: (store) => faults(store),
    });
  };
  const run = async (): Promise<TurnEvent[]> => {
    const events: TurnEvent[] = [];
    const ids = { session_id: "s", turn_id: "t" };
    const request = { message: "create two", ...ids, policy: {}, client: "test", caller: LOCAL_CALLER };
    const { signal } = new AbortController();
    for await (const event of agent.prompt(request, { signal, interactive: true })) events.push(event);
    return events;
  };
  const kinds = (events: readonly TurnEvent[]): string[] => events.map(({ kind }) => kind);

  beforeEach(() => {
    faults = () => ({});
    transport = async () => working;
  });
  afterEach(() => agent.close());

  it("goes on when a transport cannot be loaded: the model reads that, and it is on record", async () => {
    transport = () => Promise.reject(new Error("a file of the program is gone"));
    await open();
    const events = await run();
    const pair = ["tool_call", "tool_result"];
    expect(kinds(events).slice(2)).to.deep.equal([
      "calls",
      ...["tool_call", ...pair, "tool_result"],
      "assistant_message",
      "done",
    ]);
    for (const { status, result } of await agent.history({ limit: 5 })) {
      expect(status).to.equal("error");
      expect(result).to.deep.equal({ error: "transport_failed", message: "a file of the program is gone" });
    }
  });

  it("ends with the error, and the daemon does not, when none of the calls that are asked about can be held", async () => {
    const unhandled: unknown[] = [];
    const keep = (error: unknown): void => void unhandled.push(error);
    const others = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection").on("unhandledRejection", keep);
    try {
      faults = () => ({ hold: () => Promise.reject(new Error("database is locked")) });
      await open();
      expect(kinds(await run()).slice(2)).to.deep.equal(["calls", "tool_call", "tool_call", "error", "done"]);
      // Node tells of it once all microtasks are done.
      await new Promise(setImmediate);
      expect(unhandled).to.deep.equal([]);
    } finally {
      process.removeListener("unhandledRejection", keep);
      for (const other of others) process.on("unhandledRejection", other);
    }
  });

  it("ends with an error and `done`, on record, when its context cannot be read", async () => {
    faults = () => ({ newestUndoable: () => Promise.reject(new Error("database is locked")) });
    await open();
    const events = await run();
    expect(events.slice(-2)).to.deep.equal([{ kind: "error", message: "database is locked" }, { kind: "done" }]);
    expect(kinds(events)).to.deep.equal(["user_prompt", "session", "error", "done"]);
    expect((await agent.session("s"))?.status).to.equal("failed");
  });
});

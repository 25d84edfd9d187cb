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

const REQUEST = {
  message: "create two",
  session_id: "s",
  turn_id: "t",
  policy: {},
  client: "test",
  caller: LOCAL_CALLER,
};

/** A model that makes two changes whenever it is asked to create something. */
function reply({ messages }: ReplyRequest): Reply {
  const last = messages.at(-1);
  const isAsked = last?.role === "user" && last.text.includes("create");
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

  /** The messages that the model was sent last. */
  let read: string[];

  const open = async (dir = temporaryFolder("faults")): Promise<void> => {
    agent = await openTransportAgent(dir, {
      schema: petShop("http://127.0.0.1:9"),
      reply(request) {
        read = request.messages.map(({ text }) => text);
        return reply(request);
      },
      policy: { confirm: true },
      transport: () => transport(),
      faults: (store) => faults(store),
    });
  };
  const run = async (over: Partial<typeof REQUEST> = {}): Promise<TurnEvent[]> => {
    const events: TurnEvent[] = [];
    const { signal } = new AbortController();
    for await (const event of agent.prompt({ ...REQUEST, ...over }, { signal, interactive: true })) events.push(event);
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

  it("is followed by one that was cancelled while it waited, also in what the model reads after a restart", async () => {
    let isFull = true;
    faults = (store) => ({
      endTurn: (end) => (isFull ? Promise.reject(new Error("the disk is full")) : store.endTurn(end)),
    });
    const dir = temporaryFolder("faults");
    await open(dir);
    await run({ message: "first" });
    isFull = false;
    await agent.keepCancelled({ ...REQUEST, turn_id: "u", message: "second" });
    await agent.close();
    await open(dir);
    await run({ message: "third", turn_id: "v" });
    expect(read).to.deep.equal(["first", "Done.", "second", "third"]);
  });

  it("may be gone on from by one that was cancelled while it waited: what was copied is read by the next", async () => {
    await open();
    await run({ message: "first" });
    await run({ message: "other", turn_id: "u" });
    await agent.keepCancelled({ ...REQUEST, session_id: "n", turn_id: "v", message: "second", continue_from: "u" });
    await run({ session_id: "n", turn_id: "w", message: "third" });
    expect(read).to.deep.equal(["first", "Done.", "second", "third"]);
  });
});

// A call of one tool without a prompt around it: the same policy, record and confirmation as a call of a turn.
import { expect } from "chai";
import type { CallAnswer, CallRequest } from "../../src/domain/agent.js";
import { LOCAL_CALLER } from "../../src/domain/caller.js";
import { AppError, Stopped } from "../../src/domain/error.js";
import type { ExtendedEvent } from "../../src/domain/event.js";
import { type Daemon, type DaemonOptions, startDaemon } from "../support/daemon.js";
import { HOSTILE_SCHEMAS, type HostileSchema, hostileShop, toolOf } from "../support/hostile-schemas.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { transcriptOf } from "../support/transcript.js";

const createPet = { tool: "create_pet", arguments: { name: "Rex" } };

describe("A call without a prompt", () => {
  let target: RecordingTarget;
  let daemon: Daemon;

  const start = async (options: DaemonOptions = {}): Promise<void> => {
    daemon = await startDaemon({ target: target.url, ...options });
  };
  const call = async (
    request: Partial<CallRequest>,
    { interactive = false, signal = new AbortController().signal, onEvent = (_event: ExtendedEvent): void => {} } = {},
  ): Promise<CallAnswer> => {
    const events = daemon.agent.call(
      {
        tool: "list_pets",
        arguments: {},
        session_id: "",
        policy: {},
        client: "test",
        caller: LOCAL_CALLER,
        ...request,
      },
      { interactive, signal },
    );
    for (;;) {
      const step = await events.next();
      if (step.done) return step.value;
      onEvent(step.value);
    }
  };
  const rows = () => daemon.agent.history({ limit: 10 });

  beforeEach(async () => {
    target = await startTarget(() => json({ id: 1, name: "Rex" }));
  });
  afterEach(async () => {
    await daemon.close();
    await target.close();
  });

  it("G27 is refused and recorded when its arguments cannot be checked", async () => {
    const name = "a definition that is itself";
    const cases = { [name]: HOSTILE_SCHEMAS[name] as HostileSchema };
    await start({ schema: hostileShop(target.url, cases) });
    const answer = await call({ tool: toolOf(name), arguments: { x: 1 } });
    expect(answer.status).to.equal("error");
    expect(answer.result).to.have.property("error", "invalid_arguments");
    expect((await rows())[0]).to.deep.include({ tool: toolOf(name), status: "error", request: null });
    expect(target.requests).to.deep.equal([]);
  });

  it("is sent, answered and recorded outside of any turn", async () => {
    await start();
    const answer = await call(createPet);
    expect(answer).to.deep.include({ status: "ok", result: { id: 1, name: "Rex" } });
    expect(target.requests.map(({ method, path }) => `${method} ${path}`)).to.deep.equal(["POST /pets"]);
    const [row] = await rows();
    expect(row).to.deep.include({
      call_id: answer.call_id,
      tool: "create_pet",
      status: "ok",
      session_id: "",
      turn_id: "",
      provider: "",
      model: "",
      client: "test",
      safety: "mutating",
    });
    expect(await daemon.agent.sessions({ limit: 10 })).to.deep.equal([]);
  });

  it("is recorded under the session it names, without a turn in its transcript", async () => {
    await start();
    await call({ ...createPet, session_id: "mine" });
    expect((await rows())[0]).to.deep.include({ session_id: "mine", turn_id: "" });
    expect(await transcriptOf(daemon.agent, "mine")).to.equal(undefined);
  });

  for (const [mode, status, code] of [
    ["read_only", "blocked", "refused"],
    ["dry_run", "dry_run", undefined],
    ["confirm", "held", "confirmation_required"],
  ] as const)
    for (const from of ["startup", "request"])
      it(`F7 sends nothing when ${mode} is in force by the ${from}`, async () => {
        await start(from === "startup" ? { config: { safety: { [mode]: true } } } : {});
        const answer = await call({ ...createPet, policy: from === "request" ? { [mode]: true } : {} });
        expect(target.requests).to.deep.equal([]);
        expect((await rows())[0]).to.deep.include({ status });
        if (code === undefined) expect(answer.result).to.have.property("dry_run", true);
        else expect(answer.result).to.have.property("error", code);
      });

  it("refuses unknown tools and invalid arguments, on record", async () => {
    await start();
    expect((await call({ tool: "drop_pets" })).result).to.have.property("error", "unknown_tool");
    expect((await call({ tool: "create_pet" })).result).to.have.property("error", "invalid_arguments");
    expect((await rows()).map(({ status }) => status)).to.deep.equal(["error", "error"]);
    expect(target.requests).to.deep.equal([]);
  });

  it("runs exactly once when a held call is approved, and leaves no session behind", async () => {
    await start();
    const { confirmation, status } = await call({ ...createPet, policy: { confirm: true } });
    expect(status).to.equal("error");
    const decided = await daemon.agent.decide(confirmation?.id ?? "", { decision: "approve" }, LOCAL_CALLER);
    expect(decided.outcome).to.deep.equal({ status: "ok", result: { id: 1, name: "Rex" } });
    expect(target.requests).to.have.lengthOf(1);
    expect((await rows()).map((row) => row.status)).to.deep.equal(["ok"]);
    expect(await daemon.agent.sessions({ limit: 10 })).to.deep.equal([]);
  });

  it("waits for the decision of an interactive client", async () => {
    await start();
    const events: ExtendedEvent[] = [];
    const answer = await call(
      { ...createPet, policy: { confirm: true } },
      {
        interactive: true,
        onEvent(event) {
          events.push(event);
          if (event.kind === "confirmation_required")
            void daemon.agent.decide(event.id, { decision: "approve" }, LOCAL_CALLER);
        },
      },
    );
    expect(events.map(({ kind }) => kind)).to.deep.equal(["confirmation_required", "confirmation_resolved"]);
    expect(answer).to.deep.include({ status: "ok", result: { id: 1, name: "Rex" } });
    expect(target.requests).to.have.lengthOf(1);
  });

  it("leaves a call held whose client stops reading at the question; a later approval runs it", async () => {
    await start();
    const events = daemon.agent.call(
      { ...createPet, session_id: "", policy: { confirm: true }, client: "test", caller: LOCAL_CALLER },
      { interactive: true, signal: new AbortController().signal },
    );
    const { value } = await events.next();
    await events.return(undefined as never);
    const decided = await daemon.agent.decide((value as { id: string }).id, { decision: "approve" }, LOCAL_CALLER);
    expect(decided.outcome).to.deep.equal({ status: "ok", result: { id: 1, name: "Rex" } });
    expect(target.requests).to.have.lengthOf(1);
  });

  it("can be approved after a restart, which starts with a held call of no session", async () => {
    const dataDir = temporaryFolder("call");
    try {
      await start({ dataDir });
      const { confirmation } = await call({ ...createPet, policy: { confirm: true } });
      const { confirmation: refused } = await call({ ...createPet, policy: { confirm: true } });
      await daemon.agent.decide(refused?.id ?? "", { decision: "deny" }, LOCAL_CALLER);
      await daemon.close();
      await start({ dataDir });
      const decided = await daemon.agent.decide(confirmation?.id ?? "", { decision: "approve" }, LOCAL_CALLER);
      expect(decided.outcome?.status).to.equal("ok");
      expect(target.requests).to.have.lengthOf(1);
      expect(await daemon.agent.sessions({ limit: 10 })).to.deep.equal([]);
    } finally {
      await daemon.close();
    }
  });

  it("finds tools by search_tools, also in a dry run, and has no result of a turn to read", async () => {
    await start({ config: { safety: { dry_run: true } } });
    const found = await call({ tool: "search_tools", arguments: { query: "create a pet" } });
    expect(found).to.have.nested.property("result.tools[0].name", "create_pet");
    const read = await call({ tool: "read_result", arguments: { call_id: "call_1" } });
    expect(read.result).to.have.property("error", "no_such_result");
    expect((await rows()).map(({ tool, status, request }) => ({ tool, status, request }))).to.deep.equal([
      { tool: "read_result", status: "error", request: null },
      { tool: "search_tools", status: "ok", request: null },
    ]);
  });

  it("holds the daemon's own tools to the modes like any other: strict refuses an argument that would be converted", async () => {
    await start({ config: { safety: { strict: true } } });
    const refused = await call({ tool: "search_tools", arguments: { query: 5 } });
    expect(refused.result).to.have.property("error", "invalid_arguments");
    expect((await rows())[0]).to.deep.include({ tool: "search_tools", status: "blocked", request: null });
    const found = await call({ tool: "search_tools", arguments: { query: "create a pet" } });
    expect(found.status).to.equal("ok");
  });

  it("counts as a running turn: refused beyond the cap, waited for at shutdown", async () => {
    await start({ settings: { maxTurns: 1 } });
    let answer = (): void => {};
    target.answer(() => (socket) => {
      answer = () => void socket.end(json({ id: 2 }));
    });
    const running = call(createPet);
    while (target.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const refused = await call({}).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(AppError).with.property("code", "busy");
    const drained = daemon.agent.drain(5_000);
    answer();
    expect(await running).to.deep.include({ status: "ok" });
    await drained;
  });

  it("is not made for a client that has gone away", async () => {
    await start();
    const gone = AbortSignal.abort(new Stopped("client_gone"));
    const refused = await call(createPet, { signal: gone }).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Stopped);
    expect(target.requests).to.deep.equal([]);
  });
});

// What sessions and days may take: counted on disk, whoever asks and however many at once; refused with the limit that is reached.
// Source: docs/reference.md, "Limits of use".
import { expect } from "chai";
import type { CallAnswer } from "../../src/domain/agent.js";
import { LOCAL_CALLER } from "../../src/domain/caller.js";
import type { TurnEvent } from "../../src/domain/event.js";
import type { HistoryEntry } from "../../src/domain/record.js";
import { type Daemon, type DaemonOptions, startDaemon } from "../support/daemon.js";
import { ask, entryPoints, getJson, postJson } from "../support/entry-points.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const LIST = { calls: [{ name: "list_pets", arguments: {} }] };
const usage = { input_tokens: 70, output_tokens: 30, cached_tokens: 60 };
const TURNS = [
  { prompt: "list", replies: [LIST, { text: "Two pets." }] },
  { prompt: "three", replies: [{ calls: [...LIST.calls, ...LIST.calls, ...LIST.calls] }, { text: "Done." }] },
  { prompt: "create", replies: [{ calls: [{ name: "create_pet", arguments: { name: "Rex" } }] }, { text: "Done." }] },
  { prompt: "own", replies: [{ calls: [{ name: "search_tools", arguments: { query: "pets" } }] }, { text: "Done." }] },
  { prompt: "unknown", replies: [{ calls: [{ name: "no_such_tool", arguments: {} }] }, { text: "Done." }] },
  { prompt: "dear", replies: [{ text: "Answered.", usage }] },
  { prompt: "broken", replies: [{ error: "out of order", usage }] },
];
const RESETS = /begins at \d{4}-\d\d-\d\dT00:00:00\.000Z/;

type Result = Extract<TurnEvent, { kind: "tool_result" }>;
const results = (events: readonly { kind: string }[]): Result[] =>
  events.filter((event): event is Result => event.kind === "tool_result");
const isRefused = ({ status, result }: Result): boolean =>
  status === "error" && (result as { error?: string }).error === "limit_reached";
const errors = (events: readonly { kind: string }[]): string[] =>
  events.flatMap((event) => (event.kind === "error" ? [(event as unknown as { message: string }).message] : []));

describe("Limits of use", function () {
  this.timeout(60_000);
  let target: RecordingTarget;
  let daemon: Daemon;
  let dir: string;

  const start = async (limits: object, { config = {}, ...options }: DaemonOptions = {}): Promise<void> => {
    const own = { limits, ...config };
    daemon = await startDaemon({ target: target.url, dataDir: dir, turns: TURNS, config: own, ...options });
  };
  const history = () => getJson<HistoryEntry[]>(`${daemon.url}/history?limit=100`);
  /** A call without a prompt, as other protocols make it. */
  const call = async (session_id = ""): Promise<CallAnswer> => {
    const request = { tool: "list_pets", arguments: {}, session_id, policy: {}, client: "test", caller: LOCAL_CALLER };
    const { signal } = new AbortController();
    const step = await daemon.agent.call(request, { interactive: false, signal }).next();
    if (!step.done) throw new Error("the call asked for something");
    return step.value;
  };
  const limits = async () =>
    (
      await getJson<{ limits: { kind: string; limit: number; used: number; resets_at: string }[] }>(
        `${daemon.url}/-/status`,
      )
    ).limits;

  beforeEach(async () => {
    target = await startTarget(() => json([{ id: 1, name: "Rex" }]));
    dir = temporaryFolder("limits");
  });
  afterEach(async () => {
    await daemon.close();
    await target.close();
  });

  for (const { name, ask: send } of entryPoints) {
    it(`M12 a call over the limit is refused, recorded and not sent: ${name}`, async () => {
      await start({ day: { calls: 1 } });
      expect(results(await send(daemon.url, { message: "list" })).map(({ status }) => status)).to.deep.equal(["ok"]);
      const events = await send(daemon.url, { message: "list" });
      const [refused] = results(events);
      if (!refused || !isRefused(refused)) throw new Error(JSON.stringify(refused));
      expect((refused.result as { message: string }).message)
        .to.include("the limit of 1 call a day is reached (limits.day.calls)")
        .and.match(RESETS);
      expect(events.at(-1)?.kind).to.equal("done");
      expect(target.requests).to.have.length(1);
      const [row] = await history();
      expect(row).to.deep.include({ tool: "list_pets", status: "blocked", result: refused.result });
    });

    it(`M12 a model call over the limit ends the turn with an error that says so: ${name}`, async () => {
      await start({ session: { model_calls: 1 } });
      const events = await send(daemon.url, { message: "list", session_id: "s" });
      expect(errors(events)).to.deep.equal([
        "the limit of 1 model call a session is reached (limits.session.model_calls); nothing was sent; begin a new session, which counts from nothing",
      ]);
      expect(events.at(-1)?.kind).to.equal("done");
      expect(results(events).map(({ status }) => status)).to.deep.equal(["ok"]);
      expect(errors(await send(daemon.url, { message: "dear", session_id: "other" }))).to.deep.equal([]);
    });
  }

  it("M12 a call without a prompt counts and is refused, with a session and without", async () => {
    await start({ day: { calls: 2 }, session: { calls: 1 } });
    const answers = [];
    for (const session_id of ["s", "s", "", ""]) answers.push(await call(session_id));
    expect(answers.map(({ status }) => status)).to.deep.equal(["ok", "error", "ok", "error"]);
    expect(JSON.stringify(answers[1]?.result)).to.include("limits.session.calls");
    expect(answers[3]?.result).to.have.property("error", "limit_reached");
    expect(JSON.stringify(answers[3]?.result)).to.include("limits.day.calls");
    expect(target.requests).to.have.length(2);
  });

  it("M12 records are read for held calls no more often than calls may be made, and the calls are held all the same", async () => {
    const deletes = [1, 2, 3, 4].map((id) => ({ name: "delete_pet", arguments: { id } }));
    const turns = [{ prompt: "delete", replies: [{ calls: deletes }, { text: "Done." }] }];
    await start({ day: { calls: 2 } }, { turns });
    target.answer(() => json({ id: 1, name: "Rex" }));
    await ask(daemon.url, { message: "delete", confirm: true });
    expect(target.requests.map(({ method }) => method)).to.deep.equal(["GET", "GET"]);
    const held = await getJson<{ effect?: object }[]>(`${daemon.url}/-/confirmations`);
    expect(held.filter(({ effect }) => effect !== undefined)).to.have.length(2);
    expect(held).to.have.length(4);
  });

  it("M12 prompts side by side, of one session and of many, take what there is and no more", async () => {
    await start({ day: { calls: 10 }, session: { calls: 2 } });
    const prompts = [..."abcdefgh"].map((session_id) => ask(daemon.url, { message: "three", session_id }));
    const direct = Array.from({ length: 8 }, (_, at) => call("abcdefgh"[at]));
    const made = results((await Promise.all(prompts)).flat());
    await Promise.all(direct);
    expect(target.requests).to.have.length(10);
    const rows = await history();
    expect(rows).to.have.length(32);
    expect(rows.filter(({ status }) => status === "ok")).to.have.length(10);
    expect(rows.filter(({ status }) => status === "blocked")).to.have.length(22);
    for (const id of "abcdefgh")
      expect(rows.filter(({ status, session_id }) => status === "ok" && session_id === id)).to.have.lengthOf.at.most(2);
    expect(made.every((one) => one.status === "ok" || isRefused(one))).to.equal(true);
    expect((await limits()).map(({ limit, used }) => [limit, used])).to.deep.equal([[10, 10]]);
  });

  it("M12 counts survive a restart and a deleted session; another day begins anew", async () => {
    await start({ day: { calls: 1, model_calls: 2 } });
    await ask(daemon.url, { message: "list", session_id: "s" });
    expect((await fetch(`${daemon.url}/-/sessions/s`, { method: "DELETE" })).status).to.be.oneOf([200, 204]);
    await daemon.close();
    await start({ day: { calls: 1, model_calls: 2 } });
    expect(errors(await ask(daemon.url, { message: "list", session_id: "s" }))[0]).to.include("2 model calls a day");
    expect((await call()).result).to.have.property("error", "limit_reached");
    expect(target.requests).to.have.length(1);
    const now = Date.now;
    Date.now = () => now() + 86_400_000;
    try {
      expect(errors(await ask(daemon.url, { message: "list", session_id: "s" }))).to.deep.equal([]);
      expect(target.requests).to.have.length(2);
    } finally {
      Date.now = now;
    }
  });

  it("M12 a deleted session begins anew", async () => {
    await start({ session: { calls: 1 } });
    await ask(daemon.url, { message: "list", session_id: "s" });
    await fetch(`${daemon.url}/-/sessions/s`, { method: "DELETE" });
    await ask(daemon.url, { message: "list", session_id: "s" });
    expect(target.requests).to.have.length(2);
  });

  it("M12 tokens are counted as the vendor says, of failed calls too; the reply that passes the limit is the last", async () => {
    await start({ day: { tokens: 250 } });
    for (const _ of [1, 2]) expect(errors(await ask(daemon.url, { message: "dear" }))).to.deep.equal([]);
    expect(errors(await ask(daemon.url, { message: "broken" }))[0]).to.include("out of order");
    expect(errors(await ask(daemon.url, { message: "dear" }))[0]).to.include(
      "the limit of 250 tokens a day is reached",
    );
    expect((await limits()).map(({ kind, used }) => [kind, used])).to.deep.equal([["tokens", 300]]);
  });

  it("M12 an approved call counts when it is sent; what is never sent does not count", async () => {
    await start({ day: { calls: 1 } });
    for (const message of ["own", "unknown"]) await ask(daemon.url, { message });
    await ask(daemon.url, { message: "list", dry_run: true });
    await ask(daemon.url, { message: "create", confirm: true });
    await ask(daemon.url, { message: "create", confirm: true });
    expect((await limits()).map(({ used }) => used)).to.deep.equal([0]);
    const held = await getJson<{ id: string }[]>(`${daemon.url}/-/confirmations`);
    const decided: { outcome: { status: string; result: { error?: string } } }[] = [];
    for (const { id } of held) {
      const answer = await postJson(`${daemon.url}/-/confirmations/${id}`, { decision: "approve" });
      decided.push((await answer.json()) as (typeof decided)[number]);
    }
    expect(decided.map(({ outcome }) => outcome.status)).to.deep.equal(["ok", "error"]);
    expect(decided[1]?.outcome.result.error).to.equal("limit_reached");
    expect(target.requests).to.have.length(1);
  });

  it("M12 a reload puts other limits in force", async () => {
    const config = { target: { base_url: target.url } };
    await start({ day: { calls: 1 } });
    await call();
    await call();
    expect(target.requests).to.have.length(1);
    await daemon.reload({ ...config, limits: { day: { calls: 2 } } });
    await call();
    await call();
    expect(target.requests).to.have.length(2);
    await daemon.reload(config);
    await call();
    expect(target.requests).to.have.length(3);
    expect(await limits()).to.deep.equal([]);
  });

  it("M12 the planner makes no model calls, and its calls count", async () => {
    const planner = { default_provider: "planner", providers: { planner: { type: "offline" } } };
    await start({ day: { model_calls: 0, tokens: 0, calls: 1 } }, { config: planner });
    expect(errors(await ask(daemon.url, { message: "list pets" }))).to.deep.equal([]);
    expect(target.requests).to.have.length(1);
  });

  it("M12 metrics say how often each limit refused something", async () => {
    await start({ day: { calls: 0 } });
    await ask(daemon.url, { message: "three" });
    const text = await (await fetch(`${daemon.url}/-/metrics`)).text();
    expect(text).to.include('agentd_limit_refusals_total{scope="day",kind="calls"} 3');
  });

  it("M12 without limits nothing is counted", async () => {
    await start({});
    await ask(daemon.url, { message: "list", session_id: "s" });
    await daemon.reload({ target: { base_url: target.url }, limits: { session: { calls: 1 } } });
    await ask(daemon.url, { message: "list", session_id: "s" });
    expect(target.requests).to.have.length(2);
  });
});

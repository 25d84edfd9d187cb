// More time for held calls, and pages of confirmations, through public entry points only.
// Source: docs/reference.md, "Confirmations".
import { expect } from "chai";
import type { Confirmation } from "../../src/domain/record.js";
import type { ScriptedReply } from "../../src/providers/scripted.js";
import { type Daemon, type DaemonOptions, startDaemon } from "../support/daemon.js";
import { ask, getJson, postJson } from "../support/entry-points.js";
import { type ChatClient, openChat } from "../support/raw.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const create: ScriptedReply = { calls: [{ id: "c", name: "create_pet", arguments: { name: "Rex" } }] };
const DAY_MS = 86_400_000;

describe("Confirmations", () => {
  let target: RecordingTarget;
  let daemon: Daemon;
  let dataDir: string;
  let client: ChatClient | undefined;

  before(async () => {
    target = await startTarget();
    target.answer(() => json({ id: 5, name: "Rex" }));
  });
  beforeEach(() => {
    dataDir = temporaryFolder("test");
    target.requests.length = 0;
  });
  afterEach(async () => {
    client?.close();
    client = undefined;
    await daemon.close();
  });
  after(() => target.close());

  const play = async (options: DaemonOptions = {}): Promise<void> => {
    const turns = [
      { prompt: "go", replies: [create, { text: "finished" }] },
      { prompt: "slow", replies: [{ text: "late", delay_ms: 60_000 }] },
    ];
    daemon = await startDaemon({
      target: target.url,
      turns,
      config: { safety: { confirm: true } },
      dataDir,
      ...options,
    });
  };
  const list = (query = ""): Promise<Confirmation[]> => getJson(`${daemon.url}/-/confirmations${query}`);
  const hold = async (): Promise<Confirmation> => {
    await ask(daemon.url, { message: "go", session_id: "s" });
    const held = (await list("?status=pending")).at(-1);
    if (!held) throw new Error("nothing is held");
    return held;
  };
  const extend = async (id: string, body: object) => {
    const response = await postJson(`${daemon.url}/-/confirmations/${id}/extend`, body);
    return { status: response.status, body: (await response.json()) as Confirmation };
  };
  const expiry = ({ expires_at }: Confirmation): number => Date.parse(expires_at);

  it("are given more time, by at most a day from now and never less, also over a restart", async () => {
    await play();
    const held = await hold();
    const more = await extend(held.id, { seconds: 600 });
    expect(more.status).to.equal(200);
    expect(more.body).to.deep.equal({ ...held, expires_at: new Date(expiry(held) + 600_000).toISOString() });
    const all = await Promise.all([86_400, 1, 3600].map((seconds) => extend(held.id, { seconds })));
    expect(all.map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    const [kept] = await list();
    expect(expiry(kept ?? held) - Date.now()).to.be.within(DAY_MS - 60_000, DAY_MS);
    await daemon.close();
    await play();
    expect((await list())[0]).to.deep.equal(kept);
    expect((await postJson(`${daemon.url}/-/confirmations/${held.id}`, { decision: "approve" })).status).to.equal(200);
    expect(target.requests).to.have.length(1);
  });

  it("are given none once they are decided or expired, nor by a body that says no whole number of seconds", async () => {
    await play();
    const held = await hold();
    for (const body of [{}, { seconds: 0 }, { seconds: 1.5 }, { seconds: 86_401 }, { seconds: 60, more: true }])
      expect((await extend(held.id, body)).status).to.equal(400);
    await postJson(`${daemon.url}/-/confirmations/${held.id}`, { decision: "deny" });
    expect((await extend(held.id, { seconds: 60 })).status).to.equal(409);
    expect((await extend("unknown", { seconds: 60 })).status).to.equal(404);
    await daemon.close();
    await play({ settings: { confirmationTtlMs: 1 } });
    await ask(daemon.url, { message: "go", session_id: "s" });
    const [newest] = await list();
    expect((await extend(newest?.id ?? "", { seconds: 60 })).status).to.equal(409);
  });

  it("keep the turn that waits from running out of its time", async () => {
    await play({ settings: { turnTimeoutMs: 1_500 } });
    client = await openChat(`${daemon.url}/chat?events=extended&session_id=live`);
    client.send({ message: "go" });
    const { frames } = client;
    const has = (kind: string) => frames.some((frame) => frame.kind === kind);
    await client.until(() => has("confirmation_required"));
    const [held] = await list("?status=pending");
    await extend(held?.id ?? "", { seconds: 60 });
    // Another turn begins later, and its time is over.
    const events = await ask(daemon.url, { message: "slow", session_id: "other" });
    expect(events.map(({ kind }) => kind)).to.include("error");
    expect(has("done")).to.equal(false);
    client.send({ type: "confirm", id: held?.id, decision: "approve" });
    await client.until(() => has("done"));
    expect(frames.filter(({ kind }) => kind === "error")).to.deep.equal([]);
    expect(target.requests).to.have.length(1);
  });

  it("are listed page by page, the newest first, those that were decided apart from those that wait", async () => {
    await play();
    const held: Confirmation[] = [];
    for (let i = 0; i < 5; i++) held.push(await hold());
    const ids = held.map(({ id }) => id);
    for (const id of ids.slice(0, 4)) await postJson(`${daemon.url}/-/confirmations/${id}`, { decision: "deny" });
    const named = async (query: string) => (await list(query)).map(({ id }) => ids.indexOf(id));
    expect(await named("?status=decided&limit=2")).to.deep.equal([3, 2]);
    expect(await named(`?status=decided&limit=2&before=${ids[2]}`)).to.deep.equal([1, 0]);
    expect(await named(`?limit=3&before=${ids[4]}`)).to.deep.equal([3, 2, 1]);
    expect(await named(`?status=pending&before=${ids[4]}`)).to.deep.equal([]);
    expect(await named("?before=unknown")).to.deep.equal([]);
    expect(await named("")).to.deep.equal([4, 3, 2, 1, 0]);
  });
});

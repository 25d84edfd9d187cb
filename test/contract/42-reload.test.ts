// SIGHUP to a daemon without a controlling terminal: what it reads again, what it keeps, and what it says.
// Source: docs/reference.md, "Starting and stopping".
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { HistoryEntry } from "../../src/domain/record.js";
import { petShop } from "../support/daemon.js";
import { getJson, postJson } from "../support/entry-points.js";
import { openChat } from "../support/raw.js";
import { dataDir, type Served, serve, stopAll } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { until } from "../support/until.js";

const LIST = { calls: [{ name: "list_pets", arguments: {} }] };
const SHOP = { calls: [{ name: "shop_create_pet", arguments: { name: "Tom" } }] };
const TURNS = [
  { prompt: "list", replies: [LIST, { text: "Two pets." }] },
  { prompt: "slow", replies: [{ ...LIST, deltas: ["a", "b"], delay_ms: 1_500 }, { text: "Done." }] },
  { prompt: "create", replies: [{ calls: [{ name: "create_pet", arguments: { name: "Rex" } }] }, { text: "Done." }] },
  { prompt: "shop", replies: [SHOP, { text: "Done." }] },
];
const OLD = "old-secret-4711";
const NEW = "new-secret-0815";
const TOKENS = ["first-token-first-token", "second-token-second-token"] as const;
const RELOADED = "configuration, secrets and documents reloaded";
const REFUSED = "the new configuration cannot be used; the old one stays in force";

describe("Starting and stopping: SIGHUP without a controlling terminal", function () {
  this.timeout(60_000);
  let target: RecordingTarget;
  let other: RecordingTarget;
  let home: ReturnType<typeof dataDir>;

  beforeEach(async () => {
    target = await startTarget(() => json([{ id: 1, name: "Rex" }]));
    other = await startTarget(() => json([{ id: 2, name: "Tom" }]));
    home = dataDir({ target: target.url, turns: TURNS });
    writeFileSync(join(home.dir, "secret.txt"), OLD);
  });
  afterEach(async () => {
    await stopAll();
    await target.close();
    await other.close();
  });

  const configure = (config: Record<string, unknown>): void => {
    const providers = { played: { type: "scripted", file: "turns.json", model: "played-1" } };
    writeFileSync(join(home.dir, "config.json"), JSON.stringify({ providers, ...config }));
  };
  const serveDetached = (...args: string[]): Promise<Served> =>
    serve([...args, "--data-dir", home.dir], { detached: true });
  const count = (daemon: Served, text: string): number => daemon.stderr().split(text).length - 1;
  /** Sends SIGHUP and waits until the log has one more line of this text. */
  const reload = async (daemon: Served, expected = RELOADED): Promise<void> => {
    const before = count(daemon, expected);
    daemon.child.kill("SIGHUP");
    await until(() => count(daemon, expected) > before, 20_000, `no line "${expected}":\n${daemon.stderr()}`);
  };
  const run = async (daemon: Served, message: string, token?: string): Promise<Response> =>
    postJson(
      `${daemon.url}/run`,
      { message },
      token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } },
    );
  const secretsSent = (): (string | undefined)[] => target.requests.map((request) => request.header("X-Key"));

  it("L11 reads configuration, secrets and documents again, and goes on serving", async () => {
    configure({ target: { base_url: target.url, headers: { "X-Key": "file:secret.txt" } } });
    const daemon = await serveDetached();
    await run(daemon, "list");
    writeFileSync(join(home.dir, "secret.txt"), NEW);
    writeFileSync(join(home.dir, "more.json"), JSON.stringify({ ...petShop(target.url), resources: [] }));
    configure({
      target: { base_url: target.url, headers: { "X-Key": "file:secret.txt" } },
      max_iterations: 3,
      default_provider: "second",
      providers: { second: { type: "scripted", file: "turns.json", model: "played-2" } },
    });
    await reload(daemon);
    await run(daemon, "list");
    expect(secretsSent()).to.deep.equal([OLD, NEW]);
    const config = await getJson<Record<string, unknown>>(`${daemon.url}/config/public`);
    expect(config).to.deep.include({ max_iterations: 3, default_provider: "second", model: "played-2" });
    configure({ schema: "more.json" });
    await reload(daemon);
    expect(await getJson<unknown[]>(`${daemon.url}/tools`)).to.deep.equal([]);
    const { code, stderr } = await daemon.stop();
    expect(code).to.equal(0);
    expect(stderr).to.include('"target.headers"').and.include('"max_iterations"');
    expect(stderr).to.not.include(OLD).and.not.include(NEW);
  });

  it("L11 keeps the old ones when the new cannot be used, and says why", async () => {
    configure({ target: { base_url: target.url, headers: { "X-Key": "file:secret.txt" } } });
    const daemon = await serveDetached();
    writeFileSync(join(home.dir, "config.json"), "{");
    await reload(daemon, REFUSED);
    configure({ target: { base_url: other.url, headers: { "X-Key": "file:missing.txt" } } });
    await reload(daemon, REFUSED);
    configure({ target: { base_url: other.url }, schema: "missing.json" });
    await reload(daemon, REFUSED);
    await run(daemon, "list");
    expect(secretsSent()).to.deep.equal([OLD]);
    expect(other.requests).to.deep.equal([]);
    for (const reason of ["is not JSON", "missing.txt", "no schema document"])
      expect(daemon.stderr()).to.include(reason);
    expect((await daemon.stop()).code).to.equal(0);
  });

  it("L11 turns no safety mode off, and can turn one on", async () => {
    configure({ safety: { read_only: true } });
    const daemon = await serveDetached("--strict");
    configure({ safety: { read_only: false, confirm: true } });
    await reload(daemon);
    const config = await getJson<Record<string, unknown>>(`${daemon.url}/config/public`);
    expect(config).to.deep.include({ read_only: true, confirm_default: true, strict: true, dry_run: false });
    await run(daemon, "create");
    const [entry] = await getJson<HistoryEntry[]>(`${daemon.url}/history`);
    expect(entry?.status).to.equal("blocked");
    expect(target.requests).to.deep.equal([]);
    expect(daemon.stderr()).to.include('"modes":["read_only"]');
    configure({});
    await reload(daemon);
    expect(await getJson<Record<string, unknown>>(`${daemon.url}/config/public`)).to.deep.include(config);
    // Said each time, and not reported as a change.
    expect(daemon.stderr()).to.include('"modes":["read_only","confirm"]');
    expect(
      [...daemon.stderr().matchAll(/"settings":(\[.*?\]),"msg":"configuration/g)].map(([, names]) => names),
    ).to.deep.equal(['["safety.confirm"]', "[]"]);
    await daemon.stop();
  });

  it("L11 loosens no permission and no read-only token, and names what stays", async () => {
    const [reader, other] = TOKENS;
    configure({
      permissions: { create_pet: "deny", "list_*": "ask" },
      tokens: { reader: { token: reader, read_only: true }, other },
    });
    const daemon = await serveDetached();
    configure({ permissions: { "*": "ask" }, tokens: { reader, other }, max_iterations: 3 });
    await reload(daemon);
    expect(daemon.stderr())
      .to.include('"rules":["permissions.create_pet"],"msg":"a reload loosens no permission')
      .and.include('"tokens":["reader"],"msg":"a reload lets no read-only token')
      .and.include('"settings":["max_iterations"],"msg":"configuration');
    expect((await run(daemon, "list", reader)).status).to.equal(200);
    await run(daemon, "create", reader);
    await run(daemon, "create", other);
    const history = await fetch(`${daemon.url}/history`, { headers: { Authorization: `Bearer ${other}` } });
    const entries = (await history.json()) as HistoryEntry[];
    expect(entries.filter(({ tool }) => tool === "create_pet").map(({ status }) => status)).to.deep.equal([
      "blocked",
      "blocked",
    ]);
    expect(target.requests.filter(({ method }) => method === "POST")).to.deep.equal([]);
    await daemon.stop();
  });

  it("L11 turns no safety mode of an application off, also of one whose document is mended after it @all", async () => {
    const file = join(home.dir, "schemas", "shop.json");
    mkdirSync(join(home.dir, "schemas"));
    writeFileSync(file, JSON.stringify(petShop(other.url)));
    configure({ target: { safety: { dry_run: true } }, applications: { shop: { safety: { read_only: true } } } });
    const daemon = await serveDetached();
    const call = async (message: string): Promise<string | undefined> => {
      await run(daemon, message);
      return (await getJson<HistoryEntry[]>(`${daemon.url}/history`))[0]?.status;
    };
    expect([await call("create"), await call("shop")]).to.deep.equal(["dry_run", "blocked"]);
    writeFileSync(file, "{");
    configure({});
    await reload(daemon);
    writeFileSync(file, JSON.stringify(petShop(other.url)));
    expect([await call("create"), await call("shop")]).to.deep.equal(["dry_run", "blocked"]);
    expect([...target.requests, ...other.requests]).to.deep.equal([]);
    expect(daemon.stderr()).to.include("a reload turns no safety mode of an application off");
    await daemon.stop();
  });

  it("L11 does not let the offline provider act, which a restart does @all", async () => {
    configure({ default_provider: "planner", providers: { planner: { type: "offline" } } });
    const acting = { default_provider: "planner", providers: { planner: { type: "offline", act: true } } };
    const daemon = await serveDetached();
    configure(acting);
    await reload(daemon);
    expect(await getJson<Record<string, unknown>>(`${daemon.url}/config/public`)).to.include({
      provider_confirm: true,
    });
    // By way of another provider neither.
    for (const config of [{}, acting]) {
      configure(config);
      await reload(daemon);
    }
    expect(await getJson<Record<string, unknown>>(`${daemon.url}/config/public`)).to.include({
      default_provider: "planner",
      provider_confirm: true,
    });
    expect(daemon.stderr()).to.include("a reload does not let the offline provider act");
    await daemon.stop();
    const restarted = await serveDetached();
    expect(await getJson<Record<string, unknown>>(`${restarted.url}/config/public`)).to.include({
      provider_confirm: false,
    });
    await restarted.stop();
  });

  it("A19 puts another token in force and closes what was opened with the old one; it takes none away @all", async () => {
    const file = join(home.dir, "token.txt");
    writeFileSync(file, TOKENS[0]);
    configure({ token: "file:token.txt" });
    const daemon = await serveDetached();
    const socket = await openChat(`${daemon.url}/chat`, { Authorization: `Bearer ${TOKENS[0]}` });
    await reload(daemon);
    socket.send("list");
    await socket.turns();
    const headers = { Authorization: `Bearer ${TOKENS[0]}` };
    const followed = await fetch(`${daemon.url}/-/sessions/${socket.session_id}/events`, { headers });
    expect(followed.status).to.equal(200);
    writeFileSync(file, TOKENS[1]);
    await reload(daemon);
    expect(await followed.text()).to.equal("retry: 1000\n\n");
    expect((await socket.closed).code).to.equal(1008);
    expect((await run(daemon, "list", TOKENS[0])).status).to.equal(401);
    expect((await run(daemon, "list", TOKENS[1])).status).to.equal(200);
    configure({});
    await reload(daemon);
    expect((await run(daemon, "list")).status).to.equal(401);
    expect((await run(daemon, "list", TOKENS[1])).status).to.equal(200);
    const { stderr } = await daemon.stop();
    expect(stderr).to.include("a reload does not take the token away");
    for (const token of TOKENS) expect(stderr).to.not.include(token);
  });

  it("L11 names what only a restart changes, and lets running turns end with what they began with @all", async () => {
    configure({ target: { base_url: target.url }, port: 4242 });
    const daemon = await serveDetached();
    const turn = run(daemon, "slow");
    await until(
      async () => (await (await fetch(`${daemon.url}/-/metrics`)).text()).includes("agentd_turns_running 1"),
      20_000,
      "no turn",
    );
    configure({ target: { base_url: other.url }, host: "127.0.0.2", max_turns: 3 });
    await reload(daemon);
    expect(daemon.stderr()).to.include('"settings":["host","max_turns"]');
    await run(daemon, "list");
    expect(((await (await turn).json()) as { result: string }).result).to.equal("Done.");
    expect([target.requests.length, other.requests.length]).to.deep.equal([1, 1]);
    rmSync(join(home.dir, "config.json"));
    await daemon.stop();
  });
});

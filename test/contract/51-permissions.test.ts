// Allow, ask or deny by tool, through public entry points: what each permission means under every mode and for every source of it.
// Source: docs/reference.md, "Permissions".
import { expect } from "chai";
import type { TurnEvent } from "../../src/domain/event.js";
import type { Confirmation, HistoryEntry } from "../../src/domain/record.js";
import type { Tool } from "../../src/domain/tool.js";
import { allOnly } from "../support/all.js";
import { type Daemon, type DaemonOptions, startDaemon } from "../support/daemon.js";
import { ask, getJson, postJson } from "../support/entry-points.js";
import { agentd, dataDir, serve, stopAll } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { startVendor } from "../support/vendor.js";

type Status = HistoryEntry["status"];

const CALLS = {
  list_pets: { calls: [{ name: "list_pets", arguments: {} }] },
  create_pet: { calls: [{ name: "create_pet", arguments: { name: "Rex" } }] },
};
const TURNS = Object.entries(CALLS).map(([prompt, call]) => ({ prompt, replies: [call, { text: "Done." }] }));
const CONFIRM = { read_only: false, dry_run: false, strict: false, confirm: true };

/** Where a mode comes from: what the daemon is started with, and what the request says. */
const SOURCES: Record<string, { config?: object; settings?: DaemonOptions["settings"]; request?: object }> = {
  "no mode": {},
  "confirm in config.json": { config: { safety: { confirm: true } } },
  "confirm of the application": { config: { target: { safety: { confirm: true } } } },
  "confirm by a flag": { settings: { policy: CONFIRM } },
  "confirm in the request": { request: { confirm: true } },
  "read_only in config.json": { config: { safety: { read_only: true } } },
  "dry_run in the request": { request: { dry_run: true } },
};

/** By permission and source, what becomes of list_pets and of create_pet. */
const OUTCOMES: Record<string, Record<string, [list: Status, create: Status]>> = {
  none: {
    "no mode": ["ok", "ok"],
    "confirm in config.json": ["ok", "held"],
    "confirm of the application": ["ok", "held"],
    "confirm by a flag": ["ok", "held"],
    "confirm in the request": ["ok", "held"],
    "read_only in config.json": ["ok", "blocked"],
    "dry_run in the request": ["dry_run", "dry_run"],
  },
  allow: {
    "no mode": ["ok", "ok"],
    "confirm in config.json": ["ok", "ok"],
    "confirm of the application": ["ok", "ok"],
    "confirm by a flag": ["ok", "held"],
    "confirm in the request": ["ok", "held"],
    "read_only in config.json": ["ok", "blocked"],
    "dry_run in the request": ["dry_run", "dry_run"],
  },
  ask: {
    "no mode": ["held", "held"],
    "confirm in config.json": ["held", "held"],
    "confirm of the application": ["held", "held"],
    "confirm by a flag": ["held", "held"],
    "confirm in the request": ["held", "held"],
    "read_only in config.json": ["held", "blocked"],
    "dry_run in the request": ["dry_run", "dry_run"],
  },
  deny: Object.fromEntries(Object.keys(SOURCES).map((source) => [source, ["blocked", "blocked"]])),
};

const IN_FILE = { safety: { confirm: true }, permissions: { create_pet: "allow" } };

/** By what is said where `agentd run` is typed: config.json, flags, AGENTD_CONFIRM, and what becomes of create_pet with and without a daemon. */
const TYPED: readonly [config: object, flags: string[], variable: string | undefined, here: Status, served: Status][] =
  [
    [IN_FILE, [], undefined, "ok", "ok"],
    [IN_FILE, ["--confirm"], undefined, "held", "held"],
    [IN_FILE, [], "true", "held", "held"],
    [IN_FILE, ["--no-confirm"], undefined, "ok", "ok"],
    [{ safety: { confirm: true } }, [], undefined, "held", "held"],
    // What a daemon has in force is turned off by nothing that is said of one prompt.
    [{ safety: { confirm: true } }, ["--no-confirm"], undefined, "ok", "held"],
    [{ safety: { confirm: true } }, [], "false", "ok", "held"],
    [{ ...IN_FILE, safety: { read_only: true } }, [], undefined, "blocked", "blocked"],
    [{}, ["--confirm"], undefined, "held", "held"],
    [{}, [], "true", "held", "held"],
    [{}, [], undefined, "ok", "ok"],
  ];

describe("Permissions", () => {
  let target: RecordingTarget;
  let daemon: Daemon | undefined;
  before(async () => {
    target = await startTarget(() => json({ ok: true }));
  });
  afterEach(async () => {
    await stopAll();
    await daemon?.close();
    daemon = undefined;
    target.requests.length = 0;
  });
  after(() => target.close());

  const start = async (options: DaemonOptions): Promise<Daemon> => {
    daemon = await startDaemon({ target: target.url, turns: TURNS, ...options });
    return daemon;
  };
  const statusOf = async (message: string, request: object = {}): Promise<Status | undefined> => {
    await ask(daemon?.url ?? "", { message, ...request });
    return (await getJson<HistoryEntry[]>(`${daemon?.url}/history`))[0]?.status;
  };

  for (const [permission, outcomes] of Object.entries(OUTCOMES))
    for (const [source, { config = {}, settings, request }] of Object.entries(SOURCES))
      it(`F20 ${permission} under ${source}`, async () => {
        const permissions = permission === "none" ? {} : { "*_pet*": permission };
        await start({ config: { ...config, permissions }, settings });
        const statuses = [await statusOf("list_pets", request), await statusOf("create_pet", request)];
        expect(statuses).to.deep.equal(outcomes[source]);
        const sent = statuses.filter((status) => status === "ok").length;
        expect(target.requests).to.have.length(sent);
      });

  for (const [at, [config, flags, variable, here, served]] of TYPED.entries())
    for (const [where, status] of Object.entries({ "in this process": here, "through a daemon": served })) {
      const typed = ["agentd run", ...flags, ...(variable === undefined ? [] : [`AGENTD_CONFIRM=${variable}`])].join(
        " ",
      );
      it(`F20 ${typed} ${where} with ${JSON.stringify(config)}${allOnly(at > 0 || where !== "through a daemon")}`, async function () {
        this.timeout(30_000);
        const home = dataDir({ target: target.url, turns: TURNS, config: { ...config } });
        try {
          if (where === "through a daemon") await serve(["--data-dir", home.dir]);
          const env: Record<string, string> = variable === undefined ? {} : { AGENTD_CONFIRM: variable };
          await agentd(["run", "create_pet", ...flags, "--data-dir", home.dir], { env });
          const { stdout } = await agentd(["history", "--json", "--data-dir", home.dir]);
          expect((JSON.parse(stdout) as HistoryEntry[])[0]?.status).to.equal(status);
          expect(target.requests).to.have.length(status === "ok" ? 1 : 0);
        } finally {
          await stopAll();
        }
      });
    }

  it("F20 holds what the offline provider changes, whatever is allowed", async () => {
    const config = { providers: { played: { type: "offline" } }, permissions: { "*": "allow" } };
    await start({ config });
    expect(await statusOf("delete pet 7")).to.equal("held");
    expect(target.requests.map(({ method }) => method)).to.deep.equal(["GET"]);
  });

  it("take the most exact rule of a table, and the stricter of two tables", async () => {
    const permissions = { "*": "deny", "list_*": "ask", list_pets: "allow", create_pet: "allow" };
    await start({ config: { permissions, target: { permissions: { "create_*": "ask" } } } });
    expect([await statusOf("list_pets"), await statusOf("create_pet")]).to.deep.equal(["ok", "held"]);
    const tools = await getJson<Tool[]>(`${daemon?.url}/tools`);
    expect(tools.map(({ name, permission }) => [name, permission])).to.deep.equal([
      ["list_pets", { is: "allow", rule: "permissions.list_pets" }],
      ["get_pet", { is: "deny", rule: "permissions.*" }],
      ["create_pet", { is: "ask", rule: "target.permissions.create_*" }],
      ["delete_pet", { is: "deny", rule: "permissions.*" }],
    ]);
  });

  it("offer no denied tool to the model, which is told who denies it when it calls it all the same", async () => {
    const vendor = await startVendor([{ text: "Hello." }]);
    try {
      await start({
        config: {
          providers: { played: { type: "openai-compatible", base_url: vendor.url, model: "m" } },
          permissions: { delete_pet: "deny" },
        },
      });
      await ask(daemon?.url ?? "", { message: "hello" });
      expect(vendor.requests[0]?.text).to.include("create_pet").and.not.include("delete_pet");
    } finally {
      await vendor.close();
    }
    await daemon?.close();
    await start({ config: { permissions: { create_pet: "deny" } } });
    const events: TurnEvent[] = await ask(daemon?.url ?? "", { message: "create_pet" });
    const result = events.find((event) => event.kind === "tool_result");
    expect(result?.kind === "tool_result" && result.result).to.deep.equal({
      error: "refused",
      message: "config.json denies create_pet (permissions.create_pet)",
    });
  });

  it("refuse a held call whose tool is denied meanwhile; a reload relaxes none", async () => {
    const { url, reload } = await start({ config: { permissions: { list_pets: "ask" } } });
    expect(await statusOf("create_pet", { confirm: true })).to.equal("held");
    await reload({ permissions: { "*": "allow", create_pet: "deny" } });
    const [held] = await getJson<Confirmation[]>(`${url}/-/confirmations`);
    await postJson(`${url}/-/confirmations/${held?.id}`, { decision: "approve" });
    expect((await getJson<HistoryEntry[]>(`${url}/history`))[0]?.status).to.equal("blocked");
    expect(target.requests).to.deep.equal([]);
    await reload({});
    expect([await statusOf("list_pets"), await statusOf("create_pet")]).to.deep.equal(["held", "blocked"]);
  });

  it("F20 lift no mode that was in force before a reload brought them", async () => {
    const { reload } = await start({ config: { safety: { confirm: true } } });
    await reload({ safety: { confirm: true }, permissions: { "*": "allow" } });
    expect(await statusOf("create_pet")).to.equal("held");
  });

  it("warn of names that no tool has, with the nearest one, and take the others", async () => {
    await start({ config: { permissions: { lst_pets: "deny", "nothing_*": "ask", create_pet: "deny" } } });
    expect(await statusOf("create_pet")).to.equal("blocked");
    const said = (daemon?.log ?? []).filter(({ level }) => level === "warn").map(({ message }) => message);
    expect(said).to.include("permissions.lst_pets fits no tool. Did you mean list_pets?");
    expect(said).to.include("permissions.nothing_* fits no tool.");
  });

  it("is a column of agentd tools, where config.json says something of one", async () => {
    const columns = async (config: Record<string, unknown>): Promise<string[][]> => {
      const home = dataDir({ target: target.url, config });
      const { stdout } = await agentd(["tools", "--data-dir", home.dir]);
      return stdout.split("\n").map((row) => row.split(/ {2,}/).slice(0, 3));
    };
    expect((await columns({})).slice(0, 2)).to.deep.equal([
      ["TOOL", "SAFETY", "REQUEST"],
      ["list_pets", "read_only", "GET /pets"],
    ]);
    expect((await columns({ permissions: { list_pets: "ask", "delete_*": "deny" } })).slice(0, 5)).to.deep.equal([
      ["TOOL", "SAFETY", "PERMISSION"],
      ["list_pets", "read_only", "ask"],
      ["get_pet", "read_only", "-"],
      ["create_pet", "mutating", "-"],
      ["delete_pet", "destructive", "deny"],
    ]);
  });
});

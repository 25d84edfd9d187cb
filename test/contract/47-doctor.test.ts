// `agentd doctor`: every state that is not well, made for real, and what it sends. Source: docs/reference.md, "Doctor".
import { openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { acquireLock } from "../../src/data-dir/lock.js";
import { SqliteDatabase } from "../../src/lib/sqlite.js";
import { allOnly } from "../support/all.js";
import { startModelServer } from "../support/model-server.js";
import { agentd, dataDir, serve, stopAll } from "../support/spawn.js";
import { json, type RecordingTarget, response, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startVendor, type Vendor } from "../support/vendor.js";

interface Check {
  check: string;
  status: "ok" | "warn" | "fail";
  message: string;
  advice?: string;
}

const APPLICATION = "application: the one without a name";
const SECRET = "canary-4f1d2c-secret";
const AUTH = { target: { headers: { Authorization: `Bearer ${SECRET}` } } };

describe("agentd doctor", function () {
  this.timeout(60_000);
  let target: RecordingTarget;
  let home: ReturnType<typeof dataDir>;

  const make = (input: Parameters<typeof dataDir>[0] = {}): void => {
    home = dataDir({ target: target.url, ...input });
  };
  beforeEach(async () => {
    target = await startTarget(() => json([]));
    make();
  });
  afterEach(async () => {
    await stopAll();
    await target.close();
  });

  /** What it found, by what was looked at; asserts that the exit code is the word's. */
  const doctor = async (args: string[] = [], env: Record<string, string> = {}): Promise<Map<string, Check>> => {
    const { code, stdout, stderr } = await agentd(
      ["doctor", "--json", "--port", "0", "--data-dir", home.dir, ...args],
      {
        env,
      },
    );
    expect(stdout + stderr).not.to.include(SECRET);
    const { ok, checks } = JSON.parse(stdout) as { ok: boolean; checks: Check[] };
    expect(ok).to.equal(checks.every(({ status }) => status !== "fail"));
    expect(code).to.equal(ok ? 0 : 1);
    return new Map(checks.map((one) => [one.check, one]));
  };
  /** The status and the words of one check. */
  const said = (checks: Map<string, Check>, name: string): string => {
    const found = checks.get(name);
    return found ? `${found.status}: ${found.message} ${found.advice ?? ""}` : `${name} was not looked at`;
  };

  it("is content where all is well, line by line, and asks the application for nothing but a GET that needs no argument", async () => {
    make({ config: AUTH });
    const checks = await doctor();
    expect([...checks.keys()]).to.deep.equal([
      "node",
      "directory",
      "disk",
      "config",
      "database",
      "lock",
      "port",
      "model",
      APPLICATION,
      "clock",
    ]);
    expect(said(checks, APPLICATION)).to.match(/^ok: answers GET \/pets .*takes its credentials/);
    const sent = target.requests.map((request) => [request.method, request.path, request.header("authorization")]);
    expect(sent).to.deep.equal([
      ["GET", "/pets", `Bearer ${SECRET}`],
      ["HEAD", "/", undefined],
    ]);
  });

  it("says on a terminal what is not well and what to do, in the same words @all", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as { port: number };
    const { code, stdout } = await agentd(["doctor", "--offline", "--port", String(port), "--data-dir", home.dir]);
    await new Promise((resolve) => taken.close(resolve));
    expect(code).to.equal(1);
    expect(stdout).to.include(
      `FAIL  port: 127.0.0.1, port ${port} is in use\n      → end what uses it, or choose another with --port\n`,
    );
    expect(stdout).to.match(/^ok {4}node: Node \d/);
  });

  it("sends nothing to an application with --offline, and under dry_run @all", async () => {
    expect(said(await doctor(["--offline"]), APPLICATION)).to.match(/^ok: .*--offline/);
    make({ config: { safety: { dry_run: true } } });
    expect(said(await doctor(), APPLICATION)).to.match(/^ok: .*dry_run/);
    make({ config: { target: { safety: { dry_run: true } } } });
    expect(said(await doctor(), APPLICATION)).to.match(/^ok: .*dry_run/);
    expect(target.requests).to.deep.equal([]);
  });

  for (const word of ["deny", "ask"])
    it(`sends no GET of an operation that config.json says ${word} of${allOnly(word === "ask")}`, async () => {
      make({ config: { permissions: { "*": word } } });
      expect(said(await doctor(), APPLICATION)).to.match(/^ok: .*cannot be told/);
      expect(target.requests.map(({ method }) => method)).not.to.include("GET");
    });

  describe("an application", () => {
    it("that refuses its credentials, quoting none @all", async () => {
      await target.close();
      target = await startTarget(() => json({ message: `bad token ${SECRET}` }, 401));
      make({ config: AUTH });
      expect(said(await doctor(), APPLICATION)).to.match(/^fail: GET \/pets .*401.*target\.(auth|headers)/);
    });

    it("that is not there @all", async () => {
      await target.close();
      expect(said(await doctor(), APPLICATION)).to.match(/^fail: .*nothing listens at .*start the target/);
    });

    it("that fails @all", async () => {
      await target.close();
      target = await startTarget(() => json({ message: "broken" }, 500));
      make();
      expect(said(await doctor(), APPLICATION)).to.match(/^fail: .*500/);
    });

    it("whose description declares no harmless GET gets a HEAD, and what cannot be told is said @all", async () => {
      const action = (name: string, transport: object, more: object = {}) => ({
        name,
        provenance: "declared",
        parameters: { type: "object", properties: {} },
        transport: { kind: "http", ...transport },
        ...more,
      });
      const actions = [
        action("make", { method: "POST", path: "/pets" }),
        action("guessed", { method: "GET", path: "/guessed" }, { provenance: "inferred" }),
        action("wipe", { method: "GET", path: "/wipe" }, { safety: "destructive" }),
        action(
          "one",
          { method: "GET", path: "/pets", parameters: [] },
          { parameters: { type: "object", properties: { id: {} }, required: ["id"] } },
        ),
      ];
      make({ schema: { version: 1, source: "openapi", base_url: target.url, resources: [{ name: "r", actions }] } });
      expect(said(await doctor(), APPLICATION)).to.match(/^ok: .*credentials cannot be told/);
      expect(new Set(target.requests.map(({ method }) => method))).to.deep.equal(new Set(["HEAD"]));
    });

    it("whose document cannot be used @all", async () => {
      make({ config: { applications: { shop: { base_url: target.url } } } });
      expect(said(await doctor(), "application: shop")).to.match(/^fail: .*shop\.json/);
    });
  });

  describe("the model", () => {
    let vendor: Vendor;
    beforeEach(async () => {
      vendor = await startVendor([{ text: "OK" }]);
      const entry = { type: "openai-compatible", base_url: vendor.url, model: "m", api_key: "env:KEY", max_retries: 0 };
      make({ config: { providers: { p: entry } } });
    });
    afterEach(() => vendor.close());

    it("of an Ollama has a word about its default context, and none about a larger one @all", async () => {
      vendor.script(() => ({ text: "OK" }));
      for (const [context_length, word] of [
        [4096, /^warn: .*4,096 tokens.*all tools take about \d+.*OLLAMA_CONTEXT_LENGTH/],
        [32_768, /^ok: /],
      ] as const) {
        const models = [{ name: "m:latest", context_length }];
        const answers = { "POST /api/show": { details: {}, model_info: {} }, "GET /api/ps": { models } };
        const ollama = await startModelServer(vendor, () => answers);
        make({ config: { providers: { p: { type: "openai-compatible", base_url: ollama.url, model: "m" } } } });
        expect(said(await doctor(), "model")).to.match(word);
        await ollama.close();
      }
    });

    it("is asked one tiny question, without tools", async () => {
      expect(said(await doctor([], { KEY: SECRET }), "model")).to.match(/^ok: .*answered in \d+ ms, 10 \+ 5 tokens/);
      expect(vendor.requests).to.have.length(1);
      expect(vendor.requests[0]?.body).not.to.have.property("tools");
    });

    it("that refuses the key @all", async () => {
      vendor.script([{ status: 401, body: `{"error":{"message":"wrong key ${SECRET}"}}` }]);
      expect(said(await doctor([], { KEY: SECRET }), "model")).to.match(/^fail: .*401.*api_key/);
    });

    it("is not asked with --offline @all", async () => {
      expect(said(await doctor(["--offline"], { KEY: SECRET }), "model")).to.match(/^ok: .*--offline/);
      expect(vendor.requests).to.deep.equal([]);
    });

    it("whose key is missing is a fault of the configuration, and the rest is looked at all the same @all", async () => {
      const checks = await doctor();
      expect(said(checks, "config")).to.match(/^fail: .*KEY, which is not set/);
      expect(said(checks, APPLICATION)).to.match(/^ok/);
      expect(said(checks, "model")).to.match(/^warn: not asked/);
    });

    it("is looked at with every secret of every entry: those in use are faults, the others warnings @all", async () => {
      const missing = async (auth: object): Promise<string[]> => {
        const p = { type: "openai-compatible", base_url: vendor.url, model: "m" };
        const providers = { p, b: { ...p, api_key: "env:NOT_THERE" } };
        make({ config: { providers, target: { headers: auth } } });
        const { stdout } = await agentd(["doctor", "--json", "--offline", "--port", "0", "--data-dir", home.dir]);
        const { checks } = JSON.parse(stdout) as { checks: Check[] };
        return checks.flatMap(({ check, status, message }) =>
          check === "config" ? [`${status} ${/[A-Z]+_[A-Z]+/.exec(message)?.[0]}`] : [],
        );
      };
      expect(await missing({})).to.deep.equal(["warn NOT_THERE"]);
      expect(await missing({ Authorization: "env:GONE_TOO" })).to.have.members(["fail GONE_TOO", "fail NOT_THERE"]);
    });
  });

  describe("the directory", () => {
    it("whose config.json is broken @all", async () => {
      writeFileSync(join(home.dir, "config.json"), "{");
      expect(said(await doctor(), "config")).to.match(/^fail: .*config\.json/);
    });

    it("that is a file, or is not there @all", async () => {
      const folder = temporaryFolder("doctor");
      writeFileSync(join(folder, "file"), "");
      const at = async (name: string): Promise<string> => {
        const { stdout } = await agentd(["doctor", "--json", "--offline", "--data-dir", join(folder, name)]);
        const { checks } = JSON.parse(stdout) as { checks: Check[] };
        return said(new Map(checks.map((one) => [one.check, one])), "directory");
      };
      expect(await at("file")).to.match(/^fail: .*not a directory/);
      expect(await at("none")).to.match(/^warn: .*not there yet/);
    });
  });

  describe("the database", () => {
    const recorded = async (): Promise<string> => {
      expect((await agentd(["run", "hi", "--data-dir", home.dir])).code).to.equal(0);
      return join(home.dir, "history.db");
    };

    it("that is sound @all", async () => {
      await recorded();
      expect(said(await doctor(), "database")).to.match(/^ok: .*sound.*journal mode wal/);
    });

    it("that is damaged @all", async () => {
      const file = await recorded();
      const handle = openSync(file, "r+");
      writeSync(handle, Buffer.alloc(4096 * 3, 0xa5), 0, 4096 * 3, 4096);
      expect(said(await doctor(), "database")).to.match(/^fail: .*history\.db.*agentd restore/);
    });

    it("that is none, or of a newer agentd @all", async () => {
      const file = await recorded();
      const db = new SqliteDatabase(file);
      db.pragma("user_version = 9999");
      db.close();
      expect(said(await doctor(), "database")).to.match(/^fail: .*newer agentd/);
      for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
      writeFileSync(file, "this is no database, whatever its name says ".repeat(100));
      expect(said(await doctor(), "database")).to.match(/^fail: .*history\.db/);
    });
  });

  describe("the daemon", () => {
    it("that runs is asked how it is, and its port is not tried @all", async () => {
      const daemon = await serve(["--data-dir", home.dir, "--token", "sesame-open-42-sesame"]);
      const checks = await doctor(["--token", "sesame-open-42-sesame"]);
      expect(said(checks, "daemon")).to.equal(`ok: the daemon at ${daemon.url} (pid ${daemon.pid}) is ready `);
      expect(checks.has("port")).to.equal(false);
      expect(said(await doctor(), "daemon")).to.match(/^warn: .*refuses the token give it with --token/);
      await daemon.stop();
    });

    it("that has a credential which this terminal has not: the application is not asked, and nothing fails @all", async () => {
      make({ config: { target: { headers: { "X-Key": "env:KEY_OF_THE_DAEMON" } } } });
      await serve(["--data-dir", home.dir], { env: { KEY_OF_THE_DAEMON: SECRET } });
      const checks = await doctor();
      expect(said(checks, "config")).to.match(/^warn: in this terminal: .*KEY_OF_THE_DAEMON, which is not set/);
      expect(said(checks, APPLICATION)).to.match(/^warn: .*not asked: what config is lacking comes first/);
      expect(target.requests.filter(({ method }) => method !== "HEAD")).to.deep.equal([]);
    });

    it("that is stopped @all", async () => {
      const daemon = await serve(["--data-dir", home.dir]);
      process.kill(daemon.pid, "SIGSTOP");
      expect(said(await doctor(["--offline"]), "daemon")).to.match(
        new RegExp(`^fail: .*does not answer.* end process ${daemon.pid}`),
      );
      process.kill(daemon.pid, "SIGCONT");
      await daemon.stop();
    });

    it("that does not listen, but holds the directory @all", async () => {
      const lock = await acquireLock(home.dir);
      const checks = await doctor(["--offline"]);
      lock.release();
      expect(said(checks, "lock")).to.match(
        new RegExp(`^warn: .*held by agentd with pid ${process.pid}, which does not listen`),
      );
    });
  });

  it("says that the clock is wrong @all", async () => {
    for (const [offMs, status] of [
      [3_600_000, "fail"],
      [-3_600_000, "fail"],
      [60_000, "warn"],
    ] as const) {
      await target.close();
      target = await startTarget(() => {
        const date = new Date(Date.now() + offMs).toUTCString();
        return response(200, { "content-type": "application/json", date }, "[]");
      });
      make();
      expect(said(await doctor(), "clock")).to.match(
        new RegExp(`^${status}: this clock is \\d+ s .*set this machine's clock`),
      );
    }
  });
});

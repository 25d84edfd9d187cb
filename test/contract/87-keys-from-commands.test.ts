// Keys and headers of model calls that commands print: real helpers, real daemons, and a model API of our own for every wire.
// Source: docs/configuration.md, "Secrets from a command".
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { ProviderType } from "../../src/config/provider-table.js";
import { loadSettings } from "../../src/config/settings.js";
import { createProvider, providerOptions } from "../../src/providers/create.js";
import { allOnly } from "../support/all.js";
import { getJson, postJson } from "../support/entry-points.js";
import { agentd, dataDir, type Served, serve, stopAll } from "../support/spawn.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "../support/until.js";
import { startVendor, type Vendor, type VendorRequest } from "../support/vendor.js";

const NODE = process.execPath;

/** Where each wire carries its key. */
const KEYS: Readonly<Record<string, (headers: VendorRequest["headers"]) => string | undefined>> = {
  "openai-compatible": ({ authorization }) => authorization?.replace(/^Bearer /, ""),
  anthropic: (headers) => headers["x-api-key"],
  openai: ({ authorization }) => authorization?.replace(/^Bearer /, ""),
  google: (headers) => headers["x-goog-api-key"],
};

describe("Keys of models from commands", function () {
  this.timeout(60_000);
  let folder: string;
  let vendor: Vendor;
  let home: ReturnType<typeof dataDir>;

  beforeEach(async () => {
    folder = temporaryFolder("keys");
    vendor = await startVendor();
    home = dataDir();
  });
  afterEach(async () => {
    await stopAll();
    await vendor.close();
  });

  /** A helper that runs this program; its runs are counted in `NAME.runs`. */
  const helper = (program: string, name = "key"): string[] => {
    const file = join(folder, `${name}.cjs`);
    const runs = JSON.stringify(join(folder, `${name}.runs`));
    writeFileSync(
      file,
      `const fs = require("node:fs"); fs.appendFileSync(${runs}, "x"); ${program}
      function n() { return fs.readFileSync(${runs}, "utf8").length; }`,
    );
    return [NODE, file];
  };
  const runs = (name = "key"): number => {
    const file = join(folder, `${name}.runs`);
    return existsSync(file) ? readFileSync(file, "utf8").length : 0;
  };
  const configure = (type: string, entry: object): void => {
    const p = { type, base_url: vendor.url, model: "m", max_retries: 0, ...entry };
    writeFileSync(join(home.dir, "config.json"), JSON.stringify({ providers: { p } }));
  };
  const start = (): Promise<Served> => serve(["--data-dir", home.dir]);
  const run = async (served: Served): Promise<string> =>
    (await postJson(`${served.url}/run`, { message: "hi" })).text();

  for (const type of Object.keys(KEYS)) {
    const all = allOnly(type !== "openai-compatible");
    it(`N20 ${type}: runs them when a model is called, keeps what they print, and once more after a 401${all}`, async () => {
      const command = helper('console.log("key-" + n() + "-secret")');
      const team = helper('console.log(JSON.stringify({ token: "team-" + n() + "-secret" }))', "team");
      configure(type, { api_key: `command:${command.join(" ")}`, headers: { "x-team": { command: team } } });
      const refusal = JSON.stringify({ error: { message: "not with key-2-secret, key-1-secret or team-2-secret" } });
      const turns = [{ text: "fine" }, { status: 401 }, { text: "fine" }, { status: 400, body: refusal }];
      vendor.script((_, n) => turns[n] ?? {});
      for (const words of [["tools"], ["config"], ["models"]])
        expect((await agentd([...words, "--data-dir", home.dir])).code, words[0]).to.equal(0);
      const served = await start();
      expect([runs(), runs("team")]).to.deep.equal([0, 0]);
      const answers = [await run(served), await run(served), await run(served)];
      const sent = vendor.requests.map(({ headers }) => [KEYS[type]?.(headers), headers["x-team"]]);
      const pair = (n: number): string[] => [`key-${n}-secret`, `team-${n}-secret`];
      expect(sent).to.deep.equal([pair(1), pair(1), pair(2), pair(2)]);
      expect(vendor.requests[2]?.text).to.equal(vendor.requests[1]?.text);
      for (const answer of answers.slice(0, 2)) expect(answer).to.include('"result":"fine"');
      expect(answers[2]).to.include("not with [redacted], [redacted] or [redacted]");
      const kept = JSON.stringify([answers, await getJson(`${served.url}/history`)]);
      expect(kept + (await served.stop()).stderr).to.not.include("-secret");
    });

    it(`N20 ${type}: a key that is printed again is not sent again, and the refusal is said${all}`, async () => {
      configure(type, { api_key: { command: helper('console.log("key-always-the-same")') } });
      vendor.script(() => ({ status: 401 }));
      const served = await start();
      expect(await run(served)).to.include("refused the key with status 401");
      expect(vendor.requests).to.have.length(1);
      expect(runs()).to.equal(2);
    });

    it(`N20 ${type}: a helper that fails ends the turn with its place and its words, redacted, and can work the next time @all`, async () => {
      const flag = join(folder, "signed-in");
      configure(type, {
        api_key: {
          command: helper(`console.log("key-that-failed"); if (!fs.existsSync(${JSON.stringify(flag)})) {
            console.error("vault is sealed; key-that-failed expired"); process.exitCode = 3; }`),
        },
      });
      vendor.script(() => ({ text: "fine" }));
      const served = await start();
      const answer = await run(served);
      expect(answer)
        .to.match(/"kind":"error"/)
        .and.include("providers.p.api_key")
        .and.include("it ended with 3");
      expect(answer).to.include("It said: vault is sealed; [redacted] expired.");
      expect(vendor.requests).to.deep.equal([]);
      writeFileSync(flag, "");
      expect(await run(served)).to.include("fine");
      const { stderr } = await served.stop();
      expect(stderr).to.include("vault is sealed; [redacted] expired").and.not.include("key-that-failed");
    });
  }

  it("N20 does not send what no header can carry", async () => {
    configure("anthropic", { api_key: { command: helper('console.log("two\\nlines")') } });
    const served = await start();
    expect(await run(served))
      .to.include("no HTTP header can carry")
      .and.not.include("lines");
    expect(vendor.requests).to.deep.equal([]);
  });

  it("N20 a call that is given up waits no longer for its helper", async () => {
    configure("openai-compatible", {
      context_tokens: 8000,
      api_key: { command: helper("setInterval(() => {}, 1e6)"), timeout_ms: 20_000 },
    });
    const settings = await loadSettings({ dataDir: home.dir, flags: {}, env: {} });
    const configured = settings.provider.configured;
    if (!configured) throw new Error("no provider was configured");
    const provider = await createProvider("openai-compatible" satisfies ProviderType, providerOptions(configured));
    const over = new AbortController();
    const reply = provider.reply({ system: "", messages: [{ role: "user", text: "hi" }], tools: [] }, over.signal);
    const ended = reply.next().catch((error: unknown) => error);
    await until(() => runs() > 0);
    over.abort(new Error("given up"));
    expect(await ended)
      .to.be.instanceOf(Error)
      .with.property("message", "given up");
  });

  it("N20 agentd config and agentd trust say that there is one, and run none", async () => {
    const command = helper('console.log("key-1-secret")');
    configure("anthropic", { api_key: { command }, headers: { "x-team": `command:${command.join(" ")}` } });
    const config = await agentd(["config", "--json", "--data-dir", home.dir]);
    const lines = JSON.parse(config.stdout) as { name: string; value: unknown }[];
    const shownAs = (name: string): unknown => lines.find((line) => line.name === name)?.value;
    expect([shownAs("provider.api_key"), shownAs("provider.headers")]).to.deep.equal(["[set]", { "x-team": "[set]" }]);
    renameSync(home.dir, join(folder, ".agentd"));
    const found = await agentd(["run", "hi"], { cwd: folder });
    expect(found.code).to.equal(1);
    expect(found.stderr).to.include("agentd trust");
    const trust = await agentd(["trust", "--yes"], { cwd: folder });
    expect(trust.code, trust.stderr).to.equal(0);
    const shown = trust.stdout + trust.stderr;
    expect(shown).to.include(`providers.p.api_key.command: ${JSON.stringify(command)}`);
    expect(shown).to.include(`providers.p.headers.x-team: what is printed by ${command.join(" ")}`);
    expect(runs()).to.equal(0);
  });

  it("N20 agentd doctor asks the model with it, and says what keeps it from that @all", async () => {
    const model = async (): Promise<{ status: string; message: string }> => {
      const { stdout, stderr } = await agentd(["doctor", "--json", "--port", "0", "--data-dir", home.dir]);
      expect(stdout + stderr).to.not.include("key-1-secret");
      const { checks } = JSON.parse(stdout) as { checks: { check: string; status: string; message: string }[] };
      return checks.find(({ check }) => check === "model") ?? expect.fail("the model was not looked at");
    };
    configure("openai-compatible", { api_key: { command: helper('console.log("key-1-secret")') } });
    vendor.script(() => ({ text: "OK" }));
    expect((await model()).status).to.equal("ok");
    expect(vendor.requests.at(-1)?.headers["authorization"]).to.equal("Bearer key-1-secret");
    helper('console.error("not signed in"); process.exitCode = 1');
    const { status, message } = await model();
    expect(status).to.equal("fail");
    expect(message).to.include("providers.p.api_key").and.include("not signed in");
  });

  it("a command in place of the daemon's token is refused, and says where one can stand", async () => {
    writeFileSync(join(home.dir, "config.json"), JSON.stringify({ token: "command:printf x" }));
    const { code, stderr } = await agentd(["serve", "--port", "0", "--data-dir", home.dir]);
    expect(code).to.equal(1);
    expect(stderr).to.match(/cannot be a command: only .* api_key and headers of a provider can/);
  });
});

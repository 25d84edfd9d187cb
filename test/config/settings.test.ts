// Configuration: precedence, secrets, refusals. Source: docs/reference.md, "Precedence of settings"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { describeSettings } from "../../src/config/describe.js";
import { rowsOf } from "../../src/config/setting.js";
import { type Flags, loadSettings, refuseUnsafeListener, type Settings } from "../../src/config/settings.js";
import { SETTINGS } from "../../src/config/table.js";
import { StartError } from "../../src/domain/error.js";
import { closestWord } from "../../src/lib/did-you-mean.js";
import { toJson } from "../../src/lib/json.js";
import { isLoopback } from "../../src/lib/loopback.js";

const STRONG = "4f1c9e0b7a62d835";

describe("Configuration", () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "agentd-config-"));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const write = (config: unknown): void =>
    writeFileSync(join(dir, "config.json"), typeof config === "string" ? config : JSON.stringify(config));
  const load = (flags: Flags = {}, env: Record<string, string> = {}, lenient = false): Promise<Settings> =>
    loadSettings({ dataDir: dir, flags, env, lenient });
  const failure = async (flags: Flags = {}, env: Record<string, string> = {}): Promise<StartError> => {
    const error: unknown = await load(flags, env).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (error instanceof StartError) return error;
    throw new Error(`expected a StartError, got ${String(error)}`);
  };

  describe("Defaults and precedence", () => {
    it("runs without any configuration", async () => {
      const settings = await load();
      expect(settings).to.deep.include({
        dataDir: dir,
        host: "127.0.0.1",
        port: 4242,
        graceMs: 10_000,
        maxIterations: 8,
        provider: {},
        policy: { read_only: false, dry_run: false, strict: false, confirm: false },
        confirmationTtlMs: 300_000,
        schemaFile: join(dir, "schema.json"),
        schemaGiven: false,
        secrets: [],
        warnings: [],
      });
      expect(settings).to.not.have.any.keys("token", "baseUrl", "historyKeepDays");
    });

    it("lets flags win over variables, those over config.json, setting by setting", async () => {
      write({
        host: "h.file",
        port: 1,
        grace_ms: 1,
        safety: { read_only: true, strict: true },
        target: { base_url: "http://file/" },
      });
      const env = { AGENTD_HOST: "h.env", AGENTD_PORT: "2", AGENTD_READ_ONLY: "no", AGENTD_GRACE: "2" };
      const settings = await load({ host: "h.flag", dryRun: true }, env);
      expect(settings).to.include({ host: "h.flag", port: 2, graceMs: 2000, baseUrl: "http://file" });
      expect(settings.policy).to.deep.equal({ read_only: false, dry_run: true, strict: true, confirm: false });
      expect(settings.origins).to.include({
        host: "flag",
        port: "AGENTD_PORT",
        "target.base_url": "config.json",
        max_turns: "default",
      });
    });

    it("resolves paths where they are written: flags at the working directory, config.json at the data directory", async () => {
      write({ schema: "a/s.json", providers: { p: { type: "scripted", file: "turns.json" } } });
      expect(await load()).to.include({ schemaFile: join(dir, "a/s.json"), schemaGiven: true });
      expect((await load()).provider.configured?.file).to.equal(join(dir, "turns.json"));
      expect((await load({ schema: "b.json" })).schemaFile).to.equal(join(process.cwd(), "b.json"));
    });
  });

  describe("config.json", () => {
    const bad: [config: unknown, message: RegExp][] = [
      ["{", /config\.json is not JSON/],
      [[], /config\.json cannot be used/],
      [{ safty: {} }, /unknown key safty\. Did you mean safety\?/],
      [{ safety: { readonly: true } }, /unknown key safety\.readonly\. Did you mean read_only\?/],
      [{ target: { header: {} } }, /unknown key target\.header\. Did you mean headers\?/],
      [
        { providers: { p: { type: "openai", apikey: "x" } } },
        /unknown key providers\.p\.apikey\. Did you mean api_key\?/,
      ],
      [{ providers: { p: { type: "gpt" } } }, /providers\.p\.type: must be one of openai, openai-compatible/],
      [{ safety: { read_only: "true" } }, /safety\.read_only: .*boolean/],
      [{ port: 70_000 }, /port: /],
      [{ max_iterations: 0 }, /max_iterations: /],
      [{ target: { timeout_ms: 3e9 } }, /target\.timeout_ms: /],
      [{ target: { base_url: "ftp://x" } }, /target\.base_url: "ftp:\/\/x" is not an http or https address/],
      [{ target: { base_url: "http://u:p@x" } }, /^target\.base_url: the address holds a .* target\.auth(?!.*u:p)/],
      [{ target: { base_url: "ftp://u:p@x" } }, /^target\.base_url: "ftp:\/\/x" is not/],
      [{ target: { headers: { "a b": "c" } } }, /"a b" is not a header name/],
      [{ providers: { p: { type: "openai-compatible" } } }, /providers\.p\.base_url is missing/],
      [{ providers: { p: { type: "scripted" } } }, /providers\.p\.file is missing/],
      [
        { providers: { p: { type: "openai", api_key: "k", act: false } } },
        /providers\.p\.act is for .* safety\.confirm/,
      ],
      [{ default_provider: "clude", providers: { claude: { type: "offline" } } }, /clude .*Did you mean claude\?/],
    ];
    for (const [config, message] of bad)
      it(`refuses ${JSON.stringify(config)} with exit code 1`, async () => {
        write(config);
        const error = await failure();
        expect(error.message).to.match(message);
        expect(error.exitCode).to.equal(1);
      });

    it("names every fault at once, and the file", async () => {
      write({ prot: 1, host: 2, safety: { x: true } });
      const { message } = await failure();
      expect(message.split("\n").length).to.equal(4);
      expect(message)
        .to.include(join(dir, "config.json"))
        .and.include("prot")
        .and.include("host")
        .and.include("safety.x");
    });

    it("says that a file it may not read cannot be read", async () => {
      mkdirSync(join(dir, "config.json"));
      expect((await failure()).message).to.include(`cannot read ${join(dir, "config.json")}`);
    });
  });

  describe("Environment", () => {
    it("refuses a variable that looks like a misspelt one of ours", async () => {
      expect((await failure({}, { AGENTD_READONLY: "1" })).message).to.include("Did you mean AGENTD_READ_ONLY?");
      expect((await failure({}, { AGENTD_PROT: "1" })).message).to.include("Did you mean AGENTD_PORT?");
    });

    it("leaves alone other names that begin with AGENTD_", async () => {
      for (const name of ["AGENTD_HOME", "AGENTD_TEST", "AGENTD_LOG_LEVEL"]) await load({}, { [name]: "x" });
      for (const name of ["AGENTD_TOEKN", "AGENTD_DRYRUN", "AGENTD_CONFRIM"])
        expect((await failure({}, { [name]: "x" })).message).to.include(name);
    });

    it("leaves alone what a cluster sets for a service called agentd", async () => {
      await load({}, { AGENTD_SERVICE_HOST: "10.0.0.1", AGENTD_PORT_4242_TCP: "tcp://10.0.0.1:4242", AGENTD_X: "" });
    });

    it("F2 never guesses what a switch means", async () => {
      for (const value of ["maybe", "2", "tru", "null"])
        expect((await failure({}, { AGENTD_READ_ONLY: value })).message).to.equal(
          `AGENTD_READ_ONLY=${value}: expected true or false.`,
        );
      expect((await load({}, { AGENTD_READ_ONLY: "Yes" })).policy.read_only).to.equal(true);
      expect((await load({}, { AGENTD_READ_ONLY: "" })).origins["safety.read_only"]).to.equal("default");
    });

    it("refuses a port that is none", async () => {
      for (const value of ["tcp://10.0.0.1:4242", "-1", "1e3", "80.5", "65536"])
        expect((await failure({}, { AGENTD_PORT: value })).message).to.include(`AGENTD_PORT=${value}`);
    });
  });

  describe("Secrets", () => {
    it("come from env:NAME and file:PATH, and are known for redaction", async () => {
      writeFileSync(join(dir, "key"), "from-file-secret\n");
      write({
        providers: { p: { type: "openai", api_key: "file:key", headers: { "X-Org": "acme" } } },
        target: { headers: { Authorization: "env:T", "X-Tenant": "plain" }, auth: { basic: "env:U" } },
      });
      const settings = await load({}, { T: "Bearer from-env-secret", U: "user:password-1" });
      expect(settings.provider.configured).to.include({ apiKey: "from-file-secret" });
      expect(settings.target.headers).to.deep.equal({ Authorization: "Bearer from-env-secret", "X-Tenant": "plain" });
      expect(settings.target.credentials).to.deep.equal({ basic: "user:password-1" });
      expect(settings.secrets).to.include.members([
        "from-file-secret",
        "from-env-secret",
        "user:password-1",
        "password-1",
      ]);
      expect(settings.secrets).to.not.include.members(["plain"]).and.not.include.members(["acme"]);
      expect(settings.warnings).to.deep.equal([]);
    });

    it("are known as they are used: without the line end a variable came with", async () => {
      write({ target: { headers: { "X-Key": "env:H" }, auth: { bearer: "env:T" } } });
      const settings = await load({}, { T: " tok-123456\n", H: "Token key-123456\r\n" });
      expect(settings.target).to.deep.include({
        headers: { "X-Key": "Token key-123456" },
        credentials: { bearer: "tok-123456" },
      });
      expect(settings.secrets).to.have.members(["tok-123456", "Token key-123456", "key-123456"]);
    });

    it("are known by their parts: what a token endpoint gets, what Basic holds", async () => {
      write({
        target: { headers: { Authorization: "env:B" }, auth: { oauth: "env:O", short: "env:S" } },
      });
      const basic = Buffer.from("user:pass:word").toString("base64");
      const settings = await load(
        {},
        { O: "id-1:client-secret https://login.example/token", B: `Basic ${basic}`, S: "id-2:other-secret" },
      );
      expect(settings.secrets).to.include.members(["id-1:client-secret", "client-secret"]);
      expect(settings.secrets).to.include.members([basic, "user:pass:word", "pass:word"]);
      expect(settings.secrets).to.include.members(["id-2:other-secret", "other-secret"]);
      expect(settings.target.credentials["oauth"]).to.equal("id-1:client-secret https://login.example/token");
    });

    it("name the variable or file that is missing", async () => {
      write({ target: { auth: { k: "env:NOT_SET" } } });
      expect((await failure()).message)
        .to.include("target.auth.k")
        .and.include("NOT_SET, which is not set");
      write({ target: { auth: { k: "file:nowhere" } } });
      expect((await failure()).message).to.include(join(dir, "nowhere"));
      const settings = await load({}, {}, true);
      expect(settings.target.credentials).to.deep.equal({});
      expect(settings.warnings[0]).to.include("nowhere");
    });

    it("are looked up only for the provider in use", async () => {
      const providers = { a: { type: "offline" }, b: { type: "openai", api_key: "env:NOT_SET" } };
      write({ default_provider: "a", providers });
      expect((await load()).provider.configured?.name).to.equal("a");
      expect((await failure({ provider: "b" })).message).to.include("NOT_SET");
    });

    it("work as literals, with a warning that does not repeat them", async () => {
      write({
        providers: { p: { type: "openai", api_key: "literal-secret" } },
        target: { headers: { Cookie: "sid=literal" } },
      });
      const settings = await load();
      expect(settings.provider.configured?.apiKey).to.equal("literal-secret");
      expect(settings.secrets).to.include.members(["literal-secret", "sid=literal"]);
      expect(settings.warnings.length).to.equal(2);
      expect(settings.warnings.join()).to.not.include("literal");
    });

    it("that no header can carry are refused", async () => {
      write({ target: { headers: { Authorization: "env:T" } } });
      expect((await failure({}, { T: "a\nb" })).message).to.include("no HTTP header can carry");
    });

    it("are never described", async () => {
      write({ token: "env:T", target: { headers: { A: "env:T" }, auth: { s: "env:T" } } });
      const text = toJson(describeSettings(await load({}, { T: "canary-secret" })));
      expect(text).to.not.include("canary");
      expect(text.match(/\[set\]/g)?.length).to.equal(3);
      write({ providers: { p: { type: "openai", api_key: "env:T", headers: { "X-Org": "env:T" } } } });
      const provider = toJson(describeSettings(await load({}, { T: "canary-secret" })));
      expect(provider).to.not.include("canary");
      expect(provider).to.include('"provider.api_key","value":"[set]"').and.include('{"X-Org":"[set]"}');
    });
  });

  describe("Provider", () => {
    it("is the one asked for, the default one, or the first one", async () => {
      const providers = {
        one: { type: "offline" },
        two: { type: "openai-compatible", base_url: "http://x/v1/", model: "m" },
      };
      write({ providers });
      expect((await load()).provider.configured?.name).to.equal("one");
      write({ providers, default_provider: "two" });
      expect((await load()).provider).to.deep.equal({
        configured: { name: "two", type: "openai-compatible", model: "m", baseUrl: "http://x/v1" },
      });
      expect((await load({ provider: "one", model: "other" })).provider).to.deep.equal({
        model: "other",
        configured: { name: "one", type: "offline", model: "other" },
      });
    });

    it("may be a vendor without an entry, whose usual variable holds the key", async () => {
      expect(
        (await load({ provider: "anthropic" }, { ANTHROPIC_API_KEY: "canary-key" })).provider.configured,
      ).to.deep.equal({
        name: "anthropic",
        type: "anthropic",
        apiKey: "canary-key",
      });
      expect((await failure({ provider: "anthropic" })).message).to.include("set ANTHROPIC_API_KEY");
    });

    it("may be an Ollama without an entry, whose address is found out later; an entry needs one", async () => {
      expect((await load({ provider: "ollama", model: "qwen3" })).provider.configured).to.deep.equal({
        name: "ollama",
        type: "openai-compatible",
        model: "qwen3",
      });
      write({ providers: { ollama: { type: "openai-compatible" } } });
      expect((await failure({ provider: "ollama" })).message).to.include("providers.ollama.base_url is missing");
    });

    it("that is not known is refused by name, with exit code 2 for a flag", async () => {
      const error = await failure({ provider: "opnai" });
      expect(error.message).to.include("Did you mean openai?");
      expect(error.exitCode).to.equal(2);
      expect((await failure({}, { AGENTD_PROVIDER: "__proto__" })).exitCode).to.equal(1);
    });
  });

  describe("Authentication", () => {
    it("A8 refuses an empty token wherever it comes from", async () => {
      writeFileSync(join(dir, "empty"), "\n");
      expect((await failure({ token: "" })).exitCode).to.equal(2);
      for (const token of [" ", "\t"]) expect((await failure({ token })).message).to.include("--token is empty");
      expect((await failure({ tokenFile: join(dir, "empty") })).message).to.include("is empty");
      for (const value of ["", "  "])
        expect((await failure({}, { AGENTD_TOKEN: value })).message).to.include("AGENTD_TOKEN is empty");
      write({ token: "file:empty" });
      expect((await failure()).message).to.include("empty");
    });

    it("A20 refuses a token outside printable ASCII", async () => {
      for (const token of ["pässword", "a b", "a\u0000b", "日本"])
        expect((await failure({ token })).message).to.include("Use printable ASCII");
    });

    it("takes a token from a flag, a file or the environment, and only one at a time", async () => {
      writeFileSync(join(dir, "t"), "from-file\n");
      expect((await load({ token: "from-flag" }, { AGENTD_TOKEN: "from-env" })).token).to.equal("from-flag");
      expect((await load({ tokenFile: join(dir, "t") }, { AGENTD_TOKEN: "from-env" })).token).to.equal("from-file");
      expect((await load({}, { AGENTD_TOKEN: "from-env" })).token).to.equal("from-env");
      expect((await load({}, { AGENTD_TOKEN_FILE: join(dir, "t") })).secrets).to.include("from-file");
      expect((await failure({ token: "a", tokenFile: "b" })).exitCode).to.equal(2);
      expect((await failure({ tokenFile: join(dir, "none") })).message).to.include(join(dir, "none"));
    });

    it("refuses what looks like an address and is none", async () => {
      for (const host of ["999.1.1.1", "127.0.1", "1:2", "127.0.0.1:80"])
        expect((await failure({ host })).message).to.include(`--host is "${host}", which is no address`);
      for (const host of ["::1", "[::1]", "10.0.0.1", "box.local"]) expect((await load({ host })).host).to.equal(host);
    });

    it("A17 refuses an empty address, which would be every address of the machine", async () => {
      for (const host of ["", "  "]) {
        const { message, exitCode } = await failure({ host, token: "t" });
        expect(message).to.include("--host is empty");
        expect(exitCode).to.equal(2);
      }
      expect((await load({}, { AGENTD_HOST: " " })).host).to.equal("127.0.0.1");
    });

    it("A17 refuses a listener beyond loopback without a token", async () => {
      for (const host of ["0.0.0.0", "::", "192.168.1.2", "example.com", "127.0.0.1.example.com", "128.0.0.1"]) {
        expect(isLoopback(host), host).to.equal(false);
        const settings = { ...(await load()), host };
        expect(() => refuseUnsafeListener(settings), host)
          .to.throw(StartError, /--token.*--insecure-no-token/)
          .with.property("exitCode", 2);
        expect(refuseUnsafeListener({ ...settings, insecureNoToken: true })).to.include("INSECURE");
        expect(refuseUnsafeListener({ ...settings, token: STRONG })).to.equal(undefined);
      }
      for (const host of ["127.0.0.1", "127.8.8.8", "localhost", "LOCALHOST", "::1", "[::1]", "::ffff:127.0.0.1"])
        expect(isLoopback(host), host).to.equal(true);
      for (const host of ["www.localhost", "agentd.localhost.", "localhost.localdomain"])
        expect(isLoopback(host), host).to.equal(false);
    });

    it("A21 refuses a token that can be guessed beyond loopback, says how to make one, and warns on loopback", async () => {
      const settings = await load();
      for (const token of ["t", "123456789012345", "a".repeat(40), "abababababababababab"]) {
        for (const insecureNoToken of [false, true])
          expect(() => refuseUnsafeListener({ ...settings, host: "0.0.0.0", token, insecureNoToken }), token)
            .to.throw(StartError, /16 characters.*openssl rand -hex 32/)
            .with.property("exitCode", 2);
        expect(refuseUnsafeListener({ ...settings, token })).to.match(/can be guessed.*openssl rand -hex 32/);
      }
      for (const host of ["0.0.0.0", "127.0.0.1"])
        expect(refuseUnsafeListener({ ...settings, host, token: STRONG })).to.equal(undefined);
    });
  });

  it("has one row for each name, flag and variable", () => {
    const rows = rowsOf(SETTINGS).map(({ row }) => row);
    const names = rows.flatMap(({ name, flags = [], variables = [] }) => [
      name,
      ...flags.map((flag) => `--${flag.name}`),
      ...variables,
    ]);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).to.deep.equal([]);
    expect(
      rows.flatMap(({ variables = [] }) => variables).filter((name) => !/^AGENTD_[A-Z_]+$/.test(name)),
    ).to.deep.equal([]);
  });

  it("knows what was meant", () => {
    expect(closestWord("readonly", ["strict", "read_only"])).to.equal("read_only");
    expect(closestWord("prot", ["port", "host"])).to.equal("port");
    expect(closestWord("xyz", ["port", "host"])).to.equal(undefined);
  });
});

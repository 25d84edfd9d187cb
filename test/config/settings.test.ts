// Configuration: precedence, secrets, refusals. Source: docs/reference.md, "Precedence of settings"
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { expect } from "chai";
import { applicationSettings } from "../../src/config/application.js";
import { changesBetween } from "../../src/config/changes.js";
import { describeSettings } from "../../src/config/describe.js";
import { rowsOf } from "../../src/config/setting.js";
import { type Flags, loadSettings, refuseUnsafeListener, type Settings } from "../../src/config/settings.js";
import { SETTINGS } from "../../src/config/table.js";
import { StartError } from "../../src/domain/error.js";
import { closestWord } from "../../src/lib/did-you-mean.js";
import { toJson } from "../../src/lib/json.js";
import { isLoopback } from "../../src/lib/loopback.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const STRONG = "4f1c9e0b7a62d835";

describe("Configuration", () => {
  let dir: string;
  beforeEach(() => {
    dir = temporaryFolder("config");
  });

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
        provider: { entries: [] },
        policy: { read_only: false, dry_run: false, strict: false, confirm: false },
        confirmationTtlMs: 300_000,
        schemaFile: join(dir, "schema.json"),
        schemaGiven: false,
        secrets: [],
        warnings: [],
      });
      expect(settings).to.not.have.any.keys("token", "historyKeepDays");
      expect(settings.target).to.not.have.any.keys("baseUrl");
      expect(settings.applications).to.deep.equal(new Map());
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
      expect(settings).to.include({ host: "h.flag", port: 2, graceMs: 2000 });
      expect(settings.target.baseUrl).to.equal("http://file");
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
    for (const text of ['{"token": canary-7f3a}', '{\n "token": "x" canary-7f3a}', '{"token": "canary-7f3a'])
      it(`that is no JSON is refused without a word of it: ${text}`, async () => {
        write(text);
        const error = await load().catch((thrown: unknown) => thrown);
        expect(String(error)).to.match(/config\.json is not JSON at line \d, column \d+\./);
        expect(inspect(error)).not.to.contain("canary");
      });

    const bad: [config: unknown, message: RegExp][] = [
      ["{", /config\.json is not JSON at line 1, column 2\./],
      [[], /config\.json cannot be used/],
      ['{"safety":{"confirm":true,\n"confirm":false}}', /keys that stand twice in one object: confirm \(line 2\)\./],
      ['{"safety":{"confirm":true},"safety":{}}', /keys that stand twice in one object: safety \(line 1\)\./],
      [{ safty: {} }, /unknown key safty\. Did you mean safety\?/],
      [{ safety: { readonly: true } }, /unknown key safety\.readonly\. Did you mean read_only\?/],
      // A key in another place: where it stands.
      [
        { read_only: true },
        /unknown key read_only\. It stands under safety, tokens\.NAME, target\.safety or applications\.NAME\.safety\.$/,
      ],
      [{ api_key: "x" }, /unknown key api_key\. It stands under providers\.NAME\.$/],
      [{ target: { api_key: "x" } }, /unknown key target\.api_key\. It stands under providers\.NAME\.$/],
      [{ applications: { shop: { port: 1 } } }, /unknown key applications\.shop\.port\. It stands at the top\.$/],
      [{ nothing_like_it: 1 }, /unknown key nothing_like_it\.$/],
      [{ target: { header: {} } }, /unknown key target\.header\. Did you mean headers\?/],
      [{ target: { safety: { readonly: true } } }, /unknown key target\.safety\.readonly\. Did you mean read_only\?/],
      [{ applications: { shop: { aut: {} } } }, /unknown key applications\.shop\.aut\. Did you mean auth\?/],
      [
        { applications: { shop: { safety: { dryrun: true } } } },
        /unknown key applications\.shop\.safety\.dryrun\. Did you mean dry_run\?/,
      ],
      [{ applications: { "My Shop": {} } }, /applications: "My Shop" is no name for an application: .* Try my-shop\./],
      [{ applications: { "": {} } }, /applications: "" is no name for an application: .* at most\.$/m],
      [
        '{"applications":{"__proto__":{"auth":{}}}}',
        /config\.json cannot be used:\n {2}unknown key applications\.__proto__\./,
      ],
      ['{"providers":{"__proto__":{"type":"offline"}}}', /unknown key providers\.__proto__\./],
      ['{"target":{"auth":{"__proto__":"env:X"}}}', /unknown key target\.auth\.__proto__\./],
      ['{"safety":{"__proto__":{"read_only":true}}}', /unknown key safety\.__proto__\./],
      ['{"__proto__":{}}', /unknown key __proto__\./],
      [{ applications: { shop: { timeout_ms: 0 } } }, /applications\.shop\.timeout_ms: /],
      [
        { applications: { shop: { base_url: "http://u:p@x" } } },
        /^applications\.shop\.base_url: the address holds a .* applications\.shop\.auth(?!.*u:p)/,
      ],
      [{ applications: { shop: { auth: { k: "env:NOT_SET" } } } }, /^applications\.shop\.auth\.k refers to .*NOT_SET/],
      [
        { providers: { p: { type: "openai", apikey: "x" } } },
        /unknown key providers\.p\.apikey\. Did you mean api_key\?/,
      ],
      [{ providers: { p: { type: "gpt" } } }, /providers\.p\.type: must be one of openai, openai-compatible/],
      [{ safety: { read_only: "true" } }, /safety\.read_only: must be true or false, not a string$/],
      [{ permissions: [] }, /permissions: must be a JSON object, not an array$/],
      [{ session_keep_days: 0 }, /session_keep_days: must be at least 1$/],
      [{ session_keep_days: 1.5 }, /session_keep_days: must be a whole number$/],
      [{ tokens: { x: 5 } }, /tokens\.x: must be a string or a JSON object, not a number$/],
      [
        { providers: { a: { type: "offline", price: { input: 1 } } } },
        /providers\.a\.price\.output: is missing; it must be a number$/,
      ],
      [{ target: { glossary: { "x-": "y" } } }, /target\.glossary: "x-" must begin and end with a letter or a digit$/],
      [{ target: { glossary: { ["x".repeat(61)]: "y" } } }, /target\.glossary: "x+" must be at most 60 characters$/],
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
      [
        { providers: { p: { type: "offline", temperature: 0 } } },
        /providers\.p\.temperature is for the types openai, openai-compatible, anthropic, google only, not for offline/,
      ],
      [
        { providers: { p: { type: "google", api_key: "k", stream_options: false } } },
        /providers\.p\.stream_options is for the types openai, openai-compatible only, not for google/,
      ],
      [{ providers: { p: { type: "openai", temperature: 3 } } }, /providers\.p\.temperature: .*2/],
      [
        { providers: { p: { type: "anthropic", api_key: "k", temperature: 1.5 } } },
        /providers\.p\.temperature: the type anthropic takes .* 0 to 1, not 1\.5/,
      ],
      [
        { providers: { p: { type: "google", api_key: "k", reasoning_effort: "max" } } },
        /providers\.p\.reasoning_effort: the type google knows minimal, low, medium, high, not "max"/,
      ],
      [
        { providers: { p: { type: "openai", api_key: "k", extra_body: { messages: [] } } } },
        /providers\.p\.extra_body\.messages: agentd writes this field itself\. Take it out/,
      ],
      [
        { providers: { p: { type: "openai-compatible", base_url: "http://x", extra_body: { max_tokens: 5 } } } },
        /extra_body\.max_tokens: .* Use the setting max_tokens/,
      ],
      [
        { providers: { p: { type: "google", api_key: "k", extra_body: { generationConfig: { temperature: 0 } } } } },
        /extra_body\.generationConfig\.temperature: .* Use the setting temperature/,
      ],
      [
        { providers: { p: { type: "anthropic", api_key: "k", extra_body: { output_config: 1 } } } },
        /extra_body\.output_config\.effort: .* Use the setting reasoning_effort/,
      ],
      [{ providers: { p: { type: "openai", extra_body: [] } } }, /providers\.p\.extra_body: .*(record|object)/],
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

    it("P13 refuses a file that is too long to be a configuration, before it reads it", async () => {
      write(" ".repeat(5_000_000));
      expect((await failure()).message).to.include("it has more than");
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

    it("refuses an address with a password, and says for a flag of no application whose it is", async () => {
      for (const error of [
        await failure({ baseUrl: "http://u:p@x" }),
        await failure({}, { AGENTD_BASE_URL: "http://u:p@x" }),
      ])
        expect(error.message).to.match(
          /the address holds a .* into auth \(or headers\) of the application in config\.json\.$/,
        );
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
      const missing = join(dir, "nowhere");
      expect((await failure()).message).to.equal(
        `target.auth.k refers to ${missing}, which cannot be read: there is no such file.`,
      );
      expect((await failure({ tokenFile: missing })).message).to.include(`${missing} (--token-file): there is no such`);
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

  it("is described with the origin of each value, which is the default for what nothing sets", async () => {
    write({ providers: { p: { type: "openai", api_key: "env:T" } } });
    const lines = describeSettings(await load({}, { T: "canary-secret" }));
    const from = (name: string) => lines.find((line) => line.name === `provider.${name}`)?.from;
    expect([from("type"), from("api_key"), from("temperature"), from("max_retries")]).to.deep.equal([
      "config.json",
      "config.json",
      "default",
      "default",
    ]);
  });

  describe("Applications", () => {
    it("have the settings of target, each its own, and the defaults where an entry says nothing", async () => {
      writeFileSync(join(dir, "login"), "user:password-of-crm\n");
      write({
        target: { auth: { key: "env:T" }, safety: { confirm: true } },
        applications: {
          shop: {
            base_url: "http://shop.test/api/",
            headers: { "X-Key": "env:H" },
            auth: { bearerAuth: "env:T" },
            arguments: { token: "env:A" },
            timeout_ms: 5000,
            allow_files: true,
            safety: { read_only: true },
          },
          "crm-2": { auth: { basic: "file:login" } },
        },
        safety: { strict: true },
      });
      const settings = await load({}, { T: "token-of-shop", H: "header-of-shop", A: "argument-of-shop" });
      const open = { read_only: false, dry_run: false, strict: false, confirm: false };
      const words = { glossary: {}, permissions: {} };
      const plain = {
        headers: {},
        arguments: {},
        timeoutMs: 30_000,
        undo: true,
        environment: {},
        trustAnnotations: false,
        superuserQuery: false,
        allowFiles: false,
        policy: open,
        ...words,
      };
      expect([...settings.applications]).to.deep.equal([
        [
          "shop",
          {
            baseUrl: "http://shop.test/api",
            headers: { "X-Key": "header-of-shop" },
            credentials: { bearerAuth: "token-of-shop" },
            arguments: { token: "argument-of-shop" },
            timeoutMs: 5000,
            undo: true,
            environment: {},
            trustAnnotations: false,
            superuserQuery: false,
            allowFiles: true,
            policy: { ...open, read_only: true },
            ...words,
          },
        ],
        ["crm-2", { ...plain, credentials: { basic: "user:password-of-crm" } }],
      ]);
      expect(settings.target).to.deep.equal({
        ...plain,
        credentials: { key: "token-of-shop" },
        policy: { ...open, confirm: true },
      });
      expect(settings.policy).to.deep.equal({ ...open, strict: true });
      expect(settings.secrets).to.include.members([
        "token-of-shop",
        "header-of-shop",
        "argument-of-shop",
        "user:password-of-crm",
        "password-of-crm",
      ]);
      expect(applicationSettings(settings, "")).to.equal(settings.target);
      expect(applicationSettings(settings, "shop")).to.equal(settings.applications.get("shop"));
      expect(applicationSettings(settings, "unmentioned")).to.deep.equal({ ...plain, credentials: {} });
    });

    it("take nothing from flags and variables, which are for the one without a name", async () => {
      write({ applications: { shop: { base_url: "http://shop.test" } } });
      const settings = await load({ readOnly: true }, { AGENTD_BASE_URL: "http://other.test", AGENTD_CONFIRM: "1" });
      expect(settings.target.baseUrl).to.equal("http://other.test");
      expect(settings.applications.get("shop")).to.deep.include({
        baseUrl: "http://shop.test",
        policy: { read_only: false, dry_run: false, strict: false, confirm: false },
      });
      expect(settings.policy).to.include({ read_only: true, confirm: true });
    });

    it("are described setting by setting, without a secret", async () => {
      write({ applications: { shop: { auth: { k: "env:T" }, safety: { dry_run: true } } } });
      const lines = describeSettings(await load({}, { T: "token-of-shop" }));
      expect(lines.filter(({ name }) => name.startsWith("applications"))).to.deep.equal([
        { name: "applications.shop.base_url", value: null, from: "default" },
        { name: "applications.shop.headers", value: {}, from: "default" },
        { name: "applications.shop.auth", value: { k: "[set]" }, from: "config.json" },
        { name: "applications.shop.arguments", value: {}, from: "default" },
        { name: "applications.shop.timeout_ms", value: 30_000, from: "default" },
        { name: "applications.shop.undo", value: true, from: "default" },
        { name: "applications.shop.allow_files", value: false, from: "default" },
        { name: "applications.shop.location", value: null, from: "default" },
        { name: "applications.shop.command", value: null, from: "default" },
        { name: "applications.shop.environment", value: {}, from: "default" },
        { name: "applications.shop.trust_annotations", value: false, from: "default" },
        { name: "applications.shop.superuser_query", value: false, from: "default" },
        { name: "applications.shop.glossary", value: {}, from: "default" },
        { name: "applications.shop.permissions", value: {}, from: "default" },
        { name: "applications.shop.safety.read_only", value: false, from: "default" },
        { name: "applications.shop.safety.dry_run", value: true, from: "config.json" },
        { name: "applications.shop.safety.strict", value: false, from: "default" },
        { name: "applications.shop.safety.confirm", value: false, from: "default" },
      ]);
    });

    it("are compared setting by setting when they are read again", async () => {
      const loaded = async (applications: object): Promise<Settings> => {
        write({ applications });
        return load();
      };
      const before = await loaded({ shop: { timeout_ms: 1 }, old: { allow_files: true } });
      const after = await loaded({ shop: { timeout_ms: 2 }, next: { base_url: "http://next.test" } });
      expect(changesBetween(before, after)).to.deep.equal({
        reloaded: ["applications.shop.timeout_ms", "applications.old.allow_files", "applications.next.base_url"],
        waiting: [],
      });
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
      const two = { name: "two", type: "openai-compatible", model: "m", baseUrl: "http://x/v1" };
      expect((await load()).provider).to.deep.equal({
        configured: two,
        entries: [{ name: "one", type: "offline" }, two],
      });
      expect((await load({ provider: "one", model: "other" })).provider).to.deep.equal({
        model: "other",
        configured: { name: "one", type: "offline", model: "other" },
        entries: [{ name: "one", type: "offline" }, two],
      });
    });

    it("is the entry that has the model of --model, or is named before its slash", async () => {
      const api = (model: string, models: string[]) => ({
        type: "openai-compatible",
        base_url: "http://x/v1",
        model,
        models,
      });
      const providers = {
        one: api("a", ["both"]),
        two: api("b", ["both", "c/d"]),
        three: api("e", ["twice"]),
        four: api("f", ["twice"]),
      };
      write({ providers });
      const chosen = async (model: string, provider?: string): Promise<string> => {
        const { configured } = (await load(provider === undefined ? { model } : { model, provider })).provider;
        return `${configured?.name} ${configured?.model} (${configured?.models?.join(", ")})`;
      };
      expect(await chosen("b")).to.equal("two b (b, both, c/d)");
      expect(await chosen("c/d")).to.equal("two c/d (b, both, c/d)");
      expect(await chosen("both")).to.equal("one both (a, both)");
      expect(await chosen("two/new")).to.equal("two new (b, both, c/d)");
      expect(await chosen("two/new", "one")).to.equal("one two/new (a, both)");
      expect(await chosen("unlisted")).to.equal("one unlisted (a, both)");
      const error = await load({ model: "twice" }).catch((thrown: unknown) => thrown);
      expect(String(error)).to.include("several providers have this model: three, four");
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

    it("N16 gets the vendor's usual key at the vendor's own address, or at the one its usual variable names, and nowhere else", async () => {
      const env = { OPENAI_API_KEY: "canary-key", ANTHROPIC_API_KEY: "canary-key", GEMINI_API_KEY: "canary-key" };
      const cases: [type: string, base_url: string | undefined, more: Record<string, string>, isSent: boolean][] = [
        ["openai", undefined, {}, true],
        ["openai", "https://api.openai.com/v1", {}, true],
        ["openai", "https://eu.api.openai.com/v1", {}, true],
        ["openai", "http://api.openai.com/v1", {}, false],
        ["openai", "https://api.openai.com.attacker.example/v1", {}, false],
        ["openai", "https://notapi.openai.com/v1", {}, false],
        ["openai", "https://gateway.example/v1", {}, false],
        ["openai", "https://gateway.example/v1", { OPENAI_BASE_URL: "https://gateway.example/v1/" }, true],
        ["openai", "https://other.example/v1", { OPENAI_BASE_URL: "https://gateway.example/v1/" }, false],
        ["anthropic", "https://api.anthropic.com", {}, true],
        ["anthropic", "http://127.0.0.1:1", {}, false],
        ["google", "https://generativelanguage.googleapis.com/v1beta", {}, true],
        ["google", "https://gateway.example", {}, false],
      ];
      for (const [type, base_url, more, isSent] of cases) {
        write({ providers: { p: { type, base_url } } });
        const { provider, warnings, secrets } = await load({}, { ...env, ...more });
        const title = `${type} ${base_url}`;
        expect(provider.configured?.apiKey, title).to.equal(isSent ? "canary-key" : undefined);
        expect(secrets.includes("canary-key"), title).to.equal(isSent);
        expect(warnings.join(), title).to.match(
          isSent ? /^$/ : /^providers\.p has .*_API_KEY is for .* not sent there/,
        );
      }
      write({
        providers: { p: { type: "openai", base_url: "https://gateway.example", api_key: "env:OPENAI_API_KEY" } },
      });
      expect((await load({}, env)).provider.configured?.apiKey).to.equal("canary-key");
    });

    it("is refused with a usual variable that holds no key", async () => {
      write({ providers: { p: { type: "openai" } } });
      expect((await failure({}, { OPENAI_API_KEY: "<your key>" })).message).to.equal(
        'providers.p needs a key: OPENAI_API_KEY holds a blank, a line break or another character that no key has; set it, or write "api_key": "env:NAME" into its entry in config.json.',
      );
      expect((await failure({}, { OPENAI_API_KEY: "your-key-here" })).message).to.include("holds a placeholder");
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

    it("B28 lists origins as browsers write them, and refuses every other form by name", async () => {
      const origins = ["https://Shop.example", "http://localhost:5173", "http://[::1]:8080"];
      expect((await load({ allowedOrigin: origins })).allowedOrigins).to.deep.equal(
        origins.map((origin) => origin.toLowerCase()),
      );
      const bad = [
        "*",
        "null",
        "https://*.shop.example",
        "shop.example",
        "https://shop.example/",
        "https://shop.example/x",
      ];
      for (const origin of [
        ...bad,
        "https://shop.example:443",
        "https://me:pw@shop.example",
        "ftp://shop.example",
        "http://x y",
      ]) {
        const { message, exitCode } = await failure({ allowedOrigin: [origin] });
        expect(message, origin)
          .to.match(/^--allowed-origin: "/)
          .and.not.contain("pw");
        expect(exitCode).to.equal(2);
      }
      write({ allowed_origins: ["*"] });
      expect((await failure()).message).to.contain('allowed_origins: "*" names more than one');
    });

    it("takes a unix socket and a base path, and refuses every other form", async () => {
      expect((await load({ listen: `unix:${dir}/d.sock` })).listen).to.equal(`${dir}/d.sock`);
      for (const listen of ["agentd.sock", "unix:", "tcp:1", `unix:/${"x".repeat(120)}`, "unix:/tmp/a:b"])
        expect((await failure({ listen })).message, listen).to.match(/^--listen: /);
      for (const [basePath, kept] of [
        ["/", ""],
        ["/agent", "/agent"],
        ["/a/b.c~d-e_f/", "/a/b.c~d-e_f"],
      ])
        expect((await load({ basePath })).basePath).to.equal(kept);
      for (const basePath of [
        "agent",
        "/a//b",
        "/../x",
        "/a b",
        "/a%20",
        "/a?x",
        '/"',
        "/a:b",
        "//",
        `/${"x".repeat(300)}`,
      ])
        expect((await failure({ basePath })).message, basePath).to.match(/^--base-path: .*is no base path/);
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

// What is found when nothing is configured; the Ollama is a real HTTP server on a free port.
import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { loadSettings } from "../../src/config/settings.js";
import { createProvider, providerOptions } from "../../src/providers/create.js";
import { chosenOllama, detectProvider, ollamaUrl } from "../../src/providers/detect.js";
import { start } from "../support/spawn.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("Models: with nothing configured", () => {
  let server: Server;
  let host: string;
  /** Model name to its capabilities; undefined for a version that sends none. */
  let models: Record<string, string[] | undefined>;
  let hang = false;
  let asked: string[];

  let dir: string;
  /** The settings with a provider chosen by its bare name. */
  const byName = (provider: string, env: Record<string, string>, model?: string) =>
    loadSettings({ dataDir: dir, flags: model === undefined ? { provider } : { provider, model }, env });

  before(async () => {
    dir = temporaryFolder("detect");
    server = createServer(async (request, response) => {
      asked.push(request.url ?? "");
      if (hang) return;
      let text = "";
      for await (const chunk of request) text += chunk;
      const send = (value: object): unknown => response.end(JSON.stringify(value));
      if (request.url === "/api/tags") return send({ models: Object.keys(models).map((name) => ({ name })) });
      if (request.url === "/api/show") return send({ capabilities: models[JSON.parse(text).model] });
      return response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    models = { "llama3:8b": ["completion"], "qwen3:8b": ["completion", "tools"], other: ["tools"] };
    hang = false;
    asked = [];
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it("uses a key in the environment first, in this order, without a request", async () => {
    const all = {
      OPENAI_API_KEY: "k-openai",
      ANTHROPIC_API_KEY: "k-anthropic",
      GOOGLE_GENERATIVE_AI_API_KEY: "k-google",
      GEMINI_API_KEY: "k-gemini",
      OLLAMA_HOST: host,
    };
    const order = ["openai", "anthropic", "google", "google"];
    let env: Record<string, string> = all;
    for (const [at, variable] of Object.keys(all).slice(0, 4).entries()) {
      const found = await detectProvider(env);
      expect(found).to.deep.include({ type: order[at], name: order[at], apiKey: env[variable] });
      expect(found.why).to.contain(variable).and.not.contain("k-");
      env = { ...env, [variable]: " " };
    }
    expect(asked).to.deep.equal([]);
  });

  it("keeps the address that goes with a key", async () => {
    const found = await detectProvider({ OPENAI_API_KEY: "k", OPENAI_BASE_URL: "http://127.0.0.1:1/v1" });
    expect(found.baseUrl).to.equal("http://127.0.0.1:1/v1");
  });

  /** The variables of each further vendor, and the address and the model they make. */
  const vendors: [name: string, env: Record<string, string>, baseUrl: string, model: string][] = [
    [
      "azure",
      {
        AZURE_OPENAI_API_KEY: "k-1",
        AZURE_OPENAI_ENDPOINT: "https://r.openai.azure.com/",
        AZURE_OPENAI_DEPLOYMENT: "d",
      },
      "https://r.openai.azure.com/openai/v1",
      "d",
    ],
    [
      "azure",
      {
        AZURE_OPENAI_API_KEY: "k-1",
        AZURE_OPENAI_ENDPOINT: "https://r.openai.azure.com/openai/v1/",
        AZURE_OPENAI_DEPLOYMENT_NAME: "d",
      },
      "https://r.openai.azure.com/openai/v1",
      "d",
    ],
    [
      "bedrock",
      { AWS_BEARER_TOKEN_BEDROCK: "k-1", AWS_DEFAULT_REGION: "eu-north-1" },
      "https://bedrock-runtime.eu-north-1.amazonaws.com/openai/v1",
      "openai.gpt-oss-120b-1:0",
    ],
    ["openrouter", { OPENROUTER_API_KEY: "k-1" }, "https://openrouter.ai/api/v1", "openrouter/auto"],
    ["mistral", { MISTRAL_API_KEY: "k-1" }, "https://api.mistral.ai/v1", "mistral-small-latest"],
    ["groq", { GROQ_API_KEY: "k-1" }, "https://api.groq.com/openai/v1", "openai/gpt-oss-120b"],
    ["deepseek", { DEEPSEEK_API_KEY: "k-1" }, "https://api.deepseek.com", "deepseek-flash"],
    ["xai", { XAI_API_KEY: "k-1" }, "https://api.x.ai/v1", "grok-4.3"],
  ];
  for (const [name, env, baseUrl, model] of vendors)
    it(`uses ${Object.keys(env).join(", ")}: found, and chosen by name`, async () => {
      const found = await detectProvider(env);
      expect(found).to.deep.include({ name, apiKey: "k-1", baseUrl, model });
      expect(found.why).to.equal(`${Object.keys(env)[0]} is set in the environment`);
      const chosen = await byName(name, env);
      expect(chosen.provider.configured).to.deep.include({ name, type: found.type, apiKey: "k-1", baseUrl, model });
      expect(chosen.warnings).to.deep.equal([]);
      if (name === "mistral") {
        expect(found.streamOptions).to.equal(false);
        expect(chosen.provider.configured?.streamOptions).to.equal(false);
      }
      const other = (await byName(name, env, "other")).provider.configured;
      expect(other?.model).to.equal("other");
    });

  it("says why a key is not used, and goes on to the next", async () => {
    const cases: [Record<string, string>, RegExp][] = [
      [{ AZURE_OPENAI_API_KEY: "k" }, /AZURE_OPENAI_API_KEY is set, and AZURE_OPENAI_ENDPOINT is not/],
      [
        { AZURE_OPENAI_API_KEY: "k", AZURE_OPENAI_ENDPOINT: "https://x" },
        /AZURE_OPENAI_API_KEY is set, and AZURE_OPENAI_DEPLOYMENT is not/,
      ],
      [{ AWS_BEARER_TOKEN_BEDROCK: "k" }, /AWS_BEARER_TOKEN_BEDROCK is set, and AWS_REGION is not/],
      [{ LITELLM_PROXY_API_KEY: "k" }, /LITELLM_PROXY_API_KEY is set, and no model: .*--provider litellm --model/],
      [{ OPENAI_API_KEY: "your-api-key-here" }, /OPENAI_API_KEY holds a placeholder/],
      [{ OPENAI_API_KEY: "sk-xxxx" }, /OPENAI_API_KEY holds a placeholder/],
      [{ OPENAI_API_KEY: "<key>" }, /OPENAI_API_KEY holds a placeholder/],
      [{ ANTHROPIC_API_KEY: "sk-1\nsk-2" }, /ANTHROPIC_API_KEY holds a blank, a line break/],
    ];
    for (const [env, reason] of cases) {
      const offline = await detectProvider({ ...env, OLLAMA_HOST: "127.0.0.1:1" });
      expect(offline.type).to.equal("offline");
      expect(offline.why)
        .to.match(reason)
        .and.match(/^no usable key/);
      const next = await detectProvider({ ...env, XAI_API_KEY: "k-xai" });
      expect(next).to.include({ name: "xai", apiKey: "k-xai" });
      expect(next.why)
        .to.match(reason)
        .and.match(/^XAI_API_KEY is set/)
        .and.not.contain("sk-");
      const name = { AZ: "azure", AW: "bedrock", LI: "litellm", OP: "openai", AN: "anthropic" }[
        Object.keys(env)[0]?.slice(0, 2) ?? ""
      ];
      const refused = await byName(name ?? "", env).catch((error: Error) => error.message);
      expect(refused).to.match(reason);
    }
  });

  it("takes the model that was named for the vendor in use, and for no other, nor for offline", async () => {
    const key = { LITELLM_PROXY_API_KEY: "k", OLLAMA_HOST: "127.0.0.1:1" };
    expect(await detectProvider(key, "mine")).to.deep.include({ name: "litellm", model: "mine" });
    const { further, ...first } = await detectProvider({ ...key, XAI_API_KEY: "k", GROQ_API_KEY: "k" }, "mine");
    expect(first).to.include({ name: "groq", model: "mine" });
    expect(further.map(({ name, model }) => [name, model])).to.deep.equal([["xai", "grok-4.3"]]);
    const offline = await detectProvider({ OLLAMA_HOST: "127.0.0.1:1" }, "mine");
    expect([offline.type, offline.model]).to.deep.equal(["offline", undefined]);
  });

  it("names the variable of a vendor that was chosen without a key", async () => {
    for (const [name, variable] of [
      ["openai", "OPENAI_API_KEY"],
      ["mistral", "MISTRAL_API_KEY"],
    ] as const)
      expect(await byName(name, {}).catch((error: Error) => error.message)).to.contain(`set ${variable}`);
  });

  it("takes GOOGLE_API_KEY for Google only when Google was chosen", async () => {
    const env = { GOOGLE_API_KEY: "k-maps", OLLAMA_HOST: "127.0.0.1:1" };
    expect((await detectProvider(env)).type).to.equal("offline");
    expect((await byName("google", env)).provider.configured).to.include({ type: "google", apiKey: "k-maps" });
  });

  it("sends ANTHROPIC_AUTH_TOKEN as a bearer token, to a gateway with or without /v1", async () => {
    const seen: [string | undefined, unknown, unknown][] = [];
    const gateway = createServer((request, response) => {
      seen.push([request.url, request.headers.authorization, request.headers["x-api-key"]]);
      request.resume();
      response.writeHead(400).end("{}");
    });
    await new Promise<void>((resolve) => gateway.listen(0, "127.0.0.1", resolve));
    const address = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/gate`;
    for (const base of [address, `${address}/`, `${address}/v1`]) {
      const env = { ANTHROPIC_AUTH_TOKEN: "t-1", ANTHROPIC_BASE_URL: base };
      const { configured } = (await byName("anthropic", env)).provider;
      for (const options of [await detectProvider(env), configured])
        if (options) {
          const provider = await createProvider("anthropic", providerOptions({ ...options, type: "anthropic" }));
          const request = { system: "", messages: [{ role: "user", text: "hi" } as const], tools: [] };
          await provider
            .reply(request, new AbortController().signal)
            .next()
            .catch(() => {});
        }
    }
    gateway.closeAllConnections();
    gateway.close();
    expect(seen).to.deep.equal(Array.from({ length: 6 }, () => ["/gate/v1/messages", "Bearer t-1", undefined]));
  });

  it("uses an Ollama next, with its first model that can use tools", async () => {
    const found = await detectProvider({ OLLAMA_HOST: host });
    expect(found).to.deep.include({
      type: "openai-compatible",
      name: "ollama",
      model: "qwen3:8b",
      baseUrl: `http://${host}/v1`,
    });
    expect(found.why).to.contain(host).and.contain("qwen3:8b");
  });

  it("uses an older Ollama's first model, which lists no capabilities", async () => {
    models = { "mistral:7b": undefined };
    expect((await detectProvider({ OLLAMA_HOST: `http://${host}/` })).model).to.equal("mistral:7b");
  });

  it("works offline when the Ollama has no such model, does not answer or is not there", async () => {
    models = { "llama3:8b": ["completion"] };
    expect((await detectProvider({ OLLAMA_HOST: host })).type).to.equal("offline");
    models = {};
    expect((await detectProvider({ OLLAMA_HOST: host })).type).to.equal("offline");
    hang = true;
    const at = performance.now();
    const found = await detectProvider({ OLLAMA_HOST: host });
    expect(performance.now() - at).to.be.below(2_000);
    expect(found).to.deep.include({ type: "offline", name: "offline" });
    expect((await detectProvider({ OLLAMA_HOST: "127.0.0.1:1" })).why).to.match(/no key.*no Ollama/);
    expect((await detectProvider({ OLLAMA_HOST: "::not an address::" })).type).to.equal("offline");
  });

  it("says who runs the Ollama it takes, and that nobody chose it", async () => {
    const { why } = await detectProvider({ OLLAMA_HOST: host });
    expect(why).to.include("It was not chosen by name: --provider does that");
    if (existsSync("/proc/net/tcp")) expect(why).to.include("run by this account or the system");
  });

  it("N11 asks nothing of a listener that another account runs, unless it was chosen by name", async function () {
    if (process.geteuid?.() !== 0 || !existsSync("/proc/net/tcp")) return this.skip();
    const code = `require("node:http").createServer((request, response) => {
      console.log(request.url);
      response.end(JSON.stringify({ models: [{ name: "spy" }] }));
    }).listen(0, "127.0.0.1", function () { console.log("port " + this.address().port); })`;
    const foreign = start([process.execPath, "-e", code], { uid: 54_321 });
    const address = `127.0.0.1:${await foreign.prints(/port (\d+)/)}`;
    const found = await detectProvider({ OLLAMA_HOST: address });
    expect(found.type).to.equal("offline");
    expect(found.why).to.include(`${address} is not used`).and.include("54321").and.include("--provider ollama");
    expect(foreign.stdout()).to.match(/^port \d+\n$/);
    const chosen = await chosenOllama({ OLLAMA_HOST: address }, undefined);
    expect(chosen).to.deep.equal({ baseUrl: `http://${address}/v1`, model: "spy" });
    await foreign.kill();
  });

  it("takes the Ollama chosen by name with the model named, or says where it looked", async () => {
    const named = await chosenOllama({ OLLAMA_HOST: host }, "llama3:8b");
    expect(named).to.deep.equal({ baseUrl: `http://${host}/v1`, model: "llama3:8b" });
    expect(asked).to.deep.equal([]);
    models = {};
    const failure = await chosenOllama({ OLLAMA_HOST: host }, undefined).catch((error: Error) => error.message);
    expect(failure).to.include(host).and.include("OLLAMA_HOST");
  });

  it("reads OLLAMA_HOST in all its forms", () => {
    const forms: [string | undefined, string | undefined][] = [
      [undefined, "http://127.0.0.1:11434/"],
      ["", "http://127.0.0.1:11434/"],
      ["box", "http://box:11434/"],
      ["box:80", "http://box/"],
      ["0.0.0.0", "http://127.0.0.1:11434/"],
      ["0.0.0.0:9", "http://127.0.0.1:9/"],
      ["http://box:9/ollama", "http://box:9/ollama"],
      ["https://box", undefined],
    ];
    for (const [text, url] of forms) expect(ollamaUrl(text)?.href, String(text)).to.equal(url);
  });
});

// What is found when nothing is configured; the Ollama is a real HTTP server on a free port.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { detectProvider, ollamaUrl } from "../../src/providers/detect.js";

describe("Models: with nothing configured", () => {
  let server: Server;
  let host: string;
  /** Model name to its capabilities; undefined for a version that sends none. */
  let models: Record<string, string[] | undefined>;
  let hang = false;
  let asked: string[];

  before(async () => {
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

// What is found when nothing is configured; the Ollama is a real HTTP server on a free port.
import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import { chosenOllama, detectProvider, ollamaUrl } from "../../src/providers/detect.js";
import { start } from "../support/spawn.js";

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

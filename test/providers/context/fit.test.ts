// Conversations fitted into the context of a model: a real provider against servers that say what they take in.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import type { Message } from "../../../src/domain/message.js";
import type { Tool } from "../../../src/domain/tool.js";
import type { JsonObject } from "../../../src/lib/json.js";
import { knownWindow } from "../../../src/providers/context/known-windows.js";
import { createProvider, type PartialOptions, providerOptions } from "../../../src/providers/create.js";
import type { Provider, Reply, ReplyRequest } from "../../../src/providers/provider.js";
import { type ModelServer, startModelServer } from "../../support/model-server.js";
import { startVendor, type Vendor } from "../../support/vendor.js";

/** A conversation of this many turns of about 1,000 tokens each, and a short prompt. */
function conversation(turns: number): Message[] {
  const messages: Message[] = [];
  for (let n = 1; n <= turns; n++)
    messages.push({ role: "user", text: `prompt ${n}` }, { role: "assistant", text: "x".repeat(4_000), calls: [] });
  return [...messages, { role: "user", text: "the present prompt" }];
}

const request = (turns: number): ReplyRequest => ({ system: "Be brief.", messages: conversation(turns), tools: [] });
const signal = new AbortController().signal;

async function read(provider: Provider, asked: ReplyRequest): Promise<{ reply: Reply; notices: string[] }> {
  const notices: string[] = [];
  const replies = provider.reply(asked, signal);
  for (;;) {
    const step = await replies.next();
    if (step.done) return { reply: step.value, notices };
    if (step.value.kind === "notice") notices.push(step.value.text);
  }
}

const OVERFLOWS: readonly [vendor: string, status: number, body: JsonObject][] = [
  ["OpenAI", 400, { error: { message: "Your input exceeds the limit.", code: "context_length_exceeded" } }],
  ["Anthropic", 400, { error: { message: "prompt is too long: 210000 tokens > 200000 maximum" } }],
  ["Google", 400, { error: { message: "The input token count (1100000) exceeds the maximum number of tokens" } }],
  ["Ollama", 400, { error: { message: "input length exceeds the context length" } }],
  ["llama.cpp", 400, { error: { message: "too much", type: "exceed_context_size_error", n_ctx: 4096 } }],
  ["llama.cpp, older", 500, { error: { message: "Context size has been exceeded.", type: "server_error" } }],
  ["vLLM", 400, { object: "error", message: "This model's maximum context length is 4096 tokens." }],
  ["Mistral", 400, { message: "too large for model with 32768 maximum context length" }],
  ["Groq", 413, { error: { message: "Please reduce the length of the messages or completion." } }],
  ["OpenRouter", 400, { error: { message: "This endpoint's maximum context length is 4096 tokens.", code: 400 } }],
  ["LM Studio", 400, { error: "Trying to keep the first 15857 tokens when context the overflows." }],
];

describe("Models: context", () => {
  let vendor: Vendor;
  let server: ModelServer | undefined;
  let answers: Record<string, JsonObject>;
  before(async () => {
    vendor = await startVendor();
  });
  beforeEach(() => {
    answers = {};
    vendor.script(() => ({ text: "ok", usage: { input: 0, output: 1 } }));
  });
  afterEach(async () => {
    await server?.close();
    server = undefined;
  });
  after(() => vendor.close());

  const make = (options: Partial<PartialOptions> = {}): Promise<Provider> => {
    const type = options.type ?? "openai-compatible";
    const complete = providerOptions({ name: "acme", model: "m", baseUrl: vendor.url, apiKey: "k", ...options, type });
    return createProvider(type, complete);
  };
  const makeAsking = async (options: Partial<PartialOptions> = {}): Promise<Provider> => {
    server = await startModelServer(vendor, () => answers);
    return make({ baseUrl: server.url, ...options });
  };
  const sent = (at: number): { role: string; content: string }[] =>
    (vendor.requests[at]?.body["messages"] ?? []) as { role: string; content: string }[];
  const prompts = (at = 0): string[] => sent(at).flatMap(({ role, content }) => (role === "user" ? [content] : []));

  it("sends everything to a model whose context is not known", async () => {
    const { notices } = await read(await make(), request(6));
    expect(prompts()).to.have.length(7);
    expect(notices).to.deep.equal([]);
  });

  it("fits the conversation into what contexts says of the model, before context_tokens", async () => {
    for (const [model, notices] of [
      ["m", 1],
      ["another", 0],
    ] as const) {
      const provider = await make({ contextTokens: 100_000, contexts: { [model]: 4_000 } });
      expect((await read(provider, request(6))).notices).to.have.length(notices);
    }
  });

  it("fits the conversation into context_tokens, oldest turns first, and tells it", async () => {
    const { notices } = await read(await make({ contextTokens: 4_000 }), request(6));
    expect(prompts()).to.deep.equal(["prompt 5", "prompt 6", "the present prompt"]);
    expect(notices).to.deep.equal([
      "The conversation is longer than the context of 4,000 tokens of m: the oldest 4 turns were left out.",
    ]);
  });

  it("tells it once in a turn", async () => {
    const provider = await make({ contextTokens: 4_000 });
    const first = request(6);
    expect((await read(provider, first)).notices).to.have.length(1);
    const call = { id: "c", name: "list", arguments: {} };
    const messages: Message[] = [
      ...first.messages,
      { role: "assistant", text: "", calls: [call] },
      { role: "tool", call_id: "c", name: "list", text: "[]", is_error: false },
    ];
    expect((await read(provider, { ...first, messages })).notices).to.have.length(0);
    expect((await read(provider, request(6))).notices).to.have.length(1);
  });

  it("leaves room for the reply, as much as max_tokens says", async () => {
    await read(await make({ contextTokens: 10_000, maxTokens: 4_500 }), request(9));
    expect(prompts()).to.have.length(6);
  });

  it("counts tools and instructions in", async () => {
    const tools = [{ name: "t", description: "x".repeat(4_000), input_schema: {} }] as unknown as Tool[];
    await read(await make({ contextTokens: 4_000, system: "x".repeat(2_000) }), { ...request(6), tools });
    expect(prompts()).to.deep.equal(["prompt 6", "the present prompt"]);
  });

  it("believes the vendor's count of tokens more than its own", async () => {
    vendor.script(() => ({ text: "ok", usage: { input: 12_000, output: 1 } }));
    const provider = await make({ contextTokens: 10_000 });
    await read(provider, request(6));
    expect(prompts(0)).to.have.length(7);
    await read(provider, request(6));
    expect(prompts(1)).to.have.length(4);
  });

  it("gives tools and results a part of a small context only", async () => {
    const provider = await make({ contextTokens: 4_096, toolTokens: 8_000, resultBudget: 24_000 });
    expect([provider.toolTokens, provider.resultBudget]).to.deep.equal([1_024, 4_096]);
    const large = await make({ contextTokens: 200_000, toolTokens: 8_000, resultBudget: 24_000 });
    expect([large.toolTokens, large.resultBudget]).to.deep.equal([8_000, 24_000]);
  });

  for (const [name, tokens] of [
    ["gpt-5-mini", 272_000],
    ["gpt-4o-mini", 128_000],
    ["gpt-4-0613", 8_192],
    ["claude-sonnet-4-5", 200_000],
    ["anthropic/claude-opus-4.1", 200_000],
    ["us.anthropic.claude-sonnet-4-5-v1:0", 200_000],
    ["google/gemini-2.5-flash", 1_048_576],
    ["openai.gpt-oss-120b-1:0", 131_072],
    ["qwen3", undefined],
    ["my-gpt-4", undefined],
  ] as const)
    it(`knows ${tokens === undefined ? "nothing" : `${tokens} tokens`} of ${name}`, () =>
      expect(knownWindow(name)).to.equal(tokens));

  describe("asked of the server", () => {
    const show = { details: {}, model_info: { "llama.context_length": 131_072 }, parameters: "stop x" };
    const loaded = (context_length: number): JsonObject => ({ models: [{ name: "m:latest", context_length }] });

    const servers: readonly [name: string, routes: Record<string, JsonObject>][] = [
      ["vLLM", { "GET /v1/models": { data: [{ id: "other" }, { id: "m", max_model_len: 4_000 }] } }],
      ["OpenRouter", { "GET /v1/models": { data: [{ id: "m", context_length: 4_000 }] } }],
      ["Groq", { "GET /v1/models": { data: [{ id: "m", context_window: 4_000 }] } }],
      ["Mistral", { "GET /v1/models": { data: [{ id: "m", max_context_length: 4_000 }] } }],
      ["llama.cpp", { "GET /props": { default_generation_settings: { n_ctx: 4_000 } } }],
      ["LM Studio", { "GET /api/v0/models": { data: [{ id: "m", loaded_context_length: 4_000 }] } }],
      ["Ollama, loaded", { "POST /api/show": show, "GET /api/ps": loaded(4_000) }],
      ["Ollama, by its Modelfile", { "POST /api/show": { ...show, parameters: "stop x\nnum_ctx      4000" } }],
    ];
    for (const [name, routes] of servers)
      it(`${name} says what it takes in, and the conversation is fitted`, async () => {
        answers = routes;
        const provider = await makeAsking();
        await provider.prepare?.(signal);
        const { notices } = await read(provider, request(6));
        expect(prompts()).to.deep.equal(["prompt 5", "prompt 6", "the present prompt"]);
        expect(notices[0]).to.contain("the context of 4,000 tokens of m: the oldest 4 turns were left out.");
      });

    it("asks once, and no server whose API is the vendor's own", async () => {
      answers = { "GET /v1/models": { data: [{ id: "m", max_model_len: 4_000 }] } };
      const provider = await makeAsking();
      await provider.prepare?.(signal);
      await provider.prepare?.(signal);
      expect(server?.asked).to.deep.equal(["GET /v1/models"]);
      await (await make({ type: "openai", baseUrl: server?.url })).prepare?.(signal);
      await (await make({ type: "anthropic", baseUrl: server?.url })).prepare?.(signal);
      expect(server?.asked).to.deep.equal(["GET /v1/models"]);
    });

    it("goes on with a server that says nothing, and asks it no more", async () => {
      const provider = await makeAsking();
      await provider.prepare?.(signal);
      await provider.prepare?.(signal);
      const asked = ["GET /v1/models", "POST /api/show", "GET /props", "GET /api/v0/models"];
      expect(server?.asked).to.deep.equal(asked);
      expect((await read(provider, request(6))).notices).to.deep.equal([]);
      expect(prompts()).to.have.length(7);
    });

    it("asks a server again that could not be reached", async () => {
      answers = { "GET /v1/models": { data: [{ id: "m", max_model_len: 4_000 }] } };
      const first = await startModelServer(vendor, () => answers);
      const { port } = new URL(first.url);
      await first.close();
      const provider = await make({ baseUrl: first.url });
      await provider.prepare?.(signal);
      server = await startModelServer(vendor, () => answers, Number(port));
      await provider.prepare?.(signal);
      await read(provider, request(6));
      expect(prompts()).to.have.length(3);
    });

    it("asks a server that breaks every question off once in a minute, not with every turn", async () => {
      let asked = 0;
      const breaking = createServer((_, response) => {
        asked++;
        response.destroy();
      });
      breaking.listen(0, "127.0.0.1");
      await once(breaking, "listening");
      const { port } = breaking.address() as AddressInfo;
      const provider = await make({ baseUrl: `http://127.0.0.1:${port}/v1` });
      const { now } = performance;
      try {
        await provider.prepare?.(signal);
        await provider.prepare?.(signal);
        expect(asked).to.equal(4);
        performance.now = () => now.call(performance) + 61_000;
        await provider.prepare?.(signal);
        expect(asked).to.equal(8);
      } finally {
        performance.now = now;
        breaking.close();
      }
    });

    it("believes context_tokens more than the server", async () => {
      answers = { "GET /v1/models": { data: [{ id: "m", max_model_len: 2_000 }] } };
      const provider = await makeAsking({ contextTokens: 4_000 });
      await provider.prepare?.(signal);
      await read(provider, request(6));
      expect(prompts()).to.have.length(3);
    });

    it("says how an Ollama is given more, when it was left no choice", async () => {
      answers = { "POST /api/show": show, "GET /api/ps": loaded(4_096) };
      const provider = await makeAsking();
      await provider.prepare?.(signal);
      const { notices } = await read(provider, request(6));
      expect(notices[0]).to.match(/OLLAMA_CONTEXT_LENGTH=16384, or write "PARAMETER num_ctx 16384" into a Modelfile/);
    });

    it("says that an Ollama cut the prompt, once the model is loaded and its context known", async () => {
      answers = { "POST /api/show": show, "GET /api/ps": { models: [] } };
      const provider = await makeAsking();
      await provider.prepare?.(signal);
      answers = { ...answers, "GET /api/ps": loaded(4_096) };
      const { notices } = await read(provider, request(6));
      expect(notices).to.have.length(1);
      expect(notices[0])
        .to.contain("Ollama runs m with a context of 4,096: it left out the beginning, tools first.")
        .and.contain("OLLAMA_CONTEXT_LENGTH=16384");
      // From then on it is fitted.
      expect((await read(provider, request(6))).notices[0]).to.contain("the oldest");
    });

    it("says so of context_tokens that are more than the Ollama has", async () => {
      answers = { "POST /api/show": show, "GET /api/ps": loaded(4_096) };
      const provider = await makeAsking({ contextTokens: 32_000 });
      await provider.prepare?.(signal);
      expect((await read(provider, request(6))).notices[0]).to.contain("with a context of 4,096");
      expect((await read(provider, request(1))).notices).to.deep.equal([]);
    });
  });

  describe("refused as too long", () => {
    for (const [name, status, body] of OVERFLOWS)
      it(`is asked once more without the oldest turns, by the words of ${name}`, async () => {
        const refusal = { status, body: JSON.stringify(body) };
        vendor.script([refusal, { text: "ok" }]);
        const { reply, notices } = await read(await make(), request(6));
        expect(reply.text).to.equal("ok");
        expect(vendor.requests).to.have.length(2);
        expect(prompts(1)).to.deep.equal(["prompt 5", "prompt 6", "the present prompt"]);
        expect(notices).to.deep.equal([
          "m refused the conversation as longer than its context: the oldest 4 turns were left out, and it is asked once more.",
        ]);
      });

    it("fails with its advice when the second attempt is refused, too", async () => {
      const refusal = { status: 400, body: JSON.stringify(OVERFLOWS[0]?.[2]) };
      vendor.script([refusal, refusal, { text: "never" }]);
      const failure = await read(await make(), request(6)).catch((error: Error) => error);
      expect(failure).to.be.an("error").with.property("message").that.contains("start a new session");
      expect(vendor.requests).to.have.length(2);
    });

    it("fails at once when nothing can be left out", async () => {
      vendor.script([{ status: 400, body: JSON.stringify(OVERFLOWS[0]?.[2]) }, { text: "never" }]);
      const failure = await read(await make(), request(0)).catch((error: Error) => error);
      expect(failure).to.be.an("error").with.property("message").that.contains("longer than its context");
      expect(vendor.requests).to.have.length(1);
    });

    it("remembers what was refused", async () => {
      const provider = await make();
      vendor.script([{ status: 413 }, { text: "ok" }, { text: "ok" }]);
      await read(provider, request(6));
      await read(provider, request(6));
      expect(vendor.requests).to.have.length(3);
      expect(prompts(2).length).to.be.lessThan(7);
    });

    it("forgets it after an hour: what a server takes in may be more by then", async () => {
      const provider = await make();
      vendor.script([{ status: 413 }, { text: "ok" }, { text: "ok" }]);
      await read(provider, request(6));
      const { now } = performance;
      performance.now = () => now.call(performance) + 61 * 60_000;
      try {
        await read(provider, request(6));
      } finally {
        performance.now = now;
      }
      expect(prompts(2)).to.have.length(7);
    });

    it("counts no attempt of max_retries", async () => {
      vendor.script([{ status: 413 }, { text: "ok" }]);
      expect((await read(await make({ maxRetries: 0 }), request(6))).reply.text).to.equal("ok");
    });

    it("is not taken for a limit on requests", async () => {
      vendor.script([{ status: 429, body: '{"error":{"message":"too many tokens in your context window"}}' }]);
      await read(await make({ maxRetries: 0 }), request(6)).catch(() => {});
      expect(vendor.requests).to.have.length(1);
    });
  });
});

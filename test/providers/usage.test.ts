// Tokens in every vendor's own words become the same counts: all input and all output, and what of them was cached or thought.
// Source: docs/reference.md, "Usage and cost".
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { ProviderType } from "../../src/config/provider-table.js";
import { addUsage, type TokenCounts, usageOfCall } from "../../src/domain/usage.js";
import { type JsonObject, listOf, objectOf } from "../../src/lib/json.js";
import { createProvider, type PartialOptions, providerOptions } from "../../src/providers/create.js";
import { ProviderError, type Reply, type ReplyRequest } from "../../src/providers/provider.js";
import { until } from "../support/until.js";
import { startVendor, type Vendor } from "../support/vendor.js";

const chat = (usage: JsonObject): JsonObject[] => [
  { choices: [{ index: 0, delta: { content: "ok" }, finish_reason: "stop" }] },
  { choices: [], usage },
];
const responses = (usage: JsonObject): JsonObject[] => [
  { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "m", content: [] } },
  { type: "response.output_text.delta", output_index: 0, item_id: "m", delta: "ok" },
  { type: "response.completed", response: { object: "response", status: "completed", output: [], usage } },
];
const anthropic = (input: JsonObject, output: JsonObject): JsonObject[] => [
  {
    type: "message_start",
    message: { id: "m", type: "message", role: "assistant", model: "m", content: [], stop_reason: null, usage: input },
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "ok" } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage: output },
  { type: "message_stop" },
];
const google = (usageMetadata: JsonObject): JsonObject[] => [
  {
    candidates: [{ content: { role: "model", parts: [{ text: "ok" }] }, index: 0, finishReason: "STOP" }],
    usageMetadata,
  },
];

interface UsageCase {
  vendor: string;
  type: ProviderType;
  api?: "chat" | "responses";
  events: JsonObject[];
  usage: TokenCounts;
}

const CASES: UsageCase[] = [
  {
    vendor: "OpenAI, Chat Completions",
    type: "openai",
    api: "chat",
    events: chat({
      prompt_tokens: 1200,
      completion_tokens: 300,
      total_tokens: 1500,
      prompt_tokens_details: { cached_tokens: 1024, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 192, audio_tokens: 0 },
    }),
    usage: { input_tokens: 1200, output_tokens: 300, cached_tokens: 1024, reasoning_tokens: 192 },
  },
  {
    vendor: "OpenAI, Responses",
    type: "openai",
    api: "responses",
    events: responses({
      input_tokens: 1200,
      input_tokens_details: { cached_tokens: 1024 },
      output_tokens: 300,
      output_tokens_details: { reasoning_tokens: 192 },
      total_tokens: 1500,
    }),
    usage: { input_tokens: 1200, output_tokens: 300, cached_tokens: 1024, reasoning_tokens: 192 },
  },
  {
    vendor: "Ollama",
    type: "openai-compatible",
    events: chat({ prompt_tokens: 26, completion_tokens: 9, total_tokens: 35 }),
    usage: { input_tokens: 26, output_tokens: 9 },
  },
  {
    vendor: "DeepSeek",
    type: "openai-compatible",
    events: chat({
      prompt_tokens: 500,
      completion_tokens: 40,
      total_tokens: 540,
      prompt_cache_hit_tokens: 384,
      prompt_cache_miss_tokens: 116,
      completion_tokens_details: { reasoning_tokens: 30 },
    }),
    usage: { input_tokens: 500, output_tokens: 40, cached_tokens: 384, reasoning_tokens: 30 },
  },
  {
    vendor: "OpenRouter, which says what the cache took",
    type: "openai-compatible",
    events: chat({
      prompt_tokens: 500,
      completion_tokens: 40,
      total_tokens: 540,
      prompt_tokens_details: { cached_tokens: 100, cache_write_tokens: 300 },
    }),
    usage: { input_tokens: 500, output_tokens: 40, cached_tokens: 100, cache_write_tokens: 300 },
  },
  {
    vendor: "LiteLLM before Anthropic",
    type: "openai-compatible",
    events: chat({
      prompt_tokens: 500,
      completion_tokens: 40,
      prompt_tokens_details: { cached_tokens: 100 },
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 300,
    }),
    usage: { input_tokens: 500, output_tokens: 40, cached_tokens: 100, cache_write_tokens: 300 },
  },
  {
    vendor: "xAI, which counts reasoning beside the completion",
    type: "openai-compatible",
    events: chat({
      prompt_tokens: 100,
      completion_tokens: 10,
      total_tokens: 410,
      completion_tokens_details: { reasoning_tokens: 300 },
    }),
    usage: { input_tokens: 100, output_tokens: 310, reasoning_tokens: 300 },
  },
  {
    vendor: "Groq, in a field of its own",
    type: "openai-compatible",
    events: [
      {
        choices: [{ index: 0, delta: { content: "ok" }, finish_reason: "stop" }],
        x_groq: { usage: { prompt_tokens: 7, completion_tokens: 2 } },
      },
    ],
    usage: { input_tokens: 7, output_tokens: 2 },
  },
  {
    vendor: "Anthropic, whose input leaves out what its cache had",
    type: "anthropic",
    events: anthropic(
      { input_tokens: 50, cache_creation_input_tokens: 200, cache_read_input_tokens: 1000, output_tokens: 1 },
      { output_tokens: 80 },
    ),
    usage: { input_tokens: 1250, output_tokens: 80, cached_tokens: 1000, cache_write_tokens: 200 },
  },
  {
    vendor: "Google, whose output leaves out what the model thought",
    type: "google",
    events: google({
      promptTokenCount: 900,
      cachedContentTokenCount: 600,
      candidatesTokenCount: 40,
      thoughtsTokenCount: 160,
      totalTokenCount: 1100,
    }),
    usage: { input_tokens: 900, output_tokens: 200, cached_tokens: 600, reasoning_tokens: 160 },
  },
];

const REQUEST: ReplyRequest = { system: "Be brief.", messages: [{ role: "user", text: "hello" }], tools: [] };
const tool = (name: string): ReplyRequest["tools"][number] => ({
  name,
  application: "",
  description: name,
  input_schema: { type: "object", properties: {} },
  resource: "r",
  verb: "get",
  safety: "read_only",
  provenance: "declared",
  transport: { kind: "http" },
});

describe("Usage and cost: what vendors count", () => {
  let vendor: Vendor;
  before(async () => {
    vendor = await startVendor();
  });
  after(() => vendor.close());

  const ask = async (
    options: Omit<PartialOptions, "name">,
    request = REQUEST,
    signal = new AbortController().signal,
  ): Promise<Reply> => {
    const complete = providerOptions({ name: "v", model: "m", baseUrl: vendor.url, apiKey: "k", ...options });
    const provider = await createProvider(options.type, complete);
    const replies = provider.reply(request, signal);
    for (;;) {
      const step = await replies.next();
      if (step.done) return step.value;
    }
  };
  const texts = (events: readonly JsonObject[]): string[] => events.map((event) => JSON.stringify(event));

  for (const { vendor: name, type, api, events, usage } of CASES)
    it(`are read of ${name}`, async () => {
      vendor.script([{ events: texts(events) }]);
      expect((await ask({ type, api })).usage).to.deep.equal(usage);
    });

  it("are not there where the vendor's block has no count that can be read", async () => {
    for (const usage of [{}, { prompt_tokens: null, completion_tokens: "5" }] as JsonObject[]) {
      vendor.script([{ events: texts(chat(usage)) }]);
      expect((await ask({ type: "openai-compatible" })).usage).to.equal(undefined);
    }
  });

  it("count attempts that failed where the vendor had counted by then @all", async () => {
    const broken: JsonObject[] = [{ choices: [], usage: { prompt_tokens: 10, completion_tokens: 1 } }];
    const whole = chat({ prompt_tokens: 10, completion_tokens: 5 });
    vendor.script([{ status: 503 }, { events: texts(broken) }, { events: texts(whole) }]);
    const { usage } = await ask({ type: "openai-compatible", maxRetries: 2 });
    expect(vendor.requests.length).to.equal(3);
    expect(usage).to.deep.equal({ input_tokens: 20, output_tokens: 6 });
  });

  it("are part of a failure", async () => {
    const counted = { choices: [], usage: { prompt_tokens: 10, completion_tokens: 1 } };
    const broken: JsonObject[] = [counted, { error: { message: "no", code: 400 } }];
    vendor.script([{ events: texts(broken) }]);
    const error = await ask({ type: "openai-compatible", maxRetries: 0 }).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(ProviderError);
    expect((error as ProviderError).usage).to.deep.equal({ input_tokens: 10, output_tokens: 1 });
  });

  const BROKEN: [ProviderType, JsonObject[]][] = [
    ["openai-compatible", [{ ...chat({ prompt_tokens: 10, completion_tokens: 1 })[1], choices: [] }]],
    ["anthropic", anthropic({ input_tokens: 6, cache_read_input_tokens: 4, output_tokens: 1 }, {}).slice(0, 3)],
    [
      "google",
      [
        {
          candidates: [{ content: { parts: [{ text: "ok" }] } }],
          usageMetadata: { promptTokenCount: 10, thoughtsTokenCount: 1 },
        },
      ],
    ],
  ];
  for (const [type, events] of BROKEN)
    it(`are kept of a call that was cut or cancelled: ${type}`, async () => {
      const tokens = { input_tokens: 10, output_tokens: 1 };
      vendor.script([{ events: texts(events) }]);
      const cut = await ask({ type, maxRetries: 0 }).catch((thrown: unknown) => thrown);
      expect((cut as ProviderError).usage, String(cut)).to.deep.include(tokens);

      vendor.script([{ events: texts(events), trouble: "stall" }]);
      const controller = new AbortController();
      const cancelled = ask({ type }, REQUEST, controller.signal).catch((thrown: unknown) => thrown);
      await until(() => vendor.requests.length > 0);
      await sleep(100);
      const reason = new Error("enough");
      controller.abort(reason);
      const error = await cancelled;
      expect(error).to.be.instanceOf(ProviderError);
      expect((error as ProviderError).cause).to.equal(reason);
      expect((error as ProviderError).usage).to.deep.include(tokens);
    });

  it("marks the last tool and the instructions for Anthropic's cache, unless that is turned off", async () => {
    const request = { ...REQUEST, tools: [tool("one"), tool("two")] };
    const marked = { type: "ephemeral" };
    vendor.script(() => ({ text: "ok" }));
    await ask({ type: "anthropic" }, request);
    await ask({ type: "anthropic", promptCache: false }, request);
    await ask({ type: "anthropic" }, REQUEST);
    const [on, off, without] = vendor.requests.map(({ body }) => body);
    expect(on?.["system"]).to.deep.equal([{ type: "text", text: "Be brief.", cache_control: marked }]);
    expect(listOf(on?.["tools"]).map((one) => objectOf(one)["cache_control"])).to.deep.equal([undefined, marked]);
    expect(vendor.requests[0]?.text.split('"cache_control"').length).to.equal(3);
    expect(vendor.requests[1]?.text).to.not.include("cache_control");
    expect(listOf(off?.["tools"]).length).to.equal(2);
    expect(without).to.not.have.property("tools");
  });

  it("has no marks for another vendor", async () => {
    vendor.script(() => ({ text: "ok" }));
    for (const type of ["openai", "openai-compatible", "google"] as const) await ask({ type });
    for (const { text } of vendor.requests) expect(text).to.not.match(/cache_?control/i);
  });
});

describe("Usage and cost: money", () => {
  const by = { provider: "p", model: "m" };
  const tokens = {
    input_tokens: 1_000_000,
    output_tokens: 100_000,
    cached_tokens: 600_000,
    cache_write_tokens: 100_000,
  };

  it("is what the operator says, for plain, cached and written input and for output", () => {
    const price = { input: 3, cached: 0.3, cache_write: 3.75, output: 15, currency: "EUR" };
    expect(usageOfCall(tokens, by, price)).to.deep.equal({ ...tokens, ...by, cost: 2.955, currency: "EUR" });
  });

  it("takes the price of input where there is none for the cache, and is nothing without a price", () => {
    expect(usageOfCall(tokens, by, { input: 3, output: 15, currency: "USD" }).cost).to.equal(4.5);
    expect(usageOfCall(tokens, by, undefined)).to.deep.equal({ ...tokens, ...by });
  });

  it("is summed in one currency; what has no price adds none, and two currencies have no sum", () => {
    const call = { input_tokens: 1, output_tokens: 2, ...by };
    const usd = { ...call, cost: 0.1, currency: "USD" };
    const sum = { input_tokens: 2, output_tokens: 4, ...by };
    expect(addUsage(usd, { ...usd, cost: 0.2 })).to.deep.equal({ ...sum, cost: 0.3, currency: "USD" });
    expect(addUsage(usd, call)).to.deep.equal({ ...sum, cost: 0.1, currency: "USD" });
    expect(addUsage(usd, { ...usd, currency: "EUR" })).to.deep.equal(sum);
    expect(addUsage(undefined, call)).to.deep.equal(call);
  });
});

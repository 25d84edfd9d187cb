// What is particular about OpenAI's responses and the servers that have them: the order of items, reasoning, refusals, cuts,
// errors inside the stream, items that come as a whole. The events are the ones the API's reference and the servers' sources have.
import { expect } from "chai";
import { OPENAI_URL, openAiApiOf } from "../../../src/config/openai-api.js";
import type { Message } from "../../../src/domain/message.js";
import type { Tool } from "../../../src/domain/tool.js";
import { isObject, type JsonObject, listOf, toJson } from "../../../src/lib/json.js";
import { createProvider, providerOptions } from "../../../src/providers/create.js";
import { ProviderError, type Reply } from "../../../src/providers/provider.js";
import { startVendor, type Vendor } from "../../support/vendor.js";

const LOOK: Tool = {
  name: "look",
  application: "",
  description: "Looks.",
  input_schema: { type: "object", properties: {} },
  resource: "r",
  verb: "get",
  safety: "read_only",
  provenance: "declared",
  transport: { kind: "http", method: "GET", path: "/look" },
};
const user = (text: string): Message => ({ role: "user", text });
const answer = (call_id: string): Message => ({ role: "tool", call_id, name: "look", text: "{}", is_error: false });

/** Reasoning items, with what the API adds that it does not take back. */
const thought = (n: number): JsonObject => ({
  type: "reasoning",
  id: `rs_${n}`,
  summary: [{ type: "summary_text", text: `Thought ${n}.` }],
  encrypted_content: `gAAAA${n}`,
});
const message = (n: number, text: string, phase?: string): JsonObject => ({
  type: "message",
  id: `msg_a${n}`,
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
  ...(phase !== undefined && { phase }),
});
const call = (n: number): JsonObject => ({
  type: "function_call",
  id: `fc_${n}`,
  call_id: `call_${n}`,
  name: "look",
  arguments: `{"n":${n}}`,
  status: "completed",
});

/** The events of a stream that brings each item as a whole. */
const streamOf = (items: JsonObject[], response: JsonObject = {}): string[] => [
  toJson({ type: "response.created", response: { object: "response", status: "in_progress", output: [] } }),
  ...items.map((item, output_index) => toJson({ type: "response.output_item.done", output_index, item })),
  toJson({
    type: "response.completed",
    response: { object: "response", status: "completed", output: items, ...response },
  }),
];

describe("Models: responses, in particular", () => {
  let vendor: Vendor;
  before(async () => {
    vendor = await startVendor();
  });
  after(() => vendor.close());

  const ask = async (messages: Message[] = [user("go")], more: object = {}): Promise<Reply & { deltas: string[] }> => {
    const type = "openai";
    const given = { type, name: "p", model: "m", api: "responses", baseUrl: vendor.url, apiKey: "k-123456" } as const;
    const provider = await createProvider(type, providerOptions({ ...given, maxRetries: 0, ...more }));
    const replies = provider.reply({ system: "Be brief.", messages, tools: [LOOK] }, new AbortController().signal);
    const deltas: string[] = [];
    for (;;) {
      const step = await replies.next();
      if (step.done) return { ...step.value, deltas };
      deltas.push(step.value.text);
    }
  };
  const failureOf = (messages?: Message[]): Promise<ProviderError> =>
    ask(messages).then(
      () => expect.fail("the call was expected to fail"),
      (error: ProviderError) => error,
    );
  /** What the store does with a reply in between. */
  const kept = ({ text, calls, meta }: Reply): Message =>
    JSON.parse(JSON.stringify({ role: "assistant", text, calls, meta })) as Message;
  const input = (): JsonObject[] => listOf(vendor.requests.at(-1)?.body["input"]).filter(isObject);

  it("keeps nothing at the vendor, asks for encrypted reasoning, and sends its instructions apart", async () => {
    vendor.script([{ text: "ok" }]);
    await ask();
    const [{ path, body } = { path: "", body: {} }] = vendor.requests;
    expect(path).to.equal("/v1/responses");
    expect(body).to.deep.equal({
      model: "m",
      stream: true,
      store: false,
      include: ["reasoning.encrypted_content"],
      instructions: "Be brief.",
      input: [{ type: "message", role: "user", content: "go" }],
      tools: [{ type: "function", name: "look", description: "Looks.", parameters: LOOK.input_schema, strict: false }],
    });
  });

  it("Q2 reads a reply of tens of thousands of items, each looked up at once, by its number and by its id @all", async () => {
    const count = 60_000;
    const numbers = Array.from({ length: count }, (_, n) => n);
    const added = numbers.map((n) => toJson({ type: "response.output_item.added", output_index: n, item: thought(n) }));
    const told = numbers.map((n) =>
      toJson({ type: "response.reasoning_summary_text.delta", item_id: `rs_${n}`, delta: "." }),
    );
    vendor.script([{ events: [...added, ...told, ...streamOf([]).slice(1)] }]);
    const before = process.cpuUsage();
    const { reasoning = "" } = await ask();
    const { user: used } = process.cpuUsage(before);
    expect(reasoning.split("\n\n")).to.have.length(count);
    // Microseconds; with a look at all of them for each it was more than twice that.
    expect(used).to.be.below(12_000_000);
  });

  it("sends a reply back in the order it came: reasoning before what came of it, texts apart, phases as they were", async () => {
    const items = [
      thought(1),
      message(1, "I look.", "commentary"),
      call(1),
      thought(2),
      message(2, "And again.", "commentary"),
      call(2),
    ];
    vendor.script([{ events: streamOf(items) }, { text: "ok" }]);
    const reply = await ask();
    expect(reply).to.deep.include({
      text: "I look.\n\nAnd again.",
      reasoning: "Thought 1.\n\nThought 2.",
      finish: "tool_calls",
    });
    expect(reply.deltas.join("")).to.equal(reply.text);
    await ask([user("go"), kept(reply), answer("call_1"), answer("call_2")]);
    const text = (value: string, id: string) => ({
      type: "message",
      id,
      role: "assistant",
      status: "completed",
      content: [{ type: "output_text", text: value, annotations: [] }],
      phase: "commentary",
    });
    const wireCall = (n: number) => ({
      type: "function_call",
      call_id: `call_${n}`,
      name: "look",
      arguments: `{"n":${n}}`,
    });
    expect(input().slice(1)).to.deep.equal([
      thought(1),
      text("I look.", "msg_1_1"),
      wireCall(1),
      thought(2),
      text("And again.", "msg_1_4"),
      wireCall(2),
      { type: "function_call_output", call_id: "call_1", output: "{}" },
      { type: "function_call_output", call_id: "call_2", output: "{}" },
    ]);
  });

  it("sends no reasoning back where no call came of it, and none that is empty without the vendor's copy", async () => {
    const bare: JsonObject = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: null };
    vendor.script([
      { events: streamOf([thought(1), message(1, "Done.", "final_answer")]) },
      { events: streamOf([bare, call(1)]) },
      { text: "ok" },
    ]);
    const done = await ask();
    const called = await ask();
    await ask([user("go"), kept(done), user("more"), kept(called), answer("call_1")]);
    expect(input().map((item) => item["type"])).to.deep.equal([
      "message",
      "message",
      "message",
      "function_call",
      "function_call_output",
    ]);
    expect(input()[1]).to.deep.include({ phase: "final_answer" });
  });

  it("sends reasoning in the open back to servers that have it so", async () => {
    const open: JsonObject = {
      type: "reasoning",
      id: "rs_1",
      summary: [],
      content: [{ type: "reasoning_text", text: "I should look." }],
    };
    vendor.script([{ events: streamOf([open, call(1)]) }, { text: "ok" }]);
    const reply = await ask();
    expect(reply.reasoning).to.equal("I should look.");
    await ask([user("go"), kept(reply), answer("call_1")]);
    expect(input()[1]).to.deep.equal(open);
  });

  it("sends reasoning to no other provider, model or vendor", async () => {
    vendor.script([
      { events: streamOf([thought(1), call(1)]) },
      { text: "ok" },
      { text: "ok" },
      { text: "ok" },
      { text: "ok" },
    ]);
    const messages = [user("go"), kept(await ask()), answer("call_1")];
    for (const other of [{ name: "q" }, { model: "n" }]) {
      await ask(messages, other);
      expect(vendor.requests.at(-1)?.text).not.to.match(/gAAAA|rs_1|Thought/);
      expect(input()).to.have.length(3);
    }
    for (const type of ["openai-compatible", "anthropic"] as const) {
      const options = providerOptions({ type, name: type, model: "m", baseUrl: vendor.url, apiKey: "k-123456" });
      const replies = (await createProvider(type, options)).reply(
        { system: "", messages, tools: [] },
        new AbortController().signal,
      );
      while (!(await replies.next()).done);
      expect(vendor.requests.at(-1)?.text).not.to.match(/gAAAA|rs_1|Thought/);
    }
  });

  it("reads a refusal as the text it is", async () => {
    const at = { item_id: "msg_1", output_index: 0, content_index: 0 };
    const item = { type: "message", id: "msg_1", role: "assistant", content: [] as JsonObject[] };
    const whole = { ...item, content: [{ type: "refusal", refusal: "I cannot do that." }] };
    vendor.script([
      {
        events: [
          toJson({ type: "response.output_item.added", output_index: 0, item }),
          toJson({ type: "response.refusal.delta", ...at, delta: "I cannot " }),
          toJson({ type: "response.refusal.delta", ...at, delta: "do that." }),
          toJson({ type: "response.refusal.done", ...at, refusal: "I cannot do that." }),
          toJson({ type: "response.output_item.done", output_index: 0, item: whole }),
          toJson({ type: "response.completed", response: { status: "completed", output: [whole] } }),
        ],
      },
    ]);
    const reply = await ask();
    expect(reply).to.deep.include({ text: "I cannot do that.", finish: "stop", deltas: ["I cannot ", "do that."] });
  });

  it("takes interleaved calls apart by their numbers, and by their ids from servers without numbers", async () => {
    const delta = (n: number, text: string, isNumbered: boolean): string =>
      toJson({
        type: "response.function_call_arguments.delta",
        item_id: `fc_${n}`,
        delta: text,
        ...(isNumbered && { output_index: n }),
      });
    for (const isNumbered of [true, false]) {
      const added = [0, 1].map((n) =>
        toJson({
          type: "response.output_item.added",
          item: { ...call(n), arguments: "", status: "in_progress" },
          ...(isNumbered && { output_index: n }),
        }),
      );
      const pieces = [delta(0, '{"n"', isNumbered), delta(1, '{"m":', isNumbered), delta(0, ":1}", isNumbered)];
      const events = [...added, ...pieces, delta(1, "2}", isNumbered)];
      vendor.script([
        { events: [...events, toJson({ type: "response.completed", response: { status: "completed" } })] },
      ]);
      const { calls } = await ask();
      expect(calls.map(({ id, arguments: args }) => [id, args])).to.deep.equal([
        ["call_0", { n: 1 }],
        ["call_1", { m: 2 }],
      ]);
    }
  });

  it("takes an output that comes with the last event only, or that was not streamed at all", async () => {
    const response = { object: "response", status: "completed", output: [thought(1), message(1, "Hi."), call(1)] };
    vendor.script([
      { events: [toJson({ type: "response.completed", response })] },
      { status: 200, body: toJson({ ...response, error: null }) },
    ]);
    for (const reply of [await ask(), await ask()]) {
      expect(reply).to.deep.include({ text: "Hi.", deltas: ["Hi."], reasoning: "Thought 1.", finish: "tool_calls" });
      expect(reply.calls).to.have.length(1);
    }
  });

  it("takes text of an item that was never announced", async () => {
    const events = ["Hel", "lo"].map((delta) =>
      toJson({ type: "response.output_text.delta", item_id: "m", output_index: 0, delta }),
    );
    vendor.script([{ events: [...events, toJson({ type: "response.completed", response: { status: "completed" } })] }]);
    expect(await ask()).to.deep.include({ text: "Hello", deltas: ["Hel", "lo"] });
  });

  it("keeps no more calls than are answered, however many come", async () => {
    const items = Array.from({ length: 200 }, (_, n) => call(n));
    vendor.script([{ events: streamOf(items) }]);
    expect((await ask()).calls).to.have.length(65);
  });

  const cuts: [string, JsonObject, Reply["finish"]][] = [
    ["length", { incomplete_details: { reason: "max_output_tokens" } }, "length"],
    ["a filter", { incomplete_details: { reason: "content_filter" } }, "content_filter"],
    ["a reason of its own", { incomplete_details: { reason: "max_tool_calls" } }, "other"],
    ["no reason", { incomplete_details: null }, "other"],
  ];
  for (const [title, details, finish] of cuts)
    it(`says that a response is incomplete by ${title}`, async () => {
      const response = { status: "incomplete", output: [], ...details };
      const events = [
        ...streamOf([message(1, "Half")]).slice(0, -1),
        toJson({ type: "response.incomplete", response }),
      ];
      vendor.script([{ events }]);
      expect(await ask()).to.deep.include({ text: "Half", finish });
    });

  const errors: [string, JsonObject, RegExp, boolean][] = [
    [
      "response.failed",
      {
        type: "response.failed",
        response: { status: "failed", error: { code: "server_error", message: "It broke." } },
      },
      /"p".*It broke\./,
      true,
    ],
    [
      "response.failed for a prompt that is refused",
      {
        type: "response.failed",
        response: { status: "failed", error: { code: "invalid_prompt", message: "Not this." } },
      },
      /"p".*Not this\./,
      false,
    ],
    ["response.failed without a word", { type: "response.failed", response: {} }, /"p".*response failed/, false],
    [
      "error",
      { type: "error", code: "rate_limit_exceeded", message: "Slow down.", param: null, sequence_number: 3 },
      /"p".*Slow down\./,
      true,
    ],
    [
      "error with its fields in an object",
      {
        type: "error",
        error: { type: "invalid_request_error", code: "context_length_exceeded", message: "Too long." },
      },
      /"p".*Too long\. The conversation is longer/,
      false,
    ],
  ];
  for (const [title, event, sentence, retryable] of errors)
    it(`ends with the vendor's words after ${title}`, async () => {
      vendor.script([{ events: [...streamOf([message(1, "Half")]).slice(0, -1), toJson(event)] }]);
      const error = await failureOf();
      expect(error).to.be.instanceOf(ProviderError);
      expect(error.message).to.match(sentence);
      expect(error.retryable).to.equal(retryable);
    });

  it("ends as cut when the stream ends without its last event, whatever came", async () => {
    vendor.script([{ events: streamOf([message(1, "Half"), call(1)]).slice(0, -1) }]);
    expect((await failureOf()).message).to.match(/before it was complete/);
  });

  it("goes on without encrypted reasoning for a model that refuses it, and asks only once", async () => {
    const refusal = { error: { message: "Encrypted content is not supported with this model.", param: "include" } };
    const options = providerOptions({
      type: "openai",
      name: "p",
      model: "m",
      api: "responses",
      baseUrl: vendor.url,
      maxRetries: 0,
    });
    const provider = await createProvider("openai", options);
    vendor.script((request) => ("include" in request.body ? { status: 400, body: toJson(refusal) } : { text: "ok" }));
    for (let n = 0; n < 2; n++) {
      const replies = provider.reply({ system: "", messages: [user("go")], tools: [] }, new AbortController().signal);
      while (!(await replies.next()).done);
    }
    expect(vendor.requests.map(({ body }) => "include" in body)).to.deep.equal([true, false, false]);
  });

  it("says which setting a model needs that speaks the other API only", async () => {
    const sentences = [
      "Function tools with reasoning_effort are not supported for m in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.",
      "This model is only supported in v1/responses and not in v1/chat/completions.",
    ];
    for (const text of sentences) {
      vendor.script([{ status: 400, body: toJson({ error: { message: text } }) }]);
      expect((await failureOf()).message).to.match(/"m" wants the other of OpenAI's APIs: set "api"/);
    }
  });

  it("is what OpenAI's own address speaks, and any other only when told", () => {
    const cases: [JsonObject, string | undefined][] = [
      [{ type: "openai" }, "responses"],
      [{ type: "openai", base_url: OPENAI_URL }, "responses"],
      [{ type: "openai-compatible", base_url: "https://api.openai.com/v1/" }, "responses"],
      [{ type: "openai", api: "chat" }, "chat"],
      [{ type: "openai", base_url: "https://r.openai.azure.com/openai/v1" }, "chat"],
      [{ type: "openai", base_url: "https://api.openai.com.example/v1" }, "chat"],
      [{ type: "openai-compatible", base_url: "http://127.0.0.1:1/v1" }, "chat"],
      [{ type: "openai-compatible", base_url: "http://127.0.0.1:1/v1", api: "responses" }, "responses"],
      [{ type: "anthropic" }, undefined],
    ];
    for (const [entry, api] of cases) expect(openAiApiOf(entry), toJson(entry)).to.equal(api);
  });
});

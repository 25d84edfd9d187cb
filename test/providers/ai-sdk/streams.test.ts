// Streams of Anthropic and Google with what their packages do not take, or take for an answer.
import { expect } from "chai";
import type { ProviderType } from "../../../src/config/provider-table.js";
import { type JsonObject, type JsonValue, listOf, objectOf, toJson } from "../../../src/lib/json.js";
import { createProvider, providerOptions } from "../../../src/providers/create.js";
import { ProviderError, type Reply, type ReplyRequest } from "../../../src/providers/provider.js";
import { startVendor, type Vendor } from "../../support/vendor.js";

const tool: ReplyRequest["tools"][number] = {
  name: "list_pets",
  application: "",
  description: "List the pets",
  input_schema: { type: "object", properties: {} },
  resource: "pets",
  verb: "list",
  safety: "read_only",
  provenance: "declared",
  transport: { kind: "http" },
};

describe("Models: streams of Anthropic and Google", () => {
  let vendor: Vendor;
  before(async () => {
    vendor = await startVendor();
  });
  after(() => vendor.close());

  const ask = (type: ProviderType, ...events: JsonObject[]): Promise<Reply> => {
    vendor.script([{ events: events.map((event) => toJson(event)) }]);
    return read(type);
  };
  const read = async (type: ProviderType): Promise<Reply> => {
    const options = providerOptions({ type, name: "v", model: "m", baseUrl: vendor.url, apiKey: "k", maxRetries: 0 });
    const provider = await createProvider(type, options);
    const request: ReplyRequest = { system: "", messages: [{ role: "user", text: "hi" }], tools: [tool] };
    const replies = provider.reply(request, new AbortController().signal);
    for (;;) {
      const step = await replies.next();
      if (step.done) return step.value;
    }
  };
  const message = { id: "m", type: "message", role: "assistant", model: "m", content: [], stop_reason: null };
  const start = { type: "message_start", message: { ...message, usage: { input_tokens: 3, output_tokens: 1 } } };
  const text: JsonObject[] = [
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    // Some gateways write the members in the order of the alphabet.
    { delta: { text: "ok", type: "text_delta" }, index: 0, type: "content_block_delta" },
    { type: "content_block_stop", index: 0 },
  ];
  const delta = { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } };
  const stop = { type: "message_stop" };

  it("may hold events of kinds that are not known yet", async () => {
    const later = { type: "message_verdict", verdict: { type: "fine" } };
    const reply = await ask("anthropic", start, { type: "ping" }, later, ...text, delta, stop);
    expect(reply).to.deep.include({ text: "ok", finish: "stop", usage: { input_tokens: 3, output_tokens: 2 } });
  });

  it("may hold blocks, pieces and fields that are not known yet, and what tools of the vendor's own do", async () => {
    const block = (index: number, content_block: JsonObject, ...deltas: JsonObject[]): JsonObject[] => [
      { type: "content_block_start", index, content_block },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ];
    const query = { type: "input_json_delta", partial_json: '{"query":"x"}' };
    const left = [
      ...block(1, { type: "server_tool_use", id: "srv_1", name: "web_search", input: {} }, query),
      ...block(2, { type: "web_search_tool_result", tool_use_id: "srv_1", content: [{ type: "a_new_one" }] }),
      ...block(3, { type: "mcp_tool_use", id: "mcp_1", name: "list_pets", server_name: "s", input: {} }, query),
      ...block(4, { type: "a_new_one" }, { type: "text_delta", text: "not said" }, { type: "a_new_delta" }),
    ];
    const cited = { type: "citations_delta", citation: { type: "a_new_one" } };
    const said = block(5, { type: "text", text: "" }, { type: "text_delta", text: "!" }, cited, {
      type: "a_new_delta",
    });
    const ended = { ...delta, context_management: { applied_edits: [{ type: "a_new_one" }] } };
    const reply = await ask("anthropic", start, ...text, ...left, ...said, ended, stop);
    expect(reply).to.deep.include({ text: "ok!", calls: [], finish: "stop" });
  });

  it("may hold the text, the thoughts and the arguments where a block of Anthropic's begins", async () => {
    const whole = (index: number, content_block: JsonObject): JsonObject[] => [
      { type: "content_block_start", index, content_block },
      { type: "content_block_stop", index },
    ];
    const reply = await ask(
      "anthropic",
      start,
      ...whole(0, { type: "thinking", thinking: "Hm.", signature: "c2ln" }),
      ...whole(1, { type: "text", text: "Looking." }),
      ...whole(2, { type: "tool_use", id: "c", name: "list_pets", input: '{"n":1}' }),
      delta,
      stop,
    );
    expect(reply).to.deep.include({ text: "Looking.", reasoning: "Hm." });
    expect(reply.calls[0]?.arguments).to.deep.equal({ n: 1 });
    expect(toJson(reply.meta)).to.contain("c2ln");
  });

  it("may hold what Google says beside the answer in forms that are not known, and another answer", async () => {
    const content: JsonObject = {
      role: "model",
      parts: [{ executableCode: { language: "PYTHON", code: "1" } }, { text: "ok" }],
    };
    const grounding = { groundingMetadata: { groundingChunks: [{ a_new_one: {} }], searchEntryPoint: 5 } };
    const other = { index: 1, content: { role: "model", parts: [{ text: "another" }] } };
    const reply = await ask(
      "google",
      { candidates: [other] },
      {
        candidates: [{ index: 0, content, finishReason: "STOP", ...grounding }],
        usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, serviceTier: 5, promptTokensDetails: "none" },
      },
    );
    expect(reply).to.deep.include({ text: "ok", calls: [], usage: { input_tokens: 3, output_tokens: 2 } });
  });

  it("may stay open behind Anthropic's last event", async () => {
    const began = performance.now();
    vendor.script([{ events: [start, ...text, delta, stop].map((event) => toJson(event)), trouble: "stall" }]);
    expect(await read("anthropic")).to.include({ text: "ok" });
    expect(performance.now() - began).to.be.below(2_000);
  });

  it("are no stream where a document or a page comes, which are not asked for again", async () => {
    const answers: [string, string, RegExp][] = [
      [
        "application/json",
        '{"type":"error","error":{"type":"invalid_request_error","message":"bad thing"}}',
        /bad thing/,
      ],
      ["application/json", '{"id":"m","type":"message","content":[]}', /does not know/],
      ["text/html", "<html>Sign in</html>", /does not know/],
    ];
    for (const type of ["anthropic", "google"] as const)
      for (const [contentType, body, said] of answers) {
        vendor.script([{ status: 200, headers: { "content-type": contentType }, body }]);
        const error = await read(type).catch((thrown: unknown) => thrown);
        expect(error).to.be.instanceOf(ProviderError).with.property("message").that.matches(said);
        expect(error).to.have.property("retryable", false);
      }
  });

  it("may come as one document, with thoughts, calls and counts, whatever its type", async () => {
    const id = 12345678901234567890n;
    const content: JsonObject[] = [
      { type: "thinking", thinking: "Hm.", signature: "c2ln" },
      { type: "text", text: "Looking." },
      { type: "a_new_one" },
      { type: "tool_use", id: "c", name: "list_pets", input: { id } },
      { type: "tool_use", id: "d", name: "list_pets", input: {} },
    ];
    const usage = { input_tokens: 3, output_tokens: 4, cache_read_input_tokens: 2, service_tier: "standard" };
    const parts: JsonObject[] = [
      { text: "Hm.", thought: true },
      { text: "Looking." },
      { functionCall: { name: "list_pets", args: { id } }, thoughtSignature: "c2ln" },
      { functionCall: { name: "list_pets", args: {} } },
    ];
    const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 4, cachedContentTokenCount: 2 };
    const first = { candidates: [{ content: { role: "model", parts: parts.slice(0, 2) } }] };
    const last = { candidates: [{ content: { parts: parts.slice(2) }, finishReason: "STOP" }], usageMetadata };
    const answers: [ProviderType, string, JsonValue][] = [
      ["anthropic", "application/json", { ...message, content, usage, stop_reason: "tool_use" }],
      ["anthropic", "text/event-stream", { ...message, content, usage, stop_reason: null }],
      ["google", "application/json", { candidates: [{ content: { parts }, finishReason: "STOP" }], usageMetadata }],
      // What the vendor answers without `alt=sse`.
      ["google", "application/json", [first, last]],
    ];
    for (const [type, contentType, answer] of answers) {
      vendor.script([{ status: 200, headers: { "content-type": contentType }, body: toJson(answer, 2) }]);
      const reply = await read(type);
      expect(reply).to.include({ text: "Looking.", reasoning: "Hm.", finish: "tool_calls" });
      expect(reply.calls.map(({ name, arguments: args }) => [name, args])).to.deep.equal([
        ["list_pets", { id }],
        ["list_pets", {}],
      ]);
      expect(reply.usage).to.deep.equal({ input_tokens: 5, output_tokens: 4, cached_tokens: 2 });
      expect(toJson([reply.meta ?? null, ...reply.calls.map((call) => call.meta ?? null)])).to.contain("c2ln");
    }
  });

  it("may be cut short, or an error behind its beginning, as one document", async () => {
    const body = toJson({ ...message, content: [{ type: "text", text: "ok" }], stop_reason: "max_tokens" });
    vendor.script([{ status: 200, body }]);
    expect(await read("anthropic")).to.include({ text: "ok", finish: "length" });
    const begun = { candidates: [{ content: { parts: [{ text: "o" }] } }] };
    const failed = { error: { code: 503, message: "overloaded now", status: "UNAVAILABLE" } };
    vendor.script([{ status: 200, body: toJson([begun, failed]) }]);
    const error = await read("google").catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(ProviderError).with.property("message").that.contains("overloaded now");
    expect(error).to.have.property("retryable", true);
  });

  it("may leave out the first count of tokens, and the last event", async () => {
    expect(await ask("anthropic", { type: "message_start", message }, ...text, delta, stop)).to.include({ text: "ok" });
    expect(await ask("anthropic", start, ...text, delta)).to.include({ text: "ok", finish: "stop" });
    const bare = { type: "message_delta", delta: { stop_reason: "end_turn" } };
    expect(await ask("anthropic", start, ...text, bare, stop)).to.include({ text: "ok", finish: "stop" });
    const cut = await ask("anthropic", start, ...text).catch((error: unknown) => error);
    expect(cut)
      .to.be.instanceOf(ProviderError)
      .with.property("message")
      .that.matches(/before it was complete/);
  });

  it("are asked for with tools as every gateway takes them", async () => {
    await ask("anthropic", start, ...text, delta, stop);
    const [sent] = listOf(vendor.requests[0]?.body["tools"]);
    expect(Object.keys(objectOf(sent))).to.have.members(["name", "description", "input_schema", "cache_control"]);
  });

  it("are a failure, and not an empty answer, where Google's model wrote a call that cannot be read", async () => {
    const ended = { candidates: [{ finishReason: "MALFORMED_FUNCTION_CALL", index: 0 }] };
    const error = await ask("google", ended).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(ProviderError).with.property("retryable", true);
    expect(error).to.have.property("message").that.contains("MALFORMED_FUNCTION_CALL");
  });

  it("may hold a call of Google's whose fields are of other types than the package knows", async () => {
    const readCall = async (part: JsonObject): Promise<Reply["calls"]> => {
      const content = { role: "model", parts: [part] };
      return (await ask("google", { candidates: [{ index: 0, content, finishReason: "STOP" }] })).calls;
    };
    const call = { name: "list_pets", args: { n: 1 } };
    const others: JsonObject[] = [{ id: 7 }, { id: null }, { partialArgs: 5 }, { willContinue: "no" }];
    for (const other of others)
      expect((await readCall({ functionCall: { ...call, ...other } }))[0]).to.include({ name: "list_pets" });
    expect((await readCall({ functionCall: call, thoughtSignature: 7 }))[0]?.arguments).to.deep.equal({ n: 1 });
    const nameless: JsonValue[] = [{ args: {} }, { name: 7 }, "list_pets"];
    for (const functionCall of nameless)
      expect((await readCall({ functionCall }))[0]).to.deep.include({ name: "", arguments: {} });
    expect(await readCall({ functionCall: null, text: "ok" })).to.deep.equal([]);
  });

  it("may begin a call of Anthropic's without an id, and with its arguments", async () => {
    const content_block = { type: "tool_use", name: "list_pets", input: { n: 12345678901234567890n } };
    const block = { type: "content_block_start", index: 0, content_block };
    const events = [start, block, { type: "content_block_stop", index: 0 }, delta, stop];
    const [call] = (await ask("anthropic", ...events)).calls;
    expect(call?.arguments).to.deep.equal({ n: 12345678901234567890n });
    expect(call?.id).to.match(/^call_/);
  });
});

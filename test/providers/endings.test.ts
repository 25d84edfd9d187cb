// How a model's reply ends, in each vendor's words, and what a person reads of it.
// Sources: OpenAI API reference, "Create chat completion" and "Create a model response"; Anthropic API documentation, "Handling stop
// reasons"; Gemini API reference, "FinishReason"; DeepSeek API reference, "Create chat completion".
import { expect } from "chai";
import { CONTENT_FILTER_NOTICE, LOST_CALL_NOTICE, OUTPUT_LIMIT_NOTICE, oddEndNotice } from "../../src/domain/event.js";
import { toJson } from "../../src/lib/json.js";
import { startDaemon } from "../support/daemon.js";
import { ask } from "../support/entry-points.js";
import { startVendor, type Vendor } from "../support/vendor.js";

type Type = "openai-compatible" | "openai" | "anthropic" | "google";

/** A stream of this text, "" for none, that ends for this reason. */
const STREAMS: Record<Type, (text: string, reason: string) => (object | string)[]> = {
  "openai-compatible": (text, reason) => [
    { choices: [{ index: 0, delta: { role: "assistant", content: text }, finish_reason: null }] },
    { choices: [{ index: 0, delta: {}, finish_reason: reason }] },
    "[DONE]",
  ],
  openai: (text, reason) => [
    { type: "response.output_text.delta", item_id: "m", output_index: 0, content_index: 0, delta: text },
    { type: "response.incomplete", response: { status: "incomplete", incomplete_details: { reason } } },
  ],
  anthropic: (text, reason) => [
    { type: "message_start", message: { id: "m", usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: reason }, usage: { output_tokens: 2 } },
    { type: "message_stop" },
  ],
  google: (text, reason) => [
    { candidates: [{ index: 0, content: { role: "model", parts: [{ text }] }, finishReason: reason }] },
  ],
};

describe("Models: how a reply ends", () => {
  let vendor: Vendor;
  let daemon: Awaited<ReturnType<typeof startDaemon>>;
  before(async () => {
    vendor = await startVendor();
    const provider = (type: Type): object => ({
      type,
      base_url: vendor.url,
      model: "m",
      api_key: "k",
      max_retries: 1,
      ...(type === "openai" && { api: "responses" }),
    });
    const providers = Object.fromEntries((Object.keys(STREAMS) as Type[]).map((type) => [type, provider(type)]));
    daemon = await startDaemon({ config: { default_provider: "openai", providers } });
  });
  after(async () => {
    await daemon.close();
    await vendor.close();
  });

  /** The notices and the error that a person reads. */
  const told = async (type: Type, text: string, reason: string): Promise<string[]> => {
    const events = STREAMS[type](text, reason).map((event) => (typeof event === "string" ? event : toJson(event)));
    vendor.script(() => ({ events }));
    const all = await ask(daemon.url, { message: "go", provider: type, events: "extended" });
    return all.flatMap((event) => (event.kind === "notice" || event.kind === "error" ? [event.message] : []));
  };

  it("is said where it is not the usual one", async () => {
    const cases: [Type, string, string[]][] = [
      ["openai-compatible", "stop", []],
      ["openai-compatible", "length", [OUTPUT_LIMIT_NOTICE]],
      ["openai-compatible", "content_filter", [CONTENT_FILTER_NOTICE]],
      ["openai-compatible", "abort", [oddEndNotice("abort")]],
      ["openai", "max_output_tokens", [OUTPUT_LIMIT_NOTICE]],
      ["openai", "a_new_one", [oddEndNotice("a_new_one")]],
      ["anthropic", "end_turn", []],
      ["anthropic", "stop_sequence", []],
      ["anthropic", "model_context_window_exceeded", [OUTPUT_LIMIT_NOTICE]],
      ["anthropic", "refusal", [CONTENT_FILTER_NOTICE]],
      ["anthropic", "pause_turn", [oddEndNotice("pause_turn")]],
      ["google", "STOP", []],
      ["google", "SPII", [CONTENT_FILTER_NOTICE]],
      ["google", "UNEXPECTED_TOOL_CALL", [oddEndNotice("UNEXPECTED_TOOL_CALL")]],
    ];
    for (const [type, reason, notices] of cases)
      expect(await told(type, "Hello", reason), `${type}: ${reason}`).to.deep.equal(notices);
  });

  it("is read in the words of what stands behind a gateway, and in no words at all", async () => {
    const cases: [string, string[]][] = [
      ["STOP", []],
      ["end_turn", []],
      ["eos_token", []],
      ["", []],
      ["max_tokens", [OUTPUT_LIMIT_NOTICE]],
      ["SAFETY", [CONTENT_FILTER_NOTICE]],
    ];
    for (const [reason, notices] of cases)
      expect(await told("openai-compatible", "Hello", reason), reason).to.deep.equal(notices);
  });

  it("is a failure that is tried again where a call was announced and nothing came, and said where a text came", async () => {
    for (const [type, reason] of [
      ["openai-compatible", "tool_calls"],
      ["anthropic", "tool_use"],
    ] as const) {
      const [error, ...more] = await told(type, "", reason);
      expect(error).to.contain(`Provider "${type}"`).and.contain("sent no call");
      expect(more).to.deep.equal([]);
      expect(vendor.requests).to.have.length(2);
      expect(await told(type, "Let me look.", reason)).to.deep.equal([LOST_CALL_NOTICE]);
    }
  });

  it("is a failure where the vendor broke it off", async () => {
    const [error] = await told("openai-compatible", "Hel", "insufficient_system_resource");
    expect(error).to.contain("insufficient_system_resource");
  });
});

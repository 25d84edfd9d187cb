// What models think aloud, in every form servers have for it: apart from the text, kept with the message, back to its own model only.
import { expect } from "chai";
import type { ProviderType } from "../../src/config/provider-table.js";
import type { Message } from "../../src/domain/message.js";
import { isObject, type JsonObject, listOf, toJson } from "../../src/lib/json.js";
import { createProvider, providerOptions } from "../../src/providers/create.js";
import { createThinkTags } from "../../src/providers/openai-compatible/think-tags.js";
import type { Reply } from "../../src/providers/provider.js";
import { startVendor, type Vendor } from "../support/vendor.js";

const CALL = { index: 0, id: "c1", type: "function", function: { name: "look", arguments: "{}" } };
const chunk = (delta: JsonObject, finish: string | null = null): string =>
  toJson({ choices: [{ index: 0, delta, finish_reason: finish }] });

const DETAILS: JsonObject[] = [
  { type: "reasoning.text", index: 0, text: "I should look.", format: "anthropic-claude-v1", signature: "sig-1" },
  { type: "reasoning.encrypted", index: 1, data: "QUJD", id: "r-2" },
];

/** Each form: its deltas, and the fields of the message that goes back beside a call. */
const FORMS: Readonly<Record<string, { deltas: JsonObject[]; back: JsonObject }>> = {
  reasoning_content: {
    deltas: [{ reasoning_content: "I should " }, { reasoning_content: "look." }, { content: "Looking." }],
    back: { reasoning_content: "I should look.", content: "Looking." },
  },
  reasoning: {
    deltas: [{ reasoning: "I should " }, { reasoning: "look." }, { content: "Looking." }],
    back: { reasoning: "I should look.", content: "Looking." },
  },
  reasoning_details: {
    deltas: [
      {
        reasoning: "I should ",
        reasoning_details: [{ type: "reasoning.text", index: 0, text: "I should ", format: "anthropic-claude-v1" }],
      },
      { reasoning: "look.", reasoning_details: [{ type: "reasoning.text", index: 0, text: "look.", signature: null }] },
      { reasoning_details: [{ type: "reasoning.text", index: 0, text: "", signature: "sig-1" }] },
      { reasoning_details: [DETAILS[1] ?? {}] },
      { content: "Looking." },
    ],
    back: { reasoning_details: DETAILS, content: "Looking." },
  },
  "parts of type thinking": {
    deltas: [
      { content: [{ type: "thinking", thinking: [{ type: "text", text: "I should " }] }] },
      { content: [{ type: "thinking", thinking: [{ type: "text", text: "look." }] }] },
      { content: "Looking." },
    ],
    back: {
      content: [
        { type: "thinking", thinking: [{ type: "text", text: "I should look." }] },
        { type: "text", text: "Looking." },
      ],
    },
  },
  "<think> in the text": {
    deltas: ["\n<thi", "nk>\nI should ", "look.\n</", "think>", "\n\n", "Look", "ing."].map((content) => ({ content })),
    back: { content: "<think>\nI should look.\n</think>\n\nLooking." },
  },
};

describe("Models: reasoning", () => {
  let vendor: Vendor;
  before(async () => {
    vendor = await startVendor();
  });
  after(() => vendor.close());

  const ask = async (
    messages: Message[],
    { name = "p", model = "m", type = "openai-compatible" as ProviderType } = {},
  ): Promise<Reply & { deltas: string; thoughts: string }> => {
    const options = providerOptions({ type, name, model, baseUrl: vendor.url, apiKey: "k-123456", maxRetries: 0 });
    const provider = await createProvider(type, options);
    const replies = provider.reply({ system: "", messages, tools: [] }, new AbortController().signal);
    let deltas = "";
    let thoughts = "";
    for (;;) {
      const step = await replies.next();
      if (step.done) return { ...step.value, deltas, thoughts };
      if (step.value.kind === "reasoning") thoughts += step.value.text;
      else deltas += step.value.text;
    }
  };
  const user: Message = { role: "user", text: "go" };
  const answered = (reply: Reply): Message[] => [
    user,
    // What the store does with it in between.
    JSON.parse(
      JSON.stringify({ role: "assistant", text: reply.text, calls: reply.calls, meta: reply.meta }),
    ) as Message,
    { role: "tool", call_id: "c1", name: "look", text: "{}", is_error: false },
  ];
  const assistantSent = (): JsonObject => {
    const messages = listOf(vendor.requests.at(-1)?.body["messages"]).filter(isObject);
    return messages.find(({ role }) => role === "assistant") ?? {};
  };

  for (const [form, { deltas, back }] of Object.entries(FORMS)) {
    const events = [...deltas.map((delta) => chunk(delta)), chunk({ tool_calls: [CALL] }), chunk({}, "tool_calls")];
    it(`${form}: is no part of the text, and goes back beside the calls it led to`, async () => {
      vendor.script([{ events: [...events, "[DONE]"] }, { text: "ok" }]);
      const reply = await ask([user]);
      expect(reply).to.include({ text: "Looking.", deltas: "Looking.", reasoning: "I should look." });
      expect(reply.thoughts.trim()).to.equal("I should look.");
      await ask(answered(reply));
      const { role: _, tool_calls: calls, ...fields } = assistantSent();
      expect(fields).to.deep.equal(back);
      expect(calls).to.have.length(1);
    });

    it(`${form}: goes to no other model, no other provider and no other vendor`, async () => {
      vendor.script([
        { events: [...events, "[DONE]"] },
        { text: "ok" },
        { text: "ok" },
        { text: "ok" },
        { text: "ok" },
      ]);
      const messages = answered(await ask([user]));
      const others = [{ model: "other" }, { name: "q" }, { type: "anthropic" as const }, { type: "google" as const }];
      for (const other of others) {
        // The other types have another name in a configuration, too.
        await ask(messages, { name: other.type ?? "p", ...other });
        expect(vendor.requests.at(-1)?.text)
          .to.contain("Looking.")
          .and.not.match(/should look|sig-1|QUJD|p\/m/);
      }
    });

    it(`${form}: is kept, and not sent back, where no call came of it`, async () => {
      vendor.script([
        { events: [...deltas.map((delta) => chunk(delta)), chunk({}, "stop"), "[DONE]"] },
        { text: "ok" },
      ]);
      const reply = await ask([user]);
      expect(toJson(reply.meta)).to.contain("I should look.");
      const message: Message = { role: "assistant", text: reply.text, calls: [], meta: reply.meta };
      await ask([user, message, user]);
      expect(assistantSent()).to.deep.equal({ role: "assistant", content: "Looking." });
    });
  }

  it("thinking blocks of Anthropic and thoughts of Google are reasoning, too", async () => {
    for (const type of ["anthropic", "google"] as const) {
      vendor.script([{ thinking: { text: "I should look.", signature: "c2ln" }, text: "Looking." }]);
      const reply = await ask([user], { type });
      const thoughts = "I should look.";
      expect(reply).to.include({ text: "Looking.", deltas: "Looking.", reasoning: thoughts, thoughts });
    }
  });

  it("a whole answer that was not streamed is read the same way", async () => {
    const message = { role: "assistant", content: "<think>I should look.</think>Looking.", reasoning_details: null };
    vendor.script([{ status: 200, body: toJson({ choices: [{ index: 0, message, finish_reason: "stop" }] }) }]);
    expect(await ask([user])).to.include({ text: "Looking.", deltas: "Looking.", reasoning: "I should look." });
  });

  it("messages of an older version keep what they had", async () => {
    vendor.script([{ text: "ok" }]);
    const calls = [{ id: "c1", name: "look", arguments: {} }];
    await ask([
      user,
      { role: "assistant", text: "", calls, meta: { reasoning_content: "old" } },
      { role: "tool", call_id: "c1", name: "look", text: "{}", is_error: false },
    ]);
    expect(assistantSent()["reasoning_content"]).to.equal("old");
  });

  it("Q2 reads thoughts of 50,000 details, each added to its own", async () => {
    const details = Array.from({ length: 50_000 }, (_, index) => ({ type: "reasoning.text", index, text: "a" }));
    const deltas = Array.from({ length: 10 }, (_, at) =>
      chunk({ reasoning_details: details.slice(at * 5_000, (at + 1) * 5_000) }),
    );
    const again = chunk({ reasoning_details: [{ type: "reasoning.text", index: 7, text: "b" }] });
    vendor.script([{ events: [...deltas, again, chunk({ content: "ok" }, "stop"), "[DONE]"] }]);
    expect((await ask([user])).reasoning).to.equal(`${"a".repeat(8)}b${"a".repeat(49_992)}`);
  });

  it("tells all of a thought whose tag is never closed", async () => {
    const deltas = ["<think>abc", "def</thi"].map((content) => chunk({ content }));
    vendor.script([{ events: [...deltas, chunk({}, "stop"), "[DONE]"] }]);
    const { reasoning, thoughts } = await ask([user]);
    expect(thoughts).to.equal("abcdef</thi");
    expect(reasoning).to.equal(thoughts);
  });

  describe("tags", () => {
    const read = (text: string, size: number): [text: string, thought: string | undefined] => {
      const tags = createThinkTags();
      let out = "";
      for (let at = 0; at < text.length; at += size) out += tags.push(text.slice(at, at + size));
      out += tags.rest();
      return [out, tags.thought()?.text];
    };
    const cases: [text: string, out: string, thought: string | undefined][] = [
      ["<think>a</think>b", "b", "a"],
      ["  <reasoning>\na < b </ c\n</reasoning>\n\n b", "b", "a < b </ c"],
      ["<think></think>b", "b", ""],
      ["<think>never closed </thin", "", "never closed </thin"],
      ["a <think>b</think>", "a <think>b</think>", undefined],
      ["<thinker>a", "<thinker>a", undefined],
      ["<b>bold</b>", "<b>bold</b>", undefined],
      ["<thi", "<thi", undefined],
      [" \n ", " \n ", undefined],
      ["<think>a</think>b <think>c</think>", "b <think>c</think>", "a"],
    ];
    for (const [text, out, thought] of cases)
      it(`${JSON.stringify(text)}, cut anywhere`, () => {
        for (const size of [1, 2, 3, 5, 100]) expect(read(text, size), String(size)).to.deep.equal([out, thought]);
      });

    it("Q2 and white space in 200,000 pieces, of which each is looked at once", () => {
      const tags = createThinkTags();
      let [out, told] = ["", ""];
      const give = (piece: string): void => {
        out += tags.push(piece);
        told += tags.more();
      };
      const blank = " ".repeat(10);
      for (let piece = 0; piece < 200_000; piece++) give(blank);
      give("<think>");
      for (let piece = 0; piece < 200_000; piece++) give(blank);
      give("a");
      for (let piece = 0; piece < 200_000; piece++) give("b");
      give("</think>c");
      expect(out).to.equal("c");
      expect(told).to.equal(`a${"b".repeat(200_000)}`);
      expect(tags.thought()?.text).to.equal(told);
    });
  });
});

// A script on disk, played as a provider.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { ProviderType } from "../../src/config/provider-table.js";
import { StartError } from "../../src/domain/error.js";
import type { Message } from "../../src/domain/message.js";
import { createProvider, providerOptions } from "../../src/providers/create.js";
import { type Provider, ProviderError, type Reply } from "../../src/providers/provider.js";
import { temporaryFolder } from "../support/temporary-folder.js";

describe("Models: a script", () => {
  let dir: string;
  let file: string;
  before(() => {
    dir = temporaryFolder("script");
    file = join(dir, "script.json");
  });
  const user = (text: string): Message => ({ role: "user", text });

  const load = (script: unknown): Promise<Provider> => {
    writeFileSync(file, typeof script === "string" ? script : JSON.stringify(script));
    return createProvider("scripted", { ...providerOptions({ type: "scripted", name: "demo" }), file });
  };
  const read = async (provider: Provider, ...messages: Message[]): Promise<Reply & { deltas: string[] }> => {
    const deltas: string[] = [];
    const replies = provider.reply({ system: "", messages, tools: [] }, new AbortController().signal);
    for (;;) {
      const step = await replies.next();
      if (step.done) return { ...step.value, deltas };
      deltas.push(step.value.text);
    }
  };
  const failed = async (doing: Promise<unknown>): Promise<Error> => {
    try {
      await doing;
    } catch (error) {
      return error as Error;
    }
    throw new Error("it was expected to fail");
  };

  it("plays its replies in order: texts, deltas, calls, usage", async () => {
    const provider = await load([
      {
        deltas: ["a", "b"],
        calls: [
          { name: "x", arguments: { n: 1 } },
          { name: "y", arguments: "{oops" },
        ],
        delay_ms: 1,
      },
      { text: "done", usage: { input_tokens: 3, output_tokens: 4 }, finish: "length" },
    ]);
    const first = await read(provider, user("hi"));
    expect(first).to.deep.include({ text: "ab", deltas: ["a", "b"], finish: "tool_calls" });
    expect(first.calls.map(({ id: _, ...call }) => call)).to.deep.equal([
      { name: "x", arguments: { n: 1 } },
      { name: "y", arguments: {}, malformed: "{oops" },
    ]);
    expect(await read(provider, user("hi"))).to.deep.include({
      text: "done",
      finish: "length",
      usage: { input_tokens: 3, output_tokens: 4 },
    });
    const error = await failed(read(provider, user("hi")));
    expect(error).to.be.instanceOf(ProviderError);
    expect(error.message).to.contain(file).and.contain("no reply left");
  });

  it("keeps integers beyond 2^53 in the arguments it plays", async () => {
    const provider = await load('[{"calls":[{"name":"x","arguments":{"id":12345678901234567890}}]}]');
    expect((await read(provider, user("hi"))).calls[0]?.arguments).to.deep.equal({ id: 12345678901234567890n });
  });

  it("answers a prompt by the turn it contains, from the first reply on each time", async () => {
    const turns = [{ prompt: "LIST", replies: [{ calls: [{ name: "list" }] }, { text: "here" }] }];
    const provider = await load({ turns, replies: [{ text: "other" }], repeat: true });
    for (let i = 0; i < 2; i++) {
      const first = await read(
        provider,
        user("old"),
        { role: "assistant", text: "x", calls: [] },
        user("please list all"),
      );
      expect(first.calls[0]?.name).to.equal("list");
      const { text, calls } = first;
      expect((await read(provider, user("please list all"), { role: "assistant", text, calls })).text).to.equal("here");
      expect((await read(provider, user("something else"))).text).to.equal("other");
    }
  });

  it("fails where the script has an error, and retries what may pass", async () => {
    const provider = await load([
      { error: { message: "busy", retryable: true } },
      { text: "then" },
      { text: "half", error: "boom" },
    ]);
    expect((await read(provider, user("hi"))).text).to.equal("then");
    expect((await failed(read(provider, user("hi")))).message).to.equal("boom");
  });

  it("stops in the middle of a delay when aborted", async () => {
    const provider = await load([{ deltas: ["a", "b"], delay_ms: 60_000 }]);
    const controller = new AbortController();
    const next = provider.reply({ system: "", messages: [user("hi")], tools: [] }, controller.signal).next();
    const reason = new Error("stop");
    setTimeout(() => controller.abort(reason), 20);
    expect(await failed(next)).to.equal(reason);
  });

  it("is refused at the start when it is missing, not JSON or not a script, by its name", async () => {
    const cases = ["{", "7", '[{"txt":"misspelt"}]', '{"turns":[{"prompt":"x","replies":[]}]}'];
    for (const script of cases) {
      const error = await failed(load(script));
      expect(error).to.be.instanceOf(StartError);
      expect(error.message).to.contain(file);
    }
    const options = providerOptions({ type: "scripted", name: "demo" });
    expect((await failed(createProvider("scripted", { ...options, file: join(dir, "none.json") }))).message).to.contain(
      "none.json",
    );
    expect((await failed(createProvider("scripted", options))).message).to.match(/"demo" needs "file"/);
  });
});

describe("Models: creating a provider", () => {
  it("fills in the defaults of its type and keeps what is configured", async () => {
    const options = providerOptions({ type: "anthropic", name: "claude", apiKey: "k" });
    expect(options).to.deep.include({ model: "claude-sonnet-4-5", historyLimit: 40, maxTools: 64, maxRetries: 2 });
    const provider = await createProvider(
      "anthropic",
      providerOptions({ ...options, type: "anthropic", historyLimit: 7 }),
    );
    expect(provider).to.deep.include({ name: "claude", model: "claude-sonnet-4-5", historyLimit: 7, maxTools: 64 });
  });

  it("refuses an unknown type and a vendor without a key, by name", async () => {
    for (const [type, sentence] of [
      ["openia", /"x" has the unknown type "openia".*openai/],
      ["openai", /"x" has no API key/],
      ["google", /"x" has no API key/],
    ] as const) {
      const known = type as ProviderType;
      const options = providerOptions({ type: known, name: "x" });
      const error = await createProvider(known, options).catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(StartError);
      expect((error as Error).message).to.match(sentence);
    }
  });
});

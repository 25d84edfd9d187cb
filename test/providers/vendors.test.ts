// The same conversations over every wire, through the real packages, against a fake model API.

import { expect } from "chai";
import type { ProviderType } from "../../src/config/provider-table.js";
import type { Message } from "../../src/domain/message.js";
import type { Tool } from "../../src/domain/tool.js";
import type { JsonObject } from "../../src/lib/json.js";
import { createProvider, providerOptions } from "../../src/providers/create.js";
import { type Delta, type Provider, ProviderError, type Reply } from "../../src/providers/provider.js";
import { until } from "../support/until.js";
import { startVendor, type Vendor, type VendorCall, type VendorTurn } from "../support/vendor.js";

const KEY = "sk-canary-4f1d2c";
const TYPES = ["openai-compatible", "openai", "anthropic", "google"] as const;
/** Every wire by its name. */
const WIRES = [
  ...TYPES.map((type) => ({ wire: type, type, api: undefined })),
  { wire: "responses", type: "openai", api: "responses" },
] as const;

function tool(name: string, properties: JsonObject = {}, more: JsonObject = {}): Tool {
  const input_schema: JsonObject = { type: "object", properties, ...more };
  const transport = { kind: "http", method: "GET", path: `/${name}` };
  return {
    name,
    application: "",
    description: `Does ${name}.`,
    input_schema,
    resource: "r",
    verb: "get",
    safety: "read_only",
    provenance: "declared",
    transport,
  };
}

const user = (text: string): Message => ({ role: "user", text });
const never = (): AbortSignal => new AbortController().signal;

/** Reads one reply to its end. */
async function read(replies: AsyncGenerator<Delta, Reply, void>): Promise<{ deltas: string[]; reply: Reply }> {
  const deltas: string[] = [];
  for (;;) {
    const step = await replies.next();
    if (step.done) return { deltas, reply: step.value };
    deltas.push(step.value.text);
  }
}

async function failure(replies: AsyncGenerator<Delta, Reply, void>): Promise<ProviderError> {
  try {
    await read(replies);
  } catch (error) {
    expect(error).to.be.instanceOf(ProviderError);
    return error as ProviderError;
  }
  throw new Error("the call was expected to fail");
}

for (const { wire, type, api } of WIRES)
  describe(`Models: ${wire}`, () => {
    let vendor: Vendor;
    let provider: Provider;

    const make = (
      more: { maxRetries?: number; timeoutMs?: number; baseUrl?: string; headers?: Record<string, string> } = {},
    ) =>
      createProvider(
        type,
        providerOptions({
          type,
          api,
          name: "acme",
          model: "model-x",
          baseUrl: vendor.url,
          apiKey: KEY,
          maxRetries: 0,
          ...more,
        }),
      );
    const ask = (messages: Message[] = [user("hi")], tools: Tool[] = []) =>
      read(provider.reply({ system: "Be brief.", messages, tools }, never()));
    const play = (...turns: VendorTurn[]) => vendor.script(turns);

    before(async () => {
      vendor = await startVendor();
      provider = await make();
    });
    after(() => vendor.close());

    it("streams text delta by delta and returns it whole, with usage", async () => {
      play({ deltas: ["Hel", "lo ", "there"], usage: { input: 12, output: 7 } });
      const { deltas, reply } = await ask();
      expect(deltas).to.deep.equal(["Hel", "lo ", "there"]);
      expect(reply).to.deep.include({ text: "Hello there", calls: [], finish: "stop" });
      expect(reply.usage).to.deep.include({ input_tokens: 12, output_tokens: 7 });
    });

    it("keeps every character when the stream is cut inside it", async () => {
      const text = "Zürich 東京 🎉 👩‍👩‍👧 ﷽";
      for (const splitBytes of [1, 2, 3, 5, 7]) {
        play({ deltas: [text, text], splitBytes });
        expect((await ask()).reply.text).to.equal(text + text);
      }
    });

    it("takes several calls in one reply, each with an id of its own", async () => {
      const calls: VendorCall[] = [
        { name: "get_pet", arguments: { id: 1, deep: { list: [1, "é", null] } } },
        { name: "get_pet", arguments: {} },
        { name: "list_pets", arguments: { tag: "🎉" } },
      ];
      play({ text: "Looking.", calls });
      const { reply } = await ask([user("look")], [tool("get_pet"), tool("list_pets")]);
      expect(reply.text).to.equal("Looking.");
      expect(reply.finish).to.equal("tool_calls");
      expect(reply.calls.map((call) => ({ name: call.name, arguments: call.arguments }))).to.deep.equal(calls);
      expect(new Set(reply.calls.map((call) => call.id)).size).to.equal(3);
      for (const call of reply.calls) expect(call.id).to.match(/^.{1,40}$/);
    });

    it("keeps integers beyond 2^53 in arguments, in both directions", async () => {
      play(
        { calls: [{ name: "get_pet", arguments: '{"id":12345678901234567890,"n":[-9007199254740993]}' }] },
        { text: "ok" },
      );
      const { text, calls, meta } = (await ask([user("look")], [tool("get_pet")])).reply;
      const args = { id: 12345678901234567890n, n: [-9007199254740993n] };
      expect(calls[0]?.arguments).to.deep.equal(args);
      const id = calls[0]?.id ?? "";
      const answered: Message[] = [
        user("look"),
        { role: "assistant", text, calls, meta },
        { role: "tool", call_id: id, name: "get_pet", text: "{}", is_error: false },
      ];
      await ask(answered, [tool("get_pet", { id: { type: "integer", maximum: 18446744073709551615n } })]);
      const sent = vendor.requests[1]?.text ?? "";
      expect(sent)
        .to.match(/id\\*":12345678901234567890,/)
        .and.match(/\[-9007199254740993\]/);
      // Google's package passes on no `maximum`.
      if (type !== "google") expect(sent).to.match(/"maximum":18446744073709551615[,}]/);
      expect(sent).not.to.contain("int-");
    });

    it("sends the system prompt, the conversation and the tools with their whole schemas", async () => {
      play({ text: "ok" });
      const pet = tool("create_pet", { name: { type: "string" } }, { required: ["name"] });
      const messages: Message[] = [
        user("make a pet named Rex"),
        { role: "assistant", text: "On it.", calls: [{ id: "c1", name: "create_pet", arguments: { name: "Rex" } }] },
        { role: "tool", call_id: "c1", name: "create_pet", text: '{"error":"taken"}', is_error: true },
        { role: "assistant", text: "Taken.", calls: [] },
        { role: "notice", text: "Call c0 was approved." },
        user("try Max"),
      ];
      await ask(messages, [pet]);
      const [request] = vendor.requests;
      const sent = request?.text ?? "";
      for (const word of [
        "Be brief.",
        "make a pet named Rex",
        "On it.",
        "Taken.",
        "[agentd] Call c0 was approved.",
        "try Max",
      ])
        expect(sent).to.contain(word);
      expect(sent)
        .to.contain('"create_pet"')
        .and.contain("Does create_pet.")
        .and.contain('"required":["name"]')
        .and.contain("taken");
      expect(sent.indexOf("On it.")).to.be.below(sent.indexOf("taken")).and.above(sent.indexOf("named Rex"));
    });

    it("begins the conversation with a prompt when trimming left an answer in front", async () => {
      play({ text: "ok" });
      await ask([{ role: "assistant", text: "left over", calls: [] }, user("now")]);
      expect(vendor.requests[0]?.text).not.to.contain("left over");
    });

    it("sends the key and the configured headers to the vendor", async () => {
      provider = await make({ headers: { "x-team": "blue" } });
      play({ text: "ok" });
      await ask();
      const headers = vendor.requests[0]?.headers ?? {};
      expect(headers["x-team"]).to.equal("blue");
      expect(headers["authorization"] ?? headers["x-api-key"] ?? headers["x-goog-api-key"]).to.contain(KEY);
      provider = await make();
    });

    it("answers with empty text when the model sends none", async () => {
      play({});
      const { deltas, reply } = await ask();
      expect(deltas).to.deep.equal([]);
      expect(reply).to.deep.include({ text: "", calls: [], finish: "stop" });
    });

    it("distinguishes an answer cut by length from one stopped by a filter", async () => {
      play({ text: "lon", finish: "length" }, { text: "x", finish: "content_filter" });
      expect((await ask()).reply.finish).to.equal("length");
      expect((await ask()).reply.finish).to.equal("content_filter");
    });

    it("reports arguments that are not a JSON object as malformed", async function () {
      if (type === "google") this.skip(); // its arguments are JSON values, never text
      play({ calls: [{ name: "a", arguments: '{"x":' }] }, { calls: [{ name: "a", arguments: "[1]" }] });
      const tools = [tool("a")];
      expect((await ask([user("go")], tools)).reply.calls[0]).to.deep.include({ malformed: '{"x":', arguments: {} });
      expect((await ask([user("go")], tools)).reply.calls[0]).to.deep.include({ malformed: "[1]", arguments: {} });
    });

    it("takes a __proto__ argument as the plain key it is", async () => {
      play({ calls: [{ name: "a", arguments: '{"__proto__":{"x":1},"b":2}' }] });
      if (type === "google") {
        // Its package refuses an answer with such a key; that is safe too.
        const error = await failure(provider.reply({ system: "", messages: [user("hi")], tools: [] }, never()));
        return expect(error.message).to.match(/acme.*does not know/);
      }
      const args = (await ask([user("go")], [tool("a")])).reply.calls[0]?.arguments ?? {};
      expect(Object.getPrototypeOf(args)).to.equal(Object.prototype);
      expect(args["x"]).to.equal(undefined);
      return expect(args["b"]).to.equal(2);
    });

    describe("failures name the provider and what to do, and hold no key", () => {
      const cases: [string, VendorTurn, RegExp, boolean][] = [
        ["a refused key", { status: 401 }, /acme.*127\.0\.0\.1.*401.*api_key/, false],
        ["a forbidden key", { status: 403 }, /acme.*403.*api_key/, false],
        ["an unknown model", { status: 404 }, /acme.*404.*model-x/, false],
        ["a bad request", { status: 400 }, /acme.*400.*scripted failure/, false],
        ["too many requests", { status: 429 }, /acme.*429/, true],
        ["a vendor's fault", { status: 500 }, /acme.*failed.*500/, true],
        ["an overloaded vendor", { status: 529 }, /acme.*failed.*529/, true],
        ["an error page", { status: 502, body: "<html>Bad gateway</html>" }, /acme.*502\. /, true],
        ["a redirect", { status: 302, headers: { location: "http://127.0.0.1:1/" } }, /acme.*302.*base_url/, false],
        ["a reset connection", { trouble: "reset" }, /acme.*closed the connection/, true],
        ["an error inside the stream", { text: "a", trouble: "error" }, /acme.*(scripted trouble)/, true],
        ["garbage in the stream", { trouble: "garbage" }, /acme.*does not know.*base_url/, false],
        ["a stream that breaks off", { text: "a", trouble: "cut" }, /acme.*closed the connection/, true],
        ["a stream that ends too early", { text: "a", trouble: "end" }, /acme.*before it was complete/, true],
      ];
      for (const [title, turn, sentence, retryable] of cases)
        it(title, async () => {
          const echo = turn.status && !turn.body ? { body: `{"error":{"message":"scripted failure for ${KEY}"}}` } : {};
          play({ ...turn, ...echo });
          const error = await failure(provider.reply({ system: "", messages: [user("hi")], tools: [] }, never()));
          expect(error.message).to.match(sentence).and.not.contain(KEY);
          expect(error.retryable).to.equal(retryable);
          expect(JSON.stringify(error)).not.to.contain(KEY);
        });

      it("an address where nothing listens", async () => {
        const gone = await startVendor();
        await gone.close();
        provider = await make({ baseUrl: gone.url });
        const error = await failure(provider.reply({ system: "", messages: [user("hi")], tools: [] }, never()));
        provider = await make();
        expect(error.message)
          .to.contain(new URL(gone.url).origin)
          .and.match(/acme.*running/);
        expect(error.retryable).to.equal(true);
      });
    });

    describe("an abort reaches the vendor's socket", () => {
      const cases: [string, VendorTurn][] = [
        ["while no headers have come", { trouble: "hang" }],
        ["in the middle of the stream", { text: "first", trouble: "stall" }],
      ];
      for (const [title, turn] of cases)
        it(title, async () => {
          play(turn);
          const controller = new AbortController();
          const replies = provider.reply({ system: "", messages: [user("hi")], tools: [] }, controller.signal);
          const reason = new Error("stop it");
          if (turn.text) expect((await replies.next()).value).to.deep.equal({ kind: "text", text: "first" });
          const next = replies.next().then(
            () => undefined,
            (error: unknown) => error,
          );
          await until(() => vendor.requests.length > 0, 5_000, "no request came to the fake vendor");
          const at = performance.now();
          controller.abort(reason);
          // What the vendor has counted comes with it.
          const error = await next;
          expect(error instanceof ProviderError ? error.cause : error).to.equal(reason);
          await vendor.requests[0]?.gone;
          // 100 ms is the promise; the rest is a margin for a busy machine.
          expect(performance.now() - at).to.be.below(1_000);
        });

      it("and so does a listener that leaves", async () => {
        play({ text: "first", trouble: "stall" });
        const replies = provider.reply({ system: "", messages: [user("hi")], tools: [] }, never());
        await replies.next();
        await replies.return(undefined as never);
        await vendor.requests[0]?.gone;
      });

      it("and a call that was aborted before it began is never sent", async () => {
        play({ text: "no" });
        const reason = new Error("too late");
        const replies = provider.reply({ system: "", messages: [user("hi")], tools: [] }, AbortSignal.abort(reason));
        expect(await replies.next().catch((error: unknown) => error)).to.equal(reason);
        expect(vendor.requests).to.have.length(0);
      });
    });

    it("ends a call that takes longer than its timeout, naming timeout_ms", async () => {
      provider = await make({ timeoutMs: 150 });
      play({ trouble: "hang" });
      const error = await failure(provider.reply({ system: "", messages: [user("hi")], tools: [] }, never()));
      provider = await make();
      expect(error.message).to.match(/acme.*timeout_ms/);
      await vendor.requests[0]?.gone;
    });
  });

describe("Models: what a vendor needs back", () => {
  let vendor: Vendor;
  before(async () => {
    vendor = await startVendor();
  });
  after(() => vendor.close());

  for (const type of ["anthropic", "google", "openai"] as const)
    it(`${type} gets its signed reasoning back, and no other vendor does`, async () => {
      const make = (of: ProviderType) =>
        createProvider(
          of,
          providerOptions({
            type: of,
            api: of === "openai" ? "responses" : undefined,
            name: "acme",
            model: "model-x",
            baseUrl: vendor.url,
            apiKey: KEY,
          }),
        );
      vendor.script([
        {
          thinking: { text: "I should look.", signature: "c2lnbmF0dXJlLTE=" },
          text: "Looking.",
          calls: [{ name: "look", arguments: {}, signature: "c2lnbmF0dXJlLTI=" }],
        },
        { text: "done" },
        { text: "done" },
      ]);
      const { reply } = await read(
        (await make(type)).reply({ system: "", messages: [user("go")], tools: [tool("look")] }, never()),
      );
      expect(reply.text).to.equal("Looking.");
      const id = reply.calls[0]?.id ?? "";
      // What the store does with it in between.
      const answered = JSON.parse(JSON.stringify({ role: "assistant", ...reply })) as Message;
      const messages: Message[] = [
        user("go"),
        answered,
        { role: "tool", call_id: id, name: "look", text: "{}", is_error: false },
      ];
      await read((await make(type)).reply({ system: "", messages, tools: [tool("look")] }, never()));
      const sent = vendor.requests[1]?.text ?? "";
      expect(sent).to.contain("c2lnbmF0dXJlLTE=");
      if (type === "google") expect(sent).to.contain("c2lnbmF0dXJlLTI=");
      await read((await make("openai-compatible")).reply({ system: "", messages, tools: [tool("look")] }, never()));
      expect(vendor.requests[2]?.text).not.to.contain("c2lnbmF0dXJl");
    });
});

// The settings of one model, from config.json to the request on each wire.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import type { ProviderType } from "../../src/config/provider-table.js";
import { loadSettings } from "../../src/config/settings.js";
import { type JsonObject, toJson } from "../../src/lib/json.js";
import { createProvider, providerOptions } from "../../src/providers/create.js";
import type { Provider, Reply } from "../../src/providers/provider.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startVendor, type Vendor, type VendorRequest } from "../support/vendor.js";

/** Every wire, and the entry that chooses it. */
const WIRES = {
  openai: { type: "openai" },
  responses: { type: "openai", api: "responses" },
  "openai-compatible": { type: "openai-compatible" },
  anthropic: { type: "anthropic" },
  google: { type: "google" },
} as const;

/** Where each wire carries what a setting says. */
const FIELDS: Readonly<Record<keyof typeof WIRES, JsonObject>> = {
  responses: { temperature: 0.5, max_output_tokens: 321, reasoning: { effort: "low" } },
  openai: { temperature: 0.5, max_completion_tokens: 321, reasoning_effort: "low" },
  "openai-compatible": { temperature: 0.5, max_tokens: 321, reasoning_effort: "low" },
  anthropic: { temperature: 0.5, max_tokens: 321, output_config: { effort: "low" } },
  google: {
    generationConfig: { temperature: 0.5, maxOutputTokens: 321, thinkingConfig: { thinkingLevel: "low" } },
  },
};

async function read(provider: Provider): Promise<Reply> {
  const request = { system: "Be brief.", messages: [{ role: "user", text: "hi" } as const], tools: [] };
  const replies = provider.reply(request, new AbortController().signal);
  for (;;) {
    const step = await replies.next();
    if (step.done) return step.value;
  }
}

describe("Models: settings", () => {
  let dir: string;
  let vendor: Vendor;
  before(async () => {
    dir = temporaryFolder("models");
    vendor = await startVendor();
  });
  after(() => vendor.close());

  /** The provider that this entry of config.json makes. */
  const configured = async (type: ProviderType, entry: JsonObject, env: Record<string, string> = {}) => {
    const providers = { p: { type, base_url: vendor.url, api_key: "env:KEY", model: "m", max_retries: 0, ...entry } };
    writeFileSync(join(dir, "config.json"), toJson({ providers }));
    const settings = await loadSettings({ dataDir: dir, flags: {}, env: { KEY: "key-123456", ...env } });
    const options = settings.provider.configured;
    if (!options) throw new Error("no provider was configured");
    return { provider: await createProvider(type, providerOptions(options)), settings };
  };
  const sent = async (type: ProviderType, entry: JsonObject): Promise<VendorRequest> => {
    vendor.script([{ text: "ok" }]);
    expect((await read((await configured(type, entry)).provider)).text).to.equal("ok");
    const [request] = vendor.requests;
    if (!request) throw new Error("nothing was sent");
    return request;
  };
  const failed = async (provider: Provider): Promise<Error> =>
    read(provider).then(
      () => expect.fail("the call was expected to fail"),
      (error: Error) => error,
    );

  for (const [wire, own] of Object.entries(WIRES) as [keyof typeof WIRES, (typeof WIRES)[keyof typeof WIRES]][])
    describe(wire, () => {
      const { type } = own;
      it("sends temperature, max_tokens and reasoning_effort under the vendor's names", async () => {
        const { body } = await sent(type, { ...own, temperature: 0.5, max_tokens: 321, reasoning_effort: "low" });
        for (const [name, value] of Object.entries(FIELDS[wire])) expect(body[name], name).to.deep.equal(value);
      });

      it("sends none of them when they are not set", async () => {
        const { text } = await sent(type, { ...own });
        expect(text).not.to.match(/temperature|effort|thinkingLevel|max_completion_tokens|maxOutputTokens/);
        // Anthropic's API demands a limit.
        if (type !== "anthropic") expect(text).not.to.contain("max_tokens");
      });

      it("appends system to its own instructions", async () => {
        const { text } = await sent(type, { ...own, system: "Answer in Latin." });
        expect(text).to.contain(toJson("Be brief.\n\nAnswer in Latin."));
      });

      it("merges extra_body into the body, at any depth, and keeps what it writes itself", async () => {
        const nested: JsonObject = { generationConfig: { topP: 0.25 }, output_config: { format: { type: "x" } } };
        const extra_body = { top_k: 7, deep: { list: [1, null] }, ...nested };
        const { body } = await sent(type, { ...own, max_tokens: 321, extra_body });
        expect(body).to.deep.include({ top_k: 7, deep: { list: [1, null] } });
        expect(body["output_config"]).to.deep.equal({ format: { type: "x" } });
        const config = body["generationConfig"] as JsonObject;
        expect(config["topP"]).to.equal(0.25);
        if (type === "google") expect(config["maxOutputTokens"]).to.equal(321);
        expect(toJson(body)).to.contain("hi").and.contain("Be brief.");
      });

      it("adds query to the address, and keeps a secret in it out of what is quoted", async () => {
        const entry = { query: { "api-version": "2024-10-21", code: "env:CODE" } };
        const { provider, settings } = await configured(type, { ...own, ...entry }, { CODE: "se cret&1" });
        vendor.script([{ text: "ok" }]);
        await read(provider);
        const { searchParams } = new URL(vendor.requests[0]?.path ?? "", vendor.url);
        expect(searchParams.get("api-version")).to.equal("2024-10-21");
        expect(searchParams.get("code")).to.equal("se cret&1");
        expect(searchParams.get("alt")).to.equal(type === "google" ? "sse" : null);
        expect(settings.secrets).to.include("se cret&1").and.not.include("2024-10-21");
      });

      it("ends a call whose vendor is silent, naming idle_timeout_ms", async () => {
        for (const turn of [{ trouble: "hang" }, { text: "a", trouble: "stall" }] as const) {
          const { provider } = await configured(type, { ...own, idle_timeout_ms: 80 });
          vendor.script([turn]);
          expect((await failed(provider)).message).to.match(/"p" \(127.*sent nothing for 0\.08 s.*idle_timeout_ms/);
          await vendor.requests[0]?.gone;
        }
      });

      it("never ends one that goes on, however long it takes", async () => {
        const { provider } = await configured(type, { ...own, idle_timeout_ms: 400 });
        const deltas = Array.from({ length: 12 }, () => "word ");
        vendor.script([{ deltas, delayMs: 50 }]);
        const at = performance.now();
        expect((await read(provider)).text).to.equal(deltas.join(""));
        expect(performance.now() - at).to.be.above(600);
      });
    });

  it("does not count the time its reader takes as silence", async () => {
    const { provider } = await configured("openai-compatible", { idle_timeout_ms: 200 });
    vendor.script([{ deltas: ["a", "b", "c"], delayMs: 1 }]);
    const request = { system: "", messages: [{ role: "user", text: "hi" } as const], tools: [] };
    const replies = provider.reply(request, new AbortController().signal);
    await replies.next();
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect((await replies.next()).done).to.equal(false);
    await replies.return(undefined as never);
  });

  it("tries again after a silence before the first word", async () => {
    const { provider } = await configured("openai-compatible", { idle_timeout_ms: 100, max_retries: 1 });
    vendor.script([{ trouble: "hang" }, { text: "there" }]);
    expect((await read(provider)).text).to.equal("there");
  });

  it("leaves stream_options out where it is false, and is content without a count of tokens", async () => {
    for (const type of ["openai", "openai-compatible"] as const) {
      expect((await sent(type, {})).body["stream_options"]).to.deep.equal({ include_usage: true });
      expect((await sent(type, { stream_options: false })).body).not.to.have.property("stream_options");
    }
  });
});

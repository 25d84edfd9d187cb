// Retries: a real provider against a fake model API that fails.
import { expect } from "chai";
import { providerOptions } from "../../src/providers/create.js";
import { retryAfterMs } from "../../src/providers/http/failure.js";
import { createOpenAiCompatible } from "../../src/providers/openai-compatible/provider.js";
import type { Provider, Reply } from "../../src/providers/provider.js";
import { pauseBefore, withRetry } from "../../src/providers/retry.js";
import { startVendor, type Vendor } from "../support/vendor.js";

const REQUEST = { system: "", messages: [{ role: "user", text: "hi" }], tools: [] } as const;

describe("Models: retries", () => {
  let vendor: Vendor;
  let deltas: string[];

  const retrying = (policy: Partial<Parameters<typeof withRetry>[1]> = {}): Provider => {
    const options = providerOptions({ type: "openai-compatible", name: "acme", model: "m", baseUrl: vendor.url });
    return withRetry(createOpenAiCompatible(options), {
      maxRetries: 2,
      timeoutMs: 5_000,
      firstPauseMs: 1,
      ...policy,
    });
  };
  const read = async (provider: Provider, signal = new AbortController().signal): Promise<Reply> => {
    const replies = provider.reply(REQUEST, signal);
    for (;;) {
      const step = await replies.next();
      if (step.done) return step.value;
      deltas.push(step.value.text);
    }
  };
  const failed = async (reading: Promise<unknown>): Promise<Error> => {
    try {
      await reading;
    } catch (error) {
      return error as Error;
    }
    throw new Error("the call was expected to fail");
  };

  before(async () => {
    vendor = await startVendor();
  });
  beforeEach(() => {
    deltas = [];
  });
  after(() => vendor.close());

  for (const [title, turn] of [
    ["429", { status: 429 }],
    ["503", { status: 503 }],
    ["a reset connection", { trouble: "reset" }],
    ["a stream that ends before its first word", { trouble: "end" }],
    ["an error of the vendor before the first word", { trouble: "error" }],
  ] as const)
    it(`tries again after ${title}`, async () => {
      vendor.script([turn, turn, { text: "at last" }]);
      expect((await read(retrying())).text).to.equal("at last");
      expect(vendor.requests).to.have.length(3);
      expect(new Set(vendor.requests.map((request) => request.text)).size).to.equal(1);
    });

  it("gives up after its retries, with the last failure", async () => {
    vendor.script(() => ({ status: 503 }));
    expect((await failed(read(retrying()))).message).to.match(/503/);
    expect(vendor.requests).to.have.length(3);
  });

  it("never tries again what cannot pass: a refused key, a bad request, a used-up quota", async () => {
    for (const turn of [
      { status: 401 },
      { status: 400 },
      { status: 429, body: '{"error":{"code":"insufficient_quota","message":"x"}}' },
    ]) {
      vendor.script([turn, { text: "no" }]);
      await failed(read(retrying()));
      expect(vendor.requests).to.have.length(1);
    }
  });

  it("never tries again once a word was streamed", async () => {
    for (const trouble of ["cut", "end", "error"] as const) {
      vendor.script([{ text: "a", trouble }, { text: "b" }]);
      await failed(read(retrying()));
      expect(vendor.requests).to.have.length(1);
    }
    expect(deltas).to.deep.equal(["a", "a", "a"]);
  });

  it("waits as long as the vendor asks", async () => {
    vendor.script([{ status: 429, headers: { "retry-after": "1" } }, { text: "ok" }]);
    const at = performance.now();
    await read(retrying());
    expect(performance.now() - at).to.be.at.least(990);
  });

  it("does not wait when the vendor asks for longer than it waits, and says for how long", async () => {
    vendor.script([{ status: 429, headers: { "retry-after": "3600" } }, { text: "no" }]);
    const { message } = await failed(read(retrying()));
    expect(message).to.match(/429.*asks to wait 60 min, and agentd waits 20 s at most: send the prompt again then\.$/);
    expect(vendor.requests).to.have.length(1);
  });

  it("says that it waits, and why, when that takes more than a few seconds", async () => {
    vendor.script([{ status: 429, headers: { "retry-after": "0.2" } }, { deltas: ["o", "k"] }]);
    const replies = retrying({ quietPauseMs: 100 }).reply(REQUEST, new AbortController().signal);
    const first = await replies.next();
    expect(first.value).to.have.property("kind", "notice");
    expect((first.value as { text: string }).text).to.match(/acme.*429.*Trying again in 1 s\.$/);
    expect((await replies.next()).value).to.deep.equal({ kind: "text", text: "o" });
    await replies.return(undefined as never);
    vendor.script([{ status: 429, headers: { "retry-after": "0.1" } }, { text: "ok" }]);
    expect((await retrying().reply(REQUEST, new AbortController().signal).next()).value).to.include({ text: "ok" });
  });

  it("reads retry-after in seconds, as a date and in milliseconds, and Google's in the body", () => {
    expect(retryAfterMs({ "retry-after": "2" })).to.equal(2_000);
    expect(retryAfterMs({ "retry-after": new Date(Date.now() + 60_000).toUTCString() })).to.be.within(50_000, 60_000);
    expect(retryAfterMs({ "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" })).to.equal(0);
    expect(retryAfterMs({ "retry-after-ms": "250", "retry-after": "9" })).to.equal(250);
    const delay = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "41.5s" };
    const body = JSON.stringify({ error: { code: 429, message: "Quota", details: [{}, delay] } }, null, 2);
    expect(retryAfterMs({}, body)).to.equal(41_500);
    expect(retryAfterMs({ "retry-after": "2" }, body)).to.equal(2_000);
    for (const odd of ["", "soon", "NaN"]) expect(retryAfterMs({ "retry-after": odd })).to.equal(undefined);
  });

  it("pauses longer with each attempt, never twice the same, never beyond the cap", () => {
    const policy = { maxRetries: 9, timeoutMs: 1, firstPauseMs: 100, longestPauseMs: 1_000 };
    for (let attempt = 1; attempt < 10; attempt++) {
      const full = Math.min(100 * 2 ** (attempt - 1), 1_000);
      for (let i = 0; i < 20; i++) expect(pauseBefore(attempt, undefined, policy)).to.be.within(full / 2, full);
    }
    expect(new Set(Array.from({ length: 20 }, () => pauseBefore(3, undefined, policy))).size).to.be.above(1);
    expect(pauseBefore(1, 0, policy)).to.equal(0);
  });

  it("ends its pause at once when aborted, with the signal's reason", async () => {
    vendor.script([{ status: 429, headers: { "retry-after": "15" } }, { text: "no" }]);
    const controller = new AbortController();
    const reading = failed(read(retrying(), controller.signal));
    while (vendor.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const reason = new Error("enough");
    controller.abort(reason);
    expect(await reading).to.equal(reason);
    expect(vendor.requests).to.have.length(1);
  });

  it("M8 ends a call that hangs, streams forever or is refused again and again", async () => {
    vendor.script(() => ({ trouble: "hang" }));
    expect((await failed(read(retrying({ timeoutMs: 100 })))).message).to.match(/timeout_ms/);
    expect(vendor.requests).to.have.length(1);
    vendor.script(() => ({ deltas: Array.from({ length: 10_000 }, () => "word "), delayMs: 1 }));
    expect((await failed(read(retrying({ timeoutMs: 300 })))).message).to.match(/timeout_ms/);
    await vendor.requests[0]?.gone;
    vendor.script(() => ({ status: 429 }));
    expect((await failed(read(retrying()))).message).to.match(/429/);
  });
});

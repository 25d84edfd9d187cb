// A conversation that outgrows the model's context, through a whole daemon: what the model is sent, and what people are told.
import { expect } from "chai";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { type RecordingTarget, startTarget } from "../support/target.js";
import { startVendor, type Vendor } from "../support/vendor.js";

interface Sent {
  role: string;
  content: string;
  tool_call_id?: string;
}

describe("Context", () => {
  let vendor: Vendor;
  let target: RecordingTarget;
  let daemon: Daemon;
  before(async () => {
    vendor = await startVendor();
    target = await startTarget();
    const played = {
      type: "openai-compatible",
      base_url: vendor.url,
      model: "m",
      context_tokens: 2_500,
      max_retries: 0,
    };
    daemon = await startDaemon({
      target: target.url,
      config: { default_provider: "small", providers: { small: played } },
    });
  });
  after(async () => {
    await daemon.close();
    await target.close();
    await vendor.close();
  });

  const run = async (message: string): Promise<{ result: string; events: { kind: string; message?: string }[] }> => {
    const response = await fetch(`${daemon.url}/run`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ message, session_id: "long", events: "extended" }),
    });
    return (await response.json()) as never;
  };
  const sent = (): Sent[] => vendor.requests.at(-1)?.body["messages"] as unknown as Sent[];

  it("leaves the oldest turns out and tells it in a notice and the log; the session keeps them", async () => {
    vendor.script(() => ({ text: `an answer ${"of many words ".repeat(150)}` }));
    for (const n of [1, 2, 3, 4]) await run(`prompt ${n}`);
    const { events } = await run("prompt 5");
    const prompts = sent().filter(({ role }) => role === "user");
    expect(prompts.at(-1)?.content).to.equal("prompt 5");
    expect(prompts.length).to.be.within(2, 4);
    const notice = events.find(({ kind }) => kind === "notice")?.message;
    expect(notice).to.match(/^The conversation is longer than the context of 2,500 tokens of m: the oldest/);
    expect(daemon.log.some(({ message, fields }) => message === "notice" && fields["notice"] === notice)).to.equal(
      true,
    );
    const transcript = await (await fetch(`${daemon.url}/-/sessions/long`)).text();
    expect(transcript).to.contain("prompt 1");
  });

  it("answers each call in what it sends, also after a refusal as too long", async () => {
    const refusal = { status: 400, body: JSON.stringify({ error: { code: "context_length_exceeded", message: "" } }) };
    vendor.script([{ calls: [{ name: "list_pets", arguments: {} }] }, refusal, { text: "two pets" }]);
    const { result } = await run("list the pets");
    expect(result).to.equal("two pets");
    expect(sent().map(({ role }) => role)).to.deep.equal(["system", "user", "assistant", "tool"]);
  });
});

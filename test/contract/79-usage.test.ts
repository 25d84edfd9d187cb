// What model calls took, over every entry point, in the record after a restart, and with a price.
// Source: docs/reference.md, "Usage and cost".
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import type { SessionSummary, TranscriptTurn } from "../../src/domain/record.js";
import { type Daemon, startDaemon } from "../support/daemon.js";
import { ask, entryPoints, getJson, postJson } from "../support/entry-points.js";
import { kinds } from "../support/raw.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "../support/until.js";
import { startVendor } from "../support/vendor.js";

const COUNTED = { input_tokens: 1000, output_tokens: 200, cached_tokens: 500, reasoning_tokens: 20 };
const CALL = { ...COUNTED, provider: "played", model: "m", cost: 0.00205, currency: "EUR" };
const SUM = {
  ...CALL,
  input_tokens: 2000,
  output_tokens: 400,
  cached_tokens: 1000,
  reasoning_tokens: 40,
  cost: 0.0041,
};

describe("Usage and cost", function () {
  this.timeout(30_000);
  let dir: string;
  let daemon: Daemon;

  const start = async (): Promise<void> => {
    const price = { input: 2, cached: 0.1, output: 5 };
    daemon = await startDaemon({
      dataDir: dir,
      turns: [
        { prompt: "count", replies: [{ text: "ok", usage: COUNTED }] },
        { prompt: "fail", replies: [{ error: "broken", usage: COUNTED }] },
      ],
      config: {
        currency: "EUR",
        providers: { played: { type: "scripted", file: join(dir, "turns.json"), model: "m", price } },
      },
    });
  };

  beforeEach(async () => {
    dir = temporaryFolder("usage");
    await start();
  });
  afterEach(() => daemon.close());

  for (const { name, ask: askThere } of entryPoints)
    it(`is an extended event over ${name}`, async () => {
      const events = await askThere(daemon.url, { message: "count", events: "extended" });
      const [usage] = events.filter(({ kind }) => (kind as string) === "usage") as unknown as Record<string, unknown>[];
      const { seq: _, ...fields } = usage ?? {};
      expect(fields).to.deep.equal({ kind: "usage", ...CALL });
    });

  it("is summed for turn and session, failed calls included, also after a restart", async () => {
    await ask(daemon.url, { message: "count", session_id: "s" });
    await ask(daemon.url, { message: "fail", session_id: "s" });
    await ask(daemon.url, { message: "nothing said", session_id: "other" });
    await daemon.close();
    await start();
    const sessions = await getJson<SessionSummary[]>(`${daemon.url}/-/sessions`);
    expect(sessions.map(({ usage }) => usage)).to.deep.equal([undefined, SUM]);
    const transcript = await getJson<{ turns: TranscriptTurn[]; usage: object }>(`${daemon.url}/-/sessions/s`);
    expect(transcript.usage).to.deep.equal(SUM);
    expect(transcript.turns.map(({ status, usage }) => ({ status, usage }))).to.deep.equal([
      { status: "done", usage: CALL },
      { status: "failed", usage: CALL },
    ]);
    expect(transcript.turns[0]?.messages.at(-1)).to.deep.equal({
      role: "assistant",
      text: "ok",
      calls: [],
      usage: CALL,
    });
  });

  it("counts what the vendor had counted of a turn that was cancelled", async () => {
    const counted = {
      choices: [{ index: 0, delta: { content: "a" } }],
      usage: { prompt_tokens: 9, completion_tokens: 1 },
    };
    const vendor = await startVendor([{ events: [JSON.stringify(counted)], trouble: "stall" }]);
    await daemon.close();
    const config = {
      default_provider: "v",
      providers: { v: { type: "openai-compatible", base_url: vendor.url, model: "m" } },
    };
    daemon = await startDaemon({ dataDir: dir, config });
    const asked = ask(daemon.url, { message: "go", session_id: "s", events: "extended" });
    await until(() => vendor.requests.length > 0);
    await sleep(100);
    await postJson(`${daemon.url}/-/sessions/s/cancel`, {});
    const events = await asked;
    expect(kinds(events).slice(-4)).to.deep.equal(["assistant_delta", "usage", "error", "done"]);
    const { usage } = await getJson<{ usage: object }>(`${daemon.url}/-/sessions/s`);
    expect(usage).to.deep.equal({ input_tokens: 9, output_tokens: 1, provider: "v", model: "m" });
    await vendor.close();
  });
});

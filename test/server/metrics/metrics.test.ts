// What GET /-/metrics measures, through a real daemon: durations, tokens, the record and the process.
import { expect } from "chai";
import { type Daemon, startDaemon } from "../../support/daemon.js";
import { read, tables, ticked } from "../../support/docs.js";
import { json, type RecordingTarget, startTarget } from "../../support/target.js";

describe("GET /-/metrics", () => {
  let daemon: Daemon;
  let target: RecordingTarget;

  const samples = async (at = daemon): Promise<Map<string, number>> => {
    const text = await (await fetch(`${at.url}/-/metrics`)).text();
    const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]));
  };
  const run = async (message: string, at = daemon): Promise<void> => {
    const headers = { "content-type": "application/json" };
    const answer = await fetch(`${at.url}/run`, { method: "POST", body: JSON.stringify({ message }), headers });
    expect(answer.status).to.equal(200);
    await answer.text();
  };

  before(async () => {
    target = await startTarget(() => json([{ id: 1 }]));
    const usage = { input_tokens: 100, output_tokens: 7 };
    daemon = await startDaemon({
      target: target.url,
      turns: [
        {
          prompt: "list",
          replies: [
            { calls: [{ name: "list_pets", arguments: {} }], usage },
            { text: "One.", usage },
          ],
        },
        { prompt: "break", replies: [{ error: "the model broke" }] },
      ],
    });
  });
  after(async () => {
    await daemon.close();
    await target.close();
  });

  it("is Prometheus text: every sample has a family with help and a type", async () => {
    const answer = await fetch(`${daemon.url}/-/metrics`);
    expect(answer.headers.get("content-type")).to.equal("text/plain; version=0.0.4; charset=utf-8");
    const text = await answer.text();
    const families = [...text.matchAll(/^# TYPE (\w+) (counter|gauge|histogram)$/gm)].map(([, name = ""]) => name);
    expect([...text.matchAll(/^# HELP (\w+) .+$/gm)].map(([, name]) => name)).to.deep.equal(families);
    const sampled = [...text.matchAll(/^(\w+?)(?:_bucket|_sum|_count)?(?:\{.*\})? \S+$/gm)].map(
      ([, name = ""]) => name,
    );
    expect(families).to.include.members(sampled);
  });

  it("takes no harm from counts that cannot be counted, before the instruments are loaded and after", async () => {
    const usage = { input_tokens: -1, output_tokens: 0.5 };
    const odd = await startDaemon({ turns: [{ prompt: "odd", replies: [{ text: "Fine.", usage }] }] });
    try {
      await run("odd", odd);
      expect((await samples(odd)).get('agentd_turns_total{status="done"}')).to.equal(1);
      await run("odd", odd);
      expect((await samples(odd)).get('agentd_turns_total{status="done"}')).to.equal(2);
      const [session] = await odd.agent.sessions({ limit: 1 });
      expect(session?.status).to.equal("done");
    } finally {
      await odd.close();
    }
  });

  it("has every metric of the reference, and no other", async () => {
    await run("list");
    const text = await (await fetch(`${daemon.url}/-/metrics`)).text();
    const families = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = ""]) => name);
    const [table] = tables(read("docs/reference.md")).filter(({ header }) => header[0] === "metric");
    const documented = (table?.rows ?? []).flatMap((row) => {
      const [first = "", ...others] = ticked(row[0] ?? "");
      return [first, ...others.map((name) => name.replace(/^…/, first.replace(/_[a-z0-9]+_seconds$/, "")))];
    });
    expect(documented.sort()).to.deep.equal(families.sort());
  });

  it("has the counters at zero before anything happens", async () => {
    const fresh = await startDaemon();
    const now = await samples(fresh);
    expect(now.get('agentd_turns_total{status="failed"}')).to.equal(0);
    expect(now.get('agentd_tool_calls_total{status="error"}')).to.equal(0);
    expect(now.get('agentd_http_responses_total{class="5xx"}')).to.equal(0);
    expect(now.get("agentd_turns_running")).to.equal(0);
    expect(now.get("agentd_history_rows")).to.equal(0);
    await fresh.close();
  });

  it("measures turns, model calls and tool calls, and counts tokens", async () => {
    await run("list");
    const now = await samples();
    expect(now.get('agentd_turns_total{status="done"}')).to.equal(2);
    expect(now.get('agentd_turn_duration_seconds_count{status="done"}')).to.equal(2);
    expect(now.get('agentd_turn_duration_seconds_sum{status="done"}')).to.be.within(0.0001, 5);
    expect(now.get('agentd_tool_call_duration_seconds_count{status="ok"}')).to.equal(2);
    const labels = [...now.keys()].find((key) => key.startsWith("agentd_model_call_duration_seconds_count")) ?? "";
    expect(labels).to.include('provider="played"').and.include('status="ok"').and.include("model=");
    expect(now.get(labels)).to.equal(4);
    const tokens = (type: string) => [...now].find(([key]) => key.includes("tokens") && key.includes(type))?.[1];
    expect(tokens("input")).to.equal(400);
    expect(tokens("output")).to.equal(28);
  });

  it("measures a model call that failed", async () => {
    await run("break");
    const now = await samples();
    expect(now.get('agentd_turns_total{status="failed"}')).to.equal(1);
    expect([...now.keys()].some((key) => /^agentd_model_call_.*_count\{.*status="error"/.test(key))).to.equal(true);
  });

  it("gives the size of the record and the delay of the event loop", async () => {
    const now = await samples();
    expect(now.get("agentd_history_rows")).to.equal((await daemon.agent.history({ limit: 100 })).length);
    expect(now.get("agentd_database_bytes")).to.be.above(4096);
    for (const name of ["p50", "p99", "max"])
      expect(now.get(`nodejs_eventloop_lag_${name}_seconds`), name).to.be.within(0, 30);
  });

  it("counts each daemon of a process by itself", async () => {
    const other = await startDaemon();
    await run("hello", other);
    expect((await samples(other)).get('agentd_turns_total{status="done"}')).to.equal(1);
    expect((await samples()).get('agentd_turns_total{status="done"}')).to.equal(2);
    await other.close();
  });
});

// Schemas that would take a validator minutes or all memory, in a daemon in a process of its own: the call is refused and recorded,
// nothing is sent, and other requests are answered meanwhile.
import { existsSync, readFileSync } from "node:fs";
import { expect } from "chai";
import type { TurnEvent } from "../../src/domain/event.js";
import type { HistoryEntry } from "../../src/domain/record.js";
import type { JsonObject, JsonValue } from "../../src/lib/json.js";
import { allOnly } from "../support/all.js";
import { ask, getJson, postJson } from "../support/entry-points.js";
import { HOSTILE_SCHEMAS, type HostileSchema, hostileShop, toolOf } from "../support/hostile-schemas.js";
import { memoryOf } from "../support/process-usage.js";
import { dataDir, type Served, serve, type Turns } from "../support/spawn.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { until } from "../support/until.js";

/** The one that `npm test` tries; the others are like it. */
const SHOWN = "anyOf that doubles";
/** Without a bound, these take the daemon's thread ten seconds and more, or its life. */
const MAX_SILENCE_MS = 2_000;
const REFUSED = /^the arguments could not be checked in time|^the schema of the tool cannot be used|^x /;

/** A schema too large to be compiled in place, and a list that takes it a long time; short ones do not. */
const SOMETIMES: HostileSchema = {
  schema: { type: "array", uniqueItems: true },
  $defs: { unused: { enum: Array.from({ length: 1_000 }, (_, i) => i) } },
  value: HOSTILE_SCHEMAS["uniqueItems of 30,000 objects"]?.value ?? [],
};

/** A prompt that calls one tool, and says no more. */
const turn = (prompt: string, tool: string, args: JsonObject): Turns[number] => ({
  prompt,
  replies: [{ calls: [{ id: "c", name: tool, arguments: args }] }, { text: "done" }],
});
const resultOf = (events: readonly TurnEvent[]) => events.find((event) => event.kind === "tool_result");

/** The processes that a process has started (Linux). */
const childrenOf = (pid: number): string[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);

/** The longest that GET /-/healthz took while the work was done, in milliseconds. */
async function longestSilence(url: string, work: Promise<unknown>): Promise<number> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  let longest = 0;
  while (!isDone) {
    const start = performance.now();
    await fetch(`${url}/-/healthz`);
    longest = Math.max(longest, performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await done;
  return longest;
}

describe("Schemas of bad faith", function () {
  // A check takes two seconds, and the process that makes it one to start on a busy machine.
  this.timeout(60_000);
  let target: RecordingTarget;
  let daemon: Served;

  const start = async (turns: Turns, cases = HOSTILE_SCHEMAS, config: JsonObject = {}): Promise<void> => {
    const made = dataDir({ schema: hostileShop(target.url, cases), turns, config });
    daemon = await serve(["--data-dir", made.dir]);
  };
  const only = (name: string) => ({ [name]: HOSTILE_SCHEMAS[name] as HostileSchema });
  const rows = () => getJson<HistoryEntry[]>(`${daemon.url}/history`);

  before(async () => {
    target = await startTarget(() => json({ id: 1 }));
  });
  beforeEach(() => {
    target.requests.length = 0;
  });
  afterEach(async () => {
    await daemon.kill();
  });
  after(() => target.close());

  for (const [name, hostile] of Object.entries(HOSTILE_SCHEMAS))
    for (const strict of [false, true])
      it(`G27 ${name}${strict ? ", in strict" : ""}: refused, others are answered${allOnly(name !== SHOWN || strict)}`, async () => {
        await start([turn("go", toolOf(name), { x: hostile.value })], only(name));
        // The first prompt of all makes the list of tools, which is not what is measured here.
        await ask(daemon.url, { message: "hello" });
        let result: ReturnType<typeof resultOf>;
        const work = ask(daemon.url, { message: "go", strict }).then((events) => {
          result = resultOf(events);
        });
        expect(await longestSilence(daemon.url, work)).to.be.below(MAX_SILENCE_MS);
        expect(result?.result).to.have.property("error", "invalid_arguments");
        expect(result?.result).to.have.property("message").that.matches(REFUSED);
        expect(target.requests).to.deep.equal([]);
        const [row] = await rows();
        expect(row).to.deep.include({ tool: toolOf(name), status: strict ? "blocked" : "error", request: null });
        expect(memoryOf(daemon.pid).peak, "MiB").to.be.below(400);
      });

  it("G27 what fits is sent, also by a tool that was slow before @all", async () => {
    const turns = [turn("bad", "sometimes", { x: SOMETIMES.value }), turn("good", "sometimes", { x: [1, 2] })];
    await start(turns, { sometimes: SOMETIMES });
    expect(resultOf(await ask(daemon.url, { message: "bad" }))?.status).to.equal("error");
    expect(resultOf(await ask(daemon.url, { message: "good" }))?.status).to.equal("ok");
    expect(target.requests.map(({ body }) => JSON.parse(body.toString("utf8")))).to.deep.equal([{ x: [1, 2] }]);
  });

  it("G27 edited arguments of a held call are checked in the same way @all", async () => {
    const confirm = { safety: { confirm: true } };
    await start([turn("hold", "sometimes", { x: [1, 2] })], { sometimes: SOMETIMES }, confirm);
    await ask(daemon.url, { message: "hold" });
    const [held] = await getJson<{ id: string }[]>(`${daemon.url}/-/confirmations?status=pending`);
    const decide = (x: JsonValue) =>
      postJson(`${daemon.url}/-/confirmations/${held?.id}`, { decision: "approve", arguments: { x } });
    let status = 0;
    const work = decide(SOMETIMES.value).then((response) => {
      status = response.status;
    });
    expect(await longestSilence(daemon.url, work)).to.be.below(MAX_SILENCE_MS);
    expect(status).to.equal(400);
    expect(target.requests).to.deep.equal([]);
    expect((await decide([3])).status).to.equal(200);
    expect(target.requests).to.have.length(1);
  });

  // Each takes two seconds of a processor.
  for (const many of [2, 6])
    it(`G28 ${many} slow checks at once do not keep others from theirs @all`, async () => {
      const turns = [turn("bad", toolOf(SHOWN), { x: 7 }), turn("good", "sometimes", { x: [1, 2] })];
      await start(turns, { ...only(SHOWN), sometimes: SOMETIMES });
      const bad = Array.from({ length: many }, () => ask(daemon.url, { message: "bad" }));
      const order: string[] = [];
      const good = ask(daemon.url, { message: "good" }).then((events) => {
        order.push("good");
        return resultOf(events)?.status;
      });
      const results = await Promise.all(bad.map((one) => one.finally(() => order.push("bad"))));
      expect(await good).to.equal("ok");
      expect(results.map((events) => resultOf(events)?.status)).to.deep.equal(Array(many).fill("error"));
      expect(order.indexOf("good"), order.join(" ")).to.be.below(Math.ceil(many / 2) + 1);
      expect(await rows()).to.have.length(many + 1);
    });

  it("G27 leaves no process behind when the daemon is killed during a check @all", async function () {
    if (process.platform !== "linux") this.skip();
    await start([turn("bad", toolOf(SHOWN), { x: 7 })], only(SHOWN));
    const work = ask(daemon.url, { message: "bad" }).catch(() => {});
    await until(() => childrenOf(daemon.pid).length > 0);
    const [child] = childrenOf(daemon.pid);
    await daemon.kill();
    await work;
    await until(() => !existsSync(`/proc/${child}`), 30_000, "the process of the check goes on");
  });
});

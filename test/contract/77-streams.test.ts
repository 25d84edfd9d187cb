// What stands between the events: signs of life, and readers that are slow or never read. And what is replayed of turns that are
// older than the process, or than the numbers. Source: docs/reference.md, "Streams of events" and "Turns that outlive their client".

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { SqliteDatabase } from "../../src/lib/sqlite.js";
import type { ScriptedReply } from "../../src/providers/scripted.js";
import { allOnly } from "../support/all.js";
import { type Daemon, type DaemonOptions, startDaemon } from "../support/daemon.js";
import { MAX_LIVE_GROWTH, spawnDaemon } from "../support/daemon-process.js";
import { readWhole } from "../support/dropping-client.js";
import { postJson } from "../support/entry-points.js";
import { openChat, openChatWire, openWire, request } from "../support/raw.js";
import { type Arrived, type ReadStream, readStream } from "../support/streams.js";
import { json, type RecordingTarget, startTarget } from "../support/target.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { until } from "../support/until.js";

const SSE = "text/event-stream";
const NDJSON = "application/x-ndjson";

const LIST = { name: "list_pets", arguments: {} };
/** A reply of nearly a megabyte; some of them are more than sockets between two processes hold. */
const LONG = Array.from({ length: 900 }, (_, i) => `${i} `.repeat(250));

const TURNS = [
  { prompt: "quiet", replies: [{ deltas: ["at ", "last"], delay_ms: 250 }] },
  { prompt: "silent", replies: [{ text: "at last", delay_ms: 34_000 }] },
  { prompt: "long", replies: [...Array<ScriptedReply>(6).fill({ deltas: LONG, calls: [LIST] }), { deltas: LONG }] },
  {
    prompt: "two",
    replies: [
      { deltas: ["Let me ", "look."], calls: [LIST] },
      { calls: [{ name: "create_pet", arguments: { name: "Rex" } }] },
      { text: "Made." },
    ],
  },
  { prompt: "fail", replies: [{ deltas: ["half ", "a "], error: { message: "out of order", retryable: false } }] },
];

const numbered = ({ events }: Pick<ReadStream, "events">): string[] =>
  events.map(({ seq, event }) => `${seq} ${event.kind}`);

describe("Streams of events", function () {
  this.timeout(60_000);
  let target: RecordingTarget;
  let daemon: Daemon;
  let dir: string;

  beforeEach(async () => {
    const pets = Array.from({ length: 300 }, (_, id) => ({ id, name: `pet ${id}` }));
    target = await startTarget(({ method }) => json(method === "GET" ? pets : { id: 1 }));
    dir = temporaryFolder("streams");
  });
  afterEach(async () => {
    await daemon?.close();
    await target.close();
  });

  const start = async (options: DaemonOptions = {}): Promise<void> => {
    daemon = await startDaemon({ target: target.url, turns: TURNS, dataDir: dir, ...options });
  };
  const run = (body: object, accept: string): Promise<Response> =>
    postJson(`${daemon.url}/run`, body, { headers: { accept } });
  const detach = async (message: string, session_id = "s"): Promise<string> => {
    const answer = await postJson(`${daemon.url}/run`, { message, session_id, detach: true });
    return ((await answer.json()) as { turn_id: string }).turn_id;
  };
  const follow = (turn_id: string, accept: string): Promise<Response> =>
    fetch(`${daemon.url}/-/turns/${turn_id}/events`, { headers: { accept } });
  const idle = (): Promise<void> => until(() => daemon.agent.load().running === 0);

  for (const accept of [SSE, NDJSON])
    it(`are kept alive while there is nothing to send, before the first event too, as ${accept}`, async () => {
      await start({ listen: { heartbeatMs: 40 } });
      const turn_id = await detach("quiet");
      const queued = run({ message: "quiet", session_id: "s" }, accept);
      const isDone = ({ event }: Arrived): boolean => event.kind === "done";
      const session = fetch(`${daemon.url}/-/sessions/s/events`, { headers: { accept } }).then((answer) =>
        // Between two turns and after them, too.
        readStream(answer, ({ beats, events }) => beats > 16 && events.filter(isDone).length === 2),
      );
      const followed = await readStream(await follow(turn_id, accept));
      expect(followed.beats).to.be.greaterThan(3);
      const waited = await readStream(await queued);
      // About six while it waited, and as many while it ran.
      expect(waited.beats).to.be.greaterThan(7);
      expect(waited.events.map(({ event }) => event.kind)).to.deep.equal([
        ...["user_prompt", "assistant_delta", "assistant_delta", "assistant_message", "done"],
      ]);
      expect(numbered(await session).filter((line) => line.endsWith("user_prompt"))).to.have.length(2);
    });

  it("sends extended clients of /chat a ping, also between turns, and plain ones nothing", async () => {
    await start({ listen: { heartbeatMs: 40 } });
    const extended = await openChat(`${daemon.url}/chat?events=extended`);
    const plain = await openChat(`${daemon.url}/chat`);
    await extended.until((frames) => frames.length >= 3);
    expect(extended.frames.slice(0, 3)).to.deep.equal([{ kind: "ping" }, { kind: "ping" }, { kind: "ping" }]);
    expect(plain.frames).to.deep.equal([]);
    for (const chat of [extended, plain]) chat.close();
  });

  it(`says that it is alive within 15 s, at every entry point${allOnly(true)}`, async () => {
    await start();
    const turn_id = await detach("silent");
    const gaps = async (answer: Response): Promise<number> => {
      let [last, longest] = [performance.now(), 0];
      for await (const _ of answer.body ?? []) {
        longest = Math.max(longest, performance.now() - last);
        last = performance.now();
      }
      return longest;
    };
    const chat = await openChat(`${daemon.url}/chat?events=extended`);
    let pings = 0;
    chat.ws.on("ping", () => pings++);
    const longest = await Promise.all([
      ...[SSE, NDJSON].map(async (accept) => gaps(await follow(turn_id, accept))),
      ...[SSE, NDJSON].map(async (accept) => gaps(await run({ message: "silent" }, accept))),
    ]);
    for (const gap of longest) expect(gap).to.be.within(5_000, 15_000);
    expect(chat.frames.length).to.be.at.least(3);
    expect(pings).to.be.at.least(2);
    chat.close();
  });

  it("M10 drops readers that never read, and bounds what they cost; the turn and other readers go on @all", async function () {
    this.timeout(180_000);
    const listen = { stalledMs: 300 };
    const file = join(dir, "long.json");
    writeFileSync(file, JSON.stringify({ turns: TURNS }));
    const config = { default_provider: "played", providers: { played: { type: "scripted", file } } };
    const served = await spawnDaemon({ target: target.url, config, dataDir: dir, listen });
    try {
      const wires = await Promise.all(Array.from({ length: 12 }, () => openWire(Number(new URL(served.url).port))));
      const usage = await served.watch(async () => {
        const answer = await postJson(`${served.url}/run`, { message: "long", session_id: "s", detach: true });
        const { turn_id } = (await answer.json()) as { turn_id: string };
        for (const wire of wires) {
          wire.socket.pause();
          wire.write(request(Number(new URL(served.url).port), `GET /-/turns/${turn_id}/events`, [`Accept: ${SSE}`]));
        }
        const events = await readWhole(served.url, turn_id);
        const kinds = events.map(({ event }) => event.kind);
        expect(kinds.filter((kind) => kind === "assistant_delta")).to.have.length(7 * LONG.length);
        expect(kinds.at(-1)).to.equal("done");
        // Dropped: their connections end before they have read.
        for (const wire of wires) wire.socket.resume();
        const received = await Promise.all(wires.map((wire) => wire.wait(10_000)));
        expect(received.map(({ closed }) => closed)).to.deep.equal(wires.map(() => true));
        for (const wire of wires) expect(wire.received().text).to.not.contain('"kind":"done"');
      });
      // Twelve times the turn would be 150 MiB.
      expect(usage.liveGrowth).to.be.lessThan(MAX_LIVE_GROWTH);
    } finally {
      await served.close();
    }
  });

  it("M11 keeps nothing of detached turns that nobody reads, and ends them by their time limit", async () => {
    await start({ config: { turn_timeout_ms: 300 } });
    const turns = await Promise.all(Array.from({ length: 8 }, (_, i) => detach("silent", `s${i}`)));
    await idle();
    for (const turn_id of turns) {
      const events = await readWhole(daemon.url, turn_id);
      expect(numbered({ events })).to.deep.equal(["1 user_prompt", "2 session", "3 error", "4 done"]);
      expect(events[2]?.event).to.deep.equal({ kind: "error", message: "stopped: the turn took too long" });
      expect((await daemon.agent.turn(turn_id))?.status).to.equal("failed");
    }
  });

  it("M10 lets a slow reader of a replay take its time @all", async () => {
    await start({ listen: { stalledMs: 2_000 } });
    const turn_id = await detach("long");
    await idle();
    const wire = await openWire(daemon.port);
    wire.write(request(daemon.port, `GET /-/turns/${turn_id}/events`, [`Accept: ${NDJSON}`, "Connection: close"]));
    for (let i = 0; i < 10; i++) {
      wire.socket.pause();
      await new Promise((resolve) => setTimeout(resolve, 50));
      wire.socket.resume();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await wire.wait(10_000);
    expect(wire.received().text).to.contain('"kind":"done"');
  });

  it("M10 disconnects a client of /chat that resumes and does not read", async () => {
    await start({ listen: { pingMs: 100 } });
    const turn_id = await detach("long");
    await idle();
    const wire = await openChatWire(daemon.port);
    wire.socket.pause();
    const text = Buffer.from(JSON.stringify({ type: "resume", turn_id }));
    for (let i = 0; i < 30; i++) wire.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]));
    // A kept connection may end just when it is used again.
    const sockets = (): Promise<string> =>
      fetch(`${daemon.url}/-/metrics`)
        .then((r) => r.text())
        .catch(() => "");
    await until(async () => /^agentd_chat_sockets 0$/m.test(await sockets()));
    wire.end();
  });

  it("end when the daemon stops, also that of a session in which nothing runs", async () => {
    await start();
    await detach("two");
    await idle();
    const answer = await fetch(`${daemon.url}/-/sessions/s/events`, { headers: { accept: NDJSON } });
    const turn_id = await detach("silent");
    const followed = await follow(turn_id, NDJSON);
    const begun = performance.now();
    const closing = daemon.close();
    const ends = ["1 user_prompt", "2 session", "3 error", "4 done"];
    expect(numbered(await readStream(answer))).to.deep.equal(ends);
    expect(numbered(await readStream(followed))).to.deep.equal(ends);
    await closing;
    expect(performance.now() - begun).to.be.lessThan(1_500);
  });

  it("replay a turn after a restart as before it", async () => {
    await start();
    const turns = [await detach("two"), await detach("fail")];
    await idle();
    await until(() => daemon.agent.load().waiting === 0 && daemon.agent.load().running === 0);
    const before = await Promise.all(turns.map((turn_id) => readWhole(daemon.url, turn_id)));
    await daemon.close();
    await start();
    const after = await Promise.all(turns.map((turn_id) => readWhole(daemon.url, turn_id)));
    expect(after).to.deep.equal(before);
    expect(after.map((events) => numbered({ events }))).to.deep.equal([
      [
        ...["1 user_prompt", "2 session", "5 assistant_message", "6 tool_call", "7 tool_result"],
        ...["8 tool_call", "9 tool_result", "11 assistant_message", "12 done"],
      ],
      // The text that was cut off stands where its last delta did.
      ["1 user_prompt", "2 session", "4 assistant_message", "5 error", "6 done"],
    ]);
  });

  it("replay a turn that was recorded before events were numbered @all", async () => {
    await start();
    const turn_id = await detach("two");
    await idle();
    const whole = await readWhole(daemon.url, turn_id);
    await daemon.close();
    const db = new SqliteDatabase(join(dir, "history.db"));
    db.exec("UPDATE turns SET events = NULL; UPDATE history SET event = NULL;");
    db.close();
    await start();
    const events = await readWhole(daemon.url, turn_id);
    expect(numbered({ events })).to.deep.equal([
      ...["1 user_prompt", "2 session", "3 assistant_message", "4 tool_call", "5 tool_result"],
      ...["6 tool_call", "7 tool_result", "8 assistant_message", "9 done"],
    ]);
    const bare = (list: readonly Arrived[]): unknown[] => list.map(({ event }) => event);
    expect(bare(events)).to.deep.equal(bare(whole));
  });
});

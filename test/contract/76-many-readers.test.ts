// Hundreds of readers of the same events, who never read: what an event costs when many of them come at once.
// Source: docs/reference.md, "Changes" and "Streams of events".

import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { type DaemonProcess, spawnDaemon } from "../support/daemon-process.js";
import { postJson } from "../support/entry-points.js";
import { cpuTimeOf } from "../support/process-usage.js";
import { openWire, request } from "../support/raw.js";
import { until } from "../support/until.js";

const READERS = 400;
/** Events far enough apart for each to be sent by itself, and many that come at once. */
const [APART, AT_ONCE] = [10, 300];
const APART_MS = 250;

const deltas = (count: number): string[] => Array.from({ length: count }, (_, i) => `word ${i} `);

describe("Hundreds of readers of the same events", function () {
  this.timeout(120_000);
  let daemon: DaemonProcess;
  let port: number;

  before(async () => {
    daemon = await spawnDaemon({
      turns: [
        { prompt: "slowly", replies: [{ deltas: deltas(APART), delay_ms: APART_MS }] },
        { prompt: "fast", replies: [{ deltas: deltas(AT_ONCE), delay_ms: 1 }] },
      ],
    });
    port = Number(new URL(daemon.url).port);
    await run("hello");
  });
  after(() => daemon?.close());

  const run = async (message: string): Promise<void> => {
    const answer = await postJson(`${daemon.url}/run`, { message, session_id: "s" });
    expect(answer.status).to.equal(200);
    await answer.text();
  };
  const rename = async (times: number, apartMs: number): Promise<void> => {
    for (let i = 0; i < times; i++) {
      const body = JSON.stringify({ title: `title ${i}` });
      const headers = { "content-type": "application/json" };
      await (await fetch(`${daemon.url}/-/sessions/s`, { method: "PATCH", headers, body })).text();
      if (apartMs > 0) await sleep(apartMs);
    }
  };
  /** Milliseconds of processor time that the daemon takes for this. */
  const cpuOf = async (work: () => Promise<void>): Promise<number> => {
    const before = cpuTimeOf(daemon.pid).all;
    await work();
    return cpuTimeOf(daemon.pid).all - before;
  };

  for (const { what, path, slowly, fast } of [
    { what: "changes", path: "/-/changes", slowly: () => rename(APART, APART_MS), fast: () => rename(AT_ONCE, 0) },
    { what: "a session", path: "/-/sessions/s/events", slowly: () => run("slowly"), fast: () => run("fast") },
  ])
    it(`M16 of ${what}: what comes at once is sent to them together @all`, async () => {
      const wires = await Promise.all(Array.from({ length: READERS }, () => openWire(port)));
      for (const wire of wires) wire.write(request(port, `GET ${path}`));
      await until(() => wires.every((wire) => wire.received().status === 200));
      for (const wire of wires) wire.socket.pause();
      await fast();
      const each = (await cpuOf(slowly)) / APART;
      const together = (await cpuOf(fast)) / AT_ONCE;
      for (const wire of wires) wire.end();
      // Measured: a tenth. It is more than half where each event goes to each reader by itself.
      expect(together).to.be.below(each / 3);
    });
});

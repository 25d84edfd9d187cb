// Too many at once: idle sockets by the thousand, sessions by the hundred, and a long day of turns. The rest of the work
// goes on, and memory comes to rest.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { memoryOf } from "../../support/process-usage.js";
import { openChatWire, openWire, type Wire } from "../../support/raw.js";
import type { Served } from "../../support/spawn.js";
import { createTally, type Fault } from "../fault.js";
import { askWell, openLab } from "../lab.js";

/** Asks for something small until stopped; returns the longest it had to wait, in milliseconds. */
export function probe(daemon: Served): { stop(): Promise<number> } {
  let running = true;
  let slowest = 0;
  const asking = (async () => {
    while (running) {
      const begun = performance.now();
      const answer = await fetch(`${daemon.url}/config/public`);
      await answer.text();
      assert(answer.status === 200, `GET /config/public gave ${answer.status}`);
      slowest = Math.max(slowest, performance.now() - begun);
      await sleep(10);
    }
    return slowest;
  })();
  asking.catch(() => {});
  return {
    stop() {
      running = false;
      return asking;
    },
  };
}

async function inPieces<T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  while (all.length < count)
    all.push(
      ...(await Promise.all(Array.from({ length: Math.min(50, count - all.length) }, (_, n) => work(all.length + n)))),
    );
  return all;
}

export const crowd: Fault = {
  name: "crowd",
  about: "2,000 idle sockets and 500 sessions at once",
  async run({ short }) {
    const [chats, bare, sessions] = short ? [200, 200, 60] : [1_000, 1_000, 500];
    const lab = await openLab(createTally(), { config: { max_turns: sessions } });
    const { tally } = lab;
    const daemon = await lab.start();
    await askWell(daemon, "make first 1");
    const wires: Wire[] = [];
    let idleMs = 0;
    let busyMs = 0;
    await tally.attempt("idle sockets", async () => {
      const probing = probe(daemon);
      wires.push(...(await inPieces(chats, () => openChatWire(daemon.port))));
      assert(
        wires.every((wire) => wire.received().text.startsWith("HTTP/1.1 101")),
        "a chat connection was refused",
      );
      wires.push(...(await inPieces(bare, () => openWire(daemon.port))));
      await sleep(short ? 100 : 2_000);
      idleMs = await probing.stop();
    });
    const probing = probe(daemon);
    await Promise.all(
      Array.from({ length: sessions }, (_, n) =>
        tally.attempt(`session ${n}`, async () => void (await askWell(daemon, `make crowd-${n} 2`, `crowd-${n}`))),
      ),
    );
    await tally.attempt("another request meanwhile", async () => {
      busyMs = await probing.stop();
      assert(busyMs < 5_000, `it took ${Math.round(busyMs)} ms`);
      assert(
        wires.slice(0, chats).every((wire) => !wire.received().closed),
        "an idle chat connection was dropped",
      );
    });
    for (const wire of wires) wire.end();
    await tally.attempt("the record at the end", async () => {
      await lab.audit(daemon);
      await lab.auditTranscripts(daemon);
    });
    tally.note = `slowest other request ${Math.round(idleMs)} ms idle, ${Math.round(busyMs)} ms busy`;
    return lab.close();
  },
};

/** Above this the second half of a long day has kept something of its turns. */
const MOST_GROWTH_MIB = 24;

export const steady: Fault = {
  name: "steady",
  about: "turn after turn, with memory flat",
  async run({ short }) {
    const turns = short ? 200 : 6_000;
    const lab = await openLab(createTally());
    const { tally } = lab;
    const daemon = await lab.start();
    const sizes: number[] = [];
    await tally.attempt("the turns", async () => {
      for (let n = 0; n < turns; n += 8) {
        const batch = Array.from({ length: 8 }, (_, w) =>
          askWell(daemon, `make turn-${n + w} 1`, `day-${(n + w) % 200}`),
        );
        await Promise.all(batch);
        sizes.push(memoryOf(daemon.pid).now);
      }
    });
    await tally.attempt("the record at the end", async () => {
      await lab.audit(daemon);
      await lab.auditTranscripts(daemon);
    });
    // The least of a stretch: what is left after a collection.
    const quarter = Math.floor(sizes.length / 4);
    const middle = Math.min(...sizes.slice(quarter, 2 * quarter));
    const end = Math.min(...sizes.slice(3 * quarter));
    tally.note = `${turns} turns; ${Math.round(middle)} MiB in the second quarter, ${Math.round(end)} MiB in the last`;
    if (!short)
      await tally.attempt("memory", async () => {
        assert(end - middle < MOST_GROWTH_MIB, `it grew by ${Math.round(end - middle)} MiB`);
      });
    return lab.close();
  },
};

// Too many at once: idle sockets by the thousand and sessions by the hundred. Other requests are answered meanwhile.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { openChatWire, openWire, type Wire } from "../../support/raw.js";
import { make } from "../client.js";
import type { Fault } from "../fault.js";
import { openLab } from "../lab.js";
import { assertWaits, describeWaits, probe } from "../probe.js";

/** How long another request may wait. */
const MAX_SILENCE_MS = 5_000;

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
  async run(tally, { short }) {
    const [chats, bare, sessions] = short ? [200, 200, 60] : [1_000, 1_000, 500];
    const lab = await openLab(tally, { config: { max_turns: sessions } });
    const daemon = await lab.start();
    await make(daemon, "first");
    const wires: Wire[] = [];
    tally.atEnd(() => {
      for (const wire of wires) wire.end();
    });
    await tally.attempt("idle sockets", async () => {
      const probing = await probe(daemon);
      wires.push(...(await inPieces(chats, () => openChatWire(daemon.port))));
      assert(
        wires.every((wire) => wire.received().text.startsWith("HTTP/1.1 101")),
        "a chat connection was refused",
      );
      wires.push(...(await inPieces(bare, () => openWire(daemon.port))));
      await sleep(short ? 100 : 2_000);
      const waits = await probing.stop();
      tally.note = `idle: ${describeWaits(waits)}`;
      assertWaits(waits, MAX_SILENCE_MS);
    });
    const probing = await probe(daemon);
    await Promise.all(
      Array.from({ length: sessions }, (_, n) =>
        tally.attempt(`session ${n}`, () => make(daemon, `crowd-${n}`, { pets: 2, session_id: `crowd-${n}` })),
      ),
    );
    await tally.attempt("another request meanwhile", async () => {
      const waits = await probing.stop();
      tally.note += `; busy: ${describeWaits(waits)}`;
      assertWaits(waits, MAX_SILENCE_MS);
      assert(
        wires.slice(0, chats).every((wire) => !wire.received().closed),
        "an idle chat connection was dropped",
      );
    });
    await tally.attempt("the record at the end", async () => {
      await lab.audit(daemon);
      await lab.auditTranscripts(daemon);
    });
  },
};

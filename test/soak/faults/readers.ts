// Readers of turns that never read, and detached turns that nobody reads. The turns go on, their calls are recorded, and nothing of
// either stays in memory.
import assert from "node:assert/strict";
import { readWhole } from "../../support/dropping-client.js";
import { postJson } from "../../support/entry-points.js";
import { openWire, request, type Wire } from "../../support/raw.js";
import type { Served } from "../../support/spawn.js";
import { until } from "../../support/until.js";
import type { Fault } from "../fault.js";
import { openLab, SOON_MS } from "../lab.js";

/** The log of a turn keeps 4 MiB, and sockets a few; what V8 has not collected yet comes on top. */
const MAX_MIB = 512;

async function detach(daemon: Served, message: string): Promise<string> {
  const answer = await postJson(`${daemon.url}/run`, { message, detach: true });
  assert(answer.status === 202, `"${message}" was answered ${answer.status}`);
  return ((await answer.json()) as { turn_id: string }).turn_id;
}

async function idle(daemon: Served): Promise<void> {
  const metrics = async (): Promise<string> => (await fetch(`${daemon.url}/-/metrics`)).text();
  await until(async () => /^agentd_turns_running 0$/m.test(await metrics()), SOON_MS, "detached turns do not end");
}

/** A connection that asks for a turn and never reads the answer. */
async function neverReads(daemon: Served, turn_id: string): Promise<Wire> {
  const wire = await openWire(daemon.port);
  wire.socket.pause();
  wire.write(request(daemon.port, `GET /-/turns/${turn_id}/events`, ["Accept: text/event-stream"]));
  return wire;
}

export const readers: Fault = {
  name: "readers",
  about: "readers of turns that never read, and detached turns that nobody reads",
  async run(tally, { short }) {
    const lab = await openLab(tally);
    const daemon = await lab.start();
    for (let round = 0; round < (short ? 1 : 10); round++)
      await tally.attempt(`round ${round}`, async () => {
        const turn_id = await detach(daemon, "torrent 14");
        const wires = await Promise.all(Array.from({ length: 20 }, () => neverReads(daemon, turn_id)));
        const unread = await Promise.all(Array.from({ length: 20 }, (_, i) => detach(daemon, `make r${round}-${i} 2`)));
        const events = await readWhole(daemon.url, turn_id);
        assert(events.at(-1)?.event.kind === "done", "the reader beside them did not get the end");
        await idle(daemon);
        for (const one of unread) {
          const kinds = (await readWhole(daemon.url, one)).map(({ event }) => event.kind);
          assert(kinds.filter((kind) => kind === "tool_result").length === 2, `a detached turn reads ${kinds.join()}`);
        }
        for (const wire of wires) wire.end();
      });
    await tally.attempt("memory and record", async () => {
      lab.noteMemory(daemon);
      assert(tally.peakMiB < MAX_MIB, `it took ${Math.round(tally.peakMiB)} MiB`);
      await lab.audit(daemon);
      await lab.auditTranscripts(daemon);
    });
  },
};

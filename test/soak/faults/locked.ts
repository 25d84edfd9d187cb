// A record that another process locks: prompts are refused while it lasts, other requests are answered, and work goes on afterwards.
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { typescript } from "../../support/program.js";
import { start } from "../../support/spawn.js";
import { ask, make, type Subject } from "../client.js";
import type { Fault } from "../fault.js";
import { openLab } from "../lab.js";
import { assertWaits, describeWaits, probe } from "../probe.js";

const HOLDER = fileURLToPath(new URL("../children/hold-lock.ts", import.meta.url));
/** A row may wait for the lock less than a second, and nothing else waits. */
const MAX_SILENCE_MS = 1_000;
/** Of the time that the lock is held, one prompt may take this much to be refused. */
const REFUSAL_MS = 2_500;

/** Another program takes the lock for some time; when it has let go. */
async function holdLock(dir: string, ms: number): Promise<{ releasedAt: Promise<number> }> {
  const holder = start([...typescript(HOLDER), join(dir, "history.db"), String(ms)]);
  await holder.prints("held");
  return { releasedAt: holder.prints(/released (\d+)\n/).then(Number) };
}

/** Sends prompts until one is not refused: how many were, and when that one was answered. */
async function untilTaken(daemon: Subject): Promise<{ refused: number; takenAt: number }> {
  for (let refused = 0; ; refused++) {
    const { status, events } = await ask(daemon, `make locked-${refused} 1`);
    const isRefused = status === 503 || JSON.stringify(events).includes("audit_unavailable");
    if (isRefused) continue;
    assert(status === 200, `a prompt was answered with ${status}`);
    return { refused, takenAt: Date.now() };
  }
}

export const locked: Fault = {
  name: "locked",
  about: "the database locked by another process for 10 s",
  async run(tally, { short }) {
    const holdMs = short ? 2_500 : 10_000;
    const lab = await openLab(tally);
    const daemon = await lab.start();
    await make(daemon, "first");
    await tally.attempt("locked", async () => {
      const probing = await probe(daemon, "/history?limit=100");
      const sent = lab.target.requests.length;
      const held = await holdLock(lab.dir, holdMs);
      const [{ refused, takenAt }, releasedAt] = await Promise.all([untilTaken(daemon), held.releasedAt]);
      const waits = await probing.stop();
      tally.note = `${refused} prompts refused meanwhile; ${describeWaits(waits)}`;
      assert(takenAt >= releasedAt, `a prompt was taken ${releasedAt - takenAt} ms before the lock was released`);
      assert(refused >= holdMs / REFUSAL_MS, `${refused} prompts were refused in ${holdMs} ms`);
      assert(lab.target.requests.length <= sent + 1, "calls were sent without a row");
      assertWaits(waits, MAX_SILENCE_MS);
    });
    await tally.attempt("released", async () => {
      await make(daemon, "released");
      await lab.audit(daemon);
      await lab.auditTranscripts(daemon);
    });
  },
};

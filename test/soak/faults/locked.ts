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

/** Another program takes the lock for some time. */
async function holdLock(dir: string, ms: number): Promise<{ released: Promise<unknown> }> {
  const holder = start([...typescript(HOLDER), join(dir, "history.db"), String(ms)]);
  await holder.prints("held");
  return { released: holder.ended };
}

/** Sends prompts until the lock is released; how many were refused before. */
async function refusals(daemon: Subject, isHeld: () => boolean): Promise<number> {
  for (let n = 0; ; n++) {
    const { status, events } = await ask(daemon, `make locked-${n} 1`);
    if (!isHeld()) return n;
    const isRefused = status === 503 || JSON.stringify(events).includes("audit_unavailable");
    assert(isRefused, `a locked record was answered with ${status}`);
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
      const { released } = await holdLock(lab.dir, holdMs);
      let isHeld = true;
      const releasing = released.then(() => {
        isHeld = false;
      });
      const sent = lab.target.requests.length;
      const [refused] = await Promise.all([refusals(daemon, () => isHeld), releasing]);
      const waits = await probing.stop();
      tally.note = `${refused} prompts refused meanwhile; ${describeWaits(waits)}`;
      assert(refused >= holdMs / REFUSAL_MS, `${refused} prompts were refused in ${holdMs} ms`);
      // The one that was asked when the lock was released may be done.
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

// A clock that jumps: an hour back, an hour on, a year back. Order is by id, nothing waits for a moment that will not come.
// The jump is made inside the daemon's process, where its only clock is, so that no other program is confused.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createTally, type Fault } from "../fault.js";
import { askWell, historyOf, openLab } from "../lab.js";

const HOUR_MS = 3_600_000;
/** Loaded before the daemon: SIGUSR2 makes its clock jump to the next of these offsets. */
const JUMPING = `
const Real = Date, offsets = [${-HOUR_MS}, ${HOUR_MS}, ${-8760 * HOUR_MS}, ${8760 * HOUR_MS}, 0];
let at = -1, offset = 0;
const now = () => Real.now() + offset;
globalThis.Date = new Proxy(Real, {
  construct: (target, args) => (args.length > 0 ? new target(...args) : new target(now())),
  get: (target, key) => (key === "now" ? now : Reflect.get(target, key)),
});
process.on("SIGUSR2", () => { offset = offsets[++at % offsets.length]; });
`;

/** Node's arguments that give a daemon the jumping clock. */
export const JUMPING_CLOCK = [`--import=data:text/javascript,${encodeURIComponent(JUMPING)}`];

export const clock: Fault = {
  name: "clock",
  about: "a clock that jumps back and forth",
  async run({ short }) {
    const lab = await openLab(createTally());
    const { tally } = lab;
    const daemon = await lab.start({ node: JUMPING_CLOCK });
    for (let jump = 0; jump < (short ? 5 : 50); jump++)
      await tally.attempt(`jump ${jump}`, async () => {
        const turns = Array.from({ length: 4 }, (_, n) => askWell(daemon, `make jump${jump}-${n} 2`, `session-${n}`));
        await sleep(5);
        process.kill(daemon.pid, "SIGUSR2");
        await Promise.all(turns);
      });
    await tally.attempt("the record at the end", async () => {
      const rows = await historyOf(daemon);
      assert(
        rows.every((row, i) => i === 0 || row.id < (rows[i - 1]?.id ?? 0)),
        "the history is not newest first by id",
      );
      assert(
        rows.every((row) => row.status === "ok" && (row.duration_ms ?? -1) >= 0),
        "a call has failed, or took less than no time",
      );
      const jumps = rows.filter((row, i) => i > 0 && row.ts > (rows[i - 1]?.ts ?? "")).length;
      assert(jumps > 0, "the clock did not jump");
      tally.note = `${jumps} rows older than the row before them`;
      await lab.audit(daemon);
      await lab.auditTranscripts(daemon);
      lab.noteMemory(daemon);
      await daemon.stop();
      await lab.auditFile();
    });
    return lab.close();
  },
};

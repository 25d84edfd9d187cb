// A clock that jumps: an hour back, an hour on, a year back, a year on. Order is by id, and nothing waits for a time that does not
// come.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { shiftedClock } from "../../support/clock.js";
import { historyOf } from "../audit.js";
import { make } from "../client.js";
import type { Fault } from "../fault.js";
import { openLab } from "../lab.js";

const HOUR_MS = 3_600_000;
const YEAR_MS = 8760 * HOUR_MS;

export const clock: Fault = {
  name: "clock",
  about: "a clock that jumps back and forth",
  async run(tally, { short }) {
    const lab = await openLab(tally);
    const daemon = await lab.start({ env: shiftedClock(0, -HOUR_MS, HOUR_MS, -YEAR_MS, YEAR_MS) });
    for (let jump = 0; jump < (short ? 5 : 50); jump++)
      await tally.attempt(`jump ${jump}`, async () => {
        const turns = Array.from({ length: 4 }, (_, n) =>
          make(daemon, `jump${jump}-${n}`, { pets: 2, session_id: `session-${n}` }),
        );
        const jumping = sleep(5).then(() => process.kill(daemon.pid, "SIGUSR2"));
        await Promise.all([...turns, jumping]);
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
  },
};

// A soak of faults that go wrong in every way, and one that is well; patience is in milliseconds: `faulty-faults.ts PATIENCE`.
import { start } from "../../support/spawn.js";
import type { Fault } from "../fault.js";
import { soak } from "../run.js";

const FAULTS: Record<string, Fault["run"]> = {
  async throws(tally) {
    await tally.attempt("step 1", async () => {});
    throw new Error("thrown by the fault");
  },
  async rejects(tally) {
    void Promise.reject(new Error("awaited by nobody"));
    await tally.attempt("step 1", async () => {});
  },
  hangs: (tally, { log }) =>
    tally.attempt("the daemon", async () => {
      const { pid, ended } = start([process.execPath, "-e", "setInterval(() => {}, 1000)"]);
      log(`waits for ${pid}`);
      await ended;
    }),
  sleeps: (tally) => tally.attempt("for ever", () => new Promise(() => {})),
  async loses(tally) {
    await tally.attempt("step 1", async () => {});
    tally.lost = 1;
  },
  async tidies(tally) {
    tally.atEnd(() => {
      throw new Error("not tidied");
    });
    await tally.attempt("step 1", async () => {});
  },
  idles: async () => {},
  async skips(tally) {
    tally.skipped = "not here";
  },
  async works(tally) {
    for (let n = 0; n < 3; n++) await tally.attempt(`step ${n}`, async () => {});
  },
};

const faults = Object.entries(FAULTS).map(([name, run]) => ({ name, about: "a fault", run }));
process.exit((await soak(faults, { short: true, patienceMs: Number(process.argv[2]) })) ? 0 : 1);

// A model that cuts, stalls, sends garbage or refuses: the turn ends with `error` and `done`, and the session goes on as if the
// turn had been a short one.
import assert from "node:assert/strict";
import { createTally, type Fault } from "../fault.js";
import { askWell, openLab } from "../lab.js";

/** Name of a trouble, and whether the daemon can still make an answer of it. */
const TROUBLES: readonly [trouble: string, answers: boolean][] = [
  ["cut", false],
  ["end", false],
  ["stall", false],
  ["garbage", false],
  ["hang", false],
  ["reset", false],
  ["error", false],
  ["json", true],
  ["endless", false],
  ["huge", false],
  ["429", false],
  ["500", false],
  ["503", false],
  ["400", false],
  ["302", false],
];

export const model: Fault = {
  name: "model",
  about: "a model API that cuts, stalls, never ends, sends garbage, 429, 500",
  async run({ short }) {
    const [rounds, atOnce] = short ? [1, 1] : [5, 4];
    const lab = await openLab(createTally(), {
      provider: { timeout_ms: short ? 500 : 2_000, max_retries: short ? 0 : 1 },
      config: { turn_timeout_ms: 20_000 },
    });
    const { tally } = lab;
    const daemon = await lab.start();
    const once = async (trouble: string, answers: boolean, id: string): Promise<void> => {
      const session = `${trouble}-${id}`;
      await askWell(daemon, `make ${session}-before 1`, session);
      const events = await askWell(daemon, `model ${trouble} now`, session);
      const failed = events.at(-2)?.kind === "error";
      assert(failed !== answers, answers ? "the turn failed" : `the turn ended in ${events.at(-2)?.kind}`);
      await askWell(daemon, `make ${session}-after 1`, session);
    };
    // Side by side where a trouble only costs time, so that a short soak is short.
    const jobs = TROUBLES.flatMap(([trouble, answers]) =>
      Array.from({ length: rounds }, (_, round) => ({ trouble, answers, round })),
    );
    const width = short ? TROUBLES.length : atOnce * 2;
    for (let at = 0; at < jobs.length; at += width)
      await Promise.all(
        jobs
          .slice(at, at + width)
          .map(({ trouble, answers, round }) =>
            tally.attempt(`${trouble} ${round}`, () => once(trouble, answers, String(round))),
          ),
      );
    await tally.attempt("the record at the end", async () => {
      await lab.audit(daemon);
      await lab.auditTranscripts(daemon);
    });
    return lab.close();
  },
};

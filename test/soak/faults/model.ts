// A model that cuts, stalls, sends garbage or refuses: the turn ends with `error` and `done`, and the session goes on as if the
// turn had been a short one.
import assert from "node:assert/strict";
import { askToEnd, make } from "../client.js";
import type { Fault } from "../fault.js";
import { openLab, vendorModel } from "../lab.js";

/** Troubles after which the turn has failed by itself. */
const FAILING = ["cut", "end", "garbage", "reset", "error", "huge", "429", "500", "503", "400", "302"];
/** Troubles that only a limit of time ends. Their prompts go to a provider with a short one; no other prompt does. */
const ENDLESS = ["stall", "hang", "endless"];
/** What is no stream, and an answer all the same. */
const ANSWERED = ["json"];

const TROUBLES = [...FAILING, ...ENDLESS, ...ANSWERED];

export const model: Fault = {
  name: "model",
  about: "a model API that cuts, stalls, never ends, sends garbage, 429, 500",
  async run(tally, { short }) {
    const [rounds, atOnce] = short ? [1, TROUBLES.length] : [5, 8];
    const max_retries = short ? 0 : 1;
    const lab = await openLab(tally, { provider: { max_retries } });
    const patient = { ...vendorModel(lab.vendor), max_retries };
    lab.configure({ providers: { soak: patient, hasty: { ...patient, timeout_ms: short ? 500 : 2_000 } } });
    const daemon = await lab.start();
    const once = async (trouble: string, round: number): Promise<void> => {
      const session_id = `${trouble}-${round}`;
      await make(daemon, `${session_id}-before`, { session_id });
      const provider = ENDLESS.includes(trouble) ? "hasty" : "soak";
      const events = await askToEnd(daemon, `model ${trouble} now`, { session_id, provider });
      const expected = ANSWERED.includes(trouble) ? "assistant_message" : "error";
      assert(events.at(-2)?.kind === expected, `the turn ended in ${JSON.stringify(events.at(-2))?.slice(0, 200)}`);
      // A session goes on with its last provider.
      await make(daemon, `${session_id}-after`, { session_id, provider: "soak" });
    };
    const jobs = Array.from({ length: rounds }, (_, round) => TROUBLES.map((trouble) => ({ trouble, round }))).flat();
    for (let at = 0; at < jobs.length; at += atOnce)
      await Promise.all(
        jobs
          .slice(at, at + atOnce)
          .map(({ trouble, round }) => tally.attempt(`${trouble}, round ${round}`, () => once(trouble, round))),
      );
    await tally.attempt("the record at the end", async () => {
      await lab.audit(daemon);
      await lab.auditTranscripts(daemon);
    });
  },
};

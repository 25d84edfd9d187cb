// A model that asks for more than any task needs: the turn makes what is within the limits, every call of it has a row, and the
// session goes on.
import assert from "node:assert/strict";
import { askWell, make } from "../client.js";
import type { Fault } from "../fault.js";
import { HOSTILE_REPLIES } from "../hostile-replies.js";
import { openLab } from "../lab.js";

const NAMES = Object.keys(HOSTILE_REPLIES);
/** Calls of one reply that are made, and one more for what stands behind them. */
const MAX_CALLS = 65;
/** Sessions that work while all replies come at once. */
const BESIDE = 10;

export const hostileModel: Fault = {
  name: "replies",
  about: "a model API that asks for thousands of calls, or sends megabytes where a word belongs",
  async run(tally, { short }) {
    const lab = await openLab(tally);
    const daemon = await lab.start();
    const once = async (name: string, session_id: string): Promise<void> => {
      const events = await askWell(daemon, `model ${name} now`, { session_id });
      const calls = events.filter(({ kind }) => kind === "tool_call").length;
      assert(calls <= MAX_CALLS, `${calls} calls of one reply were made`);
      await make(daemon, `${session_id}-after`, { session_id });
    };
    for (let round = 0; round < (short ? 1 : 5); round++)
      for (const name of NAMES) await tally.attempt(`${name} ${round}`, () => once(name, `${name}-${round}`));
    const together = NAMES.map((name) =>
      tally.attempt(`${name} at once with the others`, () => once(name, `${name}-together`)),
    );
    for (let n = 0; n < BESIDE; n++)
      await tally.attempt(`a session beside all of them ${n}`, () => make(daemon, `beside-${n}`));
    await Promise.all(together);
    await tally.attempt("the record at the end", async () => {
      await lab.audit(daemon);
      await lab.auditTranscripts(daemon);
    });
  },
};

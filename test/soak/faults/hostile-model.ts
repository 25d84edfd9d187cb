// A model that asks for more than any task needs: the turn makes what is within the limits, every call of it has a row, and the
// session goes on.
import assert from "node:assert/strict";
import { createTally, type Fault } from "../fault.js";
import { HOSTILE_REPLIES } from "../hostile-replies.js";
import { ask, askWell, openLab } from "../lab.js";

export const hostileModel: Fault = {
  name: "replies",
  about: "a model API that asks for thousands of calls, or sends megabytes where a word belongs",
  async run({ short }) {
    const lab = await openLab(createTally());
    const { tally } = lab;
    const daemon = await lab.start();
    const once = async (name: string, round: number): Promise<void> => {
      const session = `${name}-${round}`;
      const events = await askWell(daemon, `model ${name} now`, session);
      assert(
        events.at(-2)?.kind === "assistant_message",
        `the turn ended in ${JSON.stringify(events.at(-2))?.slice(0, 200)}`,
      );
      const calls = events.filter(({ kind }) => kind === "tool_call").length;
      assert(calls <= 65, `${calls} calls of one reply were made`);
      await askWell(daemon, `make ${session}-after 1`, session);
    };
    for (let round = 0; round < (short ? 1 : 5); round++)
      for (const name of Object.keys(HOSTILE_REPLIES)) await tally.attempt(`${name} ${round}`, () => once(name, round));
    await tally.attempt("other prompts beside all of them", async () => {
      const others = Object.keys(HOSTILE_REPLIES).map((name) => once(name, 100));
      for (let n = 0; n < 10; n++) assert((await ask(daemon, `make beside-${n} 1`)).status === 200);
      await Promise.all(others);
    });
    await tally.attempt("the record at the end", async () => {
      await lab.audit(daemon);
      await lab.auditTranscripts(daemon);
    });
    return lab.close();
  },
};

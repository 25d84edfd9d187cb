// Tools whose schemas would take a validator minutes or all memory, called again and again while other sessions work: the calls are
// refused, nothing is lost, and other requests are answered.
import assert from "node:assert/strict";
import { HOSTILE_SCHEMAS, hostileShop } from "../../support/hostile-schemas.js";
import { askWell, make } from "../client.js";
import type { Fault } from "../fault.js";
import { openLab } from "../lab.js";
import { assertWaits, describeWaits, probe } from "../probe.js";
import { workBeside } from "../work.js";

/** The cases whose turns are as small as any; the others spend their time on megabytes of schema and arguments, not on the check. */
const CASES = Object.fromEntries(
  Object.entries(HOSTILE_SCHEMAS).filter(([, one]) => JSON.stringify([one.schema, one.value]).length < 1_000),
);
/** A check has two seconds; a daemon that made one itself would be silent for longer. */
const MAX_SILENCE_MS = 2_000;

export const hostile: Fault = {
  name: "hostile",
  about: "schemas that cannot be checked, beside sessions at work",
  async run(tally, { short }) {
    const [rounds, sessions] = short ? [1, 4] : [2, 16];
    const names = short ? Object.keys(CASES).slice(0, 2) : Object.keys(CASES);
    const lab = await openLab(tally, { schema: (target) => hostileShop(target, CASES) });
    const daemon = await lab.start();
    await make(daemon, "first");
    const probing = await probe(daemon);
    const beside = workBeside(daemon, { tally, sessions });
    for (let round = 0; round < rounds; round++)
      await Promise.all(
        names.map((name) =>
          tally.attempt(`${name}, round ${round}`, async () => {
            const events = await askWell(daemon, `hostile ${name}`);
            const result = events.find((event) => event.kind === "tool_result");
            assert(result?.status === "error", `the call was ${result?.status}`);
          }),
        ),
      );
    const turns = await beside.stop();
    await tally.attempt("other requests", async () => {
      const waits = await probing.stop();
      tally.note = `${turns} turns beside them; ${describeWaits(waits)}`;
      assertWaits(waits, MAX_SILENCE_MS);
    });
    await tally.attempt("the record at the end", async () => {
      await lab.auditTranscripts(daemon);
      await lab.audit(daemon);
    });
  },
};

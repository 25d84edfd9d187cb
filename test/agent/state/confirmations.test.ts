// How long a held call waits when the clock was wrong. Source: docs/reference.md, "Retention".
import { expect } from "chai";
import { createConfirmations } from "../../../src/agent/state/confirmations.js";
import { createRedactor } from "../../../src/lib/redact/redact.js";
import { cleanUp, hold, open, tempDir } from "../../store/sqlite/fixture.js";
import { shiftedBy } from "../../support/at-time.js";
import { until } from "../../support/until.js";

const YEARS_MS = 70 * 365 * 86_400_000;

describe("Confirmations where a clock was wrong", () => {
  afterEach(cleanUp);

  it("J18 expire after the time they were given, when they were made by a clock years ahead", async () => {
    const store = await open(tempDir());
    await shiftedBy(YEARS_MS, () => hold(store, "ahead", 50));
    const confirmations = createConfirmations({ store, redactor: createRedactor([]), ttlMs: 50, onHeld: () => {} });
    await confirmations.resume();
    await until(async () => (await store.confirmation("ahead"))?.status === "expired");
    confirmations.close();
    expect((await store.history({ limit: 1 })).map(({ status }) => status)).to.deep.equal(["denied"]);
  });
});

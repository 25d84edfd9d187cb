// The time limits of turns where they are put off. Source: docs/reference.md, "Confirmations".
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { TurnClocks } from "../../../src/agent/state/turn-clocks.js";
import { SETTINGS } from "../../../src/config/table.js";

const HOUR_MS = 3_600_000;

describe("Clocks of turns", () => {
  it("that have the longest time there is are not over when they are put off", async () => {
    const longest = 2 ** 31 - 1;
    expect(SETTINGS.turnTimeoutMs.kind.json.safeParse(longest).success, "it may be set").to.equal(true);
    const clocks = new TurnClocks();
    let stops = 0;
    const end = clocks.start("t", longest, () => void stops++);
    clocks.extend("t", HOUR_MS, Date.now() + HOUR_MS);
    await sleep(20);
    end();
    expect(stops).to.equal(0);
  });

  it("are put off by what a wait is, and stop then", async () => {
    const clocks = new TurnClocks();
    let stops = 0;
    const ends = [clocks.start("t", 20, () => void stops++), clocks.start("u", 20, () => void stops++)];
    clocks.extend("t", HOUR_MS, Date.now() + HOUR_MS);
    await sleep(60);
    for (const end of ends) end();
    expect(stops, "of the other").to.equal(1);
  });
});

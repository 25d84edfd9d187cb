// Long work in slices, beside other long work and beside all else.
import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import { createSlices } from "../../src/lib/slices.js";

describe("Slices", () => {
  it("let one work go on in each turn of the event loop, however many there are, all of them in their order", async () => {
    const steps: string[] = [];
    const work = async (name: string): Promise<void> => {
      const slices = createSlices();
      for (let step = 0; step < 2; step++) {
        await slices.pause();
        steps.push(name);
      }
    };
    const all = Promise.all(["a", "b", "c"].map(work));
    for (let turn = 0; turn < 8; turn++) {
      await setImmediate();
      steps.push("-");
    }
    await all;
    expect(steps.join("").replaceAll(/-+/g, "-")).to.equal("a-b-c-a-b-c-");
  });

  it("end with their signal", async () => {
    const gone = new AbortController();
    const pausing = createSlices(gone.signal).pause();
    gone.abort("gone");
    expect(await pausing.catch((error: unknown) => error)).to.equal("gone");
    await createSlices().pause();
  });
});

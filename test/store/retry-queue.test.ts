// Results of calls that could not be written: each is tried by itself. A disk that is nearly full takes a short one and no long one.
import { expect } from "chai";
import { createRetryQueue } from "../../src/store/retry-queue.js";
import { until } from "../support/until.js";
import { OK } from "./sqlite/fixture.js";

describe("Results that could not be recorded", () => {
  it("are recorded in their order, also behind one that cannot be, and told apart at the end", async () => {
    const written: number[] = [];
    const write = async (id: number): Promise<void> => {
      if (id === 1) throw new Error("the disk is full");
      written.push(id);
    };
    const queue = createRetryQueue(write, () => {});
    for (const id of [1, 2, 3]) queue.add(id, OK);
    await until(() => written.length === 2, 2_000, "those behind it wait for ever");
    expect(written).to.deep.equal([2, 3]);
    queue.add(4, OK);
    expect(await queue.stop()).to.equal(1);
    expect(written).to.deep.equal([2, 3, 4]);
  });
});

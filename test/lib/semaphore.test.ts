// How many lists are gone through at once.
import { expect } from "chai";
import { createScans } from "../../src/lib/semaphore.js";

/** A work that begins and waits to be ended. */
function pending(): { work(): Promise<void>; isBegun(): boolean; end(): void } {
  let end = (): void => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  let isBegun = false;
  return {
    work: () => {
      isBegun = true;
      return over;
    },
    isBegun: () => isBegun,
    end: () => end(),
  };
}

describe("Scans", () => {
  it("run so many at once, the others in their order as soon as one is over, and none whose client has gone", async () => {
    const scans = createScans(1);
    const { signal } = new AbortController();
    const gone = new AbortController();
    const [first, left, last] = [pending(), pending(), pending()];
    const one = scans.run(first.work, signal);
    const two = scans.run(left.work, gone.signal).catch((error: unknown) => error);
    const three = scans.run(last.work, signal);
    expect([first, left, last].map((each) => each.isBegun())).to.deep.equal([true, false, false]);
    gone.abort("gone");
    expect(await two).to.equal("gone");
    first.end();
    await one;
    last.end();
    await three;
    expect(left.isBegun()).to.equal(false);
    expect(last.isBegun()).to.equal(true);
  });

  it("give the place of one that failed to the next", async () => {
    const scans = createScans(1);
    const { signal } = new AbortController();
    const failed = scans.run(() => Promise.reject(new Error("no")), signal).catch((error: Error) => error.message);
    expect(await scans.run(async () => 2, signal)).to.equal(2);
    expect(await failed).to.equal("no");
    expect(await scans.run(async () => 3, signal)).to.equal(3);
  });
});

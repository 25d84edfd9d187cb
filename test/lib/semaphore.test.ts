// How much work runs at once, and in which order the rest of it.
import { expect } from "chai";
import { createSemaphore } from "../../src/lib/semaphore.js";

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

describe("Semaphore", () => {
  it("runs so many at once, the others in their order as soon as one is over, and none whose client has gone", async () => {
    const semaphore = createSemaphore(1);
    const { signal } = new AbortController();
    const gone = new AbortController();
    const [first, left, last] = [pending(), pending(), pending()];
    const one = semaphore.run(first.work, signal);
    const two = semaphore.run(left.work, gone.signal).catch((error: unknown) => error);
    const three = semaphore.run(last.work, signal);
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

  it("gives the place of one that failed to the next", async () => {
    const semaphore = createSemaphore(1);
    const { signal } = new AbortController();
    const failed = semaphore.run(() => Promise.reject(new Error("no")), signal).catch((error: Error) => error.message);
    expect(await semaphore.run(async () => 2, signal)).to.equal(2);
    expect(await failed).to.equal("no");
    expect(await semaphore.run(async () => 3, signal)).to.equal(3);
  });
});

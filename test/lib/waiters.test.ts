import { setMaxListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import { Waiters } from "../../src/lib/waiters.js";

describe("Waiters", () => {
  const never = new AbortController().signal;
  setMaxListeners(0, never);

  /** Waits as often as it is woken, and counts that. */
  function waitAgain(waiters: Waiters, count: number, signal = never): { woken: number } {
    const counted = { woken: 0 };
    for (let i = 0; i < count; i++)
      void (async () => {
        for (;;) {
          await waiters.wait(signal);
          if (signal.aborted) return;
          counted.woken++;
        }
      })();
    return counted;
  }

  it("are woken at once where they are few, each time", async () => {
    const waiters = new Waiters();
    const counted = waitAgain(waiters, 3);
    for (let i = 0; i < 4; i++) {
      void waiters.wake();
      await Promise.resolve();
      await Promise.resolve();
    }
    expect(counted.woken).to.equal(12);
  });

  it("M16 are woken a few at a time where they are hundreds, and once for all that is new meanwhile", async () => {
    const waiters = new Waiters();
    const gone = new AbortController();
    setMaxListeners(0, gone.signal);
    const counted = waitAgain(waiters, 500, gone.signal);
    const all = waiters.wake();
    await setImmediate();
    expect(counted.woken).to.be.within(1, 100);
    const next = Array.from({ length: 50 }, () => waiters.wake());
    await all;
    expect(counted.woken).to.be.within(500, 600);
    await Promise.all(next);
    expect(counted.woken).to.equal(1_000);
    gone.abort();
  });

  it("are woken once more for what came in the middle of a round, after they took what there was", async () => {
    const waiters = new Waiters();
    let newest = 0;
    const seen = Array.from({ length: 100 }, () => 0);
    const readers = seen.map(async (_, at) => {
      while (seen[at] !== 2) {
        await waiters.wait(never);
        seen[at] = newest;
      }
    });
    newest = 1;
    void waiters.wake();
    await setImmediate();
    expect(seen).to.include(0).and.to.include(1);
    newest = 2;
    void waiters.wake();
    await Promise.all(readers);
  });

  it("leave with their signal", async () => {
    const waiters = new Waiters();
    const gone = new AbortController();
    const waiting = waiters.wait(gone.signal);
    gone.abort();
    await waiting;
    await waiters.wait(gone.signal);
  });
});

// Which turn may run when.
import { expect } from "chai";
import { createTurnQueue } from "../../../src/agent/state/turn-queue.js";
import { AppError, Stopped } from "../../../src/domain/error.js";

const free = (): AbortSignal => new AbortController().signal;
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "acquired",
    (error: unknown) => (error instanceof AppError ? error.code : error instanceof Stopped ? error.why : String(error)),
  );

describe("Turns of one session run one after another, sessions side by side", () => {
  it("E3 hands out permits in arrival order", async () => {
    const queue = createTurnQueue({ maxTurns: 8, maxQueue: 8 });
    const order: number[] = [];
    const run = async (n: number): Promise<void> => {
      const permit = await queue.acquire("a", free());
      order.push(n);
      await new Promise((resolve) => setImmediate(resolve));
      permit.release();
    };
    await Promise.all([1, 2, 3, 4].map(run));
    expect(order).to.deep.equal([1, 2, 3, 4]);
    expect(queue.load()).to.deep.equal({ running: 0, waiting: 0 });
  });

  it("M6 refuses beyond the queue and beyond the cap", async () => {
    const queue = createTurnQueue({ maxTurns: 2, maxQueue: 1 });
    const first = await queue.acquire("a", free());
    const waiting = queue.acquire("a", free());
    expect(await codeOf(queue.acquire("a", free()))).to.equal("too_many_turns");
    const other = await queue.acquire("b", free());
    expect(await codeOf(queue.acquire("c", free()))).to.equal("busy");
    first.release();
    (await waiting).release();
    other.release();
    expect(await codeOf(queue.acquire("c", free()))).to.equal("acquired");
  });

  it("lets a waiting client go away without disturbing the others", async () => {
    const queue = createTurnQueue({ maxTurns: 2, maxQueue: 4 });
    const first = await queue.acquire("a", free());
    const gone = new AbortController();
    const second = codeOf(queue.acquire("a", gone.signal));
    const third = queue.acquire("a", free());
    gone.abort(new Stopped("client_gone"));
    expect(await second).to.equal("client_gone");
    first.release();
    (await third).release();
    expect(queue.isBusy("a")).to.equal(false);
  });

  it("stops the running and the waiting turns of a session", async () => {
    const queue = createTurnQueue({ maxTurns: 2, maxQueue: 4 });
    const permit = await queue.acquire("a", free());
    const waiting = codeOf(queue.acquire("a", free()));
    expect(queue.stop("a", "cancelled")).to.equal(2);
    expect(permit.signal.aborted).to.equal(true);
    expect(await waiting).to.equal("cancelled");
    permit.release();
    permit.release();
    expect(queue.load().running).to.equal(0);
    expect(queue.stop("unknown", "cancelled")).to.equal(0);
  });

  it("L5 gives running turns the grace time, then stops them, and takes no new ones", async () => {
    const queue = createTurnQueue({ maxTurns: 2, maxQueue: 4 });
    const permit = await queue.acquire("a", free());
    const drained = queue.drain(10);
    expect(await codeOf(queue.acquire("b", free()))).to.equal("shutting_down");
    permit.signal.addEventListener("abort", () => permit.release());
    await drained;
    expect((permit.signal.reason as Stopped).why).to.equal("shutting_down");
  });
});

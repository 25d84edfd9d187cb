// Who may run when.
import { expect } from "chai";
import { createLanes } from "../../src/agent/turn-queue.js";
import { AppError, Stopped } from "../../src/domain/error.js";

const free = (): AbortSignal => new AbortController().signal;
const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "entered",
    (error: unknown) => (error instanceof AppError ? error.code : error instanceof Stopped ? error.why : String(error)),
  );

describe("Turns of one session run one after another, sessions side by side", () => {
  it("E3 hands out places in arrival order", async () => {
    const lanes = createLanes({ maxTurns: 8, maxQueue: 8 });
    const order: number[] = [];
    const run = async (n: number): Promise<void> => {
      const place = await lanes.enter("a", free());
      order.push(n);
      await new Promise((resolve) => setImmediate(resolve));
      place.leave();
    };
    await Promise.all([1, 2, 3, 4].map(run));
    expect(order).to.deep.equal([1, 2, 3, 4]);
    expect(lanes.load()).to.deep.equal({ running: 0, waiting: 0 });
  });

  it("M6 refuses beyond the queue and beyond the cap", async () => {
    const lanes = createLanes({ maxTurns: 2, maxQueue: 1 });
    const first = await lanes.enter("a", free());
    const waiting = lanes.enter("a", free());
    expect(await codeOf(lanes.enter("a", free()))).to.equal("too_many_turns");
    const other = await lanes.enter("b", free());
    expect(await codeOf(lanes.enter("c", free()))).to.equal("busy");
    first.leave();
    (await waiting).leave();
    other.leave();
    expect(await codeOf(lanes.enter("c", free()))).to.equal("entered");
  });

  it("lets a waiting client go away without disturbing the others", async () => {
    const lanes = createLanes({ maxTurns: 2, maxQueue: 4 });
    const first = await lanes.enter("a", free());
    const gone = new AbortController();
    const second = codeOf(lanes.enter("a", gone.signal));
    const third = lanes.enter("a", free());
    gone.abort(new Stopped("client_gone"));
    expect(await second).to.equal("client_gone");
    first.leave();
    (await third).leave();
    expect(lanes.isBusy("a")).to.equal(false);
  });

  it("stops the running and the waiting turns of a session", async () => {
    const lanes = createLanes({ maxTurns: 2, maxQueue: 4 });
    const place = await lanes.enter("a", free());
    const waiting = codeOf(lanes.enter("a", free()));
    expect(lanes.stop("a", "cancelled")).to.equal(2);
    expect(place.signal.aborted).to.equal(true);
    expect(await waiting).to.equal("cancelled");
    place.leave();
    place.leave();
    expect(lanes.load().running).to.equal(0);
    expect(lanes.stop("nobody", "cancelled")).to.equal(0);
  });

  it("L5 gives running turns the grace time, then stops them, and takes no new ones", async () => {
    const lanes = createLanes({ maxTurns: 2, maxQueue: 4 });
    const place = await lanes.enter("a", free());
    const drained = lanes.drain(10);
    expect(await codeOf(lanes.enter("b", free()))).to.equal("shutting_down");
    place.signal.addEventListener("abort", () => place.leave());
    await drained;
    expect((place.signal.reason as Stopped).why).to.equal("shutting_down");
  });
});

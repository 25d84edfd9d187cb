// Questions on a terminal: what each way of ending one leaves behind.
import { getEventListeners } from "node:events";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { expect } from "chai";
import { askOn } from "../../../src/cli/terminal/ask.js";

describe("Questions on the terminal", () => {
  const open = () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const stop = new AbortController();
    return { input, stop, terminal: createInterface({ input, output }) };
  };
  const heard = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

  it("leave nothing behind once answered, so that a later Ctrl-C is not theirs", async () => {
    const { input, stop, terminal } = open();
    for (const answer of ["yes", "no"]) {
      const asked = askOn(terminal, "Run it? ", stop.signal);
      expect(heard(stop.signal)).to.be.above(0);
      input.write(`${answer}\n`);
      expect(await asked).to.equal(answer);
      expect(heard(stop.signal)).to.equal(0);
    }
    terminal.close();
  });

  it("are answered with an empty line when the terminal closes", async () => {
    const { stop, terminal } = open();
    const asked = askOn(terminal, "Run it? ", stop.signal);
    terminal.close();
    expect(await asked).to.equal("");
  });

  it("reject when the turn is stopped", async () => {
    const { stop, terminal } = open();
    const before = terminal.listenerCount("close");
    const asked = askOn(terminal, "Run it? ", stop.signal);
    stop.abort(new Error("stopped"));
    expect(await asked.catch((error: Error) => error.message)).to.equal("stopped");
    expect(terminal.listenerCount("close")).to.equal(before);
    terminal.close();
  });
});

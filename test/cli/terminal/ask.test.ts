// Questions on a terminal: what counts as an answer, and what each way of ending one leaves behind.
import { getEventListeners } from "node:events";
import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "chai";
import { openTerminal } from "../../../src/cli/terminal/ask.js";
import { until } from "../../support/until.js";

describe("Questions on the terminal", () => {
  const open = () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    let shown = "";
    output.on("data", (chunk) => (shown += String(chunk)));
    const stop = new AbortController();
    const terminal = openTerminal({ input, output });
    const isShown = (text: string) => until(() => shown.includes(text));
    /** Types a line until a question has taken one: what comes too soon after the question is dropped. */
    const type = (line: string, asked: Promise<unknown>) => {
      const timer = setInterval(() => input.write(`${line}\n`), 200);
      return asked.finally(() => clearInterval(timer));
    };
    return { input, stop, terminal, isShown, type };
  };
  const heard = (signal: AbortSignal): number => getEventListeners(signal, "abort").length;

  it("leave nothing behind once answered, so that a later Ctrl-C is not theirs @all", async () => {
    const { stop, terminal, type } = open();
    for (const answer of ["yes", "no"]) {
      const asked = terminal.ask("Run it? ", stop.signal);
      await until(() => heard(stop.signal) > 0);
      expect(await type(answer, asked)).to.equal(answer);
      expect(heard(stop.signal)).to.equal(0);
    }
    terminal.close();
  });

  it("are answered with an empty line when the terminal closes", async () => {
    const { stop, terminal, isShown } = open();
    const asked = terminal.ask("Run it? ", stop.signal);
    await isShown("Run it? ");
    terminal.close();
    expect(await asked).to.equal("");
    expect(await terminal.ask("And now? ", stop.signal)).to.equal("");
  });

  it("reject when the turn is stopped", async () => {
    const { stop, terminal, isShown } = open();
    const asked = terminal.ask("Run it? ", stop.signal).catch((error: unknown) => error);
    await isShown("Run it? ");
    stop.abort(new Error("stopped"));
    expect(await asked).to.equal(stop.signal.reason);
    terminal.close();
  });

  it("O10 take no line that was typed before, in part before, or in the first half second", async () => {
    const { input, stop, terminal, isShown, type } = open();
    input.write("yes\nyes\nye");
    await sleep(20);
    const started = performance.now();
    const asked = terminal.ask("Run it? ", stop.signal);
    await isShown("Run it? ");
    let answered: number | undefined;
    void asked.then(() => (answered = performance.now()));
    const early = setInterval(() => input.write("yes\n"), 20);
    await sleep(250);
    clearInterval(early);
    expect(answered).to.equal(undefined);
    expect(await type("no", asked)).to.equal("no");
    expect((answered ?? 0) - started).to.be.above(500);
    terminal.close();
  });

  it("O10 take no line of a long paste that began in the first half second", async () => {
    const { input, stop, terminal, isShown, type } = open();
    const asked = terminal.ask("Run it? ", stop.signal);
    await isShown("Run it? ");
    let answer: string | undefined;
    void asked.then((line) => (answer = line));
    const end = performance.now() + 900;
    while (performance.now() < end) {
      input.write("yes\nyes\n");
      await sleep(10);
    }
    expect(answer).to.equal(undefined);
    expect(await type("no", asked)).to.equal("no");
    terminal.close();
  });

  it("leave lines that are typed afterwards to the next reader", async () => {
    const { input, stop, terminal, type } = open();
    expect(await type("no", terminal.ask("Run it? ", stop.signal))).to.equal("no");
    input.write("next\n");
    expect(await terminal.nextLine()).to.equal("next");
    terminal.close();
    expect(await terminal.nextLine()).to.equal(undefined);
  });
});

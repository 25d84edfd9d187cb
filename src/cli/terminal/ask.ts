// Questions on the terminal, answered with a line that was typed after the question could be read. What was typed before, or too
// soon after, is dropped wherever it waits: in the terminal itself, in readline, among the lines not read yet.
import { createInterface } from "node:readline";
import { type Readable, Transform, type TransformCallback, type Writable } from "node:stream";
import { setImmediate as nextRound, setTimeout as sleep } from "node:timers/promises";
import { canRedraw } from "./look.js";

/** No question is read faster; what is typed before is the end of something else. */
const UNANSWERABLE_MS = 500;
/** Input that keeps coming, a long paste or a key held down, is dropped until it has paused for this long. */
const QUIET_MS = 100;

const CTRL_C = 3;

/** A person at a terminal, line by line. */
interface Terminal {
  /** The next line that was typed, also while nothing waited for one; undefined when there are no more. */
  nextLine(): Promise<string | undefined>;
  /** Shows that a line is expected. */
  prompt(): void;
  /**
   * Asks a question whose last line is its prompt. A closed terminal answers with an empty line, an aborted question rejects.
   * Lines typed before it are dropped.
   */
  ask(question: string, signal: AbortSignal): Promise<string>;
  /** Gives the terminal back. */
  close(): void;
}

/** The streams of a terminal. */
interface TerminalStreams {
  input: Readable & { setRawMode?(mode: boolean): unknown };
  output: Writable & { isTTY?: boolean };
}

/**
 * What is typed, on its way to readline; shut, it passes on nothing but Ctrl-C. A terminal that cannot redraw edits the line itself
 * and keeps it until it is complete, but for the time it is shut: what it has kept is dropped, too.
 */
class Keyboard extends Transform {
  readonly #input: TerminalStreams["input"];
  readonly #keepsLines: boolean;
  #isShut = false;
  #droppedAt = Number.NEGATIVE_INFINITY;

  constructor(input: TerminalStreams["input"], keepsLines: boolean) {
    super();
    this.#input = input;
    this.#keepsLines = keepsLines;
    input.pipe(this);
  }

  /** Called by readline: without it the terminal would keep a line until it is complete. */
  setRawMode(mode: boolean): this {
    this.#input.setRawMode?.(mode);
    return this;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    if (this.#isShut) {
      this.#droppedAt = performance.now();
      const isInterrupt = chunk.includes(CTRL_C);
      if (isInterrupt && this.#keepsLines) process.emit("SIGINT", "SIGINT");
      done(null, isInterrupt && !this.#keepsLines ? Buffer.of(CTRL_C) : undefined);
    } else done(null, chunk);
  }

  /** Drops what is typed from now on, and what the terminal has kept. Resolves when nothing is under way any more. */
  async shut(): Promise<void> {
    this.#isShut = true;
    if (this.#keepsLines) this.setRawMode(true);
    await nextRound();
  }

  /** Opens once the question was there for long enough and nothing keeps coming. */
  async openLater(signal: AbortSignal): Promise<void> {
    const earliest = performance.now() + UNANSWERABLE_MS;
    const left = (): number => Math.max(earliest, this.#droppedAt + QUIET_MS) - performance.now();
    while (left() > 0) {
      await sleep(left(), undefined, { signal });
      // Timers come before input: what was typed while this process was busy has to be dropped first.
      await nextRound();
    }
    this.open();
  }

  open(): void {
    this.#isShut = false;
    if (this.#keepsLines) this.setRawMode(false);
  }

  release(): void {
    this.#input.unpipe(this);
    this.#input.pause();
  }
}

/** Whether a person sits at this process. */
export function hasPerson(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Opens the terminal of this process. Ctrl-C while a line is being typed is a signal like any other. */
export function openTerminal(streams: TerminalStreams = { input: process.stdin, output: process.stderr }): Terminal {
  const { output } = streams;
  const canEdit = canRedraw(output);
  const keyboard = new Keyboard(streams.input, !canEdit);
  const readline = createInterface({ input: keyboard, output, terminal: canEdit });
  let lines: string[] = [];
  let closed = false;
  let wake = (): void => {};
  readline.on("SIGINT", () => process.emit("SIGINT", "SIGINT"));
  readline.on("line", (line) => {
    lines.push(line);
    wake();
  });
  readline.on("close", () => {
    closed = true;
    keyboard.release();
    wake();
  });

  const forgetTyped = (): void => {
    // What readline has of a line yet becomes a line, too. Without a terminal it does not say whether it has any.
    if (!readline.terminal || readline.line !== "") readline.write("\n");
    if (lines.some((line) => line !== "")) output.write("What was typed before this question is dropped.\n");
    lines = [];
  };

  const answer = (prompt: string, signal: AbortSignal): Promise<string> =>
    new Promise((resolve, reject) => {
      const settle = (): void => {
        readline.off("close", onClose);
        signal.removeEventListener("abort", onAbort);
      };
      const onClose = (): void => {
        settle();
        resolve("");
      };
      const onAbort = (): void => {
        settle();
        output.write("\n");
        reject(signal.reason);
      };
      signal.addEventListener("abort", onAbort);
      readline.once("close", onClose);
      readline.question(prompt, { signal }, (line) => {
        settle();
        resolve(line);
      });
    });

  return {
    async nextLine() {
      while (lines.length === 0 && !closed) await new Promise<void>((resolve) => (wake = resolve));
      return lines.shift();
    },
    prompt: () => readline.prompt(),
    async ask(question, signal) {
      await keyboard.shut();
      const over = new AbortController();
      try {
        signal.throwIfAborted();
        if (closed) return "";
        forgetTyped();
        const promptAt = question.lastIndexOf("\n") + 1;
        await new Promise((resolve) => output.write(question.slice(0, promptAt), resolve));
        const answered = answer(question.slice(promptAt), signal);
        keyboard.openLater(over.signal).catch(() => {});
        return await answered;
      } finally {
        over.abort();
        keyboard.open();
      }
    },
    close: () => readline.close(),
  };
}

/** Asks one question and gives the terminal back. One whose input has ended answers with an empty line. */
export async function askOnce(question: string, signal: AbortSignal): Promise<string> {
  if (process.stdin.readableEnded) return "";
  const terminal = openTerminal();
  try {
    return await terminal.ask(question, signal);
  } finally {
    terminal.close();
  }
}

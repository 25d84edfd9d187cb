// Questions on the terminal, answered with a line.
import { createInterface, type Interface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { say } from "./output.js";

/** Long enough for what waits in the terminal to be read, too short to be noticed. */
const TYPED_AHEAD_MS = 50;

/** Whether a person sits at this process. */
export function hasPerson(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Ctrl-C while a line is being typed is a signal like any other. */
export function openTerminal(): Interface {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  terminal.on("SIGINT", () => process.emit("SIGINT", "SIGINT"));
  return terminal;
}

/** Asks on an open terminal. A closed one answers with an empty line, an aborted question rejects. */
export function askOn(terminal: Interface, question: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      terminal.off("close", onClose);
      signal.removeEventListener("abort", onAbort);
    };
    const onClose = (): void => {
      settle();
      resolve("");
    };
    const onAbort = (): void => {
      settle();
      say("");
      reject(signal.reason);
    };
    signal.addEventListener("abort", onAbort);
    terminal.once("close", onClose);
    terminal.question(question, { signal }, (line) => {
      settle();
      resolve(line);
    });
  });
}

/** Drops lines that were typed before the question was there: they answer something else. */
async function forgetTyped(): Promise<void> {
  process.stdin.resume();
  await sleep(TYPED_AHEAD_MS);
  // Once more round the loop, should it have been busy all that time.
  await new Promise(setImmediate);
  process.stdin.pause();
}

/** Asks one question and gives the terminal back. One whose input has ended answers with an empty line. */
export async function askOnce(question: string, signal: AbortSignal): Promise<string> {
  await forgetTyped();
  signal.throwIfAborted();
  if (process.stdin.readableEnded) return "";
  const terminal = openTerminal();
  try {
    return await askOn(terminal, question, signal);
  } finally {
    terminal.close();
  }
}

// Questions on the terminal, answered with a line.
import { createInterface, type Interface } from "node:readline";
import { say } from "./output.js";

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

/** Asks one question and gives the terminal back. */
export async function askOnce(question: string, signal: AbortSignal): Promise<string> {
  const terminal = openTerminal();
  try {
    return await askOn(terminal, question, signal);
  } finally {
    terminal.close();
  }
}

// Runs the program of a service manager, without a shell.
import { spawnSync } from "node:child_process";
import { StartError } from "../../domain/error.js";

/** How it ended: its output, or undefined where it is not installed or failed. */
export function outputOf(argv: readonly string[]): { isOk: boolean; text: string } {
  const [program = "", ...args] = argv;
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8" });
  return { isOk: status === 0, text: `${stdout ?? ""}${status === 0 ? "" : (stderr ?? "")}`.trim() };
}

/** Throws StartError with what it said when it fails. */
export function runManager(argv: readonly string[]): void {
  const { isOk, text } = outputOf(argv);
  if (!isOk) throw new StartError(`${argv.join(" ")} failed: ${text === "" ? "without a word" : text}`);
}

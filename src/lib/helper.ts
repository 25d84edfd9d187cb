// Runs a program for what it prints: without a shell, without input, within a time, and never longer than this process lives.
import { spawn } from "node:child_process";
import { programOf } from "./package.js";
import { killGroup } from "./process-group.js";

/** No secret is as long; what prints more is the wrong program. */
const MAX_OUTPUT_BYTES = 256 * 1024;
const MAX_ERROR_BYTES = 16 * 1024;

/** What a helper is started with. */
interface HelperCall {
  command: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
}

/** How it ended. */
interface HelperEnd {
  stdout: string;
  /** Whole lines, as many as fit. */
  stderr: string;
  /** Why its output does not count; undefined when it does. */
  failure: string | undefined;
}

/** A cut line could hold a part of a secret that nothing recognises. */
const wholeLines = (text: string, isCut: boolean): string => (isCut ? text.slice(0, text.lastIndexOf("\n") + 1) : text);

/** Runs it to its end. Never throws: what goes wrong is the failure. */
export function runHelper({ command, cwd, env, timeoutMs }: HelperCall): Promise<HelperEnd> {
  const guard = programOf("lib/helper-guard");
  const child = spawn(process.execPath, [...guard.execArgv, guard.file, cwd, ...command], {
    env,
    // A group of its own, so that it ends with all it started.
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const { pid } = child;
  // Not started: there are no streams, and 0 in place of its group would be the group of this process.
  if (pid === undefined)
    return new Promise((resolve) => {
      child.once("error", ({ message }) => resolve({ stdout: "", stderr: "", failure: message }));
    });
  const end = (): void => killGroup(child);
  let failure: string | undefined;
  const fail = (reason: string): void => {
    failure ??= reason;
    end();
  };
  const timer = setTimeout(() => fail(`it printed nothing usable within ${timeoutMs} ms`), timeoutMs);
  const text = { stdout: "", stderr: "" };
  let isCut = false;
  child.stdin.on("error", () => {});
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    if ((text.stdout += chunk).length > MAX_OUTPUT_BYTES) fail(`it printed more than ${MAX_OUTPUT_BYTES} bytes`);
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    isCut ||= text.stderr.length + chunk.length > MAX_ERROR_BYTES;
    text.stderr = (text.stderr + chunk).slice(0, MAX_ERROR_BYTES);
  });
  return new Promise((resolve) => {
    child.once("error", (error) => fail(error.message));
    // What it left running may hold its output open.
    child.once("exit", (code) => {
      if (code !== 0) failure ??= code === null ? "it was ended" : `it ended with ${code}`;
      end();
    });
    child.once("close", () => {
      clearTimeout(timer);
      resolve({ stdout: text.stdout, stderr: wholeLines(text.stderr, isCut).trim(), failure });
    });
  });
}

// Finds a corrupted database at start. A small one is checked before it is used; a large one by a child process while the
// daemon already answers, because a check of a gigabyte takes seconds.
import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import type { Database } from "better-sqlite3";
import { StartError } from "../../domain/error.js";
import { programOf } from "../../lib/package.js";

/** Up to this size a check takes some tens of milliseconds, and the start waits for it. */
const CHECK_NOW_BYTES = 32 * 1024 * 1024;

function damaged(file: string, found: string): string {
  return `${file} is damaged (${found}). It was left as it is. Move it away, or put a backup in its place, and start again.`;
}

/** Whether a database is small enough to be checked before it is used. */
function isSmall(file: string): boolean {
  return fs.statSync(file).size <= CHECK_NOW_BYTES;
}

/** Checks a small database; throws StartError when it is damaged. Does nothing for a large one. */
export function checkNow(db: Database, file: string): void {
  if (!isSmall(file)) return;
  const found = String(db.pragma("quick_check(1)", { simple: true }));
  if (found !== "ok") throw new StartError(damaged(file, found));
}

/**
 * Checks a large database beside the running daemon, at the lowest priority; calls `onDamage` with what is wrong.
 * Returns a function that stops the check. Does nothing for a small one, unless `force` is set.
 */
export function checkLater(file: string, onDamage: (message: string) => void, force = false): () => void {
  if (!force && isSmall(file)) return () => {};
  const program = programOf("store/sqlite/check-child");
  // No environment: it may hold keys, and the child needs none.
  const child: ChildProcess = spawn(process.execPath, [...program.execArgv, program.file, file], {
    stdio: ["ignore", "pipe", "ignore"],
    env: {},
  });
  let found = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    found += chunk.toString();
  });
  child.on("error", () => {});
  child.on("close", () => {
    if (found !== "") onDamage(damaged(file, found));
  });
  if (child.pid !== undefined) lowerPriority(child.pid);
  child.unref();
  return () => void child.kill("SIGKILL");
}

function lowerPriority(pid: number): void {
  try {
    os.setPriority(pid, os.constants.priority.PRIORITY_LOW);
  } catch {
    // Only politeness: the check works at any priority.
  }
}

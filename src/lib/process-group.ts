// The group of a child that was started with `detached`: the child, and all that it started.
import type { ChildProcess } from "node:child_process";

/** Ends a child and what it has started. What is over already, or was never started, stays so. */
export function killGroup(child: ChildProcess): void {
  // Without a number, 0 in its place would be the group of this process.
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // Gone already, or a system without groups.
    child.kill("SIGKILL");
  }
}

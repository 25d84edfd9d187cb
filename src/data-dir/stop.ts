// Stops the process that holds a data directory, and no other: its pid may be used again, or count in another container.
// By signal, so that it needs no token and works where the daemon answers nothing. Source: docs/reference.md, "Stopping a daemon".
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf, StartError } from "../domain/error.js";
import { type PublishedHolder, readLock } from "./lock.js";
import { isHere, type ProcessIdentity, stateOf } from "./process-identity.js";

/** How often it is looked whether it has ended: nothing tells of the end of a process that is no child. */
const PAUSE_MS = 50;

/** Whether the pid is that process, as far as this system tells; the caller has seen it hold the lock. */
function isProven(identity: ProcessIdentity): boolean {
  const state = stateOf(identity);
  return state === "running" || (state === "unknown" && isHere(identity));
}

function refusal(dir: string, { pid, identity }: PublishedHolder): StartError {
  const isElsewhere = identity !== undefined && !isHere(identity);
  return new StartError(
    isElsewhere
      ? `the daemon on ${dir} runs in another container or on another machine (${identity.host}), where pid ${pid} is another process. Stop it there.`
      : `${dir} is just taken over by another process than pid ${pid}. Try again.`,
  );
}

/** Asks the holder of a data directory to stop. Throws StartError when that is not certainly the process of that pid. */
export function askToStop(dir: string, holder: PublishedHolder): void {
  const { pid, identity } = holder;
  if (identity === undefined)
    throw new StartError(
      `the daemon on ${dir} (pid ${pid}) is of an older version and does not say which process it is. Stop it with: kill ${pid}`,
    );
  if (!isProven(identity)) throw refusal(dir, holder);
  try {
    process.kill(pid, "SIGTERM");
  } catch (error) {
    // Gone in this moment, which is what was wanted.
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return;
    throw new StartError(
      `the daemon on ${dir} (pid ${pid}) cannot be asked to stop: ${messageOf(error)}. Stop it as the account that runs it.`,
      { cause: error },
    );
  }
}

/** Whether a process holds the directory no more and has ended; false when the time is over before. */
export async function hasStopped(dir: string, { pid, identity }: PublishedHolder, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  const isOver = (): boolean => readLock(dir)?.pid !== pid && (identity === undefined || stateOf(identity) === "gone");
  while (!isOver()) {
    if (performance.now() >= deadline) return false;
    await sleep(PAUSE_MS);
  }
  return true;
}

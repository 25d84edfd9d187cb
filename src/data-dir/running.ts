// The daemons of this account that run now, so that commands find one from any folder. Each data directory with a daemon has an
// entry in the account's state; an entry counts only while that daemon holds the directory's lock.
import { z } from "zod";
import { listState, readState, removeState, writeState } from "./account-state.js";
import { readLock } from "./lock.js";

const RunningSchema = z.object({ data_dir: z.string(), pid: z.int(), address: z.string() });

/** A daemon that runs now. */
export type RunningDaemon = z.infer<typeof RunningSchema>;

function isRunning({ data_dir, pid, address }: RunningDaemon): boolean {
  const holder = readLock(data_dir);
  if (holder === undefined) removeState("running", data_dir);
  return holder?.pid === pid && holder.address === address;
}

/** Publishes a daemon. Throws StartError when this account's state cannot be used. */
export async function registerDaemon(daemon: RunningDaemon): Promise<void> {
  await writeState("running", daemon.data_dir, daemon);
}

/** Takes a daemon off again. Never throws: an entry that stays is ignored. */
export function unregisterDaemon(dataDir: string): void {
  try {
    removeState("running", dataDir);
  } catch {
    // The state was taken away while the daemon ran.
  }
}

/** The daemon on a data directory as it published itself; undefined when none runs. Throws as registerDaemon does. */
export function daemonOn(dataDir: string): RunningDaemon | undefined {
  const { data } = RunningSchema.safeParse(readState("running", dataDir));
  return data && isRunning(data) ? data : undefined;
}

/** All that run, in the order of their data directories; none when this account's state cannot be used. */
export function runningDaemons(): RunningDaemon[] {
  let entries: unknown[];
  try {
    entries = listState("running");
  } catch {
    return [];
  }
  return entries
    .flatMap((entry) => RunningSchema.safeParse(entry).data ?? [])
    .filter(isRunning)
    .sort((a, b) => (a.data_dir < b.data_dir ? -1 : 1));
}

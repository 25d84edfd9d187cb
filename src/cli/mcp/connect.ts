// Where the messages of an MCP client go: to the daemon that runs on the data directory, or to an endpoint in this process.

import { setTimeout as sleep } from "node:timers/promises";
import type { Daemon } from "../client/client.js";
import { findDaemon, settingsFor } from "../client/connect.js";
import { existingDataDir } from "../client/data-dir.js";
import type { SharedArgs } from "../command.js";
import type { Carrier } from "./carrier.js";

/** A daemon that holds the directory and does not listen yet is waited for: it may have been started with the client. */
const LOOK_MS = 200;
const LOOKS = 15;

/** Opens the way. Throws StartError. */
export async function connectMcp(args: SharedArgs, session_id: string): Promise<Carrier> {
  const chosen = await existingDataDir(args);
  const { dir, trust, origin } = chosen;
  // It may come back at another address.
  const find = (): Promise<Daemon | undefined> => findDaemon({ dir, trust, origin });
  const toDaemon = async (daemon: Daemon): Promise<Carrier> => {
    const settings = await settingsFor(args, chosen, daemon);
    return (await import("./to-daemon.js")).carryToDaemon(daemon, { settings, session_id, find });
  };
  const daemon = await findDaemon(chosen);
  if (daemon) return toDaemon(daemon);
  const settings = await settingsFor(args, chosen, undefined);
  try {
    const { openMcpInProcess } = await import("./in-process.js");
    return await openMcpInProcess(settings, { session_id, verbose: args.verbose === true });
  } catch (error) {
    if (!(await import("../../data-dir/lock.js")).readLock(dir)) throw error;
    for (let look = 0; look < LOOKS; look++) {
      const listening = await find();
      if (listening) return toDaemon(listening);
      await sleep(LOOK_MS);
    }
    throw error;
  }
}

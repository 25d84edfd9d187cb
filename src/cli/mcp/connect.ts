// Where the messages of an MCP client go: to the daemon that runs on the data directory, or to an endpoint in this process.

import type { Daemon } from "../client/client.js";
import { findDaemon, settingsFor } from "../client/connect.js";
import { existingDataDir } from "../client/data-dir.js";
import type { SharedArgs } from "../command.js";
import type { Carrier } from "./carrier.js";

/** Opens the way. Throws StartError. */
export async function connectMcp(args: SharedArgs, session_id: string): Promise<Carrier> {
  const chosen = await existingDataDir(args);
  const daemon = await findDaemon(chosen);
  const settings = await settingsFor(args, chosen, daemon);
  if (!daemon) {
    const { openMcpInProcess } = await import("./in-process.js");
    return openMcpInProcess(settings, { session_id, verbose: args.verbose === true });
  }
  const { dir, trust, origin } = chosen;
  // It may come back at another address.
  const find = (): Promise<Daemon | undefined> => findDaemon({ dir, trust, origin });
  return (await import("./to-daemon.js")).carryToDaemon(daemon, { settings, session_id, find });
}

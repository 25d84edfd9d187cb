// `agentd stop`: asks the daemon of this data directory to stop, and waits until it has. By signal, so it needs no token.
// Source: docs/reference.md, "Stopping a daemon".
import { askToStop, hasStopped } from "../../data-dir/stop.js";
import { StartError } from "../../domain/error.js";
import type { Daemon } from "../client/client.js";
import { findDaemon } from "../client/connect.js";
import { ask } from "../client/daemon-http.js";
import { chooseDataDir, type DataDir } from "../client/data-dir.js";
import { defineCommand } from "../command.js";
import { parseWholeNumber } from "../options.js";
import { print, say } from "../terminal/output.js";
import { occupant } from "./status.js";

/** Well above the grace that a daemon gives its turns by default. */
const DEFAULT_TIMEOUT_S = 60;
const MAX_TIMEOUT_S = 86_400;
/** After this long it is said what is waited for. */
const NOTICE_MS = 2_000;
const STOPPING_PROBE_MS = 1_000;

/** Whether it has been asked before: a second signal would end it at once. */
async function isStopping(daemon: Daemon): Promise<boolean> {
  try {
    const [status, body] = await ask(daemon, "/-/healthz", { silentMs: STOPPING_PROBE_MS });
    return status === 503 && body.includes("shutting_down");
  } catch {
    return false;
  }
}

async function holderOf(chosen: DataDir, daemon: Daemon) {
  const holder = (await import("../../data-dir/lock.js")).readLock(chosen.dir);
  return holder?.pid === daemon.pid ? holder : undefined;
}

async function stopDaemon(chosen: DataDir, daemon: Daemon, timeoutMs: number): Promise<void> {
  const { dir } = chosen;
  const holder = await holderOf(chosen, daemon);
  if (holder === undefined) return;
  if (!(await isStopping(daemon))) askToStop(dir, holder);
  const notice = setTimeout(() => say(`agentd: pid ${daemon.pid} lets running turns come to their end …`), NOTICE_MS);
  try {
    if (await hasStopped(dir, holder, timeoutMs)) return;
  } finally {
    clearTimeout(notice);
  }
  throw new StartError(
    `the daemon on ${dir} (pid ${daemon.pid}) has not stopped within ${timeoutMs / 1000} s. Wait longer with --timeout, or end it at once with: kill -9 ${daemon.pid}. Calls under way then read interrupted.`,
  );
}

export const stopCommand = defineCommand({
  options: {
    timeout: {
      type: "number",
      coerce: parseWholeNumber("timeout", 1, MAX_TIMEOUT_S),
      describe: `Seconds to wait for its end [default: ${DEFAULT_TIMEOUT_S}]`,
    },
  },
  examples: [["agentd stop", "running turns get the daemon's --grace"]],
  async run(args) {
    if (process.platform === "win32")
      throw new StartError("agentd stop needs signals, which Windows has not: press Ctrl-C where the daemon runs.");
    const chosen = await chooseDataDir(args);
    const daemon = chosen.origin === "missing" ? undefined : await findDaemon(chosen);
    if (!daemon) {
      const held = chosen.origin === "missing" ? undefined : await occupant(chosen.dir);
      const where = chosen.origin === "missing" ? "" : ` on ${chosen.dir}`;
      say(`No daemon runs${where}${held === undefined ? "." : `; ${held.replace(/\.$/, "")}.`}`);
      return 0;
    }
    await stopDaemon(chosen, daemon, (args.timeout ?? DEFAULT_TIMEOUT_S) * 1000);
    print(`stopped ${daemon.address} (pid ${daemon.pid})\n`);
    return 0;
  },
});

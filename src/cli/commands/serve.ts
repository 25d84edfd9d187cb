// `agentd serve`: opens the agent, listens, says where in one line, and stops without losing anything.
// Source: docs/reference.md, "Starting and stopping"
import { join } from "node:path";
import { loadSettings, namedDataDir, refuseUnsafeListener, type Settings } from "../../config/settings.js";
import { type RunningDaemon, registerDaemon, unregisterDaemon } from "../../data-dir/running.js";
import { messageOf, StartError } from "../../domain/error.js";
import type { Policy } from "../../domain/policy.js";
import { createLog, type Log } from "../../lib/log.js";
import { packageRoot } from "../../lib/package.js";
import { createRedactor, type Redactor } from "../../lib/redact/redact.js";
import { openAgent } from "../../open.js";
import { listen } from "../../server/listen.js";
import { chooseDataDir, discardDataDir, makeDataDir } from "../client/data-dir.js";
import { defineCommand } from "../command.js";
import { LISTENER, PARTS, SAFETY, TOKEN } from "../options.js";
import { hasControllingTerminal } from "../terminal/controlling.js";
import { onInterrupt } from "../terminal/interrupt.js";
import { print } from "../terminal/output.js";
import { createReload } from "./serve-reload.js";

/** What a daemon is started with. */
interface ServeContext {
  settings: Settings;
  log: Log;
  redactor: Redactor;
  open: boolean;
  /** Reads the settings again. Throws StartError. */
  load(): Promise<Settings>;
}

/** SIGHUP stops a daemon whose terminal was closed, and makes any other read its configuration again. */
function onSignals(): { stop: Promise<string>; onHangup(reload: () => Promise<void>): void } {
  const reloads = !hasControllingTerminal();
  const stop = new Promise<string>((resolve) => onInterrupt(resolve, reloads ? "SIGHUP" : undefined));
  let onHangup = (): void => {};
  if (reloads) process.on("SIGHUP", () => onHangup());
  return {
    stop,
    onHangup(reload) {
      onHangup = () => void reload();
    },
  };
}

/** Serves until a signal comes; resolves when everything is closed. */
async function serveUntilSignal({ settings, log, redactor, open, load }: ServeContext): Promise<void> {
  const { stop, onHangup } = onSignals();
  const { agent, lock, providerWhy, reload } = await openAgent(settings, log, redactor);
  let { graceMs } = settings;
  try {
    const { host, port, token, allowedHosts } = settings;
    const listening = await listen(agent, {
      host,
      port,
      token,
      allowedHosts,
      log,
      staticDir: join(packageRoot, "dist", "static"),
      redact: redactor.text,
    });
    try {
      const address = reachable(listening.address);
      await lock.setAddress({ pid: process.pid, address, auth: token !== undefined });
      await publish({ data_dir: settings.dataDir, pid: process.pid, address }, log);
      const apply = async (next: Settings): Promise<Policy> => {
        const policy = await reload(next);
        listening.reload(next);
        graceMs = next.graceMs;
        await lock.setAddress({ pid: process.pid, address, auth: next.token !== undefined });
        return policy;
      };
      onHangup(createReload({ initial: settings, log, load, apply }));
      print(`agentd listening on ${listening.address}\n`);
      const start = { data_dir: settings.dataDir, tools: agent.tools().list.length };
      // A provider that was not chosen by name is logged louder.
      if (settings.provider.configured) log.info(start, providerWhy);
      else log.warn(start, providerWhy);
      if (open) await openBrowser(address, log);
      log.info({ signal: await stop, grace_ms: graceMs }, "stopping");
    } finally {
      unregisterDaemon(settings.dataDir);
      await listening.close(graceMs);
    }
  } finally {
    await agent.close();
  }
  log.info({}, "stopped");
}

/** Lets commands find this daemon from any folder. */
async function publish(daemon: RunningDaemon, log: Log): Promise<void> {
  try {
    await registerDaemon(daemon);
  } catch (error) {
    log.info({ cause: messageOf(error) }, "commands find this daemon by --data-dir only");
  }
}

/** The address by which this machine reaches a daemon that listens on all of its addresses. */
function reachable(address: string): string {
  return address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

async function openBrowser(address: string, log: Log): Promise<void> {
  try {
    const { default: open } = await import("open");
    await open(address);
  } catch (error) {
    log.warn({ cause: messageOf(error) }, `no browser could be opened; go to ${address}`);
  }
}

export const serveCommand = defineCommand({
  options: {
    ...LISTENER,
    ...TOKEN,
    ...SAFETY,
    ...PARTS,
    open: { type: "boolean", describe: "Open the web UI in a browser" },
    demo: { type: "boolean", describe: "Serve a sample application, in a data directory of its own" },
  },
  examples: [
    ["agentd serve --demo --open", "look around"],
    ["agentd serve --read-only", "nothing can be changed"],
  ],
  async run(args) {
    if (args.demo && (args.schema !== undefined || args.baseUrl !== undefined))
      throw new StartError("--demo brings its own application; leave out --schema and --base-url.", { exitCode: 2 });
    const demo = args.demo
      ? await (await import("./serve-demo.js")).openDemo(namedDataDir(args.dataDir, process.env))
      : undefined;
    try {
      const chosen = demo ?? (await chooseDataDir(args, { makes: true }));
      const load = async (): Promise<Settings> => {
        const loaded = await loadSettings({ dataDir: chosen.dir, trust: chosen.trust, flags: args, env: process.env });
        return demo ? demo.adapt(loaded) : loaded;
      };
      const settings = await load();
      const loud = refuseUnsafeListener(settings);
      // One for the log, the server and the agent: a secret that one of them learns is redacted by all.
      const redactor = createRedactor(settings.secrets);
      const log = await createLog({
        redactor,
        level: args.verbose ? "debug" : "info",
        pretty: process.stderr.isTTY === true,
      });
      await makeDataDir(chosen);
      for (const warning of [...(loud ? [loud] : []), ...settings.warnings]) log.warn({}, warning);
      const open = args.open === true;
      await serveUntilSignal({ settings, log, redactor, open, load }).finally(() => discardDataDir(chosen));
      return 0;
    } finally {
      await demo?.close();
    }
  },
});

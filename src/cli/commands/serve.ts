// `agentd serve`: opens the agent, listens, says where in one line, and stops without losing anything.
// Source: docs/reference.md, "Starting and stopping"
import {
  loadSettings,
  namedDataDir,
  refuseUnsafeListener,
  type Settings,
  tokensByName,
} from "../../config/settings.js";
import { type RunningDaemon, registerDaemon, unregisterDaemon } from "../../data-dir/running.js";
import { messageOf, usageError } from "../../domain/error.js";
import type { Policy } from "../../domain/policy.js";
import { type LoggedError, rememberErrors } from "../../lib/last-error.js";
import { createLog, type Log } from "../../lib/log.js";
import { proxyNotes } from "../../lib/proxy.js";
import { ReadFiles } from "../../lib/read-files.js";
import { createRedactor, type Redactor } from "../../lib/redact/redact.js";
import { openAgent } from "../../open.js";
import { chooseDataDir, discardDataDir, makeDataDir } from "../client/data-dir.js";
import { defineCommand } from "../command.js";
import { LISTENER, MODEL_FLAGS, PARTS, SAFETY, TOKEN } from "../options.js";
import { hasControllingTerminal } from "../terminal/controlling.js";
import { onInterrupt } from "../terminal/interrupt.js";
import { announce } from "../terminal/output.js";
import { listenFor } from "./serve-listen.js";
import { createReload } from "./serve-reload.js";
import { watchConfiguration } from "./serve-watch.js";

/** What a daemon is started with. */
interface ServeContext {
  settings: Settings;
  log: Log;
  /** The newest error in the log. */
  lastError(): LoggedError | undefined;
  redactor: Redactor;
  open: boolean;
  /** The files the settings were read from. */
  read: ReadFiles;
  /** Reads the settings again. Throws StartError. */
  load(files: ReadFiles): Promise<Settings>;
}

/** SIGHUP stops a daemon whose terminal was closed, and makes any other read its configuration again. */
function onSignals(): { stop: Promise<string>; onHangup(reload: () => void): void } {
  const reloads = !hasControllingTerminal();
  const stop = new Promise<string>((resolve) => onInterrupt(resolve, reloads ? "SIGHUP" : undefined));
  let onHangup = (): void => {};
  if (reloads) process.on("SIGHUP", () => onHangup());
  return {
    stop,
    onHangup(reload) {
      onHangup = reload;
    },
  };
}

const needsToken = (settings: Settings): boolean => Object.keys(tokensByName(settings)).length > 0;

/** Serves until a signal comes; resolves when everything is closed. */
async function serveUntilSignal({ settings, log, lastError, redactor, open, read, load }: ServeContext): Promise<void> {
  const { stop, onHangup } = onSignals();
  const { agent, connector, lock, providerWhy, reload } = await openAgent(settings, log, redactor);
  let { graceMs } = settings;
  let endWatch = (): void => {};
  try {
    const listening = await listenFor(agent, settings, { log, lastError, redactor, connector });
    try {
      const address = reachable(listening.address);
      await lock.setAddress({ pid: process.pid, address, auth: needsToken(settings) });
      await publish({ data_dir: settings.dataDir, pid: process.pid, address }, log);
      const apply = async (next: Settings): Promise<Policy> => {
        const policy = await reload(next);
        listening.reload(next);
        graceMs = next.graceMs;
        await lock.setAddress({ pid: process.pid, address, auth: needsToken(next) });
        return policy;
      };
      const again = createReload({ initial: settings, log, read, load, apply });
      onHangup(() => void again.run("signal"));
      const { trust } = settings;
      endWatch = watchConfiguration({
        files: again.files,
        trust: () => trust?.version() ?? "",
        onChange: () => again.run("change"),
      });
      announce(`agentd listening on ${listening.address}`);
      const start = { data_dir: settings.dataDir, tools: agent.toolCount() };
      // A provider that was not chosen by name is logged louder.
      if (settings.provider.configured) log.info(start, providerWhy);
      else log.warn(start, providerWhy);
      for (const step of agent.config().first_steps) log.warn({}, `no application is connected yet. ${step}`);
      if (open && address.startsWith("unix:"))
        log.warn({}, "no browser opens a unix socket; leave out --open or --listen");
      else if (open) await openBrowser(address, log);
      log.info({ signal: await stop, grace_ms: graceMs }, "stopping");
    } finally {
      endWatch();
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
    ...MODEL_FLAGS,
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
      throw usageError("--demo brings its own application; leave out --schema and --base-url.");
    const demo = args.demo
      ? await (await import("./serve-demo.js")).openDemo(namedDataDir(args.dataDir, process.env))
      : undefined;
    try {
      const chosen = demo ?? (await chooseDataDir(args, { makes: true }));
      const load = async (files: ReadFiles): Promise<Settings> => {
        const { dir: dataDir, trust } = chosen;
        const loaded = await loadSettings({ dataDir, trust, flags: args, env: process.env, files });
        return demo ? demo.adapt(loaded) : loaded;
      };
      const read = new ReadFiles();
      const settings = await load(read);
      const loud = refuseUnsafeListener(settings);
      // One for the log, the server and the agent: a secret that one of them learns is redacted by all.
      const redactor = createRedactor(settings.secrets);
      const level = args.verbose ? "debug" : "info";
      const pretty = process.stderr.isTTY === true;
      const { log, last: lastError } = rememberErrors(await createLog({ redactor, level, pretty }), redactor.text);
      await makeDataDir(chosen);
      const proxies = proxyNotes();
      for (const note of proxies.usable) log.info({}, note);
      for (const warning of [...(loud ? [loud] : []), ...proxies.broken, ...settings.warnings]) log.warn({}, warning);
      const open = args.open === true;
      await serveUntilSignal({ settings, log, lastError, redactor, open, read, load }).finally(() =>
        discardDataDir(chosen),
      );
      return 0;
    } finally {
      await demo?.close();
    }
  },
});

// `agentd service`: a service of this account that runs the daemon of a data directory. What it runs is in a file of the service
// manager, with absolute paths and without a secret. Source: docs/reference.md, "A service of the account".
import { existsSync, readFileSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { loadSettings } from "../../config/settings.js";
import { VENDORS } from "../../config/vendors.js";
import { writeAtomically } from "../../data-dir/atomic-file.js";
import { makeDirectories } from "../../data-dir/directory.js";
import { StartError, usageError } from "../../domain/error.js";
import { didYouMean } from "../../lib/did-you-mean.js";
import { packageRoot } from "../../lib/package.js";
import { findDaemon } from "../client/connect.js";
import { type DataDir, existingDataDir } from "../client/data-dir.js";
import { defineCommand } from "../command.js";
import { createLaunchd } from "../service/launchd.js";
import type { ServiceManager } from "../service/service-manager.js";
import { createSystemd } from "../service/systemd.js";
import { print, printJson, say } from "../terminal/output.js";

const ACTIONS = ["install", "uninstall", "status"] as const;
const NAME = /^[a-z][a-z0-9-]{0,31}$/;
/** The first line of what this command wrote, in either format. */
const MARK = "Made by agentd service install.";
/** As `systemctl status`: active, not active, no such unit. */
const EXIT = { active: 0, inactive: 3, missing: 4 };
const READABLE = 0o644;
const UP_TIMEOUT_MS = 15_000;
const PAUSE_MS = 100;

/** The name of a service: `agentd`, or `agentd-NAME` where there are several. */
function serviceName(given: string | undefined): string {
  if (given === undefined) return "agentd";
  if (NAME.test(given)) return `agentd-${given}`;
  throw usageError("--name takes up to 32 small letters, digits and dashes, a letter first.");
}

function managerOf(name: string): ServiceManager {
  if (process.platform === "linux") return createSystemd(name, process.env);
  if (process.platform === "darwin") return createLaunchd(name);
  throw new StartError(
    `agentd service knows systemd and launchd, and this is ${process.platform}. Let what starts programs here run "agentd serve --data-dir DIR", and stop it with a signal.`,
  );
}

/** The file of a service that this command wrote; undefined when there is none. Throws StartError for another's. */
function installedText({ file }: ServiceManager): string | undefined {
  if (!existsSync(file)) return undefined;
  const text = readFileSync(file, "utf8");
  if (text.includes(MARK)) return text;
  throw new StartError(
    `${file} was not made by agentd service install. Move it away, or choose another name with --name.`,
  );
}

function programFile(): string {
  const program = join(packageRoot, "dist", "main.js");
  if (!existsSync(program)) throw new StartError(`there is no ${program}: npm run build comes first.`);
  if (program.includes(`${join("/", "_npx", "/")}`))
    throw new StartError(`${program} is a copy that npx removes again. Install agentd first: npm install -g.`);
  return program;
}

/** Says what of this shell the service will not have: its environment is its own. */
async function sayWhatIsMissing({ dir, trust }: DataDir, { environmentFile }: ServiceManager): Promise<void> {
  const known = new Set(VENDORS.flatMap(({ keys, sharedKeys = [], base }) => [...keys, ...sharedKeys, base ?? ""]));
  const isUsed = (name: string): boolean =>
    known.has(name) || (name.startsWith("AGENTD_") && name !== "AGENTD_DATA_DIR");
  const names = Object.keys(process.env).filter((name) => isUsed(name) && process.env[name] !== "");
  if (names.length > 0 && environmentFile !== undefined)
    say(
      `${names.join(", ")}: set here, and not in the service. This puts it into a file that only this account can read:\n  (umask 077; mkdir -p ${dirname(environmentFile)}; printenv | grep -E '^(${names.join("|")})=' >> ${environmentFile})`,
    );
  else if (names.length > 0)
    say(`${names.join(", ")}: set here, and not in the service. Name secrets in config.json as file:PATH.`);
  const settings = await loadSettings({ dataDir: dir, trust, flags: {}, env: {}, lenient: true });
  for (const warning of settings.warnings) say(`in the service: ${warning}`);
  if (trust) say(`The service names ${dir}: its files are then trusted as they are, as with --data-dir.`);
}

async function refuseRunning(chosen: DataDir, manager: ServiceManager, isOwn: boolean): Promise<void> {
  const daemon = await findDaemon(chosen);
  if (!daemon || (isOwn && manager.isReachable() && manager.state().isActive)) return;
  throw new StartError(`a daemon (pid ${daemon.pid}) runs on ${chosen.dir} already. Stop it first: agentd stop`);
}

/** Whether the started daemon listens in time; systemd only tells that its process began. */
async function isUp(chosen: DataDir): Promise<boolean> {
  const deadline = performance.now() + UP_TIMEOUT_MS;
  while (!(await findDaemon(chosen))) {
    if (performance.now() > deadline) return false;
    await sleep(PAUSE_MS);
  }
  return true;
}

/** Starts what was written; the exit code. */
async function startService(chosen: DataDir, name: string, manager: ServiceManager): Promise<number> {
  const { commands, kind } = manager;
  if (commands.afterSignOut) say(`It stops when you sign out, unless you run once: ${commands.afterSignOut}`);
  if (!manager.isReachable()) {
    say(`${kind} cannot be asked here. As the account that is to run it: ${commands.start}`);
    return 0;
  }
  manager.start();
  const isListening = await isUp(chosen);
  say(
    isListening
      ? `${name} is started. agentd status says how it is doing, ${commands.log} shows its log.`
      : `${name} is installed and does not listen. Its log says why: ${commands.log}`,
  );
  return isListening ? 0 : 1;
}

async function install(chosen: DataDir, name: string, printOnly: boolean): Promise<number> {
  const manager = managerOf(name);
  const text = manager.text({ name, node: process.execPath, program: programFile(), dataDir: chosen.dir });
  if (printOnly) {
    print(text);
    return 0;
  }
  const before = installedText(manager);
  if (before !== undefined && !manager.isFor(before, chosen.dir))
    throw new StartError(
      `the service ${name} is for another data directory (${manager.file}). Give this one a name of its own with --name.`,
    );
  await refuseRunning(chosen, manager, before !== undefined);
  makeDirectories(dirname(manager.file));
  await writeAtomically(manager.file, (partial) => writeFile(partial, text), { replace: true, mode: READABLE });
  print(`${manager.file}\n`);
  await sayWhatIsMissing(chosen, manager);
  return startService(chosen, name, manager);
}

function uninstall(name: string): number {
  const manager = managerOf(name);
  if (installedText(manager) === undefined) {
    say(`No service ${name} is installed.`);
    return 0;
  }
  const isReachable = manager.isReachable();
  if (isReachable) manager.stop();
  else say(`${manager.kind} cannot be asked here. If the service runs, stop it with: agentd stop`);
  rmSync(manager.file);
  if (isReachable) manager.forget();
  print(`removed ${manager.file}\n`);
  const { environmentFile = "" } = manager;
  if (existsSync(environmentFile))
    say(`${environmentFile} stays: it may hold secrets. Remove it when it is not needed.`);
  return 0;
}

function showState(name: string, asJson: boolean): number {
  const manager = managerOf(name);
  const { file, kind } = manager;
  const isInstalled = installedText(manager) !== undefined;
  const isReachable = manager.isReachable();
  const state = isInstalled && isReachable ? manager.state() : { isEnabled: false, isActive: false, word: "unknown" };
  if (asJson)
    printJson({
      name,
      installed: isInstalled,
      enabled: state.isEnabled,
      active: state.isActive,
      state: state.word,
      file,
    });
  else if (!isInstalled) print(`${name} is not installed\n`);
  else if (!isReachable) print(`${name} is installed (${file}); ${kind} cannot be asked here\n`);
  else print(`${name} is installed (${file}), ${state.isEnabled ? "enabled" : "not enabled"}, ${state.word}\n`);
  return !isInstalled ? EXIT.missing : state.isActive ? EXIT.active : EXIT.inactive;
}

export const serviceCommand = defineCommand({
  positionals: "<action>",
  positional: { action: { type: "string", choices: ACTIONS, describe: "install, uninstall or status" } },
  options: {
    name: { type: "string", describe: "For a further service beside agentd: agentd-NAME" },
    print: { type: "boolean", describe: "With install: print the unit or property list, and write nothing" },
    json: { type: "boolean", describe: "With status: print it as one JSON object" },
  },
  examples: [
    ["agentd service install", "runs the daemon from now on, and when you sign in"],
    ["agentd service install --print", "what would be written"],
  ],
  async run(args) {
    const action = ACTIONS.find((one) => one === args.action);
    if (action === undefined)
      throw usageError(
        `agentd service does not know what to do with "${args.action}".${didYouMean(String(args.action), ACTIONS)} See agentd service --help.`,
      );
    const name = serviceName(args.name);
    if (action === "install") return install(await existingDataDir(args), name, args.print === true);
    return action === "uninstall" ? uninstall(name) : showState(name, args.json === true);
  },
});

// Which data directory a command uses: the one that is named, the one found here or above, the one a daemon runs on, or a new
// one. Only the first is used without a question. Source: docs/reference.md, "The data directory".
import { existsSync, realpathSync, rmdirSync } from "node:fs";
import { basename, join } from "node:path";
import { namedDataDir } from "../../config/settings.js";
import { DATA_DIR } from "../../config/table.js";
import { prepareDirectory } from "../../data-dir/directory.js";
import { messageOf, StartError } from "../../domain/error.js";
import type { TrustCheck } from "../../domain/trust.js";
import type { SharedArgs } from "../command.js";
import { say, warn } from "../terminal/output.js";
import type { Daemon } from "./client.js";

/** The data directory of a command. */
export interface DataDir {
  /** Absolute. */
  dir: string;
  /** What its files have to pass; undefined where all of it is trusted. */
  trust: TrustCheck | undefined;
  /** The daemon it was found by. */
  daemon?: Daemon;
  /** How it was chosen. A missing one is neither named nor there; a command that makes one makes it here. */
  origin: "named" | "found" | "running" | "missing";
}

/** What is said where neither a directory nor a daemon's can be used. */
export const NO_DATA_DIR = "there is no data directory here or above, and no daemon runs";

/** The directory of this name here, as the search would find it. */
const here = (): string => join(realpathSync("."), DATA_DIR.default);

/** What is said about a directory that nothing vouches for. */
function untrusted(dir: string, reason: string): StartError {
  return new StartError(
    `${dir} was found, and ${reason}. Its files decide where prompts, files and secrets are sent. "agentd trust ${dir}" displays them and uses them from then on; --data-dir names another directory.`,
  );
}

async function foundDataDir(dir: string): Promise<DataDir> {
  const [{ refuseForeignFiles }, { trustOf }] = await Promise.all([
    import("../../data-dir/find.js"),
    import("../../data-dir/trust.js"),
  ]);
  refuseForeignFiles(dir);
  let trust: ReturnType<typeof trustOf>;
  try {
    trust = trustOf(dir);
  } catch (error) {
    throw untrusted(dir, `whether this account trusts it cannot be told: ${messageOf(error).replace(/\.$/, "")}`);
  }
  if (trust === undefined) throw untrusted(dir, "nothing shows that agentd made it for this account");
  return { dir, trust: trust === "whole" ? undefined : trust, origin: "found" };
}

/** The directory of the only daemon of this account; undefined when none runs. Throws StartError when several do. */
async function runningDataDir(): Promise<DataDir | undefined> {
  const { runningDaemons } = await import("../../data-dir/running.js");
  const [only, ...others] = runningDaemons();
  if (!only) return undefined;
  if (others.length > 0) {
    const lines = [only, ...others].map(({ address, data_dir }) => `\n  ${address}  --data-dir ${data_dir}`);
    throw new StartError(
      `there is no data directory here or above, and several daemons run. Name the data directory of one of them:${lines.join("")}`,
    );
  }
  const { data_dir: dir, ...daemon } = only;
  say(`agentd: there is no data directory here or above; using the daemon at ${daemon.address} on ${dir}`);
  return { dir, trust: undefined, daemon, origin: "running" };
}

/** Finishes a restore that was killed, before anything is read. Throws StartError while it is still under way. */
async function finishPendingRestore(dir: string): Promise<void> {
  const { isRestorePending } = await import("../../data-dir/restore.js");
  if (!isRestorePending(dir)) return;
  const { acquireLock } = await import("../../data-dir/lock.js");
  (await acquireLock(dir)).release();
}

/**
 * Chooses the data directory of a command. Makes nothing. Throws StartError for one that was found and is not trusted, and
 * where several could be meant. A command that `makes` one does not look for a daemon's.
 */
export async function chooseDataDir(args: SharedArgs, { makes = false } = {}): Promise<DataDir> {
  const named = namedDataDir(args.dataDir, process.env);
  if (named !== undefined) {
    await finishPendingRestore(named);
    return { dir: named, trust: undefined, origin: "named" };
  }
  const { findDataDir } = await import("../../data-dir/find.js");
  const found = findDataDir(".", DATA_DIR.default);
  if (found !== undefined) {
    const chosen = await foundDataDir(found);
    await finishPendingRestore(found);
    return chosen;
  }
  const running = makes ? undefined : await runningDataDir();
  return running ?? { dir: here(), trust: undefined, origin: "missing" };
}

/** As chooseDataDir, for a command that lists nothing where there is none. Throws StartError when the one that is named is not there. */
export async function listedDataDir(args: SharedArgs): Promise<DataDir> {
  const chosen = await chooseDataDir(args);
  if (chosen.origin !== "named" || existsSync(chosen.dir)) return chosen;
  throw new StartError(
    `there is no data directory ${chosen.dir}. Correct --data-dir (or AGENTD_DATA_DIR); "agentd sync" and "agentd serve" make it.`,
  );
}

/** As chooseDataDir, for a command that has nothing to do without one. Throws StartError when there is none. */
export async function existingDataDir(args: SharedArgs): Promise<DataDir> {
  const chosen = await listedDataDir(args);
  if (chosen.origin !== "missing") return chosen;
  throw new StartError(
    `${NO_DATA_DIR}. "agentd init" makes one, question by question, and "agentd sync openapi <file or address>" without any; name one with --data-dir, or try "agentd serve --demo".`,
  );
}

/**
 * Makes the directory where there is none, and remembers that it was made for this account, so that it can be found again.
 * Throws StartError when it cannot be used.
 */
export async function makeDataDir({ dir, origin }: DataDir): Promise<void> {
  const isMade = prepareDirectory(dir, warn);
  // Whatever made it meanwhile, its files were not looked at.
  if (origin === "missing" && !isMade) throw new StartError(`${dir} was made by another program just now. Try again.`);
  if (!isMade || basename(dir) !== DATA_DIR.default) return;
  const { rememberMade } = await import("../../data-dir/trust.js");
  try {
    await rememberMade(dir);
  } catch (error) {
    // One that was named can be named again.
    if (origin === "missing") warn(`${messageOf(error)} Until then, name ${dir} with --data-dir.`);
  }
}

/** Takes away a directory that this command made and has no use for. */
export async function discardDataDir({ dir, origin }: DataDir): Promise<void> {
  if (origin !== "missing") return;
  const { forgetTrust } = await import("../../data-dir/trust.js");
  try {
    // Refuses when anything is in it.
    rmdirSync(dir);
    forgetTrust(dir);
  } catch {
    // In use, or not made.
  }
}

/** Remembers a document that this command wrote, so that a trusted directory stays so. */
export async function rememberDocument({ dir }: DataDir, file: string, text: string): Promise<void> {
  const { rememberFile } = await import("../../data-dir/trust.js");
  await rememberFile(dir, file, text).catch((error: unknown) => warn(messageOf(error)));
}

/** Remembers that this command took a document away. */
export async function forgetDocument({ dir }: DataDir, file: string): Promise<void> {
  const { rememberFile } = await import("../../data-dir/trust.js");
  await rememberFile(dir, file, undefined).catch((error: unknown) => warn(messageOf(error)));
}

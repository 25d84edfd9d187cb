// What `agentd doctor` looks at on this machine: Node and the addon, the data directory and its disk, the record, the daemon or the
// port it would take. Changes nothing.

import { accessSync, constants, existsSync, statfsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, resolve } from "node:path";
import { text as readAll } from "node:stream/consumers";
import type { Settings } from "../../config/settings.js";
import { networkDiskWarning } from "../../data-dir/network-disk.js";
import { messageOf } from "../../domain/error.js";
import { version } from "../../lib/package.js";
import { inspectDataDir } from "../../open.js";
import type { Daemon } from "../client/client.js";
import { requestDaemon } from "../client/daemon-address.js";
import { type Check, failed, ok, warned } from "./check.js";

const MIB = 1024 * 1024;
/** SQLite's log and one large result fit into this; below it calls begin to be refused. */
const LEAST_BYTES = 64 * MIB;
/** Weeks of history. */
const COMFORTABLE_BYTES = 512 * MIB;
/** A daemon on this machine answers at once. */
const DAEMON_MS = 5_000;

/** Node, and SQLite's addon in it. */
export async function checkNode(): Promise<Check> {
  const { SqliteDatabase } = await import("../../lib/sqlite.js");
  new SqliteDatabase(":memory:").close();
  return ok("node", `Node ${process.versions.node} and SQLite's addon work; this is agentd ${version}`);
}

function existingAbove(dir: string): string {
  let there = resolve(dir);
  while (!existsSync(there) && there !== dirname(there)) there = dirname(there);
  return there;
}

/** Whether the directory can be used, and by whom else. */
export function checkDirectory(dir: string): Check {
  const check = "directory";
  const found = statSync(dir, { throwIfNoEntry: false });
  if (!found) {
    const message = `${dir} is not there yet; agentd sync or agentd serve makes it`;
    return warned(check, message, "agentd sync openapi LOCATION connects a first application");
  }
  if (!found.isDirectory()) return failed(check, `${dir} is not a directory`, "name another one with --data-dir");
  try {
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return failed(check, `${dir} cannot be written: ${messageOf(error)}`, "make it writable for this user");
  }
  const network = networkDiskWarning(dir);
  if (network !== undefined) return warned(check, network);
  if ((found.mode & 0o077) !== 0 && process.platform !== "win32")
    return warned(check, `${dir} is open to other users of this machine`, `chmod 700 ${dir}`);
  return ok(check, `${dir} is this user's own, on a local disk as far as this system tells`);
}

/** The space left for the record. */
export function checkDisk(dir: string): Check {
  const check = "disk";
  const { bavail, bsize } = statfsSync(existingAbove(dir));
  const free = bavail * bsize;
  const message = `${Math.floor(free / MIB)} MiB are free for ${dir}`;
  const advice = "make space, or keep less with history_keep_days and agentd vacuum";
  if (free < LEAST_BYTES) return failed(check, message, advice);
  return free < COMFORTABLE_BYTES ? warned(check, message, advice) : ok(check, message);
}

/** The record's file as a whole. */
export async function checkRecord(dir: string): Promise<Check> {
  const check = "database";
  const state = await inspectDataDir(dir);
  if (!state) return ok(check, "nothing is recorded yet");
  const { file, damage, version: own, newest, journalMode } = state;
  if (damage !== undefined)
    return failed(
      check,
      `${file} is damaged (${damage.replaceAll(/\s+/g, " ").trim()})`,
      "stop the daemon and put a backup in its place with agentd restore BACKUP --force, or move it away",
    );
  if (own < newest)
    return warned(check, `${file} is of an older version (${own} of ${newest})`, "the next start brings it up to date");
  if (journalMode !== "wal")
    return warned(check, `${file} has the journal mode ${journalMode}, not wal`, "the next start sets it");
  return ok(check, `${file} is sound (version ${own}, journal mode ${journalMode})`);
}

/** What the daemon says of itself. */
async function checkDaemon({ address, pid }: Daemon, token: string | undefined): Promise<Check> {
  const check = "daemon";
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const ask = async (path: string): Promise<{ status: number; text: string }> => {
    const answer = await requestDaemon(address, path, { headers, signal: AbortSignal.timeout(DAEMON_MS) });
    return { status: answer.statusCode ?? 0, text: await readAll(answer) };
  };
  const who = `the daemon at ${address} (pid ${pid})`;
  try {
    const ready = await ask("/-/readyz");
    if (ready.status !== 200)
      return failed(check, `${who} runs and is not ready (${ready.status})`, "its log says why");
    const answer = await ask("/config/public");
    if (answer.status === 401) {
      return warned(
        check,
        `${who} is ready and refuses the token`,
        "give it with --token, --token-file or AGENTD_TOKEN",
      );
    }
    const { version: running } = JSON.parse(answer.text) as { version?: string };
    if (running !== version) return warned(check, `${who} is agentd ${running}, this is ${version}`, "restart it");
    return ok(check, `${who} is ready`);
  } catch (error) {
    const reason = error instanceof Error && error.cause ? error.cause : error;
    return failed(check, `${who} does not answer: ${messageOf(reason)}`, `end process ${pid} and start it again`);
  }
}

/** Whether a daemon could listen where it is to. */
function checkPort({ host, port, listen }: Settings): Promise<Check> {
  const check = "port";
  if (listen !== undefined) return Promise.resolve(ok(check, `none is needed: it is to listen on ${listen}`));
  const place = `${host}, port ${port}`;
  return new Promise((settle) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      const isTaken = error.code === "EADDRINUSE";
      const advice = isTaken ? "end what uses it, or choose another with --port" : "correct host and port";
      settle(failed(check, isTaken ? `${place} is in use` : `${place} cannot be used: ${messageOf(error)}`, advice));
    });
    server.listen({ host, port, exclusive: true }, () => server.close(() => settle(ok(check, `${place} is free`))));
  });
}

function lockCheck(dir: string, held: { who: string; advice: string } | undefined): Check {
  return held ? warned("lock", `${dir} is held by ${held.who}`, held.advice) : ok("lock", `no process holds ${dir}`);
}

/** The daemon that runs, or the lock and the port of the one that would. */
export async function checkListener(dir: string, daemon: Daemon | undefined, settings: Settings): Promise<Check[]> {
  if (daemon) return [await checkDaemon(daemon, settings.token)];
  const { holderAdvice, readLock } = await import("../../data-dir/lock.js");
  const holder = readLock(dir);
  return [lockCheck(dir, holder && holderAdvice(holder)), await checkPort(settings)];
}

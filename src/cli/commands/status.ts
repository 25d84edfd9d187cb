// `agentd status`: whether a daemon runs on this data directory, and how it is doing. The exit code says the first, as
// `systemctl status` does. Source: docs/reference.md, "Status of a daemon".
import type { z } from "zod";
import { loadSettings } from "../../config/settings.js";
import { UNNAMED } from "../../domain/application-name.js";
import { StartError } from "../../domain/error.js";
import type { StatusSchema } from "../../domain/schemas/agent.js";
import { version } from "../../lib/package.js";
import type { Daemon } from "../client/client.js";
import { findDaemon } from "../client/connect.js";
import { ask, headersFor, refusedBy } from "../client/daemon-http.js";
import { chooseDataDir, type DataDir } from "../client/data-dir.js";
import { defineCommand, type SharedArgs } from "../command.js";
import { TOKEN } from "../options.js";
import { print, printJson } from "../terminal/output.js";
import { wholeTimeFor } from "../terminal/short-time.js";
import { alignedLine, oneLine } from "../terminal/table.js";

/** As `systemctl status`, which has them from the Linux Standard Base. */
const EXIT = { running: 0, stopped: 3, unknown: 4 } as const;
const LABEL_CHARS = 13;

type Status = z.infer<typeof StatusSchema>;

/** What is found out about one data directory. */
interface Report {
  state: keyof typeof EXIT;
  data_dir: string;
  pid?: number;
  address?: string;
  /** Why there is no more to say. */
  problem?: string;
  status?: Status;
}

/** The token; a broken config.json must not keep a person from seeing what runs, and another token may be at hand. */
function tokenFor(args: SharedArgs, { dir, trust }: DataDir): Promise<{ token?: string | undefined }> {
  const onBrokenFile = (): void => {};
  return loadSettings({ dataDir: dir, trust, flags: args, env: process.env, lenient: true, onBrokenFile });
}

async function askStatus(args: SharedArgs, chosen: DataDir, daemon: Daemon): Promise<Report> {
  const known = { data_dir: chosen.dir, ...daemon };
  const headers = headersFor(await tokenFor(args, chosen));
  try {
    const [code, body] = await ask(daemon, "/-/status", { headers });
    if (code === 200) return { state: "running", ...known, status: JSON.parse(body) as Status };
    // It runs, and says no more: without its token, while it stops, or as an older version.
    return { state: "running", ...known, problem: refusedBy(daemon, code, body).message };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { state: "unknown", ...known, problem: error.message };
  }
}

/** Why a directory without a daemon is not free all the same. */
export async function occupant(dir: string): Promise<string | undefined> {
  const { holderAdvice, readLock } = await import("../../data-dir/lock.js");
  const holder = readLock(dir);
  if (!holder) return undefined;
  const { who, advice } = holderAdvice(holder);
  return `it is in use by ${who}. ${advice}`;
}

async function reportOn(args: SharedArgs): Promise<Report> {
  const chosen = await chooseDataDir(args);
  const stopped: Report = { state: "stopped", data_dir: chosen.dir };
  if (chosen.origin === "missing") return { ...stopped, problem: "there is no data directory here or above" };
  const daemon = await findDaemon(chosen);
  if (daemon) return askStatus(args, chosen, daemon);
  const problem = await occupant(chosen.dir);
  return problem === undefined ? stopped : { ...stopped, problem };
}

const UNITS: readonly (readonly [name: string, seconds: number])[] = [
  ["d", 86_400],
  ["h", 3_600],
  ["min", 60],
  ["s", 1],
];

/** A time in its two largest units: "3 d 4 h". */
function duration(seconds: number): string {
  const first = UNITS.findIndex(([, size]) => seconds >= size);
  if (first < 0) return "0 s";
  let left = seconds;
  const parts = UNITS.slice(first, first + 2).map(([name, size]) => {
    const count = Math.floor(left / size);
    left %= size;
    return { count, text: `${count} ${name}` };
  });
  return parts.flatMap(({ count, text }) => (count > 0 ? [text] : [])).join(" ");
}

function applicationLine({ name, kind, error }: Status["applications"][number]): string {
  const named = `${name === "" ? UNNAMED : name} (${kind})`;
  return error === undefined ? named : `${named}: ${error}`;
}

function limitText({ kind, limit, used, resets_at }: Status["limits"][number]): string {
  return `${used} of ${limit} ${kind.replace("_", " ")} today, until ${wholeTimeFor(process.stdout)(resets_at)}`;
}

function statusRows(status: Status): [label: string, text: string][] {
  const { turns, confirmations_waiting: waiting, last_error: failure, applications } = status;
  const [first = "none", ...more] = applications.map(applicationLine);
  const other = status.version === version ? "" : `; this command is ${version}, a restart uses it`;
  return [
    ["version", status.version + other],
    ["uptime", `${duration(status.uptime_s)}, since ${wholeTimeFor(process.stdout)(status.started_at)}`],
    ["provider", status.model === "" ? status.default_provider : `${status.default_provider} (${status.model})`],
    ["applications", first],
    ...more.map((line): [string, string] => ["", line]),
    ["sessions", `${turns.running} running, ${turns.waiting} turns waiting`],
    ["confirmations", waiting === 0 ? "none waiting" : `${waiting} waiting: agentd approvals`],
    ...(status.limits ?? []).map((limit): [string, string] => ["limit", limitText(limit)]),
    ["record", status.record_writable ? "writable" : "cannot be written: no call is made; the log says why"],
    ["last error", failure ? `${wholeTimeFor(process.stdout)(failure.ts)} ${failure.message}` : "none"],
  ];
}

function printReport({ state, data_dir, pid, address, problem, status }: Report): void {
  const line = (label: string, text: string): void => print(alignedLine([label, oneLine(text)], [LABEL_CHARS]));
  const words = { running: "runs", stopped: "does not run", unknown: "does not answer" };
  print(`agentd ${words[state]} on ${data_dir}\n`);
  if (address !== undefined) line("address", address);
  if (pid !== undefined) line("pid", String(pid));
  for (const [label, text] of status ? statusRows(status) : []) line(label, text);
  if (problem !== undefined) line("problem", problem);
}

export const statusCommand = defineCommand({
  options: {
    json: { type: "boolean", describe: "Print it as one JSON object" },
    ...TOKEN,
  },
  examples: [["agentd status || agentd serve", "exit code 0: a daemon runs; 3: none; 4: it does not answer"]],
  async run(args) {
    const report = await reportOn(args);
    const { state, status, ...known } = report;
    if (args.json) printJson({ running: state !== "stopped", ...known, ...status });
    else printReport(report);
    return EXIT[state];
  },
});

// `npm run demo`: starts the daemon on the sample application as anyone would, sends one prompt through POST /run, prints the
// events and the answer, and keeps running for the browser. `--once` stops after the prompt and exits with 0 when it succeeded. The
// daemon ends with this process, however that ends, and this process with npm.
import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { visible } from "../lib/invisible-characters.js";
import { programOf } from "../lib/package.js";
import { killGroup } from "../lib/process-group.js";

const PORT = 4242;
/** How often it is looked whether npm is still there. */
const PARENT_MS = 500;
const PROMPT = "which products under 20 have fewer than 10 in the warehouse";

interface RunAnswer {
  result: string;
  events: {
    kind: string;
    name?: string;
    arguments?: unknown;
    status?: string;
    duration_ms?: number;
    message?: string;
  }[];
}

/** A line in which nothing acts on the terminal. */
const say = (line: string): void => console.log(visible(line));

/** The usual port, or any free one when something already listens there. */
function pickPort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", () => resolve(0));
    probe.listen(PORT, "127.0.0.1", () => probe.close(() => resolve(PORT)));
  });
}

/** Prints an event a line, then the answer in full. */
function print(answer: RunAnswer): void {
  for (const event of answer.events)
    if (event.kind === "tool_call") say(`  tool call    ${event.name} ${JSON.stringify(event.arguments)}`);
    else if (event.kind === "tool_result") say(`  tool result  ${event.status} in ${event.duration_ms} ms`);
    else if (event.kind === "error") say(`  error        ${event.message}`);
  say(`\n${answer.result}\n`);
}

async function runPrompt(url: string): Promise<boolean> {
  console.log(`\n$ curl ${url}/run --json '${JSON.stringify({ message: PROMPT })}'\n`);
  const response = await fetch(`${url}/run`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message: PROMPT }),
  });
  const answer = (await response.json()) as RunAnswer;
  print(answer);
  const called = answer.events.some((event) => event.kind === "tool_result" && event.status === "ok");
  const failed = answer.events.some((event) => event.kind === "error");
  if (!called || failed) console.error("The prompt did not reach the sample application.");
  return called && !failed;
}

const unknown = process.argv.slice(2).find((word) => word !== "--once");
if (unknown !== undefined) {
  console.error(visible(`demo: unknown option ${unknown}. Only --once is known: it stops after the prompt.`));
  process.exit(2);
}
const once = process.argv.includes("--once");
const [guard, program] = [programOf("lib/child-guard"), programOf("main")];
const serve = [
  process.execPath,
  ...program.execArgv,
  program.file,
  "serve",
  "--demo",
  "--port",
  String(await pickPort()),
];
const daemon = spawn(process.execPath, [...guard.execArgv, guard.file, process.cwd(), ...serve], {
  // A group of its own, and a stream that this process holds open: the guard ends the group with it.
  detached: true,
  stdio: ["ignore", "pipe", "inherit", "pipe"],
});
let isStopping = false;
const stop = (signal: NodeJS.Signals): void => {
  isStopping = true;
  if (daemon.pid !== undefined && daemon.exitCode === null) process.kill(-daemon.pid, signal);
};
// This process ends when the daemon has. A SIGHUP would make the daemon read its settings again.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
process.on("SIGHUP", () => stop("SIGTERM"));
// npm hands a signal on to the shell between the two, which ends without a word to this process.
const parent = process.ppid;
if (process.env["npm_lifecycle_event"] !== undefined)
  setInterval(() => {
    if (process.ppid !== parent && !isStopping) stop("SIGTERM");
  }, PARENT_MS).unref();
daemon.on("exit", (code, signal) => {
  // A guard that was killed leaves its daemon behind, which nothing else would end.
  if (signal !== null) killGroup(daemon);
  if (!isStopping) console.error(`The daemon has ended by itself (${signal ?? `exit code ${code}`}).`);
  process.exit(isStopping ? (process.exitCode ?? code ?? 1) : code || 1);
});
for await (const line of createInterface({ input: daemon.stdout as Readable })) {
  console.log(line);
  const url = /http:\/\/\S+/.exec(line)?.[0];
  if (!url) continue;
  const succeeded = await runPrompt(url).catch((error: unknown) => {
    console.error(String(error));
    return false;
  });
  process.exitCode = succeeded ? 0 : 1;
  if (once || !succeeded) stop("SIGTERM");
  else console.log(`Open ${url} in a browser, or press Ctrl-C to stop.`);
}

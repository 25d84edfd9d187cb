// Runs faults one after another. Whatever one does (throws, leaves a promise that rejects, never ends) is a failure in its own
// report, and the others go on.
import { agentd, stopAll } from "../support/spawn.js";
import {
  createTally,
  type Fault,
  isGood,
  messageOf,
  type Report,
  type SoakOptions,
  type Step,
  type Tally,
} from "./fault.js";

/** Problems of one fault that are printed; they are much alike. */
const MAX_PRINTED = 10;
/** How many times as long as the program takes to start no attempt may end, before the fault counts as hanging. */
const HANGING_STARTS = 300;
/** Longer than an attempt waits by itself for what has to come. */
const LEAST_PATIENCE_MS = 180_000;
const WATCH_MS = 500;

/** A fault that was tried. */
export interface Result {
  fault: Fault;
  report: Report;
  seconds: number;
}

/** How long no attempt may end, on this machine as it is now. */
async function measurePatience(): Promise<number> {
  const begun = performance.now();
  await agentd(["--version"]);
  return Math.max(LEAST_PATIENCE_MS, HANGING_STARTS * (performance.now() - begun));
}

/** Calls back with how long nothing began or ended, when that is longer than patience allows, once for each such time. */
function watch(tally: Tally, patienceMs: number, onHang: () => void): { stop(): void } {
  const state = (): string => `${tally.tried} ${tally.survived} ${tally.problems.length}`;
  let last = state();
  let since = performance.now();
  const timer = setInterval(() => {
    if (state() !== last) {
      last = state();
      since = performance.now();
    } else if (performance.now() - since > patienceMs) {
      since = performance.now();
      onHang();
    }
  }, WATCH_MS);
  return { stop: () => clearInterval(timer) };
}

/** Ends a fault that hangs: first the processes it waits for; when that does not help, it is left. */
function untilHung(tally: Tally, patienceMs: number): { hung: Promise<void>; stop(): void } {
  let stop = (): void => {};
  const hung = new Promise<void>((resolve) => {
    let times = 0;
    ({ stop } = watch(tally, patienceMs, () => {
      const open = [...tally.open].slice(0, 5).join(", ") || "no attempt";
      if (++times > 1) return resolve();
      tally.problems.push(`nothing ended for ${Math.round(patienceMs / 1000)} s; open: ${open}`);
      void stopAll();
    }));
  });
  return { hung, stop };
}

/** Resolves when the signal is aborted. */
const aborted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => signal?.addEventListener("abort", () => resolve(), { once: true }));

/** Runs one fault to its end. Never rejects. */
export async function runFault(fault: Fault, options: SoakOptions, patienceMs = LEAST_PATIENCE_MS): Promise<Result> {
  const tally = createTally();
  const onStray = (error: unknown): void => void tally.problems.push(`nobody handled: ${messageOf(error)}`);
  process.on("unhandledRejection", onStray).on("uncaughtException", onStray);
  const begun = performance.now();
  const watched = untilHung(tally, patienceMs);
  try {
    await Promise.race([fault.run(tally, options), watched.hung, aborted(options.signal)]);
  } catch (error) {
    tally.problems.push(messageOf(error));
  }
  watched.stop();
  if (options.signal?.aborted) tally.problems.push("interrupted");
  await tally.end();
  await stopAll();
  // What was rejected meanwhile is announced once the microtasks are through.
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", onStray).off("uncaughtException", onStray);
  return { fault, report: tally, seconds: (performance.now() - begun) / 1000 };
}

const stepLine = (name: string, { tried, failed, slowestMs }: Step): string =>
  `${tried} × ${name}, ${failed > 0 ? `${failed} failed, ` : ""}slowest ${(slowestMs / 1000).toFixed(1)} s`;

function resultOf(report: Report): string {
  if (!isGood(report)) return "FAILED";
  return report.skipped === undefined ? "ok" : "skipped";
}

function printReport({ fault, report, seconds }: Result, log: SoakOptions["log"]): void {
  for (const [name, step] of report.steps) log(stepLine(name, step));
  for (const problem of report.problems.slice(0, MAX_PRINTED)) log(`PROBLEM ${problem}`);
  const more = report.problems.length - MAX_PRINTED;
  if (more > 0) log(`and ${more} more`);
  log(`${fault.name}: ${resultOf(report)}, ${seconds.toFixed(1)} s`);
}

function printTable(results: readonly Result[]): void {
  console.log(
    "\n| fault | result | tried | survived | lost | duplicates | peak RSS | seconds | |\n|---|---|---|---|---|---|---|---|---|",
  );
  for (const { fault, report, seconds } of results) {
    const { tried, survived, lost, duplicates, peakMiB, note, skipped } = report;
    const memory = peakMiB > 0 ? `${Math.round(peakMiB)} MiB` : "";
    const cells = [resultOf(report), tried, survived, lost, duplicates, memory, seconds.toFixed(1), skipped ?? note];
    console.log(`| ${fault.name}: ${fault.about} | ${cells.join(" | ")} |`);
  }
}

/** Runs every fault, prints what each did and how long it took, and a table at the end; whether all were good. */
export async function soak(
  faults: readonly Fault[],
  { short, patienceMs }: { short: boolean; patienceMs?: number },
): Promise<boolean> {
  const patience = patienceMs ?? (await measurePatience());
  const results: Result[] = [];
  const ending = new AbortController();
  // What was started is ended and undone also then: daemons, and disks that were mounted.
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => ending.abort());
  for (const fault of faults) {
    if (ending.signal.aborted) break;
    console.log(`${fault.name}: ${fault.about}`);
    const log = (line: string): void => console.log(`  ${line}`);
    const result = await runFault(fault, { short, log, signal: ending.signal }, patience);
    printReport(result, log);
    results.push(result);
  }
  printTable(results);
  const bad = results.filter(({ report }) => !isGood(report));
  console.log(
    bad.length === 0 ? "\nall survived, nothing lost" : `\nnot well: ${bad.map(({ fault }) => fault.name).join(", ")}`,
  );
  return bad.length === 0;
}

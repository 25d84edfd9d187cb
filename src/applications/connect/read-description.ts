// Reads a description in a process of its own, within a time and a memory, for as long as its client waits.
import { fork } from "node:child_process";
import { programOf } from "../../lib/package.js";
import type { SourceInput } from "../source.js";
import type { PreviewContext, Previewed } from "./preview.js";

/** What the process is asked for. */
export interface ReadOrder {
  kind: string | undefined;
  /** An http(s) address; "" with a text. */
  location: string;
  text: string | undefined;
  input: Omit<SourceInput, "location">;
  context: Omit<PreviewContext, "kind">;
  /** Authorities that servers are checked against, in PEM. */
  certificates: readonly string[];
}

/** What it answers: what the description comes to, or what is wrong with it. */
export type ReadAnswer = Previewed | { fault: string };

/** Twice what the downloads of a description may take. */
const READ_MS = 120_000;
/** The largest descriptions take a third of it. */
const MAX_HEAP_MB = 1_024;

const PROGRAM = programOf("applications/connect/read-child");
const PROXIES = /^(?:https?|all|no)_proxy$|^NODE_EXTRA_CA_CERTS$|^TMPDIR$/i;

/** Reads it. Rejects with the reason of the signal; everything else is a fault. */
export function readDescription(order: ReadOrder, signal: AbortSignal): Promise<ReadAnswer> {
  signal.throwIfAborted();
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => PROXIES.test(name)));
  const child = fork(PROGRAM.file, [], {
    execArgv: [...PROGRAM.execArgv, `--max-old-space-size=${MAX_HEAP_MB}`],
    // Nothing else of the environment: it may hold keys.
    env,
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  return new Promise((resolve, reject) => {
    const finish = (end: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      child.removeAllListeners();
      child.on("error", () => {});
      child.kill("SIGKILL");
      end();
    };
    const fail = (fault: string): void => finish(() => resolve({ fault }));
    const onAbort = (): void => finish(() => reject(signal.reason));
    const timer = setTimeout(() => fail("The description could not be read in time."), READ_MS);
    signal.addEventListener("abort", onAbort, { once: true });
    child.once("message", (answer: ReadAnswer) => finish(() => resolve(answer)));
    child.once("error", ({ message }) => fail(`The description could not be read: ${message}.`));
    child.once("exit", () =>
      fail("The description is too large to be read here; try agentd sync on the command line."),
    );
    child.send(order, () => {});
  });
}

// The program as people run it, in processes of its own: a description is synced into a data directory, a daemon serves it.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { PROGRAM } from "./program.js";

const [NODE = "", ...AGENTD] = PROGRAM;
const run = promisify(execFile);

/** A daemon in a process. */
export interface Served {
  url: string;
  /** Ends it as SIGTERM does. */
  close(): Promise<void>;
}

/** Makes tools of a description in a data directory; gives what `sync` printed. */
export async function sync(dataDir: string, location: string, ...flags: string[]): Promise<string> {
  return (await run(NODE, [...AGENTD, "sync", "openapi", location, "--data-dir", dataDir, ...flags])).stdout;
}

/** A data directory with a configuration and the tools of a description. */
export async function synced(dataDir: string, config: object, location: string, baseUrl: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await writeFile(join(dataDir, "config.json"), JSON.stringify(config));
  await sync(dataDir, location, "--base-url", baseUrl);
}

/** The first address a process prints: a daemon's, when it listens. */
export function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`ended with ${code} before it listened`)));
    if (child.stdout)
      createInterface({ input: child.stdout }).on("line", (line) => {
        const url = /http:\/\/\S+/.exec(line)?.[0];
        if (url) resolve(url);
      });
  });
}

/** Serves a data directory on a free port. Close it, or the test run does not end. */
export async function serve(dataDir: string, ...flags: string[]): Promise<Served> {
  const child = spawn(NODE, [...AGENTD, "serve", "--port", "0", "--data-dir", dataDir, ...flags], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const url = await addressOf(child);
  return {
    url,
    async close() {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    },
  };
}

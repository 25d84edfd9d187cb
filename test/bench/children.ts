// The other processes of a benchmark: built before they are started, because compiling TypeScript at their start would be counted as
// their time and memory.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { leanDrizzle } from "../../build/lean-drizzle.js";
import { leanExpress } from "../../build/lean-express.js";
import { EXTERNAL } from "../../vite.server.config.js";
import { type Served, start } from "../support/spawn.js";

/** Where they are built to: inside of the checkout, so that they find its packages. */
const BUILT = fileURLToPath(new URL("../../node_modules/.cache/agentd-bench", import.meta.url));
const command = (...args: string[]): [string, ...string[]] => [process.execPath, join(BUILT, "child.js"), ...args];

/** Builds `child.ts`. */
export async function buildChildren(): Promise<void> {
  const entry = fileURLToPath(new URL("child.ts", import.meta.url));
  await build({
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    // As the program is built: loading files one by one would be a part of the floor.
    plugins: [leanDrizzle(), leanExpress()],
    ssr: { target: "node", noExternal: true, external: EXTERNAL },
    build: { ssr: entry, outDir: BUILT, emptyOutDir: true },
  });
}

/** Starts one that listens. */
export async function child(...args: string[]): Promise<Served> {
  const running = start(command(...args));
  const url = await running.prints(/ready (\S+)\n/);
  return { ...running, url, port: Number(new URL(url).port) };
}

/** What `work` came to, and the milliseconds of requests to `url` meanwhile. */
export async function probed<Value>(
  url: string,
  work: () => Promise<Value>,
): Promise<{ value: Value; times: number[] }> {
  const [file, ...args] = command("probe", url);
  const prober = spawn(file, args, { stdio: ["pipe", "pipe", "inherit"] });
  let printed = "";
  prober.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  const ended = new Promise((resolve) => prober.on("close", resolve));
  try {
    const value = await work();
    prober.stdin.end();
    await ended;
    return { value, times: JSON.parse(printed) as number[] };
  } finally {
    prober.kill();
  }
}

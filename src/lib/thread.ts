// Worker threads of this program: an entry of the bundle each. Run from the sources, where a thread could not load TypeScript
// in less than a second, the entry is bundled on the spot; esbuild is there then, since it is what runs the sources.
import { createHash } from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { packageRoot, programOf } from "./package.js";

/** Files made from the sources in this process, by entry. */
const made = new Map<string, string>();

/** Bundles one entry; the name is made of the content, so that processes that do the same at once write the same file. */
function bundleEntry(source: string): string {
  const known = made.get(source);
  if (known) return known;
  const esbuild = createRequire(import.meta.url)("esbuild") as typeof import("esbuild");
  const { outputFiles } = esbuild.buildSync({
    entryPoints: [source],
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["better-sqlite3*"],
    write: false,
  });
  const text = outputFiles[0]?.text ?? "";
  const folder = path.join(packageRoot, "node_modules", ".cache", "agentd");
  const file = path.join(folder, `${createHash("sha256").update(text).digest("hex").slice(0, 16)}.mjs`);
  if (!fs.existsSync(file)) {
    fs.mkdirSync(folder, { recursive: true });
    const partial = `${file}.${process.pid}`;
    fs.writeFileSync(partial, text);
    fs.renameSync(partial, file);
  }
  made.set(source, file);
  return file;
}

/** Starts the thread whose program is `source`, as `programOf` takes it. The thread does not keep the process alive. */
export function startThread(source: string, options: WorkerOptions): Worker {
  const { file, isSource } = programOf(source);
  // Without the arguments of Node: what they load is for the main thread.
  const worker = new Worker(isSource ? bundleEntry(file) : file, { execArgv: [], ...options });
  worker.unref();
  return worker;
}

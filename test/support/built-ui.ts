// The built web UI for tests that serve its files: dist/static when it is newer than every source, which is so under
// `npm test`; else it is built from the sources, once a run.
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { packageRoot } from "../../src/lib/package.js";
import { isNewerThan } from "./program.js";

const OUT_DIR = join(packageRoot, "dist", "static");

async function buildUi(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), "agentd-ui-"));
  process.once("exit", () => rmSync(outDir, { recursive: true, force: true }));
  await build({ configFile: join(packageRoot, "vite.config.ts"), logLevel: "error", build: { outDir } });
  return outDir;
}

let built: Promise<string> | undefined;

/** The folder of the built web UI. */
export function builtUi(): Promise<string> {
  const isCurrent = isNewerThan(join(OUT_DIR, "sign-in.html"), ["static", "build", "src/domain", "src/lib"]);
  built ??= isCurrent ? Promise.resolve(OUT_DIR) : buildUi();
  return built;
}

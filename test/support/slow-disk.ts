// A disk whose syncs take milliseconds, or fail: a library of a few lines of C that is preloaded into the daemon.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const SOURCE = fileURLToPath(new URL("slow-disk.c", import.meta.url));

/** The preloaded library, made in `folder`; undefined where it cannot be. */
export function compileDelay(folder: string): string | undefined {
  const library = join(folder, "slow-disk.so");
  const { status } = spawnSync("cc", ["-shared", "-fPIC", "-O1", "-o", library, SOURCE, "-ldl"]);
  return status === 0 ? library : undefined;
}

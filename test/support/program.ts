// How tests start the program: built, when the build is newer than every source, which is so under `npm test`; else from
// the sources, which takes a second longer every time.
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../../src/lib/package.js";

/** When the newest file of a folder was written, in milliseconds. */
function newest(folder: string): number {
  return Math.max(
    ...readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => statSync(join(folder, name)).mtimeMs),
  );
}

/** Whether a built file is there and newer than everything in these folders of the checkout. */
export function isNewerThan(file: string, folders: readonly string[]): boolean {
  const built = statSync(file, { throwIfNoEntry: false });
  return built !== undefined && folders.every((folder) => built.mtimeMs > newest(join(packageRoot, folder)));
}

/** The command line that runs a TypeScript file, from any folder. */
export function typescript(file: string): string[] {
  return [process.execPath, `--import=${fileURLToPath(import.meta.resolve("tsx"))}`, file];
}

function program(): string[] {
  const main = join(packageRoot, "dist", "main.js");
  if (isNewerThan(main, ["src"])) return [process.execPath, main];
  return typescript(join(packageRoot, "src/main.ts"));
}

/** The program and its arguments up to the command. */
export const PROGRAM: readonly string[] = program();

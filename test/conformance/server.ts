// agentd as an MCP server before the conformance suite, and as a client of the fixture server behind it: what the suite asks for passes
// through both. The fixture is the application without a name, so that its tools have the names that the suite calls.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/lib/package.js";
import { typescript } from "../support/program.js";
import { agentd, dataDir, serve, stopAll } from "../support/spawn.js";
import { beside, REVISIONS, runSuite } from "./suite.js";

const FIXTURE = join(packageRoot, "test/support/mcp-fixture.ts");
const EMPTY = { version: 1, resources: [] };

/** Runs the server suite; whether it went as the baseline says. */
export async function serverConforms(): Promise<boolean> {
  const { dir, remove } = dataDir({ schema: EMPTY });
  try {
    writeFileSync(
      join(dir, "config.json"),
      JSON.stringify({ default_provider: "off", providers: { off: { type: "offline" } } }),
    );
    const sync = await agentd(["sync", "mcp", "--data-dir", dir, "--force", "--", ...typescript(FIXTURE)], {
      cwd: packageRoot,
    });
    if (sync.code !== 0) throw new Error(`the fixture server could not be synced:\n${sync.stderr}`);
    const { url, stop } = await serve(["--data-dir", dir], { cwd: packageRoot });
    const baseline = ["--expected-failures", beside("server-baseline.yml")];
    const passed = REVISIONS.map((revision) =>
      runSuite(["server", "--url", `${url}/-/mcp`, "--requirements", revision, ...baseline]),
    );
    await stop();
    return passed.every(Boolean);
  } finally {
    await stopAll();
    remove();
  }
}

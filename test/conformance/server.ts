// agentd as an MCP server before the conformance suite, and as a client of the fixture server behind it: what the suite asks for passes
// through both. The fixture is the application without a name, so that its tools have the names that the suite calls.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../src/lib/package.js";
import { rawMessage, sendRaw } from "../support/mcp-client.js";
import { typescript } from "../support/program.js";
import { agentd, dataDir, serve, stopAll } from "../support/spawn.js";
import { beside, type Revision, runSuite } from "./suite.js";

const FIXTURE = join(packageRoot, "test/support/mcp-fixture.ts");
const EMPTY = { version: 1, resources: [] };

/** Runs the suite of one revision, with a fixture of its era behind; whether it went as the baseline says. */
export async function serverConforms(revision: Revision): Promise<boolean> {
  const { dir } = dataDir({ schema: EMPTY });
  try {
    // A model that is never asked.
    const config = { default_provider: "off", providers: { off: { type: "offline" } } };
    writeFileSync(join(dir, "config.json"), JSON.stringify(config));
    const fixture = [...typescript(FIXTURE), "--era", revision === "2025-11-25" ? "legacy" : "modern"];
    const { code, stderr } = await agentd(["sync", "mcp", "--data-dir", dir, "--force", "--", ...fixture]);
    if (code !== 0) throw new Error(`the fixture server could not be synced:\n${stderr}`);
    const { url, stop } = await serve(["--data-dir", dir]);
    // The fixture starts with its first call, and the suite waits for half a second.
    await sendRaw(url, rawMessage(revision, "tools/call", '"name":"test_simple_text"'));
    const baseline = ["--expected-failures", beside("server-baseline.yml")];
    const passed = runSuite(["server", "--url", `${url}/-/mcp`, "--requirements", revision, ...baseline]);
    await stop();
    return passed;
  } finally {
    await stopAll();
  }
}

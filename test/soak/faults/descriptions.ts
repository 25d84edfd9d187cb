// Descriptions that mean far more than they say: each is imported in time and memory that go with its size, and a daemon serves
// the tools that come of it.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getJson } from "../../support/entry-points.js";
import { HOSTILE, MORE_HOSTILE } from "../../support/hostile-descriptions.js";
import { memoryOf } from "../../support/process-usage.js";
import { PROGRAM } from "../../support/program.js";
import { serve, start } from "../../support/spawn.js";
import { createTally, type Fault } from "../fault.js";

/** An import that follows every reference takes days; the slowest of these takes seconds. */
const DEADLINE_MS = 120_000;

async function importAndServe(dir: string, description: object): Promise<number> {
  const file = join(dir, "api.json");
  writeFileSync(file, JSON.stringify(description));
  const sync = start([...PROGRAM, "sync", "openapi", file, "--data-dir", dir], { input: "" });
  const timer = setTimeout(() => sync.child.kill("SIGKILL"), DEADLINE_MS);
  const { code, stderr } = await sync.ended;
  clearTimeout(timer);
  assert.equal(code, 0, stderr);
  const daemon = await serve(["--data-dir", dir, "--provider", "offline"]);
  try {
    const tools = await getJson<{ name: string }[]>(`${daemon.url}/tools`);
    assert(
      tools.some(({ name }) => name === "plain"),
      "the tool that refers to nothing is missing",
    );
    return memoryOf(daemon.pid).peak;
  } finally {
    await daemon.stop();
  }
}

export const descriptions: Fault = {
  name: "descriptions",
  about: "small descriptions that mean terabytes, imported and served",
  async run({ short }) {
    const tally = createTally();
    for (const [name, make] of Object.entries(short ? HOSTILE : { ...HOSTILE, ...MORE_HOSTILE })) {
      const dir = mkdtempSync(join(tmpdir(), "agentd-soak-"));
      await tally.attempt(name, async () => {
        tally.peakMiB = Math.max(tally.peakMiB, await importAndServe(dir, make()));
      });
      rmSync(dir, { recursive: true, force: true });
    }
    return tally;
  },
};

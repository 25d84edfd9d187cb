// MCP servers that hang, die, flood, talk nonsense and change their tools, several at once, while sessions work on an application that
// is well: every call ends, nothing is sent twice, memory stays, and no process is left behind.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { packageRoot } from "../../../src/lib/package.js";
import { agentd } from "../../support/spawn.js";
import { createTally, type Fault } from "../fault.js";
import { askWell, openLab } from "../lab.js";

const HOSTILE = join(packageRoot, "test/support/mcp-hostile.js");
const FIXTURE = join(packageRoot, "test/support/mcp-fixture.ts");
/** Of calls that nobody answers. */
const TIMEOUT_MS = 1_500;
const WAYS = ["dies", "hangs", "endless", "huge", "flood", "babble", "wrong-id", "batch", "deep", "stubborn", "fine"];
/** The ways that answer well. */
const GOOD = new Set(["stubborn", "fine"]);
/** An answer of a server may have a few of these at once; a daemon holds no more. */
const MAX_MIB = 700;

/** Processes whose command line has a text. */
function processesOf(text: string): string[] {
  return readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(text);
    } catch {
      return false;
    }
  });
}

export const servers: Fault = {
  name: "servers",
  about: "MCP servers that hang, die, flood and change, beside sessions at work",
  async run({ short }) {
    const rounds = short ? 1 : 8;
    const lab = await openLab(createTally());
    const { tally, dir } = lab;
    const file = join(dir, "changing-tools.json");
    const config = JSON.parse(readFileSync(join(dir, "config.json"), "utf8")) as Record<string, unknown>;
    const names = Object.fromEntries(WAYS.map((way) => [way, { timeout_ms: GOOD.has(way) ? 20_000 : TIMEOUT_MS }]));
    writeFileSync(join(dir, "config.json"), JSON.stringify({ ...config, applications: names }));
    writeFileSync(file, "{}");
    const commands: [name: string, command: string[]][] = [
      ...WAYS.map((way): [string, string[]] => [way, ["node", HOSTILE, way, join(dir, `${way}.mark`)]]),
      ["changing", ["node", "--import=tsx/esm", FIXTURE, "--tools", file]],
    ];
    for (const [name, command] of commands)
      await tally.attempt(`sync ${name}`, async () => {
        const args = ["sync", "mcp", "--name", name, "--data-dir", dir, "--", ...command];
        const { code, stderr } = await agentd(args, { cwd: packageRoot });
        assert(code === 0, stderr);
      });
    const daemon = await lab.start();
    let isOver = false;
    let turns = 0;
    const work = Promise.all(
      Array.from({ length: 4 }, async (_, session) => {
        for (let n = 0; !isOver; n++, turns++)
          await tally.attempt(`work ${session}.${n}`, async () => {
            await askWell(daemon, `make work-${session}-${n} 2`, `work-${session}`);
          });
      }),
    );
    const call = async (tool: string): Promise<{ status: string; result: unknown }> => {
      const events = await askWell(daemon, `call ${tool}`);
      const result = events.find((event) => event.kind === "tool_result");
      assert(result?.kind === "tool_result", `${tool} has no result`);
      return result;
    };
    for (let round = 0; round < rounds; round++) {
      writeFileSync(file, "{}");
      await Promise.all(
        WAYS.map((way) =>
          tally.attempt(`${way}, round ${round}`, async () => {
            const { status, result } = await call(`${way.replaceAll("-", "_")}_act`);
            assert.equal(status, GOOD.has(way) ? "ok" : "error", JSON.stringify(result)?.slice(0, 200));
          }),
        ),
      );
      await tally.attempt(`changing, round ${round}`, async () => {
        assert.equal((await call("changing_test_simple_text")).status, "ok");
        writeFileSync(file, JSON.stringify({ test_simple_text: { description: `Other ${round}` } }));
        await sleep(1_000);
        const { result } = await call("changing_test_simple_text");
        assert.equal((result as { error?: string }).error, "tool_changed");
        writeFileSync(file, "{}");
        await sleep(1_000);
      });
    }
    isOver = true;
    await work;
    await tally.attempt("the record at the end", async () => {
      await lab.auditTranscripts(daemon);
      await lab.audit(daemon);
    });
    lab.noteMemory(daemon);
    await tally.attempt("memory", async () => assert(tally.peakMiB < MAX_MIB, `${Math.round(tally.peakMiB)} MiB`));
    await tally.attempt("no process is left", async () => {
      await daemon.kill();
      for (let i = 0; i < 50 && processesOf(dir).length > 0; i++) await sleep(100);
      assert.deepEqual(processesOf(dir), []);
    });
    tally.note = `${turns} turns beside them`;
    return lab.close();
  },
};

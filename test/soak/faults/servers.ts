// MCP servers that hang, die, flood, talk nonsense and change their tools, several at once, while sessions work on an application that
// is well: every call ends, nothing is sent twice, memory stays, and no process is left behind.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { packageRoot } from "../../../src/lib/package.js";
import { agentd } from "../../support/spawn.js";
import { until } from "../../support/until.js";
import { historyOf } from "../audit.js";
import { askWell, type Subject } from "../client.js";
import type { Fault } from "../fault.js";
import { type Lab, openLab, SOON_MS } from "../lab.js";
import { workBeside } from "../work.js";

const HOSTILE = join(packageRoot, "test/support/mcp-hostile.js");
const FIXTURE = join(packageRoot, "test/support/mcp-fixture.ts");
/** Of calls that nobody answers. */
const TIMEOUT_MS = 1_500;
const BAD = ["dies", "hangs", "endless", "huge", "flood", "babble", "wrong-id", "batch", "deep"];
/** The ways that answer well. */
const GOOD = ["stubborn", "fine"];
const WAYS = [...BAD, ...GOOD];
/** An answer of a server may have a few of these at once; a daemon holds no more. */
const MAX_MIB = 700;
const SESSIONS = 4;

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

const toolOf = (way: string): string => `${way.replaceAll("-", "_")}_act`;
const callsFile = ({ dir }: Lab, way: string): string => join(dir, `${way}.calls`);

/** Makes applications of the servers; the file that says which tools the changing one has. */
async function syncServers(lab: Lab): Promise<string> {
  const { dir, tally } = lab;
  const changes = join(dir, "changing-tools.json");
  writeFileSync(changes, "{}");
  const patient = Object.fromEntries([...GOOD, "changing"].map((name) => [name, { timeout_ms: SOON_MS }]));
  const hasty = Object.fromEntries(BAD.map((name) => [name, { timeout_ms: TIMEOUT_MS }]));
  lab.configure({ applications: { ...patient, ...hasty } });
  const commands: [name: string, command: string[]][] = [
    ...WAYS.map((way): [string, string[]] => [
      way,
      ["node", HOSTILE, way, join(dir, `${way}.mark`), callsFile(lab, way)],
    ]),
    ["changing", ["node", "--import=tsx/esm", FIXTURE, "--tools", changes]],
  ];
  for (const [name, command] of commands)
    await tally.attempt(`sync ${name}`, async () => {
      const args = ["sync", "mcp", "--name", name, "--data-dir", dir, "--", ...command];
      const { code, stderr } = await agentd(args, { cwd: packageRoot });
      assert(code === 0, stderr);
    });
  return changes;
}

/** The result of the one call of a tool, which ends. */
async function call(daemon: Subject, tool: string): Promise<{ status: string; result: unknown }> {
  const events = await askWell(daemon, `call ${tool}`);
  const [result, ...more] = events.filter((event) => event.kind === "tool_result");
  assert(result !== undefined && more.length === 0, `${tool} has ${more.length} results too many, or none`);
  return result;
}

/** A tool that is described anew is not called before a person has synced it; as it was, it is called again. */
async function changeAndBack(daemon: Subject, changes: string, round: number): Promise<void> {
  const tool = "changing_test_simple_text";
  assert.equal((await call(daemon, tool)).status, "ok");
  writeFileSync(changes, JSON.stringify({ test_simple_text: { description: `Other ${round}` } }));
  const isRefused = async (): Promise<boolean> => {
    const { status, result } = await call(daemon, tool);
    if (status === "ok") return false;
    assert.equal((result as { error?: string }).error, "tool_changed");
    return true;
  };
  await until(isRefused, SOON_MS, "a changed tool is called as before");
  writeFileSync(changes, "{}");
  await until(async () => !(await isRefused()), SOON_MS, "a tool that is as it was is still refused");
}

/** Every call has one row, and reached its server once; those that came to nothing may have reached none. */
async function auditCalls(lab: Lab, daemon: Subject, rounds: number): Promise<void> {
  const rows = await historyOf(daemon);
  for (const way of WAYS) {
    const recorded = rows.filter(({ tool }) => tool === toolOf(way)).length;
    assert(recorded === rounds, `${rounds} calls of ${way} have ${recorded} rows`);
    const seen = statSync(callsFile(lab, way), { throwIfNoEntry: false })?.size ?? 0;
    const isRight = GOOD.includes(way) ? seen === rounds : seen <= rounds;
    assert(isRight, `${rounds} calls of ${way} reached it ${seen} times`);
  }
}

export const servers: Fault = {
  name: "servers",
  about: "MCP servers that hang, die, flood and change, beside sessions at work",
  async run(tally, { short }) {
    const rounds = short ? 1 : 8;
    const lab = await openLab(tally);
    const changes = await syncServers(lab);
    const daemon = await lab.start();
    const beside = workBeside(daemon, { tally, sessions: SESSIONS });
    for (let round = 0; round < rounds; round++) {
      await Promise.all(
        WAYS.map((way) =>
          tally.attempt(`${way}, round ${round}`, async () => {
            const { status, result } = await call(daemon, toolOf(way));
            assert.equal(status, GOOD.includes(way) ? "ok" : "error", JSON.stringify(result)?.slice(0, 200));
          }),
        ),
      );
      await tally.attempt(`changing, round ${round}`, () => changeAndBack(daemon, changes, round));
    }
    const turns = await beside.stop();
    tally.note = `${turns} turns beside them`;
    await tally.attempt("the record at the end", async () => {
      await lab.auditTranscripts(daemon);
      await lab.audit(daemon);
      await auditCalls(lab, daemon, rounds);
    });
    lab.noteMemory(daemon);
    await tally.attempt("memory", async () => assert(tally.peakMiB < MAX_MIB, `${Math.round(tally.peakMiB)} MiB`));
    await tally.attempt("no process is left", async () => {
      await daemon.kill();
      await until(() => processesOf(lab.dir).length === 0, SOON_MS, "servers outlive their daemon");
    });
  },
};

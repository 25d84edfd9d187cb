// Descriptions that mean far more than they say: each is imported in time and memory that go with its size, and a daemon serves
// the tools that come of it.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getJson } from "../../support/entry-points.js";
import { HOSTILE, MORE_HOSTILE, PLAIN } from "../../support/hostile-descriptions.js";
import { memoryOf } from "../../support/process-usage.js";
import { PROGRAM } from "../../support/program.js";
import { serve, start } from "../../support/spawn.js";
import type { Fault } from "../fault.js";

/** Processor time: an import that follows every reference takes days, and the slowest of these seconds. */
const MAX_CPU_SECONDS = 60;
/** Memory of an import, beside what Node itself takes. */
const MAX_HEAP_MIB = 1_024;
/** What a daemon may take more than one with a plain description. */
const MAX_MORE_MIB = 400;

/** Runs a command within these limits: it is killed for its time, and ends by itself for its memory. */
const limited = (command: readonly string[]): string[] => [
  "sh",
  "-c",
  `ulimit -t ${MAX_CPU_SECONDS}; exec "$@"`,
  "sh",
  ...command,
];

/** Imports a description and serves its tools; the most memory that the daemon took, in MiB. */
async function importAndServe(dir: string, description: object): Promise<number> {
  const file = join(dir, "api.json");
  writeFileSync(file, JSON.stringify(description));
  const env = { NODE_OPTIONS: `--max-old-space-size=${MAX_HEAP_MIB}` };
  const command = limited([...PROGRAM, "sync", "openapi", file, "--data-dir", dir]);
  const { code, signal, stderr } = await start(command, { env, input: "" }).ended;
  assert(code === 0, `the import ended with ${code ?? signal}: ${stderr.slice(-300)}`);
  const daemon = await serve(["--data-dir", dir, "--provider", "offline"]);
  try {
    const tools = await getJson<{ name: string; input_schema: object }[]>(`${daemon.url}/tools`);
    assert(
      tools.some(({ name }) => name === "plain"),
      "the tool that refers to nothing is missing",
    );
    return memoryOf(daemon.pid).peak;
  } finally {
    const { code: end } = await daemon.stop();
    assert(end === 0, `the daemon ended with ${end}`);
  }
}

export const descriptions: Fault = {
  name: "descriptions",
  about: "small descriptions that mean terabytes, imported and served",
  async run(tally, { short }) {
    const inFolder = async (description: object): Promise<number> => {
      const dir = mkdtempSync(join(tmpdir(), "agentd-soak-"));
      tally.atEnd(() => rmSync(dir, { recursive: true, force: true }));
      return importAndServe(dir, description);
    };
    const plainMiB = await inFolder(PLAIN());
    for (const [name, describe] of Object.entries(short ? HOSTILE : { ...HOSTILE, ...MORE_HOSTILE }))
      await tally.attempt(name, async () => {
        const peakMiB = await inFolder(describe());
        tally.peakMiB = Math.max(tally.peakMiB, peakMiB);
        const more = Math.round(peakMiB - plainMiB);
        assert(more < MAX_MORE_MIB, `the daemon takes ${more} MiB more than with a plain description`);
      });
    tally.note = `${Math.round(plainMiB)} MiB with a plain description`;
  },
};

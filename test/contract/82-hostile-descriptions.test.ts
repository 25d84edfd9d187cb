// Descriptions made to exhaust: `agentd sync` comes to an end, in time and memory that go with their size, and says what it left
// out. The real command line, in a process of its own.
// Source: docs/reference.md, "Importing a description".
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { allOnly } from "../support/all.js";
import { HOSTILE, HOSTILE_YAML, MORE_HOSTILE } from "../support/hostile-descriptions.js";
import { memoryOf } from "../support/process-usage.js";
import { PROGRAM } from "../support/program.js";
import { type Ended, start, stopAll } from "../support/spawn.js";
import { temporaryFolder } from "../support/temporary-folder.js";

/** Every one of them takes seconds on a busy machine; written out they would take days, or all memory. */
const DEADLINE_MS = 60_000;
const MAX_MEMORY_MB = 900;
/** A document of a description of `size` bytes. */
const maxDocument = (size: number): number => 64_000_000 + 4 * size;

interface Written {
  resources: { actions: { name: string }[] }[];
}

interface Synced extends Ended {
  document: number;
  description: number;
  peak: number;
}

async function sync(folder: string, name: string, content: string): Promise<Synced> {
  const file = join(folder, name);
  writeFileSync(file, content);
  const running = start([...PROGRAM, "sync", "openapi", file, "--data-dir", folder], { input: "" });
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, memoryOf(running.pid).peak);
    if (peak > 2 * MAX_MEMORY_MB) running.child.kill("SIGKILL");
  }, 50);
  const deadline = setTimeout(() => running.child.kill("SIGKILL"), DEADLINE_MS);
  const ended = await running.ended;
  clearInterval(timer);
  clearTimeout(deadline);
  const document = statSync(join(folder, "schema.json"), { throwIfNoEntry: false })?.size ?? 0;
  return { ...ended, document, description: content.length, peak };
}

describe("Importing a description: hostile ones", function () {
  this.timeout(2 * DEADLINE_MS);
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder("hostile");
  });
  afterEach(stopAll);

  const isBounded = ({ signal, document, description, peak }: Synced): void => {
    expect(signal, "ended by itself").to.equal(null);
    expect(peak).to.be.below(MAX_MEMORY_MB);
    expect(document).to.be.below(maxDocument(description));
  };

  for (const [name, make] of Object.entries({ ...HOSTILE, ...MORE_HOSTILE }))
    it(`G29 comes to an end with ${name}, and imports what can be${allOnly(name !== Object.keys(HOSTILE)[0])}`, async () => {
      const ended = await sync(folder, "api.json", JSON.stringify(make()));
      isBounded(ended);
      expect(ended.code, ended.stderr).to.equal(0);
      expect(ended.stdout).to.match(/operations are tools now/);
      const { resources } = JSON.parse(readFileSync(join(folder, "schema.json"), "utf8")) as Written;
      expect(resources.flatMap(({ actions }) => actions.map((action) => action.name))).to.include("plain");
    });

  for (const [name, make] of Object.entries(HOSTILE_YAML))
    it(`G29 comes to an end with ${name}${allOnly(name !== "merges that double")}`, async () => {
      const ended = await sync(folder, "api.yaml", make());
      isBounded(ended);
      expect(ended.code === 0 ? ended.stdout : ended.stderr).to.match(
        /tools now|values|alias|nested|at line \d+, column \d+/i,
      );
    });
});

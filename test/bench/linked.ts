// What a description costs whose entities all reach each other: seconds and memory to import it and to open what was made
// of it, and how large that is.
import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { linkedEntities } from "../support/linked.js";
import { memoryOf } from "../support/process-usage.js";
import { PROGRAM } from "../support/program.js";
import { start } from "../support/spawn.js";

/** What one command took. */
interface Usage {
  seconds: number;
  /** MiB. */
  peak: number;
}

/** What one description costs. */
export interface LinkedCost {
  entities: number;
  sync: Usage;
  tools: Usage;
  /** Of the document's size to the description's. */
  ratio: number;
}

/** How often a running command is looked at, in milliseconds: what it took is known until it ends. */
const LOOK_MS = 10;

/** Runs one command to its end. Throws when it fails. */
async function usageOf(args: readonly string[]): Promise<Usage> {
  const begun = performance.now();
  const running = start([...PROGRAM, ...args], { input: "" });
  let peak = 0;
  const look = setInterval(() => (peak = Math.max(peak, memoryOf(running.pid).peak)), LOOK_MS);
  const { code, stderr } = await running.ended;
  clearInterval(look);
  if (code !== 0) throw new Error(`${args[0]} failed: ${stderr}`);
  return { seconds: (performance.now() - begun) / 1000, peak };
}

/** Imports and opens descriptions of these sizes. */
export async function linkedCosts(
  folder: string,
  sizes: readonly (readonly [number, number])[],
): Promise<LinkedCost[]> {
  const costs: LinkedCost[] = [];
  for (const [entities, bytes] of sizes) {
    const data = join(folder, String(entities));
    mkdirSync(data, { recursive: true });
    const file = join(data, "description.json");
    writeFileSync(file, linkedEntities({ entities, bytes }));
    const sync = await usageOf(["sync", "openapi", file, "--data-dir", data]);
    const tools = await usageOf(["tools", "replace", "--data-dir", data]);
    const ratio = statSync(join(data, "schema.json")).size / statSync(file).size;
    costs.push({ entities, sync, tools, ratio });
  }
  return costs;
}

// What `agentd sync` says about safety classes: how many tools are of which, the doubtful ones, and the lines of overrides.json
// that settle them. Source: docs/reference.md, "Safety by words".
import type { Action } from "../../domain/schema-document.js";
import { requestLineOf } from "../../tools/override-keys.js";
import type { OverrideLine } from "../../tools/override-lines.js";
import type { SafetyReport } from "../../tools/safety-report.js";
import { print, printProse, say } from "./output.js";
import { oneLine } from "./table.js";

/** Tools named of each kind, lines printed, and tools named behind a line; --json has all of them. */
const MAX_TOOLS = 8;
const MAX_LINES = 12;
const MAX_BEHIND = 3;

const more = (count: number, most: number): string => (count > most ? ` and ${count - most} more` : "");

function named(actions: readonly Action[]): string {
  const names = actions.slice(0, MAX_TOOLS).map((action) => {
    const line = requestLineOf(action);
    return oneLine(line === undefined ? action.name : `${action.name} (${line})`);
  });
  return names.join(", ") + more(actions.length, MAX_TOOLS);
}

/** A line as it stands in the file. */
function lineText(key: string, said: object): string {
  const members = Object.entries(said).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return oneLine(`${JSON.stringify(key)}: { ${members.join(", ")} }`);
}

function printLine({ key, safety, tools }: OverrideLine): void {
  const names = tools.slice(0, MAX_BEHIND).join(", ") + more(tools.length, MAX_BEHIND);
  const behind = tools.length === 1 ? names : `${tools.length} tools, ${names}`;
  print(`  ${lineText(key, { safety })},  for ${oneLine(behind)}\n`);
}

/** What --json has of it. */
export function safetyJson({ counts, acting, reading, relaxed, lines }: SafetyReport): object {
  const names = (actions: readonly Action[]): string[] => actions.map(({ name }) => name);
  const overrides = Object.fromEntries(lines.map(({ key, safety }) => [key, { safety }]));
  return {
    safety: counts,
    doubtful: { acting: names(acting), reading: names(reading), relaxed: names(relaxed), overrides },
  };
}

/**
 * Prints the counts and what is doubtful; a warning on stderr. `file` is where the corrections stand; `isMistrusted` is whether
 * the application said of its tools what is not believed.
 */
export function printSafety(
  { counts, acting, reading, relaxed, lines }: SafetyReport,
  file: string,
  isMistrusted: boolean,
): void {
  if (relaxed.length > 0)
    say(`warning: read only by a pattern of ${file}, though their words do not say that they read: ${named(relaxed)}`);
  printProse(
    `Safety: ${counts.read_only} read only, ${counts.mutating} mutating, ${counts.destructive} destructive.\n`,
  );
  if (isMistrusted && counts.destructive > 0)
    printProse(
      `  What the server says of that is not believed. To believe it: "trust_annotations" in config.json, then sync again; tool by tool: ${file}.\n`,
    );
  const [first] = acting;
  if (first) {
    printProse(`Mutating because of what they say, though their method reads (${acting.length}): ${named(acting)}\n`);
    const key = requestLineOf(first) ?? first.name;
    printProse(`  In ${file}, for one that only reads:\n`);
    print(`  ${lineText(key, { safety: "read_only", provenance: "verified" })}\n`);
  }
  if (reading.length === 0) return;
  printProse(
    `Mutating by their method, though their words only read (${reading.length}). In ${file}, to allow them:\n`,
  );
  for (const line of lines.slice(0, MAX_LINES)) printLine(line);
  if (lines.length > MAX_LINES) printProse(`  and ${lines.length - MAX_LINES} more lines; --json has them all\n`);
}

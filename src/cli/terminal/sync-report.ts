// What `agentd sync` says: what was imported and what was not, what is different from before, where requests go, and which
// credentials they need.
import type { CredentialNeed, CredentialNeeds } from "../../applications/credential-needs.js";
import type { Imported } from "../../applications/source.js";
import type { Difference } from "../../applications/write-document.js";
import { type SchemaDocument, unconfirmedAddress } from "../../domain/schema-document.js";
import { counted } from "../../lib/plural.js";
import { originOf } from "../../lib/url.js";
import { toolPrefix } from "../../tools/full-names.js";
import { print, printProse, say } from "./output.js";
import { oneLine } from "./table.js";

/** Names shown of each list; --json has all of them. */
const MAX_NAMES = 20;
/** Of the ids that one generator made. */
const MAX_EXAMPLES = 3;

/** How a sync ended. */
interface SyncOutcome {
  /** Name of the application, "" for the one without a name. */
  application: string;
  file: string;
  document: SchemaDocument;
  report: Omit<Imported["report"], "readsByWords">;
  /** Where the description was found, when that is not what was named. */
  found: string | undefined;
  /** What is different from the document that was replaced, if there was one. */
  difference: Difference | undefined;
  /** Where the description was fetched from; undefined for a file, and where the operator named the address. */
  origin: string | undefined;
  credentials: CredentialNeeds;
}

const list = (names: readonly string[]): string =>
  names
    .slice(0, MAX_NAMES)
    .map((name) => oneLine(name))
    .join(", ") + (names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "");

function printDifference({ document, added, removed, renamed = [], changed }: Difference): void {
  if ([document, added, removed, renamed, changed].every(({ length }) => length === 0))
    printProse("Nothing changed.\n");
  for (const what of document) printProse(`changed: ${oneLine(what)}\n`);
  if (added.length > 0) printProse(`added: ${list(added)}\n`);
  if (removed.length > 0) printProse(`removed: ${list(removed)}\n`);
  if (renamed.length > 0)
    printProse(
      `renamed: ${list(renamed.map(({ from, to }) => `${from} → ${to}`))}; overrides go on under either name\n`,
    );
  for (const { name, what } of changed.slice(0, MAX_NAMES)) printProse(`changed: ${oneLine(name)}: ${oneLine(what)}\n`);
  if (changed.length > MAX_NAMES) printProse(`changed: ${changed.length - MAX_NAMES} more\n`);
}

/** What generated ids became: how they were made, a few of them, and how many there are. */
function printRenamed(renamed: Imported["report"]["renamed"]): void {
  const byPattern = new Map<string, string[]>();
  for (const { pattern, from, to } of renamed)
    byPattern.set(pattern, [...(byPattern.get(pattern) ?? []), `${oneLine(from)} → ${to}`]);
  for (const [pattern, names] of byPattern) {
    const more = names.length - MAX_EXAMPLES;
    const examples = names.slice(0, MAX_EXAMPLES).join(", ") + (more > 0 ? ` and ${more} more` : "");
    printProse(`${counted(names.length, "tool")} renamed from generated ids (${pattern}): ${examples}\n`);
  }
}

function printAddress({ application, document, origin }: SyncOutcome): void {
  const { base_url: address, base_url_confirmed: isConfirmed } = document;
  if (address === "") return;
  const isOther = origin !== undefined && originOf(origin) !== originOf(address);
  printProse(
    `${document.source === "sql" ? "Calls" : "Requests"} go to ${oneLine(address)}${isOther ? `, another origin than that of the description, ${origin}` : ""}.\n`,
  );
  if (isConfirmed === false) printProse(`${oneLine(unconfirmedAddress(address, application))}\n`);
}

function needLine({ scheme, kind, secret, operations, isConfigured }: CredentialNeed): string {
  const state = secret === undefined ? "not supported" : isConfigured ? "configured" : `written as ${secret}`;
  return `  ${oneLine(scheme)}: ${oneLine(kind)}, for ${counted(operations, "operation")}; ${state}\n`;
}

function printCredentials({ needs, refused, config }: CredentialNeeds): void {
  if (needs.length > 0) printProse("Credentials that operations need:\n");
  for (const need of needs.slice(0, MAX_NAMES)) printProse(needLine(need));
  if (needs.length > MAX_NAMES) printProse(`  and ${needs.length - MAX_NAMES} more\n`);
  if (config !== undefined) {
    printProse("They are supplied in config.json, each as the name of an environment variable that holds it:\n");
    print(`${config.replaceAll(/^/gm, "  ")}\n`);
  }
  if (refused.length > 0)
    say(`warning: ${counted(refused.length, "tool")} cannot be called, for want of a way to sign in: ${list(refused)}`);
}

/** Prints all of it, warnings on stderr. */
export function printSync(outcome: SyncOutcome): void {
  const { application, file, document, report, difference, credentials } = outcome;
  const names = application === "" ? "" : `; their full names begin with ${toolPrefix(application)}`;
  if (outcome.found !== undefined) printProse(`${oneLine(outcome.found)}\n`);
  printProse(
    `${report.imported} of ${report.operations} ${report.things ?? "operations"} are tools now: ${file}${names}\n`,
  );
  if (report.skipped.length > 0) printProse(`${report.skipped.length} skipped:\n`);
  for (const { operation, reason } of report.skipped) printProse(`  ${oneLine(operation)}: ${oneLine(reason)}\n`);
  printRenamed(report.renamed);
  if (difference) printDifference(difference);
  else printProse(`tools: ${list(document.actions.map(({ name }) => name))}\n`);
  printAddress(outcome);
  printCredentials(credentials);
  for (const warning of [...report.warnings, ...(difference?.warnings ?? [])]) say(`warning: ${oneLine(warning)}`);
}

// `agentd sync`: a description becomes the schema document, and a person reads what was imported, what was not and why, and
// what is different from before. Source: docs/reference.md, "Command line"
import { existsSync, readFileSync } from "node:fs";
import { impliedByTransport, openSource, SOURCE_KINDS } from "../../applications/kinds.js";
import type { Imported, Source } from "../../applications/source.js";
import { type Difference, diffDocuments, writeDocument } from "../../applications/write-document.js";
import { loadSettings, type Settings } from "../../config/settings.js";
import { messageOf, StartError } from "../../domain/error.js";
import { parseSchema, readSchema, type SchemaDocument } from "../../domain/schema-document.js";
import { didYouMean } from "../../lib/did-you-mean.js";
import { chooseDataDir, makeDataDir, rememberDocument } from "../client/data-dir.js";
import { defineCommand } from "../command.js";
import { option } from "../options.js";
import { print, printJson, say } from "../terminal/output.js";
import { oneLine } from "../terminal/table.js";

/** Descriptions that a later version reads. */
const PLANNED = ["sql", "mcp", "graphql"];
/** Names shown of each list; --json has all of them. */
const MAX_NAMES = 20;

/** The reader of a kind of description. Throws StartError naming the known ones. */
async function sourceOf(kind: string): Promise<Source> {
  const source = await openSource(kind);
  if (source) return source;
  const now = SOURCE_KINDS.join(", ");
  if (PLANNED.includes(kind))
    throw new StartError(`agentd sync ${kind} comes with a later version; ${now} is there now.`, { exitCode: 2 });
  const known = [...SOURCE_KINDS, ...PLANNED];
  throw new StartError(`unknown kind of description: ${kind}.${didYouMean(kind, known)} Known: ${known.join(", ")}.`, {
    exitCode: 2,
  });
}

/** The document that would be replaced. Throws StartError when it is not one, or is of another application. */
function replaced(file: string, next: SchemaDocument, force: boolean): SchemaDocument | undefined {
  if (!existsSync(file)) return undefined;
  let before: SchemaDocument;
  try {
    before = parseSchema(readFileSync(file, "utf8"), impliedByTransport);
  } catch (error) {
    if (force) return undefined;
    throw new StartError(`${file} is there and is not a schema document (${messageOf(error)}). --force replaces it.`, {
      cause: error,
    });
  }
  const other =
    before.source !== next.source
      ? `made from ${before.source}, not ${next.source}`
      : before.base_url !== next.base_url
        ? `of ${before.base_url || "no address"}, not of ${next.base_url || "no address"}`
        : undefined;
  if (other !== undefined && !force)
    throw new StartError(`${file} is ${other}. --force replaces it, or --data-dir keeps both.`);
  return before;
}

const list = (names: readonly string[]): string =>
  names
    .slice(0, MAX_NAMES)
    .map((name) => oneLine(name))
    .join(", ") + (names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "");

interface Outcome {
  file: string;
  document: SchemaDocument;
  report: Imported["report"];
  /** What is different from the document that was replaced, if there was one. */
  difference: Difference | undefined;
}

function printOutcome({ file, document: next, report, difference }: Outcome): void {
  print(`${report.imported} of ${report.operations} operations are tools now: ${file}\n`);
  if (report.skipped.length > 0) print(`${report.skipped.length} skipped:\n`);
  for (const { operation, reason } of report.skipped) print(`  ${oneLine(operation)}: ${oneLine(reason)}\n`);
  if (!difference) print(`tools: ${list(next.actions.map(({ name }) => name))}\n`);
  else {
    const { document, added, removed, changed } = difference;
    if (document.length + added.length + removed.length + changed.length === 0) print("Nothing changed.\n");
    for (const what of document) print(`changed: ${oneLine(what)}\n`);
    if (added.length > 0) print(`added: ${list(added)}\n`);
    if (removed.length > 0) print(`removed: ${list(removed)}\n`);
    for (const { name, what } of changed.slice(0, MAX_NAMES)) print(`changed: ${oneLine(name)}: ${oneLine(what)}\n`);
    if (changed.length > MAX_NAMES) print(`changed: ${changed.length - MAX_NAMES} more\n`);
  }
  for (const warning of [...report.warnings, ...(difference?.warnings ?? [])]) say(`warning: ${oneLine(warning)}`);
}

/** Where a description of a target is fetched with the target's own headers: only from the target itself. */
function headersFor(location: string, settings: Settings): Record<string, string> {
  const { baseUrl, target } = settings;
  const same = baseUrl && URL.canParse(location) && new URL(location).origin === new URL(baseUrl).origin;
  return same ? target.headers : {};
}

export const syncCommand = defineCommand({
  positionals: "<kind> <location>",
  positional: {
    kind: { type: "string", describe: "What describes the application: openapi; sql, mcp and graphql (later version)" },
    location: { type: "string", describe: "A file or an http(s) address" },
  },
  options: {
    ...option("base-url"),
    ...option("schema"),
    force: { type: "boolean", describe: "Replace a document of another application" },
    "allow-external": { type: "boolean", describe: "Follow references to other hosts and folders" },
    json: { type: "boolean", describe: "Print the report as JSON" },
  },
  examples: [
    ["agentd sync openapi http://127.0.0.1:3000/openapi.json", ""],
    ["agentd sync openapi ./api.yaml --base-url http://127.0.0.1:8000/api", ""],
  ],
  async run(args) {
    const kind = String(args.kind);
    const location = String(args.location);
    const source = await sourceOf(kind);
    const chosen = await chooseDataDir(args, { makes: true });
    const settings = await loadSettings({
      dataDir: chosen.dir,
      trust: chosen.trust,
      flags: args,
      env: process.env,
      lenient: true,
    });
    const file = settings.schemaFile;
    const imported = await source.read({
      location,
      baseUrl: settings.baseUrl,
      allowExternal: args.allowExternal === true,
      headers: headersFor(location, settings),
    });
    // What is written is what the daemon will read, so it is read the same way here.
    const next = readSchema(imported.document, impliedByTransport);
    const force = args.force === true;
    if (next.actions.length === 0 && !force)
      throw new StartError(
        `${oneLine(location)} has no operation that can become a tool. --force writes it all the same.`,
      );
    const before = replaced(file, next, force);
    await makeDataDir(chosen);
    await rememberDocument(chosen, file, await writeDocument(file, imported.document));
    const difference = before && diffDocuments(before, next);
    if (args.json) printJson({ file, ...imported.report, difference: difference ?? null });
    else printOutcome({ file, document: next, report: imported.report, difference });
    return 0;
  },
});

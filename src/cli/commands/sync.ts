// `agentd sync`: a description becomes the schema document, and a person reads what was imported, what was not and why, and
// what is different from before. Source: docs/reference.md, "Command line"
import { existsSync, readFileSync } from "node:fs";
import { credentialNeeds } from "../../applications/credential-needs.js";
import { impliedByTransport, openSource, SOURCE_KINDS } from "../../applications/kinds.js";
import type { Source } from "../../applications/source.js";
import { diffDocuments, writeDocument } from "../../applications/write-document.js";
import { loadSettings, type Settings } from "../../config/settings.js";
import { messageOf, StartError } from "../../domain/error.js";
import { parseSchema, readSchema, type SchemaDocument } from "../../domain/schema-document.js";
import { didYouMean } from "../../lib/did-you-mean.js";
import { originOf } from "../../lib/url.js";
import type { Overrides } from "../../tools/overrides.js";
import { reportSafety } from "../../tools/safety-report.js";
import { readOverrides, schemaLocation } from "../../tools/schema-file.js";
import { chooseDataDir, makeDataDir, rememberDocument } from "../client/data-dir.js";
import { headersGiven, readLocation } from "../client/description.js";
import { defineCommand } from "../command.js";
import { option } from "../options.js";
import { printJson } from "../terminal/output.js";
import { printSync } from "../terminal/sync-report.js";
import { printSafety, safetyJson } from "../terminal/sync-safety.js";
import { oneLine } from "../terminal/table.js";

/** Descriptions that a later version reads. */
const PLANNED = ["sql", "mcp", "graphql"];

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

/**
 * Whether credentials may go to the address a description chose: where it came from that very address, where a file says so for
 * the first time, and where the document before says so and was trusted with it.
 */
function isConfirmed({ base_url }: SchemaDocument, before: SchemaDocument | undefined, origin?: string): boolean {
  const address = originOf(base_url);
  if (before && originOf(before.base_url) === address) return before.base_url_confirmed !== false;
  if (before && before.base_url !== "") return false;
  return origin === undefined || originOf(origin) === address;
}

/** What overrides.json says; one that cannot be used says nothing, with a warning. */
function overridesFor(settings: Settings, warnings: string[]): Overrides {
  try {
    return readOverrides(schemaLocation(settings));
  } catch (error) {
    warnings.push(messageOf(error));
    return {};
  }
}

export const syncCommand = defineCommand({
  positionals: "<kind> <location>",
  positional: {
    kind: { type: "string", describe: "What describes the application: openapi; sql, mcp and graphql (later version)" },
    location: {
      type: "string",
      describe:
        "A file, - for standard input, or the address of a description, of a page that displays it, or of the application",
    },
  },
  options: {
    ...option("base-url"),
    ...option("schema"),
    header: {
      type: "string",
      array: true,
      describe:
        'Sent to the location\'s own host, as "Name: value"; the value may be env:NAME or file:PATH (repeatable)',
    },
    force: { type: "boolean", describe: "Replace a document of another application" },
    "allow-external": { type: "boolean", describe: "Follow references to other hosts and folders" },
    json: { type: "boolean", describe: "Print the report as JSON" },
  },
  examples: [
    ["agentd sync openapi http://127.0.0.1:3000/openapi.json", ""],
    ["agentd sync openapi http://127.0.0.1:8000/docs --header 'Authorization: env:DOCS_LOGIN'", ""],
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
    const given = headersGiven(args.header ?? []);
    const imported = await readLocation(source, {
      location,
      settings,
      given,
      allowExternal: args.allowExternal === true,
    });
    // What is written is what the daemon will read, so it is read the same way here.
    const found = readSchema(imported.document, impliedByTransport);
    const force = args.force === true;
    if (found.actions.length === 0 && !force)
      throw new StartError(
        `${oneLine(location)} has no operation that can become a tool. --force writes it all the same.`,
      );
    const before = replaced(file, found, force);
    const isNamed = settings.baseUrl !== undefined;
    const isOpen = isNamed || found.base_url === "" || isConfirmed(found, before, imported.origin);
    const next: SchemaDocument = { ...found, base_url_confirmed: isOpen };
    await makeDataDir(chosen);
    await rememberDocument(
      chosen,
      file,
      await writeDocument(file, isOpen ? imported.document : { ...imported.document, base_url_confirmed: false }),
    );
    const difference = before && diffDocuments(before, next);
    const origin = isNamed ? undefined : imported.origin;
    const credentials = credentialNeeds(next, Object.keys(settings.target.credentials));
    const { base_url, base_url_confirmed } = next;
    const { readsByWords, ...report } = imported.report;
    const safety = reportSafety(next, overridesFor(settings, report.warnings), readsByWords);
    const { found: place } = imported;
    if (args.json) {
      const known = { base_url, base_url_confirmed, credentials, difference: difference ?? null };
      printJson({ file, found: place ?? null, ...report, ...known, ...safetyJson(safety) });
    } else {
      printSync({ file, document: next, report, found: place, difference, origin, credentials });
      printSafety(safety);
    }
    return 0;
  },
});

// What `agentd sync` does with a location: reads it, writes the document of its application, keeps where it was, and says what was
// imported, what was not and why, and what is different from before. Source: docs/reference.md, "Importing a description".
import { existsSync } from "node:fs";
import { relative } from "node:path";
import { type GivenHeaders, readLocation } from "../../applications/connect/read-location.js";
import { type SyncRequest, toKept, withheldFrom } from "../../applications/connect/sync-request.js";
import { writeApplication } from "../../applications/connect/write-application.js";
import { credentialNeeds } from "../../applications/credential-needs.js";
import { impliedByTransport } from "../../applications/kinds.js";
import type { Imported, Source } from "../../applications/source.js";
import { diffDocuments, keptDifference } from "../../applications/write-document.js";
import { applicationSettings } from "../../config/application.js";
import type { Settings } from "../../config/settings.js";
import { messageOf, StartError } from "../../domain/error.js";
import { parseSchema, readSchema, type SchemaDocument } from "../../domain/schema-document.js";
import { createRedactor } from "../../lib/redact/redact.js";
import { readRegularFile } from "../../lib/regular-file.js";
import { originOf } from "../../lib/url.js";
import type { Overrides } from "../../tools/overrides.js";
import { reportSafety } from "../../tools/safety-report.js";
import { readOverrides, type SchemaLocation, schemaLocation } from "../../tools/schema-file.js";
import { type DataDir, makeDataDir } from "../client/data-dir.js";
import { programOfRequest } from "../client/server-command.js";
import { printJson, printProse, warn } from "../terminal/output.js";
import { withProgress } from "../terminal/status-line.js";
import { printSync } from "../terminal/sync-report.js";
import { printSafety, safetyJson } from "../terminal/sync-safety.js";
import { oneLine } from "../terminal/table.js";

/** The document that would be replaced. Throws StartError when it is not one, or is of another application. */
function replaced(file: string, next: SchemaDocument, force: boolean): SchemaDocument | undefined {
  if (!existsSync(file)) return undefined;
  let before: SchemaDocument;
  try {
    before = parseSchema(readRegularFile(file).toString("utf8"), impliedByTransport);
  } catch (error) {
    if (force) return undefined;
    throw new StartError(`${file} is there and is not a schema document (${messageOf(error)}). --force replaces it.`, {
      cause: error,
    });
  }
  const other =
    before.source !== next.source
      ? `made from ${before.source}, not ${next.source}`
      : before.base_url !== "" && before.base_url !== next.base_url
        ? `of ${before.base_url}, not of ${next.base_url || "no address"}`
        : undefined;
  if (other !== undefined && !force)
    throw new StartError(`${file} is ${other}. --force replaces it, or another --name keeps both.`);
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

/** What the corrections say; those that cannot be used say nothing, with a warning. */
function overridesFor(document: SchemaDocument, location: SchemaLocation, warnings: string[]): Overrides {
  try {
    return readOverrides(location, document);
  } catch (error) {
    warnings.push(messageOf(error));
    return {};
  }
}

/** What is read. */
interface ReadContext {
  /** Of the application, "" for the one without a name. */
  name: string;
  request: SyncRequest;
  /** Reads the kind of description that is requested. */
  source: Source;
  /** The headers of the request, with their values. */
  given: GivenHeaders;
  /** What the program of the request gets in place of what config.json says. */
  environment?: Record<string, string>;
  settings: Settings;
}

/** Where calls go, as far as the operator says it. */
const addressNamed = ({ name, request, settings }: ReadContext): string | undefined =>
  request.baseUrl ?? applicationSettings(settings, name).baseUrl ?? request.keptBaseUrl;

/** Reads a description, with its progress on a terminal. Throws StartError saying what is wrong and what to do. */
export function importDescription(context: ReadContext): Promise<Imported> {
  const { name, request, source, given, environment, settings } = context;
  const program = programOfRequest(request, name, settings);
  return withProgress((onStep) =>
    readLocation(source, {
      location: request.location,
      program: program && { ...program, environment: { ...program.environment, ...environment } },
      settings,
      application: name,
      file: schemaLocation(settings, name).file,
      baseUrl: addressNamed(context),
      given,
      allowExternal: request.allowExternal,
      onStep,
    }),
  );
}

/** What is synced, and how it is reported. */
interface SyncContext extends ReadContext {
  chosen: DataDir;
  /** Replaces a document of another application, and writes one without tools. */
  isForced: boolean;
  asJson: boolean;
  /** Whether the location is kept for the next sync. */
  keeps: boolean;
}

/** Writes what was read and prints the report; the exit code. Throws StartError saying what is wrong and what to do. */
export async function writeDescription(context: SyncContext, imported: Imported): Promise<number> {
  const { name, request, given, chosen, settings, isForced, asJson, keeps } = context;
  const { location } = request;
  const place = schemaLocation(settings, name);
  const { file, overridesFile } = place;
  const application = applicationSettings(settings, name);
  const baseUrl = addressNamed(context);
  // What is written is what the daemon will read, so it is read the same way here.
  const found = readSchema(imported.document, impliedByTransport);
  if (found.actions.length === 0 && !isForced)
    throw new StartError(
      `${oneLine(location)} has no operation that can become a tool. --force writes it all the same.`,
    );
  const before = replaced(file, found, isForced);
  const isNamed = baseUrl !== undefined || imported.isNamed === true;
  const isOpen = isNamed || found.base_url === "" || isConfirmed(found, before, imported.origin);
  const next: SchemaDocument = { ...found, base_url_confirmed: isOpen };
  const kept = keeps ? toKept(request, createRedactor([...settings.secrets, ...given.secrets])) : undefined;
  const difference = before && diffDocuments(before, next);
  if (kept) {
    kept.synced_at = new Date().toISOString();
    if (difference) kept.last_difference = keptDifference(difference);
  }
  await makeDataDir(chosen);
  await writeApplication(
    { ...chosen, warn },
    { file, content: isOpen ? imported.document : { ...imported.document, base_url_confirmed: false } },
    kept && { name, location: kept },
  );
  const origin = isNamed ? undefined : imported.origin;
  const credentials = credentialNeeds(next, name, Object.keys(application.credentials));
  const { base_url, base_url_confirmed } = next;
  const { readsByWords, ...report } = imported.report;
  const safety = reportSafety(next, overridesFor(next, place, report.warnings), readsByWords);
  const where = imported.found;
  const withheld = kept ? withheldFrom(kept) : [];
  if (asJson) {
    const known = { base_url, base_url_confirmed, credentials, difference: difference ?? null };
    const about = { application: name, file, found: where ?? null, not_kept: withheld };
    printJson({ ...about, ...report, ...known, ...safetyJson(safety) });
  } else {
    printSync({ application: name, file, document: next, report, found: where, difference, origin, credentials });
    const isMistrusted = request.kind === "mcp" && !application.trustAnnotations;
    printSafety(safety, relative(settings.dataDir, overridesFile), isMistrusted);
    if (withheld.length > 0 && location !== "-")
      printProse(
        `The location is kept for the next sync, but not ${oneLine(withheld.join(", "))}: give it again then.\n`,
      );
  }
  return 0;
}

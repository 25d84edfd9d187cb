// What `agentd sync` does with a location: reads it, writes the document of its application, keeps where it was, and says what was
// imported, what was not and why, and what is different from before. Source: docs/reference.md, "Importing a description".
import { existsSync } from "node:fs";
import { dirname, relative } from "node:path";
import { credentialNeeds } from "../../applications/credential-needs.js";
import { impliedByTransport } from "../../applications/kinds.js";
import type { Source } from "../../applications/source.js";
import { diffDocuments, writeDocument } from "../../applications/write-document.js";
import { applicationSettings } from "../../config/application.js";
import type { Settings } from "../../config/settings.js";
import {
  applicationsFile,
  type KeptLocation,
  readKeptLocations,
  withApplicationsLock,
  writeKeptLocations,
} from "../../data-dir/applications-file.js";
import { makeDirectories } from "../../data-dir/directory.js";
import { messageOf, StartError } from "../../domain/error.js";
import { parseSchema, readSchema, type SchemaDocument } from "../../domain/schema-document.js";
import type { JsonObject } from "../../lib/json.js";
import { createRedactor } from "../../lib/redact/redact.js";
import { readRegularFile } from "../../lib/regular-file.js";
import { originOf } from "../../lib/url.js";
import type { Overrides } from "../../tools/overrides.js";
import { reportSafety } from "../../tools/safety-report.js";
import { readOverrides, type SchemaLocation, schemaLocation } from "../../tools/schema-file.js";
import { type DataDir, makeDataDir, rememberDocument } from "../client/data-dir.js";
import { headersGiven, readLocation } from "../client/description.js";
import { type SyncRequest, toKept, withheldFrom } from "../client/kept-location.js";
import { programOfRequest } from "../client/server-command.js";
import { print, printJson } from "../terminal/output.js";
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
      : before.base_url !== next.base_url
        ? `of ${before.base_url || "no address"}, not of ${next.base_url || "no address"}`
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

/** Writes the document and what is kept of the sync; a daemon and later commands trust both as they are. */
async function commit(
  chosen: DataDir,
  document: { file: string; content: JsonObject },
  kept: { name: string; location: KeptLocation } | undefined,
): Promise<void> {
  await makeDataDir(chosen);
  await withApplicationsLock(chosen.dir, async () => {
    const locations = readKeptLocations(chosen.dir, chosen.trust);
    if (kept?.name) makeDirectories(dirname(document.file));
    await rememberDocument(chosen, document.file, await writeDocument(document.file, document.content));
    if (!kept) return;
    const text = await writeKeptLocations(chosen.dir, locations.set(kept.name, kept.location));
    await rememberDocument(chosen, applicationsFile(chosen.dir), text);
  });
}

/** What is synced, and how it is reported. */
interface SyncContext {
  /** Of the application, "" for the one without a name. */
  name: string;
  request: SyncRequest;
  /** Reads the kind of description that is requested. */
  source: Source;
  chosen: DataDir;
  settings: Settings;
  /** Replaces a document of another application, and writes one without tools. */
  isForced: boolean;
  asJson: boolean;
  /** Whether the location is kept for the next sync. */
  keeps: boolean;
}

/** Syncs one application and prints the report; the exit code. Throws StartError saying what is wrong and what to do. */
export async function syncDocument(context: SyncContext): Promise<number> {
  const { name, request, source, chosen, settings, isForced, asJson, keeps } = context;
  const { location } = request;
  const place = schemaLocation(settings, name);
  const { file, overridesFile } = place;
  const application = applicationSettings(settings, name);
  const baseUrl = request.baseUrl ?? application.baseUrl ?? request.keptBaseUrl;
  const given = headersGiven(request.headers);
  const imported = await readLocation(source, {
    location,
    program: programOfRequest(request, name, settings),
    settings,
    application: name,
    file,
    baseUrl,
    given,
    allowExternal: request.allowExternal,
  });
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
  await commit(
    chosen,
    { file, content: isOpen ? imported.document : { ...imported.document, base_url_confirmed: false } },
    kept && { name, location: kept },
  );
  const difference = before && diffDocuments(before, next);
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
      print(`The location is kept for the next sync, but not ${oneLine(withheld.join(", "))}: give it again then.\n`);
  }
  return 0;
}

// What a source is given to read a description: which of the operator's headers and credentials go there, and that none of them comes
// back in what is said about it. Source: docs/reference.md, "Importing a description"
import { existsSync } from "node:fs";
import { applicationSettings } from "../../config/application.js";
import type { ApplicationCredential } from "../../config/application-auth.js";
import type { Settings } from "../../config/settings.js";
import { settingsKey } from "../../domain/application-name.js";
import { StartError } from "../../domain/error.js";
import { parseSchema, type SchemaDocument } from "../../domain/schema-document.js";
import { useAuthorities } from "../../lib/authorities.js";
import { createRedactor } from "../../lib/redact/redact.js";
import { readRegularFile } from "../../lib/regular-file.js";
import { originOf } from "../../lib/url.js";
import { impliedByTransport } from "../kinds.js";
import type { DescriptionAccess, Imported, Source, SourceInput } from "../source.js";
import type { ServerProgram } from "../transport.js";

/** What `--header` gave: headers by name, and the secrets among their values. */
export interface GivenHeaders {
  headers: Record<string, string>;
  secrets: readonly string[];
}

/** The document of the application that is there already, if it can be read. */
function documentBefore(file: string): SchemaDocument | undefined {
  try {
    return existsSync(file) ? parseSchema(readRegularFile(file).toString("utf8"), impliedByTransport) : undefined;
  } catch {
    return undefined;
  }
}

/** The origin that an application's credentials are for: the one the operator named, or the one calls go to already. */
function originOfCredentials(baseUrl: string | undefined, before: SchemaDocument | undefined): string | undefined {
  if (baseUrl !== undefined) return originOf(baseUrl);
  return before && before.base_url_confirmed !== false ? originOf(before.base_url) : undefined;
}

/** Those that are there; one that has to be asked for is for calls only. */
const plain = (credentials: Readonly<Record<string, ApplicationCredential>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(credentials).flatMap(([name, secret]) => (typeof secret === "string" ? [[name, secret]] : [])),
  );

/** What of an application's settings may go to a location: everything or nothing. */
function accessFor(
  { location, settings, application, file, baseUrl }: LocationInput,
  kind: string,
): {
  headers: Record<string, string>;
  access?: DescriptionAccess;
} {
  const { credentials, headers } = applicationSettings(settings, application);
  const before = documentBefore(file);
  // The address of an MCP server is that of the application: the operator names it.
  const origin = originOfCredentials(baseUrl, before) ?? (kind === "mcp" ? originOf(location) : undefined);
  const hasAny = Object.keys(credentials).length + Object.keys(headers).length > 0;
  if (origin !== undefined && origin === originOf(location)) {
    const missing = settings.warnings.filter((sentence) => sentence.startsWith(`${settingsKey(application)}.`));
    const access: DescriptionAccess = { credentials: plain(credentials), schemes: before?.auth ?? {} };
    if (missing.length > 0) access.hint = missing.join(" ").replace(/\.$/, "");
    return { headers, access };
  }
  if (!hasAny || originOf(location) === undefined) return { headers: {} };
  const whose = origin === undefined ? "are for no address yet" : `are for ${origin}`;
  const hint = `the credentials of config.json ${whose}: name this one with --base-url to send them there, or pass others with --header "Authorization: env:NAME"`;
  return { headers: {}, access: { credentials: {}, schemes: {}, hint } };
}

/** What is read where, and with what. */
interface LocationInput {
  location: string;
  /** What is read in place of a location. */
  program: ServerProgram | undefined;
  settings: Settings;
  /** Name of the application it describes, whose credentials may be used; "" for the one without a name. */
  application: string;
  /** Its document, as far as there is one. */
  file: string;
  /** The address that the operator named for it. */
  baseUrl: string | undefined;
  given: GivenHeaders;
  allowExternal: boolean;
  onStep?: SourceInput["onStep"];
}

/** What the reader of a kind is given. */
export function sourceInput(kind: string, input: LocationInput): SourceInput {
  const { location, program, settings, baseUrl, given, allowExternal } = input;
  const { headers, ...access } = accessFor(input, kind);
  const own = applicationSettings(settings, input.application);
  const configured = Object.entries(headers).map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  return {
    location,
    ...(program && { program }),
    ...(baseUrl !== undefined && { baseUrl }),
    allowExternal,
    allowsSuperuser: own.superuserQuery,
    trustsAnnotations: own.trustAnnotations,
    headers: { ...Object.fromEntries(configured), ...given.headers },
    ...access,
  };
}

/** Reads a description. Throws StartError that says what the location is and what to do; no secret is in its message. */
export async function readLocation(source: Source, input: LocationInput): Promise<Imported> {
  const { settings, given } = input;
  useAuthorities(settings.caFile?.certificates ?? []);
  const redact = createRedactor([...settings.secrets, ...given.secrets]);
  try {
    const { onStep } = input;
    const imported = await source.read({ ...sourceInput(source.kind, input), ...(onStep && { onStep }) });
    const { found, report } = imported;
    const warnings = report.warnings.map((sentence) => redact.text(sentence));
    return { ...imported, found: found && redact.text(found), report: { ...report, warnings } };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    throw new StartError(redact.text(error.message), { exitCode: error.exitCode, cause: error });
  }
}

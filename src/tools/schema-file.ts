// The schema document on disk, as the daemon sees it right now: re-read when the file has changed, kept when the new one is
// broken. Looks at the file when it is asked for, so there is no watcher to fail and nothing that polls.
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { messageOf, StartError } from "../domain/error.js";
import { type Implied, parseSchema, type TransportDescription, unconfirmedAddress } from "../domain/schema-document.js";
import type { TrustCheck } from "../domain/trust.js";
import { didYouMean } from "../lib/did-you-mean.js";
import type { Log } from "../lib/log.js";
import { hideOperatorArguments } from "./arguments/operator-arguments.js";
import { type Catalogue, createCatalogue } from "./catalogue.js";
import { applyOverrides, type Overrides, parseOverrides } from "./overrides.js";

/** A document in force. */
export interface LoadedSchema {
  /** The file, verbatim. */
  bytes: Buffer;
  etag: string;
  catalogue: Catalogue;
}

type ImpliedBy = (transport: TransportDescription) => Implied;

export interface SchemaFile {
  current(): LoadedSchema;
}

/** What tells one version of a file from the next; "" when there is no such file. */
function versionOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.ino}:${stat.size}:${stat.mtimeMs}` : "";
}

/** Where a document comes from, and what the operator says about it. */
export interface SchemaLocation {
  file: string;
  overridesFile: string;
  /** Names of the arguments the operator supplies. */
  operatorArguments: readonly string[];
  /** Names of the security schemes the operator has credentials for. */
  credentials: readonly string[];
  /** Whether there is something to keep from an address that the operator has not named. */
  hasSecrets?: boolean;
  /** What the files have to pass, when the data directory was only found. */
  trust?: TrustCheck | undefined;
}

/** Where the settings of a process say it is. */
export function schemaLocation(settings: {
  dataDir: string;
  schemaFile: string;
  baseUrl?: string | undefined;
  target: {
    headers: Readonly<Record<string, string>>;
    arguments: Readonly<Record<string, string>>;
    credentials: Readonly<Record<string, string>>;
  };
  trust: TrustCheck | undefined;
}): SchemaLocation {
  const { dataDir, schemaFile: file, baseUrl, target, trust } = settings;
  const secrets = { ...target.headers, ...target.arguments, ...target.credentials };
  const overridesFile = join(dataDir, "overrides.json");
  return {
    file,
    overridesFile,
    operatorArguments: Object.keys(target.arguments),
    credentials: Object.keys(target.credentials),
    hasSecrets: baseUrl === undefined && Object.keys(secrets).length > 0,
    trust,
  };
}

function refuseUntrusted(file: string, bytes: Buffer | undefined, trust: TrustCheck | undefined): void {
  const fault = trust?.faultOf(file, bytes);
  if (fault !== undefined) throw new StartError(fault);
}

/** What the overrides say; none when there is no such file. Throws as parsed does. */
export function readOverrides({ overridesFile, trust }: SchemaLocation): Overrides {
  if (versionOf(overridesFile)) return parsed(overridesFile, parseOverrides, trust).value;
  refuseUntrusted(overridesFile, undefined, trust);
  return {};
}

/** What a file holds. Throws Error naming it; StartError when it is not what was trusted. */
function parsed<T>(
  file: string,
  parse: (text: string) => T,
  trust: TrustCheck | undefined,
): { bytes: Buffer; value: T } {
  try {
    const bytes = readFileSync(file);
    refuseUntrusted(file, bytes, trust);
    return { bytes, value: parse(bytes.toString("utf8")) };
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new Error(`${file} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}

function read(location: SchemaLocation, log: Log, implied: ImpliedBy): LoadedSchema {
  const { file, overridesFile, operatorArguments, credentials, trust } = location;
  const { bytes, value } = parsed(file, (text) => parseSchema(text, implied), trust);
  const { document, warnings } = applyOverrides(value, readOverrides(location));
  for (const warning of warnings) log.warn({ file: overridesFile }, warning);
  const schemes = Object.keys(document.auth);
  for (const name of credentials.filter((one) => !schemes.includes(one)))
    log.warn(
      { file },
      `target.auth has a credential for "${name}", a security scheme that the schema document does not declare; it is not used.${didYouMean(name, schemes)}`,
    );
  if (location.hasSecrets && document.base_url_confirmed === false)
    log.warn({ file }, unconfirmedAddress(document.base_url));
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;
  return { bytes, etag, catalogue: createCatalogue(hideOperatorArguments(document, operatorArguments)) };
}

/** Opens the document; `implied` says what an action does whose document does not. Throws StartError naming the file when it is missing or cannot be used. */
export function openSchemaFile(location: SchemaLocation, log: Log, implied: ImpliedBy): SchemaFile {
  const { file, overridesFile, trust } = location;
  if (!versionOf(file))
    throw new StartError(
      `There is no schema document at ${file}. Make one with "agentd sync openapi <file or address>", or try "agentd serve --demo".`,
    );
  // Trusting what was refused before is news, too.
  const versions = (): string => `${versionOf(file)} ${versionOf(overridesFile)} ${trust?.version() ?? ""}`;
  let version = versions();
  let loaded: LoadedSchema;
  try {
    loaded = read(location, log, implied);
  } catch (error) {
    throw new StartError(messageOf(error), { cause: error });
  }
  return {
    current() {
      const now = versions();
      if (now === version) return loaded;
      version = now;
      try {
        loaded = read(location, log, implied);
        log.info({ file, tools: loaded.catalogue.tools.length }, "schema document reloaded");
      } catch (error) {
        log.error(
          { file, cause: messageOf(error) },
          "the new schema document cannot be used; the old one stays in force",
        );
      }
      return loaded;
    },
  };
}

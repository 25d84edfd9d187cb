// The schema document of one application on disk, as it is right now: read again when the file has changed.
// Looks at the file when it is asked for, so there is no watcher to fail and nothing that polls.
import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { applicationSettings } from "../config/application.js";
import type { Settings } from "../config/settings.js";
import { applicationFiles } from "../data-dir/application-files.js";
import { settingsKey } from "../domain/application-name.js";
import { messageOf, StartError } from "../domain/error.js";
import {
  type Implied,
  parseSchema,
  type SchemaDocument,
  type TransportDescription,
  unconfirmedAddress,
} from "../domain/schema-document.js";
import type { TrustCheck } from "../domain/trust.js";
import { didYouMean } from "../lib/did-you-mean.js";
import type { Log } from "../lib/log.js";
import { readRegularFile } from "../lib/regular-file.js";
import { hideOperatorArguments } from "./arguments/operator-arguments.js";
import { toolPrefix } from "./full-names.js";
import { withoutPrefix } from "./override-keys.js";
import { applyOverrides, type Overrides, parseOverrides, withOwnNames } from "./overrides.js";

/** A document in force. */
export interface LoadedDocument {
  /** The file, verbatim. */
  bytes: Buffer;
  etag: string;
  /** As corrected by the operator; its tools have the names they have within the application. */
  document: SchemaDocument;
  /** The name of each action of the file's, in its order, and what it is called now; undefined for one that is hidden. */
  names: readonly { name: string; tool: string | undefined }[];
}

/** What the file of a document comes to. */
export interface DocumentState {
  /** Undefined while the file cannot be used; what was trusted before, where it is only not trusted. */
  loaded: LoadedDocument | undefined;
  /** Why it cannot be used. */
  error: string | undefined;
}

/** What an action does whose document does not say. */
export type ImpliedBy = (transport: TransportDescription) => Implied;

export interface DocumentFile {
  /** The same object as long as nothing has changed; undefined when there is no such file. */
  current(): DocumentState | undefined;
}

/** What tells one version of a file from the next, and one reason why it cannot be looked at from another; "" when there is none. */
function versionOf(file: string): string {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat ? `${stat.ino}:${stat.size}:${stat.mtimeMs}` : "";
  } catch (error) {
    return messageOf(error);
  }
}

/** Where a document comes from, and what the operator says about it. */
export interface SchemaLocation {
  /** "" for the one without a name. */
  application: string;
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

/** What settings say of documents and applications: those of `Settings` in src/config/settings.ts. */
export type DocumentSettings = Pick<
  Settings,
  "dataDir" | "schemaFile" | "documents" | "target" | "applications" | "trust"
>;

/** Where the settings of a process say the document of an application is; "" is the one without a name. */
export function schemaLocation(settings: DocumentSettings, application: string): SchemaLocation {
  const files = applicationFiles(settings.dataDir, application);
  const { baseUrl, headers, arguments: operatorArguments, credentials } = applicationSettings(settings, application);
  const secrets = { ...headers, ...operatorArguments, ...credentials };
  return {
    application,
    file: application === "" ? settings.schemaFile : (settings.documents?.get(application) ?? files.document),
    overridesFile: files.overrides,
    operatorArguments: Object.keys(operatorArguments),
    credentials: Object.keys(credentials),
    hasSecrets: baseUrl === undefined && Object.keys(secrets).length > 0,
    trust: settings.trust,
  };
}

function refuseUntrusted(file: string, bytes: Buffer | undefined, trust: TrustCheck | undefined): void {
  const fault = trust?.faultOf(file, bytes);
  if (fault !== undefined) throw new StartError(fault);
}

/** What the overrides say of a document, by names of its own; nothing when there is no such file. Throws as parsed does. */
export function readOverrides(
  { application, overridesFile, trust }: SchemaLocation,
  { actions }: Pick<SchemaDocument, "actions">,
): Overrides {
  if (versionOf(overridesFile)) {
    const { value } = parsed(overridesFile, parseOverrides, trust);
    const prefix = toolPrefix(application);
    return withoutPrefix(withOwnNames(value, prefix), prefix, actions);
  }
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
    const bytes = readRegularFile(file);
    refuseUntrusted(file, bytes, trust);
    return { bytes, value: parse(bytes.toString("utf8")) };
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new Error(`${file} cannot be used: ${messageOf(error)}`, { cause: error });
  }
}

function read(location: SchemaLocation, log: Log, implied: ImpliedBy): LoadedDocument {
  const { application, file, overridesFile, operatorArguments, credentials, trust } = location;
  const { bytes, value } = parsed(file, (text) => parseSchema(text, implied), trust);
  const { document, names, warnings } = applyOverrides(value, readOverrides(location, value), application);
  for (const warning of warnings) log.warn({ file: overridesFile }, warning);
  const schemes = Object.keys(document.auth);
  for (const name of credentials.filter((one) => !schemes.includes(one)))
    log.warn(
      { file },
      `${settingsKey(application)}.auth has a credential for "${name}", a security scheme that the schema document does not declare; it is not used.${didYouMean(name, schemes)}`,
    );
  if (location.hasSecrets && document.base_url_confirmed === false)
    log.warn({ file }, unconfirmedAddress(document.base_url, application));
  return {
    bytes,
    etag: etagOf(bytes),
    document: hideOperatorArguments(document, operatorArguments),
    names: value.actions.map(({ name }) => ({ name, tool: names.get(name) })),
  };
}

/** The strong entity tag of a text. */
export function etagOf(bytes: Uint8Array): string {
  return `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;
}

/**
 * The document of an application; nothing is read yet. The log learns of a file that cannot be used, and of one that was read again.
 */
export function openDocument(
  location: SchemaLocation,
  { log, implied }: { log: Log; implied: ImpliedBy },
): DocumentFile {
  const { application, file, overridesFile, trust } = location;
  // Trusting what was refused before is news, too.
  const versions = (found: string): string => `${found} ${versionOf(overridesFile)} ${trust?.version() ?? ""}`;
  let version: string | undefined;
  let state: DocumentState | undefined;

  function readState(isThere: boolean, isOpening: boolean): DocumentState | undefined {
    try {
      if (!isThere) {
        refuseUntrusted(file, undefined, trust);
        return undefined;
      }
      const loaded = read(location, log, implied);
      if (state !== undefined) log.info({ file, tools: loaded.document.actions.length }, "schema document reloaded");
      return { loaded, error: undefined };
    } catch (error) {
      const cause = messageOf(error);
      // What is not trusted changes nothing: it does not take tools away either.
      const loaded = error instanceof StartError ? state?.loaded : undefined;
      const tools = loaded ? "what was trusted stays in force" : "its tools are missing";
      // At the opening that of the application without a name refuses the start, which says why.
      if (!isOpening || application !== "") log.error({ file, cause }, `the schema document cannot be used; ${tools}`);
      return { loaded, error: cause };
    }
  }

  return {
    current() {
      const found = versionOf(file);
      const now = versions(found);
      if (now === version) return state;
      const isOpening = version === undefined;
      version = now;
      state = readState(found !== "", isOpening);
      return state;
    },
  };
}

// The applications of a data directory as its files have them, for commands that name or list them: also those that cannot be
// used, with the reason. Source: docs/reference.md, "Several applications"
import { existsSync } from "node:fs";
import { impliedByTransport } from "../../applications/kinds.js";
import { applicationSettings } from "../../config/application.js";
import type { Settings } from "../../config/settings.js";
import { namedApplications } from "../../data-dir/application-files.js";
import { type KeptLocation, readKeptLocations } from "../../data-dir/applications-file.js";
import type { SettingsView } from "../../domain/agent.js";
import { messageOf } from "../../domain/error.js";
import type { Safety, SchemaDocument } from "../../domain/schema-document.js";
import type { Log } from "../../lib/log.js";
import { publicAddress } from "../../lib/url.js";
import { openDocument, schemaLocation } from "../../tools/schema-file.js";

/** One application as `agentd applications` displays it. */
interface ListedApplication {
  /** "" for the one without a name. */
  name: string;
  /** Of its description; "" while nothing is known of it. */
  kind: string;
  /** Where its calls go, without user and password; "" when there is no address. */
  base_url: string;
  tools: number;
  safety: Record<Safety, number>;
  /** Where its description was read the last time, without a secret; "" when that was not kept. */
  location: string;
  /** Why it cannot be used; "" when it can. */
  error: string;
}

/** What is there, and what is wrong beside the applications themselves. */
export interface ApplicationList {
  /** The one without a name first, then by name. */
  applications: ListedApplication[];
  warnings: string[];
}

/** What is wrong with a document is in the list. */
const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} };

/** The document of an application, or why it cannot be used. */
export function applicationDocument(settings: Settings, name: string): SchemaDocument | string {
  const location = schemaLocation(settings, name);
  const state = openDocument(location, { log: SILENT, implied: impliedByTransport }).current();
  const flag = name === "" ? "" : ` --name ${name}`;
  const missing = `there is no ${location.file}. Make it with "agentd sync KIND LOCATION${flag}".`;
  return state?.loaded?.document ?? state?.error ?? missing;
}

function listed(settings: Settings, name: string, kept: KeptLocation | undefined): ListedApplication {
  const document = applicationDocument(settings, name);
  const safety: Record<Safety, number> = { read_only: 0, mutating: 0, destructive: 0 };
  const isUsable = typeof document !== "string";
  if (isUsable) for (const action of document.actions) safety[action.safety]++;
  return {
    name,
    kind: isUsable ? document.source : (kept?.kind ?? ""),
    base_url: publicAddress(applicationSettings(settings, name).baseUrl ?? (isUsable ? document.base_url : "")),
    tools: isUsable ? document.actions.length : 0,
    safety,
    location: kept?.location ?? "",
    error: isUsable ? "" : document,
  };
}

/** Every application that has a document, a kept location or an entry in config.json. */
export function listApplications(settings: Settings): ApplicationList {
  const { dataDir, schemaFile, schemaGiven, trust } = settings;
  const warnings: string[] = [];
  let kept = new Map<string, KeptLocation>();
  try {
    kept = readKeptLocations(dataDir, trust);
  } catch (error) {
    warnings.push(messageOf(error));
  }
  const { names, misnamed } = namedApplications(dataDir, trust);
  for (const file of misnamed) warnings.push(`${file} is called like no application, so nothing uses it.`);
  const all = new Set([...names, ...kept.keys(), ...settings.applications.keys()]);
  if (schemaGiven || existsSync(schemaFile) || trust?.files().includes(schemaFile)) all.add("");
  return { applications: [...all].sort().map((name) => listed(settings, name, kept.get(name))), warnings };
}

/**
 * The list of the files with what a daemon has in force. An application that only the files have stays in it: no daemon knows
 * one that has no document.
 */
export function withDaemonState(
  { applications, warnings }: ApplicationList,
  inForce: SettingsView["applications"],
): ApplicationList {
  const known = new Map(applications.map((one) => [one.name, one]));
  for (const { name, kind, base_url, tools, safety, source, error = "" } of inForce) {
    const location = source ?? known.get(name)?.location ?? "";
    known.set(name, { name, kind, base_url, tools, safety, location, error });
  }
  return { applications: [...known.keys()].sort().flatMap((name) => known.get(name) ?? []), warnings };
}

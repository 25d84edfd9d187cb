// What a data directory decides, in lines a person reads before trusting it: where requests go, which secrets are read and who
// gets them, which models answer, and every other setting. Reads no secret. Made from the same bytes that are trusted.
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { impliedByTransport } from "../../applications/kinds.js";
import { APPLICATION_SETTINGS } from "../../config/application-table.js";
import { holdsSecret } from "../../config/database-location.js";
import { configFile, parseConfigFile } from "../../config/file.js";
import { PROVIDER_SETTINGS } from "../../config/provider-table.js";
import { rowsOf, type SettingTable } from "../../config/setting.js";
import { SETTINGS } from "../../config/table.js";
import { applicationFiles } from "../../data-dir/application-files.js";
import { applicationsFile, type KeptLocation, parseKeptLocations } from "../../data-dir/applications-file.js";
import { RECORD_FILE } from "../../data-dir/directory.js";
import { governingFiles } from "../../data-dir/trust.js";
import { APPLICATION_NAME } from "../../domain/application-name.js";
import { messageOf } from "../../domain/error.js";
import { parseSchema, type SchemaDocument } from "../../domain/schema-document.js";
import { isObject, type JsonObject, type JsonValue, objectOf, toJson } from "../../lib/json.js";
import { readRegularFile } from "../../lib/regular-file.js";
import { parseOverrides } from "../../tools/overrides.js";
import { oneLine } from "../terminal/table.js";

/** Files that are named; a directory of documents may have hundreds. */
const MAX_FILES = 20;

type Contents = ReadonlyMap<string, Uint8Array>;

const objectAt = (value: JsonValue | undefined, key: string): JsonObject => objectOf(objectOf(value)[key]);

/** The configuration; an absent one is empty. Throws StartError when it cannot be read: what cannot be displayed is not trusted. */
function configOf(dir: string, contents: Contents): JsonObject {
  const file = configFile(dir);
  const bytes = contents.get(file);
  return bytes ? parseConfigFile(file, bytes) : {};
}

/** The document that the configuration names, or the usual one. */
const schemaFileOf = (dir: string, config: JsonObject): string =>
  resolve(dir, typeof config["schema"] === "string" ? config["schema"] : SETTINGS.schemaFile.default);

/** The configuration and documents of a directory, by their paths, and the document it names elsewhere. */
export function readGoverningFiles(dir: string): Contents {
  const contents = new Map(governingFiles(dir).map((file) => [file, new Uint8Array(readRegularFile(file))]));
  const schema = schemaFileOf(dir, configOf(dir, contents));
  if (existsSync(schema)) contents.set(schema, new Uint8Array(readRegularFile(schema)));
  return contents;
}

function documentOf(file: string, bytes: Uint8Array | undefined): SchemaDocument | string {
  if (!bytes) return "there is no schema document";
  try {
    return parseSchema(Buffer.from(bytes).toString("utf8"), impliedByTransport);
  } catch (error) {
    return `${file} cannot be read: ${messageOf(error)}`;
  }
}

/** Where calls go: the configured address or the document's, and those of single operations. */
function addresses(configured: string | undefined, document: SchemaDocument): string[] {
  const own = document.actions.flatMap(({ transport }) =>
    typeof transport["server"] === "string" ? [transport["server"]] : [],
  );
  return [...new Set([configured ?? document.base_url, ...own])].filter((one) => one !== "");
}

/** The applications that have a document, the one without a name first, which is always spoken of. */
function applicationNames(dir: string, contents: Contents): string[] {
  const names = [...contents.keys()].map((file) => basename(file, ".json"));
  return [
    "",
    ...names.filter((name) => APPLICATION_NAME.test(name) && contents.has(applicationFiles(dir, name).document)),
  ];
}

/** Lines about an application: behind its name, where it has one. */
const about = (name: string, lines: readonly string[]): string[] =>
  lines.map((line) => (name === "" ? line : `${name}: ${line}`));

function addressLines(settings: JsonObject, document: SchemaDocument | string): string[] {
  const { base_url: address, location } = settings;
  const own = location === undefined ? address : shown("target.location", location);
  const configured = typeof own === "string" ? own : undefined;
  if (typeof document === "string") return [configured ?? "no address", document];
  const changing = document.actions.filter(({ safety }) => safety !== "read_only").length;
  return [
    ...addresses(configured, document),
    `${document.actions.length} tools, ${changing} of which change something`,
  ];
}

/** What the last sync kept of each application; nothing where that cannot be read, which `locationLines` says. */
function keptOf(dir: string, contents: Contents): ReadonlyMap<string, KeptLocation> {
  try {
    return parseKeptLocations(contents.get(applicationsFile(dir)) ?? Buffer.from("{}"));
  } catch {
    return new Map();
  }
}

/** The program that is started as an MCP server, or the address that is asked. */
function serverLines(settings: JsonObject, kept: KeptLocation | undefined): string[] {
  const command = Array.isArray(settings["command"]) ? settings["command"].map(String) : kept?.command;
  const address = settings["base_url"] ?? (kept?.kind === "mcp" ? kept.location : undefined);
  if (command)
    return [`the program that it starts: ${toJson([...command])}, in ${kept?.folder ?? "the data directory"}`];
  return typeof address === "string" ? [`the MCP server ${address}`] : [];
}

/** Where the calls of every application go. */
function applicationLines(dir: string, contents: Contents, config: JsonObject): string[] {
  const kept = keptOf(dir, contents);
  return applicationNames(dir, contents).flatMap((name) => {
    const settings = name === "" ? objectAt(config, "target") : objectAt(config["applications"], name);
    const file = name === "" ? schemaFileOf(dir, config) : applicationFiles(dir, name).document;
    const document = documentOf(file, contents.get(file));
    const isServer = typeof document !== "string" && document.source === "mcp";
    const server = isServer ? serverLines(settings, kept.get(name)) : [];
    return about(name, [...addressLines(settings, document), ...server]);
  });
}

/** Where a sync without a location reads, and what it sends there. */
function locationLines(dir: string, contents: Contents): string[] {
  const bytes = contents.get(applicationsFile(dir));
  if (!bytes) return [];
  try {
    return [...parseKeptLocations(bytes)].flatMap(([name, { kind, location: shownAs, command, headers = {} }]) => {
      const location = command ? toJson(command) : shownAs;
      const sent = Object.entries(headers).map(([header, value]) => `${header}: ${shown("", value)}`);
      return about(name, [`${kind} from ${location}${sent.length > 0 ? `, with ${sent.join(", ")}` : ""}`]);
    });
  } catch (error) {
    return [`it cannot be read: ${messageOf(error)}`];
  }
}

const secretsOf = (table: SettingTable): string[] =>
  rowsOf(table).flatMap(({ row }) => (row.isSecret ? [row.name] : []));
/** The secrets among the settings, as the beginnings of their paths; `*` is any name. */
const SECRET_PATHS = [
  ...secretsOf(SETTINGS),
  ...secretsOf(PROVIDER_SETTINGS).map((name) => `providers.*.${name}`),
  ...secretsOf(APPLICATION_SETTINGS).map((name) => `applications.*.${name}`),
].map((path) => new RegExp(`^${path.replaceAll(".", "\\.").replace("*", ".+")}(\\.|$)`));

/** Whether the value at this path is a secret or a reference to one. */
const isSecret = (path: string): boolean => SECRET_PATHS.some((pattern) => pattern.test(path));

function shown(path: string, value: JsonValue): string {
  if (typeof value !== "string") return toJson(value);
  if (value.startsWith("env:")) return `the variable ${value.slice(4)}`;
  if (value.startsWith("file:")) return `the file ${value.slice(5)}`;
  if (value.startsWith("command:")) return `what is printed by ${value.slice(8)}`;
  // Where a database is must be seen, as any address is.
  if (path.endsWith(".location") && !holdsSecret(value)) return value;
  return isSecret(path) ? "[set]" : value;
}

/** What of an OAuth client is a secret, or may be; the rest says where its secrets go. */
const CLIENT_SECRETS = /\.(client_secret|parameters\..+)$/;

/** An OAuth client or a command in place of a secret: it decides what is run, and where secrets are sent. */
const isSource = (path: string, value: JsonObject): boolean =>
  isSecret(path) && ("client_id" in value || "command" in value);

/** Every value of the configuration by its path. */
function settingLines(value: JsonValue, path = ""): string[] {
  if (!isObject(value)) return [`${path}: ${shown(path, value)}`];
  if (isSource(path, value))
    return Object.entries(value).flatMap(([key, inner]) => {
      const at = `${path}.${key}`;
      const isPlain = typeof inner === "string" && !CLIENT_SECRETS.test(at);
      return isPlain ? [`${at}: ${inner}`] : settingLines(inner, at);
    });
  return Object.entries(value).flatMap(([key, inner]) => settingLines(inner, path === "" ? key : `${path}.${key}`));
}

/** Who gets the key of a provider that names none: the address its entry names. */
function providerLines(config: JsonObject): string[] {
  return Object.entries(objectAt(config, "providers")).map(([name, entry]) => {
    const { type, base_url: address, api_key: key } = objectOf(entry);
    const usual = key === undefined && ["openai", "anthropic", "google"].includes(String(type));
    return `${name} (${type}) at ${address ?? "its usual address"}${usual ? ", with the key in its usual variable" : ""}`;
  });
}

/** What the corrections say of single tools; those that cannot be read have no effect. */
function overrideLines(dir: string, contents: Contents): string[] {
  return applicationNames(dir, contents).flatMap((name) => {
    const bytes = contents.get(applicationFiles(dir, name).overrides);
    if (!bytes) return [];
    try {
      return about(name, settingLines(parseOverrides(Buffer.from(bytes).toString("utf8"))));
    } catch (error) {
      return about(name, [`they cannot be read: ${messageOf(error)}`]);
    }
  });
}

function fileLines(files: readonly string[]): string[] {
  const more = files.length - MAX_FILES;
  return more > 0 ? [...files.slice(0, MAX_FILES), `and ${more} more`] : [...files];
}

/**
 * The lines, ending with a line break; nothing in them acts on a terminal. What matters most comes last: whatever the length of
 * the rest, it is what stands above the question. Throws StartError when config.json cannot be read.
 */
export function summaryOf(dir: string, contents: Contents): string {
  const config = configOf(dir, contents);
  const hasRecord = existsSync(join(dir, RECORD_FILE));
  const sections: [title: string, lines: string[]][] = [
    ["covers", fileLines([...contents.keys()])],
    ["comes with", hasRecord ? [`a record, ${RECORD_FILE}: earlier calls, conversations and held calls`] : []],
    ["overrides", overrideLines(dir, contents)],
    ["settings", settingLines(config)],
    ["models", providerLines(config)],
    ["synced from", locationLines(dir, contents)],
    ["calls go to", applicationLines(dir, contents, config)],
  ];
  const text = sections.flatMap(([title, lines]) =>
    lines.map((line, i) => `  ${(i === 0 ? title : "").padEnd(12)} ${oneLine(line)}\n`),
  );
  return `${oneLine(dir)}\n${text.join("")}`;
}

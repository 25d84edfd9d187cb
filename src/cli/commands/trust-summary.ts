// What a data directory decides, in lines a person reads before trusting it: where requests go, which secrets are read and who
// gets them, which models answer, and every other setting. Reads no secret. Made from the same bytes that are trusted.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { impliedByTransport } from "../../applications/kinds.js";
import { configFile, parseConfigFile } from "../../config/file.js";
import { PROVIDER_SETTINGS } from "../../config/provider-table.js";
import { rowsOf } from "../../config/setting.js";
import { SETTINGS } from "../../config/table.js";
import { RECORD_FILE } from "../../data-dir/directory.js";
import { governingFiles } from "../../data-dir/trust.js";
import { messageOf } from "../../domain/error.js";
import { parseSchema, type SchemaDocument } from "../../domain/schema-document.js";
import { isObject, type JsonObject, type JsonValue, objectOf, toJson } from "../../lib/json.js";
import { parseOverrides } from "../../tools/overrides.js";
import { oneLine } from "../terminal/table.js";

/** Files that are named; a directory of documents may have hundreds. */
const MAX_FILES = 20;
const OVERRIDES_FILE = "overrides.json";

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
  const contents = new Map(governingFiles(dir).map((file) => [file, new Uint8Array(readFileSync(file))]));
  const schema = schemaFileOf(dir, configOf(dir, contents));
  if (existsSync(schema)) contents.set(schema, new Uint8Array(readFileSync(schema)));
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

function applicationLines(config: JsonObject, document: SchemaDocument | string): string[] {
  const { base_url: address } = objectAt(config, "target");
  const configured = typeof address === "string" ? address : undefined;
  if (typeof document === "string") return [configured ?? "no address", document];
  const changing = document.actions.filter(({ safety }) => safety !== "read_only").length;
  return [
    ...addresses(configured, document),
    `${document.actions.length} tools, ${changing} of which change something`,
  ];
}

const SECRET_GROUPS = rowsOf(SETTINGS).flatMap(({ row }) => (row.isSecret ? [row.name] : []));
const PROVIDER_SECRETS = rowsOf(PROVIDER_SETTINGS).flatMap(({ row }) => (row.isSecret ? [row.name] : []));

/** Whether the value at this path is a secret or a reference to one. */
const isSecret = (path: string): boolean =>
  SECRET_GROUPS.some((name) => path === name || path.startsWith(`${name}.`)) ||
  PROVIDER_SECRETS.some((name) => new RegExp(`^providers\\..+\\.${name}(\\.|$)`).test(path));

function shown(path: string, value: JsonValue): string {
  if (typeof value !== "string") return toJson(value);
  if (value.startsWith("env:")) return `the variable ${value.slice(4)}`;
  if (value.startsWith("file:")) return `the file ${value.slice(5)}`;
  return isSecret(path) ? "[set]" : value;
}

/** Every value of the configuration by its path. */
function settingLines(value: JsonValue, path = ""): string[] {
  if (!isObject(value)) return [`${path}: ${shown(path, value)}`];
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

/** What overrides.json says of single tools; one that cannot be read has no effect. */
function overrideLines(dir: string, contents: Contents): string[] {
  const bytes = contents.get(join(dir, OVERRIDES_FILE));
  if (!bytes) return [];
  try {
    return settingLines(parseOverrides(Buffer.from(bytes).toString("utf8")));
  } catch (error) {
    return [`it cannot be read: ${messageOf(error)}`];
  }
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
  const file = schemaFileOf(dir, config);
  const hasRecord = existsSync(join(dir, RECORD_FILE));
  const sections: [title: string, lines: string[]][] = [
    ["covers", fileLines([...contents.keys()])],
    ["comes with", hasRecord ? [`a record, ${RECORD_FILE}: earlier calls, conversations and held calls`] : []],
    ["overrides", overrideLines(dir, contents)],
    ["settings", settingLines(config)],
    ["models", providerLines(config)],
    ["calls go to", applicationLines(config, documentOf(file, contents.get(file)))],
  ];
  const text = sections.flatMap(([title, lines]) =>
    lines.map((line, i) => `  ${(i === 0 ? title : "").padEnd(12)} ${oneLine(line)}\n`),
  );
  return `${oneLine(dir)}\n${text.join("")}`;
}

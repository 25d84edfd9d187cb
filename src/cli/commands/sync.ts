// `agentd sync`: a description becomes the schema document of an application, or is read again from where it was the last time.
// Source: docs/reference.md, "Importing a description" and "Several applications".

import { fromKept, type SyncRequest } from "../../applications/connect/sync-request.js";
import { openSource, SOURCE_KINDS } from "../../applications/kinds.js";
import type { Source } from "../../applications/source.js";
import { applicationSettings } from "../../config/application.js";
import { loadSettings } from "../../config/settings.js";
import { readKeptLocations } from "../../data-dir/applications-file.js";
import { applicationNameFault } from "../../domain/application-name.js";
import { usageError } from "../../domain/error.js";
import { didYouMean } from "../../lib/did-you-mean.js";
import { chooseDataDir, type DataDir } from "../client/data-dir.js";
import { headersGiven } from "../client/given-headers.js";
import { programGiven, refuseStrayOptions, withServer } from "../client/server-command.js";
import { defineCommand } from "../command.js";
import { option } from "../options.js";
import { importDescription, writeDescription } from "./sync-document.js";

/** The reader of a kind of description. Throws StartError naming the known ones. */
async function sourceOf(kind: string): Promise<Source> {
  const source = await openSource(kind);
  if (source) return source;
  const known = SOURCE_KINDS.join(", ");
  const isLocation = /[/.:]/.test(kind);
  const hint = isLocation ? ` Its kind comes first: agentd sync KIND ${kind}.` : didYouMean(kind, [...SOURCE_KINDS]);
  throw usageError(`unknown kind of description: ${kind}.${hint} Known: ${known}.`);
}

/** The name given, "" for none. Throws StartError for one that cannot be used. */
function nameGiven({ name, schema }: { name?: string | undefined; schema?: string | undefined }): string {
  if (name === undefined) return "";
  const fault = applicationNameFault(name);
  if (fault !== undefined) throw usageError(`--name: ${fault}`);
  if (schema !== undefined)
    throw usageError(
      "--schema is for the application without a name; each other has its document in schemas/NAME.json.",
    );
  return name;
}

/** What is read: what was given, or what was kept of the last sync. Throws StartError when nothing was. */
function requestOf(
  given: Omit<SyncRequest, "kind" | "location"> & { kind: string; location: string },
  { name, hasCommand }: { name: string; hasCommand: boolean },
  { dir, trust }: DataDir,
): SyncRequest {
  if (given.location !== "" || given.program) return given;
  const kept = readKeptLocations(dir, trust);
  const last = kept.get(name);
  const flag = name === "" ? "" : ` --name ${name}`;
  const again = `agentd sync ${given.kind || last?.kind || "KIND"} LOCATION${flag}`;
  if (!last && hasCommand) return { ...given, kind: "mcp" };
  if (!last)
    throw usageError(
      `there is no location of an earlier sync${name === "" ? "" : ` of ${name}`} to read again.${didYouMean(name, [...kept.keys()])} Give one: ${again}`,
    );
  if (given.kind !== "" && given.kind !== last.kind)
    throw usageError(`the last sync read ${last.kind}, not ${given.kind}. Give a location: ${again}`);
  return fromKept(last, given, again);
}

export const syncCommand = defineCommand({
  positionals: "[kind] [location] [args..]",
  positional: {
    kind: {
      type: "string",
      choices: SOURCE_KINDS,
      describe: `What describes the application: ${SOURCE_KINDS.join(", ")}`,
    },
    location: {
      type: "string",
      describe:
        "A file, - for standard input, or the address of a description, of a page that displays it, or of the application; of a database its file, its address, or env:NAME, a variable that holds either; of an MCP server its address or its program; that of the last sync when left out",
    },
    args: {
      type: "string",
      describe: "Arguments of the program of an MCP server; -- before the program keeps its options",
    },
  },
  options: {
    name: {
      type: "string",
      describe: "The application's name, when there are several; without it the one that has none",
    },
    ...option("base-url"),
    ...option("schema"),
    ...option("ca-file"),
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
    ["agentd sync openapi http://127.0.0.1:5000/openapi.json --name shop", "a further application"],
    ["agentd sync sql ./warehouse.db --name warehouse", "a SQLite file"],
    ["agentd sync graphql http://127.0.0.1:4000/graphql --name reviews", "an endpoint, or a file with its schema"],
    ["agentd sync sql env:SHOP_DATABASE --name shop-data", "a postgres:// address with its password"],
    ["agentd sync mcp --name files -- npx -y @modelcontextprotocol/server-filesystem /srv/files", "an MCP server"],
    ["agentd sync --name shop", "reads its description again"],
  ],
  async run(args) {
    const name = nameGiven(args);
    if (args.kind) await sourceOf(String(args.kind));
    const words = { kind: String(args.kind ?? ""), location: String(args.location ?? "") };
    const program = programGiven({ ...words, more: (args["args"] as string[] | undefined) ?? [] });
    if (program) {
      const { header, allowExternal, baseUrl } = args;
      refuseStrayOptions({
        header: header !== undefined,
        "allow-external": allowExternal === true,
        "base-url": baseUrl !== undefined,
      });
    }
    const chosen = await chooseDataDir(args, { makes: true });
    const settings = await loadSettings({
      dataDir: chosen.dir,
      trust: chosen.trust,
      flags: args,
      env: process.env,
      lenient: true,
    });
    const request = requestOf(
      {
        ...words,
        program,
        headers: args.header ?? [],
        // Checked with the settings: the flag sets that of the application without a name.
        baseUrl: settings.origins["target.base_url"] === "flag" ? settings.target.baseUrl : undefined,
        allowExternal: args.allowExternal === true,
      },
      { name, hasCommand: applicationSettings(settings, name).command !== undefined },
      chosen,
    );
    const context = {
      name,
      request: withServer(request, name, settings),
      given: headersGiven(request.headers),
      source: await sourceOf(request.kind),
      chosen,
      settings,
      isForced: args.force === true,
      asJson: args.json === true,
      // What --schema names is no document of the data directory.
      keeps: args.schema === undefined,
    };
    return writeDescription(context, await importDescription(context));
  },
});

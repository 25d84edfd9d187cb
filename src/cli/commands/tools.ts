// `agentd tools`: what the application can do, all of it or what matches a query. Of the daemon that runs on the data directory, or
// of the files where none does or --schema names one.
import { relative } from "node:path";
import { impliedByTransport } from "../../applications/kinds.js";
import { loadSettings, type Settings } from "../../config/settings.js";
import { applicationFiles } from "../../data-dir/application-files.js";
import { UNNAMED } from "../../domain/application-name.js";
import { StartError, usageError } from "../../domain/error.js";
import { FIRST_STEPS } from "../../domain/first-steps.js";
import type { Tool } from "../../domain/tool.js";
import { didYouMean } from "../../lib/did-you-mean.js";
import { visible } from "../../lib/invisible-characters.js";
import { createRedactor } from "../../lib/redact/redact.js";
import { type ApplicationSet, openApplications } from "../../tools/applications.js";
import { findDaemon, settingsFor } from "../client/connect.js";
import { openDaemonTools } from "../client/daemon-tools.js";
import { existingDataDir } from "../client/data-dir.js";
import { defineCommand, type SharedArgs } from "../command.js";
import { option, TOKEN } from "../options.js";
import { createCommandLog } from "../terminal/command-log.js";
import { type ListColumn, listing } from "../terminal/listing.js";
import { lookOf } from "../terminal/look.js";
import { printJson, say } from "../terminal/output.js";
import { PAGER, showText } from "../terminal/pager.js";
import { cellFor, oneLine } from "../terminal/table.js";
import { requestText, toolPage } from "../terminal/tool-page.js";

/** Best matches shown for a query. */
const MAX_MATCHES = 20;
const MAX_REQUEST_CHARS = 50;
const MAX_DESCRIPTION_CHARS = 70;

/** The columns that a list has only where they say something. */
interface Columns {
  /** Tools are of several applications. */
  application: boolean;
  /** The operator has said something of a tool. */
  permission: boolean;
}

/** In their order; on a terminal that is too narrow for all of them the name, the safety and the words stay longest. */
const COLUMNS: readonly (ListColumn & { needs?: keyof Columns })[] = [
  { heading: "TOOL", rank: 1, least: 24 },
  { heading: "APPLICATION", rank: 6, least: 8, needs: "application" },
  { heading: "SAFETY", rank: 2 },
  { heading: "PERMISSION", rank: 4, needs: "permission" },
  { heading: "REQUEST", rank: 5, least: 12 },
  { heading: "DESCRIPTION", rank: 3, least: 16 },
];

/** The cells of a tool. */
function row(tool: Tool, has: Columns): string[] {
  const { name, application, safety, permission, description } = tool;
  const cut = cellFor(process.stdout);
  return [
    oneLine(name),
    ...(has.application ? [application || UNNAMED] : []),
    safety,
    ...(has.permission ? [permission?.is ?? "-"] : []),
    cut(requestText(tool), MAX_REQUEST_CHARS),
    cut(description, MAX_DESCRIPTION_CHARS),
  ];
}

/** What of a tool its application's overrides changed. */
const overriddenOf = ({ name }: Tool, files: ApplicationSet): readonly string[] =>
  files.catalogue.action(name)?.overridden ?? [];

/** The file of an application's overrides, from the data directory. */
const overridesOf = (dir: string, application: string): string =>
  relative(dir, applicationFiles(dir, application).overrides);

/** "Changed by overrides.json: create_pet (safety, parameters)."; nothing where all tools are as their document has them. */
function changesOf(tools: readonly Tool[], files: ApplicationSet, overridesFile: string): string[] {
  const changed = tools.flatMap((tool) => {
    const overridden = overriddenOf(tool, files);
    return overridden.length > 0 ? [`${oneLine(tool.name)} (${overridden.join(", ")})`] : [];
  });
  return changed.length > 0 ? [`Changed by ${overridesFile}: ${changed.join("; ")}.`] : [];
}

/** Where tools are listed from. */
interface ToolSource {
  /** Names of the applications, the one without a name first. */
  names: readonly string[];
  /** As they stand in their files, which say what was changed in them; undefined where those cannot be used. */
  files: ApplicationSet | undefined;
  /** Of one application where that is named. */
  all(application: string | undefined): Promise<Tool[]>;
  /** With the whole schema of its arguments; undefined where there is none of this name. */
  whole(name: string): Promise<Tool | undefined>;
  /** Of all applications, best first. */
  search(query: string): Promise<Tool[]>;
}

function openFiles(settings: Settings, verbose: boolean): ApplicationSet {
  const log = createCommandLog(createRedactor(settings.secrets), verbose);
  return openApplications(settings, { log, implied: impliedByTransport }).current();
}

/** The files for the daemon of their directory, which goes on with what it has read. */
function filesOfDaemon(settings: Settings, verbose: boolean): ApplicationSet | undefined {
  try {
    return openFiles(settings, verbose);
  } catch (error) {
    if (error instanceof StartError) return undefined;
    throw error;
  }
}

async function openSource(args: SharedArgs & { schema?: string | undefined }): Promise<ToolSource & { dir: string }> {
  const chosen = await existingDataDir(args);
  const { dir, trust } = chosen;
  const verbose = args.verbose === true;
  // A document that is named is the one that is asked about, whatever the daemon has.
  const daemon = args.schema === undefined ? await findDaemon(chosen) : undefined;
  if (daemon) {
    const settings = await settingsFor(args, chosen, daemon);
    const { tools: all, whole, search, applicationNames } = openDaemonTools(daemon, settings);
    return { dir, all, whole, search, names: await applicationNames(), files: filesOfDaemon(settings, verbose) };
  }
  const settings = await loadSettings({ dataDir: dir, trust, flags: args, env: process.env, lenient: true });
  const files = openFiles(settings, verbose);
  const { applications, catalogue } = files;
  const isOf = ({ application }: Tool, only: string | undefined): boolean => only === undefined || application === only;
  return {
    dir,
    files,
    names: applications.map(({ name }) => name),
    all: async (only) => catalogue.listed(catalogue.tools.filter((tool) => isOf(tool, only))),
    whole: async (name) => catalogue.whole(name),
    search: async (query) => catalogue.listed(catalogue.searchClosely(query, catalogue.tools.length)),
  };
}

function toolsText(list: readonly Tool[], { names, files, dir }: ToolSource & { dir: string }): string {
  const has: Columns = {
    application: names.some((name) => name !== ""),
    permission: list.some(({ permission }) => permission !== undefined),
  };
  const columns = COLUMNS.filter(({ needs }) => needs === undefined || has[needs]);
  const table = listing(
    columns,
    list.map((tool) => row(tool, has)),
  );
  const changes = names.flatMap((name) => {
    const own = list.filter(({ application }) => application === name);
    return files ? changesOf(own, files, overridesOf(dir, name)) : [];
  });
  return table + visible(changes.join("\n"));
}

/** All of one tool. */
function wholeText(tool: Tool, { files, dir }: ToolSource & { dir: string }): string {
  const overridden = files ? overriddenOf(tool, files) : [];
  const changed = overridden.length > 0 ? `${overridden.join(", ")}, by ${overridesOf(dir, tool.application)}` : "";
  return toolPage(tool, lookOf(process.stdout), changed);
}

/** The name that was given. Throws StartError, with the nearest one, when no application has it. */
function applicationGiven(word: string, names: readonly string[]): string {
  const known = names.map((name) => name || UNNAMED);
  if (known.includes(word || UNNAMED)) return word === UNNAMED ? "" : word;
  const all = known.length > 0 ? ` Known: ${known.join(", ")}.` : "";
  throw usageError(`there is no application ${word}.${didYouMean(word, known)}${all}`);
}

export const toolsCommand = defineCommand({
  positionals: "[query..]",
  positional: {
    query: {
      type: "string",
      array: true,
      describe: "Words that say what the tool should do; a tool's name shows all of it",
    },
  },
  options: {
    application: { type: "string", describe: `Only those of this application; ${UNNAMED} is the one without a name` },
    json: { type: "boolean", describe: "Print them as GET /tools does" },
    ...option("schema"),
    ...PAGER,
    ...TOKEN,
  },
  examples: [
    ['agentd tools "cancel an order"', "the tools that fit, best first"],
    ["agentd tools create_order", "all of one tool: its class, its request, the schema of its arguments"],
    ["agentd tools --application shop", ""],
  ],
  async run(args) {
    const source = await openSource(args);
    const only = args.application === undefined ? undefined : applicationGiven(args.application, source.names);
    const query = [args.query ?? []].flat().join(" ").trim();
    const isWanted = ({ application }: Tool): boolean => only === undefined || application === only;
    const one = query === "" ? undefined : await source.whole(query);
    if (one && isWanted(one)) {
      if (args.json) printJson([one]);
      else await showText(wholeText(one, source), args);
      return 0;
    }
    const list =
      query === "" ? await source.all(only) : (await source.search(query)).filter(isWanted).slice(0, MAX_MATCHES);
    if (args.json) printJson(list);
    else if (list.length > 0) await showText(toolsText(list, source), args);
    else if (source.names.length === 0) say(["No application is connected yet.", ...FIRST_STEPS].join("\n"));
    else say(query === "" ? "There are no tools." : "No tool fits.");
    return 0;
  },
});

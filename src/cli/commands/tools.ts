// `agentd tools`: what the application can do, all of it or what matches a query.
import { relative } from "node:path";
import { impliedByTransport } from "../../applications/kinds.js";
import { loadSettings } from "../../config/settings.js";
import { applicationFiles } from "../../data-dir/application-files.js";
import { UNNAMED } from "../../domain/application-name.js";
import { StartError } from "../../domain/error.js";
import { FIRST_STEPS } from "../../domain/first-steps.js";
import type { Tool } from "../../domain/tool.js";
import { didYouMean } from "../../lib/did-you-mean.js";
import { visible } from "../../lib/invisible-characters.js";
import { createRedactor } from "../../lib/redact/redact.js";
import { type ApplicationSet, openApplications } from "../../tools/applications.js";
import type { Catalogue } from "../../tools/catalogue.js";
import { existingDataDir } from "../client/data-dir.js";
import { defineCommand } from "../command.js";
import { option } from "../options.js";
import { createCommandLog } from "../terminal/command-log.js";
import { printJson, say } from "../terminal/output.js";
import { PAGER, showText } from "../terminal/pager.js";
import { fittedTable, oneLine } from "../terminal/table.js";

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

/** The cells of a tool. */
function row({ name, application, safety, permission, transport, description }: Tool, has: Columns): string[] {
  const request = [transport.method?.toUpperCase(), transport.path].filter(Boolean).join(" ");
  return [
    oneLine(name),
    ...(has.application ? [application || UNNAMED] : []),
    safety,
    ...(has.permission ? [permission?.is ?? "-"] : []),
    oneLine(request || transport.kind, MAX_REQUEST_CHARS),
    oneLine(description, MAX_DESCRIPTION_CHARS),
  ];
}

/** "Changed by overrides.json: create_pet (safety, parameters)."; nothing where all tools are as their document has them. */
function changesOf(tools: readonly Tool[], catalogue: Catalogue, overridesFile: string): string[] {
  const changed = tools.flatMap(({ name }) => {
    const { overridden = [] } = catalogue.action(name) ?? {};
    return overridden.length > 0 ? [`${oneLine(name)} (${overridden.join(", ")})`] : [];
  });
  return changed.length > 0 ? [`Changed by ${overridesFile}: ${changed.join("; ")}.`] : [];
}

function toolsText(list: readonly Tool[], { applications, catalogue }: ApplicationSet, dataDir: string): string {
  const has: Columns = {
    application: applications.some(({ name }) => name !== ""),
    permission: list.some(({ permission }) => permission !== undefined),
  };
  const headings = [
    "TOOL",
    ...(has.application ? ["APPLICATION"] : []),
    "SAFETY",
    ...(has.permission ? ["PERMISSION"] : []),
    "REQUEST",
    "DESCRIPTION",
  ];
  const table = fittedTable(
    headings,
    list.map((tool) => row(tool, has)),
  );
  const changes = applications.flatMap(({ name }) => {
    const own = list.filter(({ application }) => application === name);
    return changesOf(own, catalogue, relative(dataDir, applicationFiles(dataDir, name).overrides));
  });
  return table + visible(changes.join("\n"));
}

/** The name that was given. Throws StartError, with the nearest one, when no application has it. */
function applicationGiven(word: string, { applications }: ApplicationSet): string {
  const names = applications.map(({ name }) => name || UNNAMED);
  if (names.includes(word || UNNAMED)) return word === UNNAMED ? "" : word;
  const known = names.length > 0 ? ` Known: ${names.join(", ")}.` : "";
  throw new StartError(`there is no application ${word}.${didYouMean(word, names)}${known}`, { exitCode: 2 });
}

export const toolsCommand = defineCommand({
  positionals: "[query..]",
  positional: { query: { type: "string", array: true, describe: "Words that say what the tool should do" } },
  options: {
    application: { type: "string", describe: `Only those of this application; ${UNNAMED} is the one without a name` },
    json: { type: "boolean", describe: "Print them as GET /tools does" },
    ...option("schema"),
    ...PAGER,
  },
  examples: [
    ['agentd tools "cancel an order"', "the tools that fit, best first"],
    ["agentd tools --application shop", ""],
  ],
  async run(args) {
    const { dir, trust } = await existingDataDir(args);
    const settings = await loadSettings({ dataDir: dir, trust, flags: args, env: process.env, lenient: true });
    const log = createCommandLog(createRedactor(settings.secrets), args.verbose === true);
    const set = openApplications(settings, { log, implied: impliedByTransport }).current();
    const { applications, catalogue } = set;
    const only = args.application === undefined ? undefined : applicationGiven(args.application, set);
    const query = [args.query ?? []].flat().join(" ").trim();
    const isWanted = ({ application }: Tool): boolean => only === undefined || application === only;
    const found =
      query === ""
        ? catalogue.tools
        : catalogue.search(query, only === undefined ? MAX_MATCHES : catalogue.tools.length);
    const list = found.filter(isWanted).slice(0, query === "" ? undefined : MAX_MATCHES);
    if (args.json) printJson(catalogue.listed(list));
    else if (list.length > 0) await showText(toolsText(list, set, dir), args);
    else if (applications.length === 0) say(["No application is connected yet.", ...FIRST_STEPS].join("\n"));
    else say(query === "" ? "There are no tools." : "No tool fits.");
    return 0;
  },
});

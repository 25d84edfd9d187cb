// `agentd applications`: which there are, and what each is, in the daemon that runs on the data directory or in its files; `remove`
// takes one away from the files, which a running daemon follows. Source: docs/reference.md, "Several applications"
import { existsSync, renameSync, rmSync } from "node:fs";
import { relative } from "node:path";
import { loadSettings, type Settings } from "../../config/settings.js";
import {
  applicationsFile,
  readKeptLocations,
  withApplicationsLock,
  writeKeptLocations,
} from "../../data-dir/applications-file.js";
import { settingsKey, UNNAMED } from "../../domain/application-name.js";
import { usageError } from "../../domain/error.js";
import { FIRST_STEPS } from "../../domain/first-steps.js";
import { didYouMean } from "../../lib/did-you-mean.js";
import { schemaLocation } from "../../tools/schema-file.js";
import { type ApplicationList, listApplications, withDaemonState } from "../client/applications.js";
import { findDaemon, settingsFor } from "../client/connect.js";
import { openDaemonTools } from "../client/daemon-tools.js";
import { type DataDir, existingDataDir, forgetDocument, rememberDocument } from "../client/data-dir.js";
import { defineCommand, type SharedArgs } from "../command.js";
import { TOKEN } from "../options.js";
import { type ListColumn, listing } from "../terminal/listing.js";
import { print, printJson, printPainted, say } from "../terminal/output.js";
import { oneLine } from "../terminal/table.js";

const ACTIONS = ["list", "remove"];
/** What corrections are called once nothing reads them. */
const REMOVED = ".removed";

/** On a terminal that is too narrow for all of them what it is and how much of it there is stays longest. */
const COLUMNS: readonly ListColumn[] = [
  { heading: "NAME", rank: 1 },
  { heading: "KIND", rank: 3 },
  { heading: "ADDRESS", rank: 4, least: 16 },
  { heading: "TOOLS", rank: 2 },
  { heading: "READ", rank: 5 },
  { heading: "CHANGE", rank: 6 },
  { heading: "DESTROY", rank: 7 },
  { heading: "SYNCED FROM", rank: 8, least: 16 },
];

const displayed = (name: string): string => (name === "" ? UNNAMED : name);

function printApplications({ applications, warnings }: ApplicationList): void {
  const usable = applications.filter(({ error }) => error === "");
  if (usable.length > 0)
    printPainted(
      listing(
        COLUMNS,
        usable.map(({ name, kind, base_url, tools, safety, location }) => [
          displayed(name),
          oneLine(kind),
          oneLine(base_url || "-"),
          String(tools),
          ...[safety.read_only, safety.mutating, safety.destructive].map(String),
          oneLine(location || "-"),
        ]),
      ),
    );
  for (const { name, error } of applications)
    if (error !== "") print(`${displayed(name)} cannot be used: ${oneLine(error)}\n`);
  if (applications.length === 0) say(["No application is connected yet.", ...FIRST_STEPS].join("\n"));
  for (const warning of warnings) say(`warning: ${oneLine(warning)}`);
}

/** What is left of an application that only a person can take away, in a sentence. */
function restOf(settings: Settings, name: string): string[] {
  const key = settingsKey(name);
  const secrets = ["auth", "headers", "arguments"].filter(
    (part) => settings.origins[`${key}.${part}`] === "config.json",
  );
  const isConfigured = Object.entries(settings.origins).some(
    ([setting, origin]) => setting.startsWith(`${key}.`) && origin === "config.json",
  );
  if (!isConfigured && !settings.applications.has(name)) return [];
  const what = secrets.length > 0 ? ` with its ${secrets.join(" and ")}` : "";
  const next = name === "" ? "without a name" : "of this name";
  return [`config.json still has ${key}${what}: take it out, or the next application ${next} gets it.`];
}

/** Takes an application's files away. Returns sentences about what became of them. */
function remove(name: string, chosen: DataDir, settings: Settings): Promise<string[]> {
  const { dataDir } = settings;
  const { file, overridesFile } = schemaLocation(settings, name);
  const short = (path: string): string => relative(dataDir, path);
  return withApplicationsLock(dataDir, async () => {
    const kept = readKeptLocations(dataDir, settings.trust);
    if (!existsSync(file) && !existsSync(overridesFile) && !kept.has(name))
      throw usageError(`config.json alone has ${displayed(name)}: take ${settingsKey(name)} out there.`);
    // The document first: without its corrections its tools could do what those forbid.
    rmSync(file, { force: true });
    await forgetDocument(chosen, file);
    const said = [`${short(file)} is gone, and with it the tools; what was recorded of them stays in the history.`];
    if (existsSync(overridesFile)) {
      renameSync(overridesFile, overridesFile + REMOVED);
      await forgetDocument(chosen, overridesFile);
      said.push(`${short(overridesFile)} is kept as ${short(overridesFile)}${REMOVED}, which nothing reads.`);
    }
    if (kept.delete(name))
      await rememberDocument(chosen, applicationsFile(dataDir), await writeKeptLocations(dataDir, kept));
    return [...said, ...restOf(settings, name)];
  });
}

/** The application that is to be removed. Throws StartError, with the nearest name, for one that is not there. */
function nameOf(word: string, settings: Settings): string {
  if (word === "")
    throw usageError(`which one? agentd applications remove NAME; ${UNNAMED} is the one without a name.`);
  const { applications } = listApplications(settings);
  const known = applications.map(({ name }) => displayed(name));
  if (!known.includes(word)) {
    const all = known.length > 0 ? ` Known: ${known.join(", ")}.` : "";
    throw usageError(`there is no application ${word}.${didYouMean(word, known)}${all}`);
  }
  const name = word === UNNAMED ? "" : word;
  if (name === "" && settings.schemaGiven)
    throw usageError(
      `its document is ${settings.schemaFile}, as ${settings.origins["schema"]} says: take that out first.`,
    );
  return name;
}

function fileSettings(args: SharedArgs, { dir: dataDir, trust }: DataDir): Promise<Settings> {
  return loadSettings({ dataDir, trust, flags: args, env: process.env, lenient: true });
}

/** The applications as the daemon of the directory has them, else as the files do. */
async function listOf(args: SharedArgs, chosen: DataDir): Promise<ApplicationList> {
  const daemon = await findDaemon(chosen);
  if (!daemon) return listApplications(await fileSettings(args, chosen));
  const settings = await settingsFor(args, chosen, daemon);
  return withDaemonState(listApplications(settings), await openDaemonTools(daemon, settings).applications());
}

export const applicationsCommand = defineCommand({
  positionals: "[action] [name]",
  positional: {
    action: { type: "string", choices: ACTIONS, describe: "list, which it does when nothing is said; or remove" },
    name: { type: "string", describe: "Which to remove; - is the one without a name" },
  },
  options: { json: { type: "boolean", describe: "Print the list as a JSON array" }, ...TOKEN },
  examples: [
    ["agentd applications", "what there is, and where it was synced from"],
    ["agentd applications remove shop", ""],
  ],
  async run(args) {
    const action = String(args.action || "list");
    if (!ACTIONS.includes(action))
      throw usageError(
        `agentd applications does not know what to do with "${action}".${didYouMean(action, ACTIONS)} See agentd applications --help.`,
      );
    const word = String(args.name ?? "");
    if (action === "list" && word !== "") throw usageError(`agentd applications list has no use for ${word}.`);
    if (action === "remove" && args.json) throw usageError("agentd applications remove has no use for --json.");
    const chosen = await existingDataDir(args);
    if (action === "remove") {
      const settings = await fileSettings(args, chosen);
      for (const sentence of await remove(nameOf(word, settings), chosen, settings)) print(`${oneLine(sentence)}\n`);
      return 0;
    }
    const list = await listOf(args, chosen);
    if (args.json) printJson(list.applications);
    else printApplications(list);
    return 0;
  },
});

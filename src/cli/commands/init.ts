// `agentd init`: the guided first start. Asks where the description is, shows what would be imported, and writes it as `agentd sync`
// does; then credentials, the model, a first call. Source: docs/reference.md, "The guided first start".
import { existsSync } from "node:fs";
import { previewOf } from "../../applications/connect/preview.js";
import { credentialNeeds } from "../../applications/credential-needs.js";
import { impliedByTransport, openSource } from "../../applications/kinds.js";
import type { Imported, Source } from "../../applications/source.js";
import { applicationSettings } from "../../config/application.js";
import { loadSettings, type Settings } from "../../config/settings.js";
import { APPLICATION_NAME, applicationNameFault } from "../../domain/application-name.js";
import { messageOf, StartError, usageError } from "../../domain/error.js";
import { parseSchema } from "../../domain/schema-document.js";
import { type JsonObject, objectOf, parseJson } from "../../lib/json.js";
import { readRegularFile } from "../../lib/regular-file.js";
import { fullName } from "../../tools/full-names.js";
import { schemaLocation } from "../../tools/schema-file.js";
import { chooseDataDir, type DataDir } from "../client/data-dir.js";
import { withServer } from "../client/server-command.js";
import { defineCommand, type SharedArgs } from "../command.js";
import { hasPerson, openTerminal } from "../terminal/ask.js";
import { onInterrupt, SIGNAL_CODES } from "../terminal/interrupt.js";
import { printProse, say } from "../terminal/output.js";
import { oneLine } from "../terminal/table.js";
import { callFirst, firstCall, providerFound } from "./init-call.js";
import { addToConfig, variablesIn } from "./init-config.js";
import { askForHeader, askForLocation, type Described } from "./init-location.js";
import { importDescription, writeDescription } from "./sync-document.js";

/** Looked for in the current folder. */
const USUAL_FILES = ["openapi.json", "openapi.yaml", "openapi.yml", "swagger.json"];
/** For a first look, beside an application without a name. */
const NEW_NAME = "new-application";
const MAX_SHOWN = 8;
/** Answers that are of no use, after which it is left: a closed terminal answers for ever. */
const MAX_TRIES = 5;

/** The person, and what may be asked of them. */
interface Guide {
  settings: Settings;
  chosen: DataDir;
  /** A line; the default where nothing is typed. */
  ask(question: string, preset: string): Promise<string>;
  /** Yes where nothing is typed. */
  agrees(question: string): Promise<boolean>;
  /** Work that Ctrl-C does not cut short; it gets a signal instead. */
  whole<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** A description that was read, and by what. */
interface Found extends Described {
  source: Source;
  imported: Imported;
  /** The name it was read for, which is free. */
  name: string;
  preview: ReturnType<typeof previewOf>["preview"];
}

/** The last of a few tries of what a person may get wrong. Throws StartError when none was of use. */
async function inTries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof StartError) || tries === MAX_TRIES) throw error;
      say(messageOf(error));
    }
  }
}

const isTaken = (settings: Settings, name: string): boolean => existsSync(schemaLocation(settings, name).file);

/** Reads what was described for a name that is free: nothing of another application goes there. */
async function readDescribed({ settings }: Guide, described: Described, wanted?: string): Promise<Found> {
  const name = wanted ?? (isTaken(settings, "") ? NEW_NAME : "");
  const request = withServer(described.request, name, settings);
  const source = await openSource(request.kind);
  if (!source) throw new StartError(`nothing reads ${request.kind}.`);
  const imported = await importDescription({ ...described, name, request, source, settings });
  const { baseUrl, credentials } = applicationSettings(settings, name);
  const isNamed = (request.baseUrl ?? baseUrl) !== undefined || imported.isNamed === true;
  const context = { kind: source.kind, name, configured: Object.keys(credentials), isNamed, configFile: "config.json" };
  return { ...described, request, source, imported, name, preview: previewOf(imported, context).preview };
}

async function askForDescription(guide: Guide): Promise<Found> {
  const { ask } = guide;
  const described = await askForLocation(ask, USUAL_FILES.find((file) => existsSync(file)) ?? "");
  const found = await readDescribed(guide, described).catch(async (error: unknown) => {
    const { kind, location } = described.request;
    const isLocked = kind !== "mcp" && /^https?:/i.test(location) && /\b40[13]\b/.test(messageOf(error));
    if (!isLocked) throw error;
    say(messageOf(error));
    const again = await askForHeader(ask, described);
    if (!again) throw error;
    return readDescribed(guide, again);
  });
  if (found.preview.base_url !== "") return found;
  const baseUrl = await ask("It does not say where calls go. Their address, such as http://127.0.0.1:8000?", "");
  if (baseUrl === "") return found;
  // The address decides what is written: it is read once more.
  return readDescribed(guide, { ...found, request: { ...found.request, baseUrl } });
}

function show({ title, tools, safety, doubtful, skipped, base_url }: Found["preview"]): void {
  printProse(
    `\n${oneLine(title) || "The application"}, at ${oneLine(base_url) || "an address it does not say"}: ${tools} ${tools === 1 ? "tool" : "tools"}.\n`,
  );
  printProse(
    `  ${safety.read_only} only read, ${safety.mutating} change something, ${safety.destructive} may destroy something.\n`,
  );
  if (doubtful.length > 0) printProse(`  Doubtful, so they count as changes (${doubtful.length}):\n`);
  for (const { tool, why } of doubtful.slice(0, MAX_SHOWN)) printProse(`    ${oneLine(tool)}: ${oneLine(why)}\n`);
  if (doubtful.length > MAX_SHOWN) printProse(`    and ${doubtful.length - MAX_SHOWN} more\n`);
  if (skipped.length > 0)
    printProse(
      `  ${skipped.length} ${skipped.length === 1 ? "operation is" : "operations are"} left out; the report of the import says why.\n`,
    );
}

/** A name that is free, "" for none. Throws StartError for one that is not or cannot be used. */
async function askForName({ ask, settings }: Guide, title: string): Promise<string> {
  const slug = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 20);
  const preset = isTaken(settings, "")
    ? APPLICATION_NAME.test(slug) && !isTaken(settings, slug)
      ? slug
      : "further"
    : "";
  const name = await ask("A name for it? Enter alone is fine, unless there are several applications.", preset);
  const fault = name === "" ? undefined : applicationNameFault(name);
  if (fault !== undefined) throw new StartError(fault);
  if (isTaken(settings, name))
    throw new StartError(`There is an application ${name || "without a name"} already; agentd sync reads it again.`);
  return name;
}

/** Settings as they stand in config.json for an application. */
const configLines = (name: string, lines: JsonObject): JsonObject =>
  name === "" ? { target: lines } : { applications: { [name]: lines } };

/** Offers to write the lines that supply what the tools need to sign in. */
async function offerCredentials(guide: Guide, name: string, found: Found): Promise<void> {
  const { file } = schemaLocation(guide.settings, name);
  const document = parseSchema(readRegularFile(file).toString("utf8"), impliedByTransport);
  const configured = [
    ...Object.keys(applicationSettings(guide.settings, name).credentials),
    ...Object.keys(objectOf(found.lines["auth"])),
  ];
  const { config } = credentialNeeds(document, name, configured);
  const needed = config === undefined ? undefined : (parseJson(`{${config}}`) as JsonObject);
  const own = Object.keys(found.lines).length > 0 ? configLines(name, found.lines) : undefined;
  const lines = needed ?? own;
  if (lines === undefined) return;
  const variables = variablesIn(lines);
  say(
    `\nCalls that need to sign in read the credential from the environment: ${variables.join(", ")}. No value is asked for or kept.`,
  );
  if (document.base_url_confirmed === false) {
    say(
      `The address was chosen by the description, so add it with the lines above, and "base_url": "${oneLine(found.preview.base_url)}".`,
    );
    return;
  }
  if (!(await guide.agrees("Write these lines into config.json?"))) return;
  say(
    `Written: ${await guide.whole(() => addToConfig(guide.chosen, lines))}. Set ${variables.join(", ")} before agentd serve.`,
  );
}

async function offerCall(guide: Guide, name: string, args: SharedArgs): Promise<void> {
  const settings = await read(guide.chosen, args);
  say(`\nThe model: ${await providerFound(settings)}`);
  const document = parseSchema(
    readRegularFile(schemaLocation(settings, name).file).toString("utf8"),
    impliedByTransport,
  );
  const action = firstCall(document);
  if (!action) {
    say("No first call is offered: no tool is known to only read without arguments. agentd tools lists them.");
    return;
  }
  const tool = name === "" ? action.name : fullName(name, action.name, new Set());
  if (await guide.agrees(`Call ${oneLine(tool)} now? It only reads.`))
    await guide.whole((signal) => callFirst(settings, tool, signal));
}

async function guided(guide: Guide, args: SharedArgs): Promise<number> {
  const found = await inTries(() => askForDescription(guide));
  show(found.preview);
  if (!(await guide.agrees("Import it?"))) {
    say("Nothing was written.");
    return 0;
  }
  const name = await inTries(() => askForName(guide, found.preview.title));
  const { chosen, settings } = guide;
  // Settings that wait for an application of this name decide what is written.
  const isExpected = name !== found.name && Object.hasOwn(settings.applications, name);
  const read = isExpected ? await guide.whole(() => readDescribed(guide, found, name)) : found;
  const options = { isForced: false, asJson: false, keeps: true };
  const code = await guide.whole(() =>
    writeDescription({ ...read, name, chosen, settings, ...options }, read.imported),
  );
  if (code !== 0) return code;
  await offerCredentials(guide, name, found);
  await offerCall(guide, name, args);
  say("\nNext: agentd serve runs the daemon with its web page, agentd chat talks to the application here.");
  return 0;
}

const read = ({ dir, trust }: DataDir, flags: SharedArgs): Promise<Settings> =>
  loadSettings({ dataDir: dir, trust, flags, env: process.env, lenient: true });

export const initCommand = defineCommand({
  options: {},
  examples: [["agentd init", "asks; every question has a default, and Ctrl-C leaves"]],
  async run(args) {
    if (!hasPerson())
      throw usageError(
        "agentd init asks questions, and there is no terminal to ask them on. Run agentd sync openapi ADDRESS (or sql, graphql, mcp), then agentd serve.",
      );
    const chosen = await chooseDataDir(args, { makes: true });
    const settings = await read(chosen, args);
    const terminal = openTerminal();
    const stop = new AbortController();
    let isAtWork = false;
    const leave = (): never => {
      terminal.close();
      say("");
      process.exit(SIGNAL_CODES.SIGINT);
    };
    const release = onInterrupt(() => {
      stop.abort();
      if (!isAtWork) leave();
    });
    const ask = async (question: string, preset: string): Promise<string> => {
      // Said, because that breaks it between words.
      say(`\n${question}`);
      return (await terminal.ask(`${preset && `[${preset}] `}> `, stop.signal)).trim() || preset;
    };
    const guide: Guide = {
      settings,
      chosen,
      ask,
      agrees: async (question) => !/^n/i.test(await ask(question, "yes")),
      async whole(work) {
        isAtWork = true;
        const result = await work(stop.signal);
        isAtWork = false;
        return stop.signal.aborted ? leave() : result;
      },
    };
    try {
      return await guided(guide, args);
    } finally {
      release();
      terminal.close();
    }
  },
});
